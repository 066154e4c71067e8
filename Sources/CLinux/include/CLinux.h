// What Swift's Glibc module lacks, because glibc shows it only with _GNU_SOURCE or Swift cannot import the macro.
#ifndef CLINUX_H
#define CLINUX_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>

// Starts a detached thread with every signal blocked, so that signals stay with the thread that waits for them; but for
// those of a fault (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS), whose handler puts the lamps out.
// Returns 0, or the errno of what failed.
int clinux_start_thread(void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable argument);

// O_PATH: a descriptor to go on from, for which the right to search a folder is enough.
extern const int clinux_o_path;

#endif
