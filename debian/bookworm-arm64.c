// Functions that Debian sid's Swift libraries use from glibc 2.38, for programs that run with glibc 2.36 on Debian 12;
// see scripts/arm64.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Only for the program itself: other libraries must not find these functions in it.
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

// The C23 functions differ only in that they accept binary numbers (0b101).
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
