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

// The next multiple of an interval, in microseconds. All programs on the machine share the clock, so what they do at
// its multiples they do at the same time, and the engine is woken once for all of them.
static inline int64_t next_multiple(int64_t now, int64_t interval) { return interval > 0 ? (now / interval + 1) * interval : now; }

static inline void sleep_until(int64_t time) {
  struct timespec end = {.tv_sec = time / MICROSECONDS, .tv_nsec = time % MICROSECONDS * 1000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

#endif
