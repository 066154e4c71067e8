// Not in the header, because on arm64 it renames a member of fd_set, which then differs from Swift's Glibc module. See
// scripts/check-headers.
#define _GNU_SOURCE

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

const int clinux_o_path = O_PATH;

// Signals raised by program faults and by `abort`. If these signals were blocked, they would end the process without
// calling their handler.
static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};

typedef struct {
    void *(*body)(void *);
    void *argument;
} start;

// Runs a thread's body with an alternate signal stack, so that the thread can handle even a stack overflow.
static void *run(void *argument) {
    start given = *(start *)argument;
    free(argument);
    // This lies at the start of the thread's stack; an overflow happens at the other end.
    char stack[64 * 1024];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    // If this fails, all faults except a stack overflow are still handled.
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

    // A new thread inherits the mask. Setting the mask in the thread instead would leave a gap in which a signal could
    // arrive.
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&blocked, faults[i]);
    fault = pthread_sigmask(SIG_SETMASK, &blocked, &before);
    if (!fault) {
        fault = pthread_create(&thread, &attributes, run, given);
        // This cannot fail: the mask was in force before.
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }

    pthread_attr_destroy(&attributes);
    if (fault) free(given);
    return fault;
}
