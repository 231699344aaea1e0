#define _GNU_SOURCE
#include "route.h"

#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../messages/line-reader.h"
#include "../messages/events.h"
#include "api.h"
#include "child.h"
#include "find.h"
#include "ports.h"
#include "socket-counters.h"

// TICK_MS: interval of `alive` events. FIND_TICKS: ticks between two looks at the sources of the network.
enum { DESTINATIONS_MAX = 64, TICK_MS = 100, FIND_TICKS = 3, NAME_MAX_BYTES = 1024 };

typedef struct {
  // NULL: not announced.
  void *instance;
  // 0: unknown.
  int port;
  int connections;
  char source[NAME_MAX_BYTES];
} destination;

// Index 0 is not used.
static destination destinations[DESTINATIONS_MAX + 1];
// The routes of the next take: the destination of each, and its source.
static int staged_destinations[DESTINATIONS_MAX];
static char staged_sources[DESTINATIONS_MAX][NAME_MAX_BYTES];
static int staged_count;

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Returns the destination that a field names; NULL if it is not a number from 1 to 64.
static destination *find_destination(const char *field) {
  int number = atoi(field);
  return number >= 1 && number <= DESTINATIONS_MAX ? &destinations[number] : NULL;
}

static int number_of(const destination *self) { return (int)(self - destinations); }

static bool set_source(destination *self, const char *source) {
  if (!*source) return ndi.route_clear(self->instance);
  ndi_source target = {.name = source};
  return ndi.route_change(self->instance, &target);
}

// The runtime may wait for receivers that do not answer, which must not delay the other destinations.
static void *destroy_instance(void *instance) {
  ndi.route_destroy(instance);
  return NULL;
}

static void withdraw(destination *self) {
  if (!self->instance) return;
  pthread_t thread;
  if (pthread_create(&thread, NULL, destroy_instance, self->instance) == 0) pthread_detach(thread);
  else destroy_instance(self->instance);
  self->instance = NULL;
}

static void announce(destination *self, const char *name, const char *source) {
  withdraw(self);
  ndi_route_settings settings = {.name = name};
  block_ports(number_of(self));
  self->instance = ndi.route_create(&settings);
  self->port = unblock_ports(number_of(self));
  if (self->port) write_event("{\"port\":%d,\"destination\":%d}", self->port, number_of(self));
  self->connections = -1;
  snprintf(self->source, sizeof self->source, "%s", source);
  if (!self->instance || (*source && !set_source(self, source))) {
    withdraw(self);
    write_event("{\"failed-destination\":%d}", number_of(self));
    return;
  }
  const ndi_source *announced = ndi.route_name(self->instance);
  write_numbered_text_event("name", announced && announced->name ? announced->name : name, "destination", number_of(self));
}

static void stage_route(destination *self, const char *source) {
  if (staged_count == DESTINATIONS_MAX) return;
  staged_destinations[staged_count] = number_of(self);
  snprintf(staged_sources[staged_count], NAME_MAX_BYTES, "%s", source);
  staged_count++;
}

// Makes the staged routes. If one fails, all of them go back.
static void take(const char *turn) {
  char failed[DESTINATIONS_MAX * 4 + 1] = "";
  size_t length = 0;
  bool made[DESTINATIONS_MAX] = {false};
  for (int index = 0; index < staged_count; index++) {
    destination *self = &destinations[staged_destinations[index]];
    made[index] = self->instance && set_source(self, staged_sources[index]);
    if (!made[index])
      length += (size_t)snprintf(failed + length, sizeof failed - length, "%s%d", length > 0 ? "," : "", number_of(self));
  }
  for (int index = staged_count - 1; index >= 0; index--) {
    destination *self = &destinations[staged_destinations[index]];
    if (length == 0) memcpy(self->source, staged_sources[index], NAME_MAX_BYTES);
    else if (made[index]) set_source(self, self->source);
  }
  staged_count = 0;
  write_event("{\"take\":%d,\"failed\":[%s]}", atoi(turn), failed);
}

void handle_route_command(char *line) {
  char *fields[FIELDS_MAX];
  int count = split_fields(line, fields);
  if (count == 2 && strcmp(fields[0], "take") == 0) {
    take(fields[1]);
    return;
  }
  if (count == 3 && strcmp(fields[0], "reserve") == 0) {
    reserve_port(atoi(fields[1]), atoi(fields[2]));
    return;
  }
  destination *self = count > 1 ? find_destination(fields[1]) : NULL;
  if (!self) return;
  if (count == 4 && strcmp(fields[0], "announce") == 0) announce(self, fields[2], fields[3]);
  else if (count == 2 && strcmp(fields[0], "remove") == 0) withdraw(self);
  else if (count == 3 && strcmp(fields[0], "route") == 0) stage_route(self, fields[2]);
}

// Receivers that do not respond do not count: the runtime keeps their connections for minutes.
static void report_connections(void) {
  static int silent[PORTS];
  count_silent_receivers(FIRST_PORT, PORTS, silent);
  for (int number = 1; number <= DESTINATIONS_MAX; number++) {
    destination *self = &destinations[number];
    if (!self->instance) continue;
    int connections = ndi.route_connections(self->instance, 0) - (self->port ? silent[self->port - FIRST_PORT] : 0);
    if (connections < 0) connections = 0;
    if (connections != self->connections) write_event("{\"connections\":%d,\"destination\":%d}", connections, number);
    self->connections = connections;
  }
}

int route_sources(const char *groups, const char *addresses) {
  if (!ndi.route_create) return report_failure("routing");
  void *finder = start_finder(groups, addresses);
  if (!finder) return report_failure("create");
  int64_t next_tick = now_ms();
  bool is_open = true;
  for (unsigned tick = 0; is_open && !stop_requested;) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    int64_t wait = next_tick - now_ms();
    if (wait > 0 && poll(&input, 1, (int)wait) > 0) is_open = read_lines(STDIN_FILENO, handle_route_command);
    if (now_ms() < next_tick) continue;
    next_tick = now_ms() + TICK_MS;
    report_connections();
    if (tick++ % FIND_TICKS == 0) report_sources(finder);
    write_event("{\"alive\":1}");
  }
  // Without the end of the runtime itself, which may wait for receivers, or fail beside a destination that is being
  // withdrawn.
  for (int number = 1; number <= DESTINATIONS_MAX; number++) withdraw(&destinations[number]);
  poll(NULL, 0, TICK_MS);
  _exit(0);
}
