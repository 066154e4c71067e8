// What Debian sid's Swift libraries take from glibc 2.38, for the programs that run with the 2.36 of Debian 12; see scripts/arm64.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// For the programs alone: not what another library may find in them.
#pragma GCC visibility push(hidden)

size_t strlcpy(char *copy, const char *text, size_t size) {
    size_t length = strlen(text);
    if (size > 0) {
        size_t count = length < size ? length : size - 1;
        memcpy(copy, text, count);
        copy[count] = '\0';
    }
    return length;
}

// C23's differ in that they know binary numbers (0b101).
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
unsigned long __isoc23_strtoul(const char *text, char **end, int base) { return strtoul(text, end, base); }
unsigned long long __isoc23_strtoull(const char *text, char **end, int base) { return strtoull(text, end, base); }

int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int count = vsscanf(text, format, arguments);
    va_end(arguments);
    return count;
}
