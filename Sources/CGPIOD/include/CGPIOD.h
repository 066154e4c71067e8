// One small C interface over libgpiod 1.6 and 2.x.
#ifndef CGPIOD_H
#define CGPIOD_H
#endif
