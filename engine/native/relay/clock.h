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

// The first multiple of an interval after a time, both in microseconds; the time itself without an interval. All
// programs of a machine read the same clock. Programs that report at multiples of an interval therefore report at the
// same time, and the engine wakes up once for all reports.
static inline int64_t next_multiple(int64_t now, int64_t interval) {
  return interval > 0 ? (now / interval + 1) * interval : now;
}

static inline void sleep_until(int64_t time) {
  struct timespec end = {.tv_sec = time / MICROSECONDS, .tv_nsec = time % MICROSECONDS * 1000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

#endif
