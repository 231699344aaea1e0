#ifndef CLOCK_H
#define CLOCK_H

#include <stdint.h>
#include <time.h>

enum { MICROSECONDS = 1000000 };

// Monotonic time in microseconds.
static inline int64_t now_us(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * MICROSECONDS + time.tv_nsec / 1000;
}

#endif
