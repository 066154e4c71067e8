#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

const int clinux_o_path = O_PATH;

// What a fault of the program raises, and `abort`. Blocked, they would end the process without their handler.
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};

typedef struct {
    void *(*body)(void *);
    void *argument;
} start;

// Runs a thread's body, on a thread that can handle a fault even where its stack is used up.
static void *run(void *argument) {
    start given = *(start *)argument;
    free(argument);
    // At the beginning of the thread's stack, which is used up at its other end.
    char stack[64 * 1024];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    // Where it is refused, all faults but a used up stack are handled.
    sigaltstack(&alternate, NULL);
    void *result = given.body(given.argument);
    alternate.ss_flags = SS_DISABLE;
    sigaltstack(&alternate, NULL);
    return result;
}

int clinux_start_thread(void *(*body)(void *), void *argument) {
    sigset_t blocked, before;
    pthread_attr_t attributes;
    pthread_t thread;

    start *given = malloc(sizeof *given);
    if (!given) return ENOMEM;
    *given = (start){body, argument};
    int fault = pthread_attr_init(&attributes);
    if (fault) {
        free(given);
        return fault;
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);

    // A new thread inherits the mask. Setting it afterwards, in the thread, would leave a gap for a signal.
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&blocked, faults[i]);
    fault = pthread_sigmask(SIG_SETMASK, &blocked, &before);
    if (!fault) {
        fault = pthread_create(&thread, &attributes, run, given);
        // It cannot fail: the mask is one that was in force.
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }

    pthread_attr_destroy(&attributes);
    if (fault) free(given);
    return fault;
}
