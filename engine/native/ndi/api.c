// Loads the NDI runtime with dlopen, and resolves its functions into `ndi`.
#define _GNU_SOURCE
#include "api.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <time.h>

ndi_api ndi;

typedef struct {
  const char *name;
  size_t offset;
} symbol_entry;

static const symbol_entry SYMBOLS[] = {
    {"NDIlib_initialize", offsetof(ndi_api, initialize)},
    {"NDIlib_destroy", offsetof(ndi_api, destroy)},
    {"NDIlib_version", offsetof(ndi_api, version)},
    {"NDIlib_find_create_v2", offsetof(ndi_api, find_create)},
    {"NDIlib_find_destroy", offsetof(ndi_api, find_destroy)},
    {"NDIlib_find_wait_for_sources", offsetof(ndi_api, find_wait)},
    {"NDIlib_find_get_current_sources", offsetof(ndi_api, find_sources)},
    {"NDIlib_recv_create_v3", offsetof(ndi_api, receive_create)},
    {"NDIlib_recv_destroy", offsetof(ndi_api, receive_destroy)},
    {"NDIlib_recv_capture_v3", offsetof(ndi_api, receive_capture)},
    {"NDIlib_recv_free_video_v2", offsetof(ndi_api, receive_free_video)},
    {"NDIlib_recv_free_audio_v3", offsetof(ndi_api, receive_free_audio)},
    {"NDIlib_recv_get_no_connections", offsetof(ndi_api, receive_connections)},
    {"NDIlib_send_create", offsetof(ndi_api, send_create)},
    {"NDIlib_send_destroy", offsetof(ndi_api, send_destroy)},
    {"NDIlib_send_send_video_v2", offsetof(ndi_api, send_video)},
    {"NDIlib_send_send_audio_v3", offsetof(ndi_api, send_audio)},
    {"NDIlib_send_get_no_connections", offsetof(ndi_api, send_connections)},
};

static const symbol_entry ROUTING_SYMBOLS[] = {
    {"NDIlib_routing_create", offsetof(ndi_api, route_create)},
    {"NDIlib_routing_destroy", offsetof(ndi_api, route_destroy)},
    {"NDIlib_routing_change", offsetof(ndi_api, route_change)},
    {"NDIlib_routing_clear", offsetof(ndi_api, route_clear)},
    {"NDIlib_routing_get_no_connections", offsetof(ndi_api, route_connections)},
    {"NDIlib_routing_get_source_name", offsetof(ndi_api, route_name)},
};

enum { ROUTING_COUNT = sizeof ROUTING_SYMBOLS / sizeof ROUTING_SYMBOLS[0] };

static void set_symbol(const symbol_entry *entry, void *symbol) { *(void **)((char *)&ndi + entry->offset) = symbol; }

// A library without one of the functions has no routing.
static void load_routing(void *library) {
  void *symbols[ROUTING_COUNT];
  for (size_t index = 0; index < ROUTING_COUNT; index++)
    if (!(symbols[index] = dlsym(library, ROUTING_SYMBOLS[index].name))) return;
  for (size_t index = 0; index < ROUTING_COUNT; index++) set_symbol(&ROUTING_SYMBOLS[index], symbols[index]);
}

const char *load_ndi(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return "load";
  }
  for (size_t index = 0; index < sizeof SYMBOLS / sizeof SYMBOLS[0]; index++) {
    void *symbol = dlsym(library, SYMBOLS[index].name);
    if (!symbol) {
      fprintf(stderr, "%s does not export %s\n", path, SYMBOLS[index].name);
      return "symbol";
    }
    set_symbol(&SYMBOLS[index], symbol);
  }
  load_routing(library);
  return ndi.initialize() ? NULL : "processor";
}

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
