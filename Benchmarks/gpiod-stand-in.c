// A stand-in for libgpiod 1 on machines without a GPIO chip: every chip exists, and has lines without names. Setting
// lines notes the time. An edge is a line of text, `pull-up` or `pull-down`, that client.c writes to `GPIO_CLOCK`.edges.
#include <errno.h>
#include <gpiod.h>
#include <string.h>

#include "gpiod-clock.h"

enum { LINES = 16 };

struct gpiod_line {
    unsigned int offset;
    int edges;  // the descriptor of a line that was requested for its edges
};

struct gpiod_chip {
    struct gpiod_line lines[LINES];
};

static struct gpiod_chip chip;
static gpio_clock *page;

struct gpiod_chip *gpiod_chip_open(const char *path) {
    (void)path;
    if (!page) page = map_clock(getenv("GPIO_CLOCK"));
    for (unsigned int i = 0; i < LINES; i++) chip.lines[i] = (struct gpiod_line){.offset = i, .edges = -1};
    return &chip;
}

void gpiod_chip_close(struct gpiod_chip *chip) { (void)chip; }
const char *gpiod_chip_name(struct gpiod_chip *chip) { return (void)chip, "gpiochip0"; }
const char *gpiod_chip_label(struct gpiod_chip *chip) { return (void)chip, "stand-in"; }
unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip) { return (void)chip, LINES; }

struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int offset) {
    if (offset < LINES) return &chip->lines[offset];
    errno = EINVAL;
    return NULL;
}

unsigned int gpiod_line_offset(struct gpiod_line *line) { return line->offset; }
const char *gpiod_line_name(struct gpiod_line *line) { return (void)line, NULL; }
const char *gpiod_line_consumer(struct gpiod_line *line) { return (void)line, NULL; }
int gpiod_line_direction(struct gpiod_line *line) { return (void)line, GPIOD_LINE_DIRECTION_INPUT; }
bool gpiod_line_is_used(struct gpiod_line *line) { return (void)line, false; }
int gpiod_line_update(struct gpiod_line *line) { return (void)line, 0; }
int gpiod_line_get_value(struct gpiod_line *line) { return (void)line, 0; }
void gpiod_line_release(struct gpiod_line *line) { (void)line; }
void gpiod_line_release_bulk(struct gpiod_line_bulk *lines) { (void)lines; }

int gpiod_line_request_bulk(
    struct gpiod_line_bulk *lines, const struct gpiod_line_request_config *config, const int *values) {
    return (void)lines, (void)config, (void)values, 0;
}

int gpiod_line_set_value_bulk(struct gpiod_line_bulk *lines, const int *values) {
    (void)lines, (void)values;
    page->set_at = clock_now();
    return 0;
}

int gpiod_line_request_both_edges_events_flags(struct gpiod_line *line, const char *consumer, int flags) {
    (void)consumer, (void)flags;
    char path[4096];
    snprintf(path, sizeof path, "%s.edges", getenv("GPIO_CLOCK"));
    // Open for writing too, so that the pipe never ends.
    line->edges = open(path, O_RDWR | O_CLOEXEC);
    return line->edges < 0 ? -1 : 0;
}

int gpiod_line_event_get_fd(struct gpiod_line *line) { return line->edges; }

int gpiod_line_event_read_fd_multiple(int descriptor, struct gpiod_line_event *events, unsigned int count) {
    char text[64];
    const ssize_t length = read(descriptor, text, sizeof text - 1);
    if (length <= 0 || count == 0) return -1;
    text[length] = 0;
    clock_gettime(CLOCK_MONOTONIC, &events[0].ts);
    events[0].event_type =
        strstr(text, "pull-up") ? GPIOD_LINE_EVENT_RISING_EDGE : GPIOD_LINE_EVENT_FALLING_EDGE;
    return 1;
}
