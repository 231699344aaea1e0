// Command lines of the programs. The first byte chooses the program; the others arrive on a pipe. What a command would
// do is replaced: the functions here read all that they are given.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "messages/events.h"
#include "messages/line-reader.h"
#include "ndi/api.h"
#include "ndi/child.h"
#include "ndi/find.h"
#include "ndi/ports.h"
#include "ndi/route.h"
#include "ndi/socket-counters.h"
#include "relay/commands.h"
#include "relay/event-queue.h"
#include "relay/source.h"
#include "relay/stream/stream.h"
#include "relay/subscriber.h"
#include "relay/target.h"
#include "srt/port-commands.h"
#include "srt/session.h"
#include "input.h"

static void read_text(const char *text) {
  if (strlen(text) > LINE_MAX_BYTES) abort();
}

int open_datagram_source(int number, const struct datagram_source *settings) {
  read_text(settings->address), read_text(settings->interface), read_text(settings->sender);
  return number;
}
void await_feed(int number) { (void)number; }
void close_source(int number) { (void)number; }
void change_program(int number) { (void)number; }
int add_target(int id, const struct target_settings *settings, int64_t now) {
  (void)now;
  read_text(settings->address), read_text(settings->interface);
  return id;
}
void remove_target(int id) { (void)id; }
int move_source(const char *path, const char *greeting, int64_t now) { return read_text(path), read_text(greeting), (int)now; }
void move_target(int id, const char *path, const char *greeting) { (void)id, read_text(path), read_text(greeting); }
void remove_subscriber(int id) { (void)id; }
void move_subscriber(int id, const char *path, const char *greeting) { (void)id, read_text(path), read_text(greeting); }
void send_null_packets(int id) { (void)id; }

void queue_event(const char *format, ...) {
  char text[EVENT_MAX_BYTES];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
}

int64_t now_ms(void) { return 1; }
void close_sessions(int id, const char *token) {
  (void)id;
  if (token) read_text(token);
}
void link_session(int id, const char *path, const char *greeting) { (void)id, read_text(path), read_text(greeting); }

// A runtime for NDI whose destinations are their numbers. Some routes fail.
static ndi_source announced = {"A (B)", ""};
static void *create_route(const ndi_route_settings *settings) {
  read_text(settings->name);
  return settings->name[0] == 'x' ? NULL : &announced;
}
static void destroy_route(void *instance) { (void)instance; }
static bool change_route(void *instance, const ndi_source *source) {
  read_text(source->name);
  return instance && source->name[0] != 'x';
}
static bool clear_route(void *instance) { return instance; }
static const ndi_source *name_route(void *instance) { return instance; }
ndi_api ndi = {.route_create = create_route,
               .route_destroy = destroy_route,
               .route_change = change_route,
               .route_clear = clear_route,
               .route_name = name_route};
volatile sig_atomic_t stop_requested;
void *start_finder(const char *groups, const char *addresses) {
  (void)groups, (void)addresses;
  return NULL;
}
void report_sources(void *finder) { (void)finder; }
void reserve_port(int destination, int port) { (void)destination, (void)port; }
void block_ports(int destination) { (void)destination; }
int unblock_ports(int destination) { return destination; }
void count_silent_receivers(int first_port, int ports, int silent[]) { (void)first_port, (void)ports, (void)silent; }

static void (*const HANDLERS[])(char *line) = {handle_command, handle_port_command, handle_route_command};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct input input = {bytes, size};
  set_event_descriptor(-1);
  int ends[2], program = take_byte(&input) % 3;
  if (pipe2(ends, O_NONBLOCK | O_CLOEXEC) < 0) abort();
  // A pipe holds 64 KiB, more than an input has.
  if (input.size > 0 && write(ends[1], input.bytes, input.size) < 0) abort();
  close(ends[1]);
  while (read_lines(ends[0], HANDLERS[program])) continue;
  close(ends[0]);
  // Withdraws the destinations, and removes the routes of a take that did not come.
  for (int number = 1; number <= 64; number++) {
    char line[16];
    snprintf(line, sizeof line, "remove\t%d", number);
    handle_route_command(line);
  }
  handle_route_command((char[]){"take\t0"});
  return 0;
}
