#include "CGPIOD.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT, SIGSYS};

static _Atomic(cgpiod_outputs *) armed;
static unsigned int armed_offsets[CGPIOD_LINES_MAX];
static bool armed_levels[CGPIOD_LINES_MAX];
static size_t armed_count;

// Sets one line at a time, first the lines that go off. Makes only system calls that are allowed in a signal handler.
static void make_safe(int signal) {
    cgpiod_outputs *outputs = atomic_exchange(&armed, NULL);
    for (int level = 0; outputs && level <= 1; level++)
        for (size_t i = 0; i < armed_count; i++)
            if (armed_levels[i] == level) cgpiod_outputs_set(outputs, &armed_offsets[i], &armed_levels[i], 1);
    // SA_RESETHAND has restored the default action, so this ends the process as the signal would have done.
    raise(signal);
}

void cgpiod_outputs_arm(cgpiod_outputs *outputs, const unsigned int *offsets, const bool *levels, size_t count) {
    // After a stack overflow, the handler needs a separate stack.
    static char stack[64 * 1024];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    // If this fails, all faults except a stack overflow are still handled.
    sigaltstack(&alternate, NULL);

    atomic_store(&armed, NULL);
    armed_count = count < CGPIOD_LINES_MAX ? count : CGPIOD_LINES_MAX;
    memcpy(armed_offsets, offsets, armed_count * sizeof *offsets);
    memcpy(armed_levels, levels, armed_count * sizeof *levels);
    atomic_store(&armed, outputs);

    struct sigaction action = {.sa_handler = make_safe, .sa_flags = SA_RESETHAND | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    // This fails only for invalid signal numbers and for signals that cannot be handled.
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        sigaction(fatal_signals[i], &action, NULL);
}

void cgpiod_outputs_disarm(void) {
    atomic_store(&armed, NULL);
}
