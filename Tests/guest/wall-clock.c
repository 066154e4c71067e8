/*
 * Moves the wall clock WALL_CLOCK_AHEAD seconds ahead for a program that has this library in LD_PRELOAD. All other
 * clocks and all timers are unchanged.
 *
 * libfaketime cannot be used: it also shifts the deadlines of timerfds, whatever their clock, so they never expire.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead(void)
{
	const char *seconds = getenv("WALL_CLOCK_AHEAD");

	return seconds ? atol(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int result = syscall(SYS_clock_gettime, clock, now);

	if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		now->tv_sec += ahead();
	return result;
}

int gettimeofday(struct timeval *now, void *zone)
{
	struct timespec time;
	int result = clock_gettime(CLOCK_REALTIME, &time);

	(void)zone;
	now->tv_sec = time.tv_sec;
	now->tv_usec = time.tv_nsec / 1000;
	return result;
}

time_t time(time_t *now)
{
	struct timespec time;

	clock_gettime(CLOCK_REALTIME, &time);
	if (now)
		*now = time.tv_sec;
	return time.tv_sec;
}
