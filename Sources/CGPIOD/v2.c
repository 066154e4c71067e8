#include <gpiod.h>
#ifndef GPIOD_LINE_BULK_MAX_LINES  // libgpiod 2

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "CGPIOD.h"

const bool cgpiod_debounces = true;

// Chips. The handle is libgpiod's own.

static struct gpiod_chip *of(cgpiod_chip *chip) { return (struct gpiod_chip *)chip; }

int cgpiod_chip_open(const char *path, cgpiod_chip **chip) {
    *chip = (cgpiod_chip *)gpiod_chip_open(path);
    return *chip ? 0 : -errno;
}

void cgpiod_chip_close(cgpiod_chip *chip) { gpiod_chip_close(of(chip)); }

int cgpiod_chip_get_info(cgpiod_chip *chip, cgpiod_chip_info *info) {
    struct gpiod_chip_info *found = gpiod_chip_get_info(of(chip));
    if (!found) return -errno;
    snprintf(info->name, sizeof info->name, "%s", gpiod_chip_info_get_name(found));
    snprintf(info->label, sizeof info->label, "%s", gpiod_chip_info_get_label(found));
    info->line_count = (unsigned int)gpiod_chip_info_get_num_lines(found);
    gpiod_chip_info_free(found);
    return 0;
}

int cgpiod_chip_get_line_info(cgpiod_chip *chip, unsigned int offset, cgpiod_line_info *info) {
    struct gpiod_line_info *found = gpiod_chip_get_line_info(of(chip), offset);
    if (!found) return -errno;
    const char *name = gpiod_line_info_get_name(found), *consumer = gpiod_line_info_get_consumer(found);
    snprintf(info->name, sizeof info->name, "%s", name ? name : "");
    snprintf(info->consumer, sizeof info->consumer, "%s", consumer ? consumer : "");
    info->is_used = gpiod_line_info_is_used(found);
    info->is_output = gpiod_line_info_get_direction(found) == GPIOD_LINE_DIRECTION_OUTPUT;
    gpiod_line_info_free(found);
    return 0;
}

// Lines. The components of a request are needed only while it is created.

static enum gpiod_line_bias bias_of(cgpiod_bias bias) {
    switch (bias) {
    case CGPIOD_BIAS_AS_IS: return GPIOD_LINE_BIAS_AS_IS;
    case CGPIOD_BIAS_DISABLED: return GPIOD_LINE_BIAS_DISABLED;
    case CGPIOD_BIAS_PULL_UP: return GPIOD_LINE_BIAS_PULL_UP;
    case CGPIOD_BIAS_PULL_DOWN: return GPIOD_LINE_BIAS_PULL_DOWN;
    }
    return GPIOD_LINE_BIAS_AS_IS;
}

static enum gpiod_line_drive drive_of(cgpiod_drive drive) {
    switch (drive) {
    case CGPIOD_DRIVE_PUSH_PULL: return GPIOD_LINE_DRIVE_PUSH_PULL;
    case CGPIOD_DRIVE_OPEN_DRAIN: return GPIOD_LINE_DRIVE_OPEN_DRAIN;
    case CGPIOD_DRIVE_OPEN_SOURCE: return GPIOD_LINE_DRIVE_OPEN_SOURCE;
    }
    return GPIOD_LINE_DRIVE_PUSH_PULL;
}

static enum gpiod_line_value value_of(bool level) {
    return level ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
}

struct parts {
    struct gpiod_line_settings *settings;
    struct gpiod_line_config *lines;
    struct gpiod_request_config *request;
};

// Creates the components of a request for `count` lines; returns false and sets errno on failure. request_lines frees
// the components.
static bool make_parts(struct parts *parts, const char *consumer, size_t count) {
    *parts = (struct parts){0};
    if (count == 0 || count > CGPIOD_LINES_MAX) {
        errno = EINVAL;
        return false;
    }
    parts->settings = gpiod_line_settings_new();
    parts->lines = gpiod_line_config_new();
    parts->request = gpiod_request_config_new();
    if (!parts->settings || !parts->lines || !parts->request) return false;
    gpiod_request_config_set_consumer(parts->request, consumer);
    return true;
}

// Requests the lines if the components are `complete`, and frees the components. Returns NULL and keeps errno if this
// or an earlier step failed.
static struct gpiod_line_request *request_lines(cgpiod_chip *chip, struct parts *parts, bool complete) {
    struct gpiod_line_request *request = NULL;
    if (complete) request = gpiod_chip_request_lines(of(chip), parts->request, parts->lines);
    int failure = errno;
    if (parts->settings) gpiod_line_settings_free(parts->settings);
    if (parts->lines) gpiod_line_config_free(parts->lines);
    if (parts->request) gpiod_request_config_free(parts->request);
    errno = failure;
    return request;
}

// Outputs. The request is libgpiod's own.

int cgpiod_outputs_request(cgpiod_chip *chip, const char *consumer, const cgpiod_output *lines, size_t count,
                           cgpiod_outputs **outputs) {
    struct parts parts;
    bool complete = make_parts(&parts, consumer, count);
    for (size_t i = 0; i < count && complete; i++) {
        gpiod_line_settings_set_active_low(parts.settings, lines[i].active_low);
        complete = gpiod_line_settings_set_direction(parts.settings, GPIOD_LINE_DIRECTION_OUTPUT) == 0 &&
                   gpiod_line_settings_set_bias(parts.settings, bias_of(lines[i].bias)) == 0 &&
                   gpiod_line_settings_set_drive(parts.settings, drive_of(lines[i].drive)) == 0 &&
                   gpiod_line_settings_set_output_value(parts.settings, value_of(lines[i].level)) == 0 &&
                   gpiod_line_config_add_line_settings(parts.lines, &lines[i].offset, 1, parts.settings) == 0;
    }
    *outputs = (cgpiod_outputs *)request_lines(chip, &parts, complete);
    return *outputs ? 0 : -errno;
}

int cgpiod_outputs_set(cgpiod_outputs *outputs, const unsigned int *offsets, const bool *levels, size_t count) {
    enum gpiod_line_value values[CGPIOD_LINES_MAX];
    if (count > CGPIOD_LINES_MAX) return -EINVAL;
    for (size_t i = 0; i < count; i++) values[i] = value_of(levels[i]);
    struct gpiod_line_request *request = (struct gpiod_line_request *)outputs;
    return gpiod_line_request_set_values_subset(request, count, offsets, values) == 0 ? 0 : -errno;
}

void cgpiod_outputs_release(cgpiod_outputs *outputs) {
    gpiod_line_request_release((struct gpiod_line_request *)outputs);
}

// Inputs.

#define EDGES_AT_ONCE 16

struct cgpiod_inputs {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *buffer;
};

int cgpiod_inputs_request(cgpiod_chip *chip, const char *consumer, const cgpiod_input *lines, size_t count,
                          cgpiod_inputs **inputs) {
    *inputs = NULL;
    cgpiod_inputs *held = calloc(1, sizeof *held);
    if (!held) return -ENOMEM;

    struct parts parts;
    bool complete = make_parts(&parts, consumer, count);
    for (size_t i = 0; i < count && complete; i++) {
        gpiod_line_settings_set_active_low(parts.settings, lines[i].active_low);
        gpiod_line_settings_set_debounce_period_us(parts.settings, lines[i].debounce_us);
        complete = gpiod_line_settings_set_direction(parts.settings, GPIOD_LINE_DIRECTION_INPUT) == 0 &&
                   gpiod_line_settings_set_edge_detection(parts.settings, GPIOD_LINE_EDGE_BOTH) == 0 &&
                   gpiod_line_settings_set_bias(parts.settings, bias_of(lines[i].bias)) == 0 &&
                   gpiod_line_config_add_line_settings(parts.lines, &lines[i].offset, 1, parts.settings) == 0;
    }
    held->request = request_lines(chip, &parts, complete);
    if (held->request) held->buffer = gpiod_edge_event_buffer_new(EDGES_AT_ONCE);
    if (!held->buffer) {
        int failure = -errno;
        cgpiod_inputs_release(held);
        return failure;
    }
    *inputs = held;
    return 0;
}

size_t cgpiod_inputs_get_descriptors(cgpiod_inputs *inputs, int *descriptors) {
    descriptors[0] = gpiod_line_request_get_fd(inputs->request);
    return 1;
}

int cgpiod_inputs_read(cgpiod_inputs *inputs, int descriptor, cgpiod_edge *edges, size_t capacity) {
    if (descriptor != gpiod_line_request_get_fd(inputs->request)) return -EINVAL;
    size_t most = capacity < EDGES_AT_ONCE ? capacity : EDGES_AT_ONCE;
    int count = gpiod_line_request_read_edge_events(inputs->request, inputs->buffer, most);
    if (count < 0) return -errno;
    for (int i = 0; i < count; i++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(inputs->buffer, (unsigned long)i);
        edges[i].offset = gpiod_edge_event_get_line_offset(event);
        edges[i].is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
        edges[i].timestamp_ns = gpiod_edge_event_get_timestamp_ns(event);
    }
    return count;
}

int cgpiod_inputs_get_level(cgpiod_inputs *inputs, unsigned int offset) {
    enum gpiod_line_value value = gpiod_line_request_get_value(inputs->request, offset);
    return value == GPIOD_LINE_VALUE_ERROR ? -errno : value == GPIOD_LINE_VALUE_ACTIVE;
}

void cgpiod_inputs_release(cgpiod_inputs *inputs) {
    if (inputs->buffer) gpiod_edge_event_buffer_free(inputs->buffer);
    if (inputs->request) gpiod_line_request_release(inputs->request);
    free(inputs);
}

#endif
