#include "event-queue.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../messages/events.h"
#include "loop.h"

enum { QUEUE_BYTES = 256 << 10 };

static void handle_writable(struct watch *watch, uint32_t events);

static char queue[QUEUE_BYTES];
static size_t queue_length;
static struct watch output = {.descriptor = EVENT_DESCRIPTOR, .handle = handle_writable};
static bool is_waiting;

bool open_events(void) {
  fcntl(EVENT_DESCRIPTOR, F_SETFL, fcntl(EVENT_DESCRIPTOR, F_GETFL) | O_NONBLOCK);
  return watch_descriptor(&output, 0);
}

bool are_events_written(void) { return queue_length == 0; }

void queue_event(const char *format, ...) {
  size_t space = QUEUE_BYTES - queue_length;
  va_list values;
  va_start(values, format);
  int length = vsnprintf(queue + queue_length, space, format, values);
  va_end(values);
  if (length < 0 || (size_t)length + 1 > space) return;
  queue_length += (size_t)length;
  queue[queue_length++] = '\n';
}

void flush_events(void) {
  size_t done = 0;
  while (done < queue_length) {
    ssize_t written = write(EVENT_DESCRIPTOR, queue + done, queue_length - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += (size_t)written;
  }
  queue_length -= done;
  memmove(queue, queue + done, queue_length);
  bool waits = queue_length > 0;
  if (waits != is_waiting) change_watch(&output, waits ? EPOLLOUT : 0);
  is_waiting = waits;
}

static void handle_writable(struct watch *watch, uint32_t events) {
  (void)watch;
  // The engine has exited.
  if (events & (EPOLLHUP | EPOLLERR)) exit(0);
  flush_events();
}
