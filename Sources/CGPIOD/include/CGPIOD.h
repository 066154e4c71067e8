// A small C interface over libgpiod 1.6 and 2.x; the version is chosen at compile time: v1.c or v2.c.
//
// Functions that return int return 0 or a count, or a negative errno on failure. Levels are logical: true is active,
// which is low on an `active_low` line. A request keeps using its chip, so close the chip after releasing the request.
#ifndef CGPIOD_H
#define CGPIOD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The kernel's GPIO_MAX_NAME_SIZE; names include their NUL.
#define CGPIOD_NAME_SIZE 32
// The kernel's GPIO_V2_LINES_MAX.
#define CGPIOD_LINES_MAX 64

// Whether this libgpiod version supports debouncing by the kernel; if not, `debounce_us` is ignored.
extern const bool cgpiod_debounces;

// Chips.

typedef struct cgpiod_chip cgpiod_chip;

typedef struct {
    char name[CGPIOD_NAME_SIZE];
    char label[CGPIOD_NAME_SIZE];
    unsigned int line_count;
} cgpiod_chip_info;

typedef struct {
    char name[CGPIOD_NAME_SIZE];      // empty for a line without a name
    char consumer[CGPIOD_NAME_SIZE];  // the holder; empty if unknown
    bool is_used;
    bool is_output;
} cgpiod_line_info;

int cgpiod_chip_open(const char *_Nonnull path, cgpiod_chip *_Nullable *_Nonnull chip);
void cgpiod_chip_close(cgpiod_chip *_Nonnull chip);
int cgpiod_chip_get_info(cgpiod_chip *_Nonnull chip, cgpiod_chip_info *_Nonnull info);
int cgpiod_chip_get_line_info(cgpiod_chip *_Nonnull chip, unsigned int offset, cgpiod_line_info *_Nonnull info);

// Lines.

typedef enum { CGPIOD_BIAS_AS_IS, CGPIOD_BIAS_DISABLED, CGPIOD_BIAS_PULL_UP, CGPIOD_BIAS_PULL_DOWN } cgpiod_bias;
typedef enum { CGPIOD_DRIVE_PUSH_PULL, CGPIOD_DRIVE_OPEN_DRAIN, CGPIOD_DRIVE_OPEN_SOURCE } cgpiod_drive;

// Output lines held in one request.

typedef struct cgpiod_outputs cgpiod_outputs;

typedef struct {
    unsigned int offset;
    bool active_low;
    bool level;  // the initial level
    cgpiod_bias bias;
    cgpiod_drive drive;
} cgpiod_output;

// Requests the lines together; the kernel sets them in this order. Fails with -EBUSY if another consumer holds one of
// them, and with -ENOTSUP if the biases or drives differ and libgpiod 1 cannot combine them in one request.
int cgpiod_outputs_request(cgpiod_chip *_Nonnull chip, const char *_Nonnull consumer,
                           const cgpiod_output *_Nonnull lines, size_t count,
                           cgpiod_outputs *_Nullable *_Nonnull outputs);
// Sets some of the lines in one call; the other lines keep their level.
int cgpiod_outputs_set(cgpiod_outputs *_Nonnull outputs, const unsigned int *_Nonnull offsets,
                       const bool *_Nonnull levels, size_t count);
void cgpiod_outputs_release(cgpiod_outputs *_Nonnull outputs);

// After this call, a fatal signal (a trap, a segmentation fault, abort, quit …) sets the lines to these levels before
// it ends the process. Only one request can be armed at a time; disarm it before releasing it.
void cgpiod_outputs_arm(cgpiod_outputs *_Nonnull outputs, const unsigned int *_Nonnull offsets,
                        const bool *_Nonnull levels, size_t count);
void cgpiod_outputs_disarm(void);

// Input lines with edge events.

typedef struct cgpiod_inputs cgpiod_inputs;

typedef struct {
    unsigned int offset;
    bool active_low;
    cgpiod_bias bias;
    uint32_t debounce_us;
} cgpiod_input;

typedef struct {
    unsigned int offset;
    bool is_active;         // the level after the edge
    uint64_t timestamp_ns;  // CLOCK_MONOTONIC
} cgpiod_edge;

int cgpiod_inputs_request(cgpiod_chip *_Nonnull chip, const char *_Nonnull consumer,
                          const cgpiod_input *_Nonnull lines, size_t count,
                          cgpiod_inputs *_Nullable *_Nonnull inputs);
// The descriptors that become readable when an edge arrives: one per line in libgpiod 1, one for all lines in 2.
// `descriptors` has room for CGPIOD_LINES_MAX; returns their number. They belong to the request.
size_t cgpiod_inputs_get_descriptors(cgpiod_inputs *_Nonnull inputs, int *_Nonnull descriptors);
// Reads at most `capacity` edges from one descriptor; returns their number. Blocks if the descriptor is not readable.
int cgpiod_inputs_read(cgpiod_inputs *_Nonnull inputs, int descriptor, cgpiod_edge *_Nonnull edges, size_t capacity);
// Reads the level of a line: 0 or 1.
int cgpiod_inputs_get_level(cgpiod_inputs *_Nonnull inputs, unsigned int offset);
void cgpiod_inputs_release(cgpiod_inputs *_Nonnull inputs);

#endif
