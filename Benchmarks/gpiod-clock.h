// What the benchmark's two libraries write about the lines of a program: on a page of memory that the program shares
// with client.c, a file that `GPIO_CLOCK` names. Both are for libgpiod 1.
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    _Atomic uint64_t set_at;   // when a line was last set, in nanoseconds of CLOCK_MONOTONIC
    _Atomic uint64_t edge_at;  // the timestamp of the last edge that the program read; 0 with the stand-in
} gpio_clock;

static inline uint64_t nanoseconds(struct timespec time) {
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static inline uint64_t clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return nanoseconds(time);
}

static inline gpio_clock *map_clock(const char *path) {
    const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof(gpio_clock), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (page == MAP_FAILED) {
        fprintf(stderr, "no clock at %s\n", path ? path : "GPIO_CLOCK");
        exit(1);
    }
    close(file);
    return page;
}
