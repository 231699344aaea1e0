// Event loop: calls a function when a descriptor is ready.
#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>

struct watch {
  int descriptor;
  // Called with the ready events of epoll.
  void (*handle)(struct watch *watch, uint32_t events);
};

// Returns false if the loop cannot be created.
bool open_loop(void);

// Adds a descriptor with its events, or changes them. Returns false if the system refuses it.
bool watch_descriptor(struct watch *watch, uint32_t events);
bool change_watch(struct watch *watch, uint32_t events);

// Removes a descriptor and closes it. The memory of `watch` may be freed at once: pending events are dropped.
void close_watch(struct watch *watch);

// Waits for events for at most `timeout_ms` and handles them.
void run_loop_once(int timeout_ms);

#endif
