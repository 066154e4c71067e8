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

// Starts a detached thread with every signal blocked, so that signals stay with the thread that waits for them.
// Returns 0, or what pthread_create failed with.
int clinux_start_thread(void *_Nullable (*_Nonnull body)(void *_Nullable), void *_Nullable argument);

#endif
