#include "CLinux.h"

int clinux_start_thread(void *(*body)(void *), void *argument) {
    sigset_t all, before;
    pthread_attr_t attributes;
    pthread_t thread;

    int fault = pthread_attr_init(&attributes);
    if (fault) return fault;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);

    // A new thread inherits the mask. Setting it afterwards, in the thread, would leave a gap for a signal.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    fault = pthread_create(&thread, &attributes, body, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);

    pthread_attr_destroy(&attributes);
    return fault;
}
