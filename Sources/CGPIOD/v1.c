#include <gpiod.h>
#ifdef GPIOD_LINE_BULK_MAX_LINES  // libgpiod 1

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "CGPIOD.h"

const bool cgpiod_debounces = false;

// Chips. The handle is libgpiod's own.

static struct gpiod_chip *of(cgpiod_chip *chip) { return (struct gpiod_chip *)chip; }

int cgpiod_chip_open(const char *path, cgpiod_chip **chip) {
    *chip = (cgpiod_chip *)gpiod_chip_open(path);
    return *chip ? 0 : -errno;
}

void cgpiod_chip_close(cgpiod_chip *chip) { gpiod_chip_close(of(chip)); }

int cgpiod_chip_get_info(cgpiod_chip *chip, cgpiod_chip_info *info) {
    snprintf(info->name, sizeof info->name, "%s", gpiod_chip_name(of(chip)));
    snprintf(info->label, sizeof info->label, "%s", gpiod_chip_label(of(chip)));
    info->line_count = gpiod_chip_num_lines(of(chip));
    return 0;
}

int cgpiod_chip_get_line_info(cgpiod_chip *chip, unsigned int offset, cgpiod_line_info *info) {
    struct gpiod_line *line = gpiod_chip_get_line(of(chip), offset);
    // The chip caches the state of its lines when they are first requested, so they must be updated.
    if (!line || gpiod_line_update(line) < 0) return -errno;
    const char *name = gpiod_line_name(line), *consumer = gpiod_line_consumer(line);
    snprintf(info->name, sizeof info->name, "%s", name ? name : "");
    snprintf(info->consumer, sizeof info->consumer, "%s", consumer ? consumer : "");
    info->is_used = gpiod_line_is_used(line);
    info->is_output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
    return 0;
}

// Lines.

static int bias_flag(cgpiod_bias bias) {
    switch (bias) {
    case CGPIOD_BIAS_AS_IS: return 0;
    case CGPIOD_BIAS_DISABLED: return GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
    case CGPIOD_BIAS_PULL_UP: return GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    case CGPIOD_BIAS_PULL_DOWN: return GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    }
    return 0;
}

static int drive_flag(cgpiod_drive drive) {
    switch (drive) {
    case CGPIOD_DRIVE_PUSH_PULL: return 0;
    case CGPIOD_DRIVE_OPEN_DRAIN: return GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN;
    case CGPIOD_DRIVE_OPEN_SOURCE: return GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE;
    }
    return 0;
}

// Returns the index of a line in a request; the number of lines if it is not part of the request.
static size_t index_of(const struct gpiod_line_bulk *lines, unsigned int offset) {
    size_t i = 0;
    while (i < lines->num_lines && gpiod_line_offset(lines->lines[i]) != offset) i++;
    return i;
}

// Outputs. The flags of libgpiod 1 apply to the whole request, so `active_low` is implemented here. A request can only
// be set as a whole, so the levels are stored.

struct cgpiod_outputs {
    struct gpiod_line_bulk lines;
    bool active_low[CGPIOD_LINES_MAX];
    int values[CGPIOD_LINES_MAX];  // physical
};

int cgpiod_outputs_request(cgpiod_chip *chip, const char *consumer, const cgpiod_output *lines, size_t count,
                           cgpiod_outputs **outputs) {
    *outputs = NULL;
    if (count == 0 || count > CGPIOD_LINES_MAX) return -EINVAL;
    cgpiod_outputs *held = calloc(1, sizeof *held);
    if (!held) return -ENOMEM;

    struct gpiod_line_request_config config = {
        .consumer = consumer,
        .request_type = GPIOD_LINE_REQUEST_DIRECTION_OUTPUT,
        .flags = bias_flag(lines[0].bias) | drive_flag(lines[0].drive),
    };
    int failure = 0;
    for (size_t i = 0; i < count && !failure; i++) {
        struct gpiod_line *line = gpiod_chip_get_line(of(chip), lines[i].offset);
        if (!line) {
            failure = -errno;
        } else if (lines[i].bias != lines[0].bias || lines[i].drive != lines[0].drive) {
            failure = -ENOTSUP;
        } else {
            gpiod_line_bulk_add(&held->lines, line);
            held->active_low[i] = lines[i].active_low;
            held->values[i] = lines[i].level != lines[i].active_low;
        }
    }
    if (!failure && gpiod_line_request_bulk(&held->lines, &config, held->values) < 0) failure = -errno;
    if (failure) {
        free(held);
        return failure;
    }
    *outputs = held;
    return 0;
}

int cgpiod_outputs_set(cgpiod_outputs *outputs, const unsigned int *offsets, const bool *levels, size_t count) {
    cgpiod_outputs next = *outputs;
    for (size_t i = 0; i < count; i++) {
        size_t index = index_of(&next.lines, offsets[i]);
        if (index == next.lines.num_lines) return -EINVAL;
        next.values[index] = levels[i] != next.active_low[index];
    }
    if (gpiod_line_set_value_bulk(&next.lines, next.values) < 0) return -errno;
    *outputs = next;
    return 0;
}

void cgpiod_outputs_release(cgpiod_outputs *outputs) {
    gpiod_line_release_bulk(&outputs->lines);
    free(outputs);
}

// Inputs. Each line has its own request, with its own flags and its own descriptor.

struct cgpiod_inputs {
    struct gpiod_line_bulk lines;
};

int cgpiod_inputs_request(cgpiod_chip *chip, const char *consumer, const cgpiod_input *lines, size_t count,
                          cgpiod_inputs **inputs) {
    *inputs = NULL;
    if (count == 0 || count > CGPIOD_LINES_MAX) return -EINVAL;
    cgpiod_inputs *held = calloc(1, sizeof *held);
    if (!held) return -ENOMEM;

    for (size_t i = 0; i < count; i++) {
        int flags = bias_flag(lines[i].bias) | (lines[i].active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0);
        struct gpiod_line *line = gpiod_chip_get_line(of(chip), lines[i].offset);
        if (!line || gpiod_line_request_both_edges_events_flags(line, consumer, flags) < 0) {
            int failure = -errno;
            cgpiod_inputs_release(held);
            return failure;
        }
        gpiod_line_bulk_add(&held->lines, line);
    }
    *inputs = held;
    return 0;
}

size_t cgpiod_inputs_get_descriptors(cgpiod_inputs *inputs, int *descriptors) {
    for (size_t i = 0; i < inputs->lines.num_lines; i++) {
        descriptors[i] = gpiod_line_event_get_fd(inputs->lines.lines[i]);
    }
    return inputs->lines.num_lines;
}

int cgpiod_inputs_read(cgpiod_inputs *inputs, int descriptor, cgpiod_edge *edges, size_t capacity) {
    struct gpiod_line_event events[16];
    size_t room = sizeof events / sizeof *events;
    for (size_t i = 0; i < inputs->lines.num_lines; i++) {
        if (gpiod_line_event_get_fd(inputs->lines.lines[i]) != descriptor) continue;
        int count = gpiod_line_event_read_fd_multiple(descriptor, events, capacity < room ? capacity : room);
        if (count < 0) return -errno;
        for (int j = 0; j < count; j++) {
            edges[j].offset = gpiod_line_offset(inputs->lines.lines[i]);
            edges[j].is_active = events[j].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
            edges[j].timestamp_ns = (uint64_t)events[j].ts.tv_sec * 1000000000 + (uint64_t)events[j].ts.tv_nsec;
        }
        return count;
    }
    return -EINVAL;
}

int cgpiod_inputs_get_level(cgpiod_inputs *inputs, unsigned int offset) {
    size_t index = index_of(&inputs->lines, offset);
    if (index == inputs->lines.num_lines) return -EINVAL;
    int value = gpiod_line_get_value(inputs->lines.lines[index]);
    return value < 0 ? -errno : value;
}

void cgpiod_inputs_release(cgpiod_inputs *inputs) {
    // Released one by one: the bulk call requires lines of the same request and rejects an empty list.
    for (size_t i = 0; i < inputs->lines.num_lines; i++) gpiod_line_release(inputs->lines.lines[i]);
    free(inputs);
}

#endif
