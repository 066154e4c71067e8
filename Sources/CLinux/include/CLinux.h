// Declarations that Swift's Glibc module lacks, either because glibc declares it only with _GNU_SOURCE or because Swift
// cannot import the macro.
#ifndef CLINUX_H
#define CLINUX_H

#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>

// Starts a detached thread with all signals blocked, so that signals go to the thread that waits for them. The fault
// signals (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS) are not blocked: their handler switches the lamps
// off. Returns 0, or the errno of the call that failed.
int clinux_start_thread(void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable argument);

// O_PATH: opens a directory for further lookups; search permission is enough.
extern const int clinux_o_path;

#endif
