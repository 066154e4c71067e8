#include "CLinux.h"

int clinux_ppoll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout) {
    return ppoll(descriptors, count, timeout, NULL);
}
