// A library for LD_PRELOAD: notes when the program sets its lines through libgpiod 1, and the edges that it reads.
#include <dlfcn.h>
#include <gpiod.h>

#include "gpiod-clock.h"

static gpio_clock *page;
static int (*set)(struct gpiod_line_bulk *, const int *);
static int (*read_edges)(int, struct gpiod_line_event *, unsigned int);

__attribute__((constructor)) static void begin(void) {
    page = map_clock(getenv("GPIO_CLOCK"));
    *(void **)&set = dlsym(RTLD_NEXT, "gpiod_line_set_value_bulk");
    *(void **)&read_edges = dlsym(RTLD_NEXT, "gpiod_line_event_read_fd_multiple");
}

int gpiod_line_set_value_bulk(struct gpiod_line_bulk *lines, const int *values) {
    const int result = set(lines, values);
    page->set_at = clock_now();
    return result;
}

int gpiod_line_event_read_fd_multiple(int descriptor, struct gpiod_line_event *events, unsigned int count) {
    const int result = read_edges(descriptor, events, count);
    if (result > 0) page->edge_at = nanoseconds(events[0].ts);
    return result;
}
