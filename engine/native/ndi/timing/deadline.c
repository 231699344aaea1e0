#define _GNU_SOURCE
#include "deadline.h"

#include <pthread.h>
#include <time.h>

enum { DEADLINE_NS = 400000000, SECOND_NS = 1000000000 };

typedef struct {
  void (*function)(void *);
  void *argument;
} call;

static void *run_call(void *context) {
  call *self = context;
  self->function(self->argument);
  return NULL;
}

void call_with_deadline(void (*function)(void *), void *argument) {
  // The thread may outlive the caller.
  static call calls[4];
  static int count;
  call *self = &calls[count++ % 4];
  *self = (call){function, argument};
  pthread_t thread;
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_nsec += DEADLINE_NS;
  if (deadline.tv_nsec >= SECOND_NS) deadline.tv_sec++, deadline.tv_nsec -= SECOND_NS;
  if (pthread_create(&thread, NULL, run_call, self) == 0) pthread_timedjoin_np(thread, NULL, &deadline);
}
