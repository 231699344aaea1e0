#include "loop.h"

#include <unistd.h>

enum { EVENTS_MAX = 64 };

static int epoll_descriptor = -1;
static struct epoll_event events[EVENTS_MAX];
static int event_count;

bool open_loop(void) {
  epoll_descriptor = epoll_create1(EPOLL_CLOEXEC);
  return epoll_descriptor >= 0;
}

static bool control(int operation, struct watch *watch, uint32_t wanted) {
  struct epoll_event event = {.events = wanted, .data.ptr = watch};
  return epoll_ctl(epoll_descriptor, operation, watch->descriptor, &event) == 0;
}

bool watch_descriptor(struct watch *watch, uint32_t wanted) { return control(EPOLL_CTL_ADD, watch, wanted); }
bool change_watch(struct watch *watch, uint32_t wanted) { return control(EPOLL_CTL_MOD, watch, wanted); }

void close_watch(struct watch *watch) {
  if (watch->descriptor < 0) return;
  // Explicitly, because a child process of the engine may share the open socket.
  control(EPOLL_CTL_DEL, watch, 0);
  close(watch->descriptor);
  watch->descriptor = -1;
  for (int index = 0; index < event_count; index++)
    if (events[index].data.ptr == watch) events[index].data.ptr = NULL;
}

void run_loop_once(int timeout_ms) {
  event_count = epoll_wait(epoll_descriptor, events, EVENTS_MAX, timeout_ms);
  for (int index = 0; index < event_count; index++) {
    struct watch *watch = events[index].data.ptr;
    if (watch) watch->handle(watch, events[index].events);
  }
  event_count = 0;
}
