// Receives one stream and copies it to all receivers: `headend-relay <path of its Unix socket>`. Commands arrive on
// stdin, events go to descriptor 3. All in one thread, which waits for no receiver and not for the engine.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../messages/events.h"
#include "../messages/line-reader.h"
#include "clock.h"
#include "event-queue.h"
#include "loop.h"
#include "media-socket.h"
#include "report.h"
#include "source.h"
#include "stream/packet-log.h"
#include "stream/stream.h"
#include "subscriber.h"
#include "target.h"

// BATCH_US: how long media is collected before it is handled, which takes a tenth of the wake-ups. PENDING_MS: the
// longest wait while something is due soon.
enum { BATCH_US = 5000, PENDING_MS = 5 };

// datagrams <number> <address> <port> <interface> <sender> <is RTP>
static void open_datagrams(char *fields[]) {
  struct datagram_source settings = {
      .address = fields[2], .port = atoi(fields[3]), .interface = fields[4], .sender = fields[5], .is_rtp = fields[6][0] == '1'};
  queue_event("{\"opened\":[%d,%d]}", atoi(fields[1]), open_datagram_source(atoi(fields[1]), &settings));
}

// target <id> <address> <port> <payload bytes> <is RTP> <TTL> <interface>
static void open_target(char *fields[]) {
  struct target_settings settings = {.address = fields[2],
                                     .port = atoi(fields[3]),
                                     .payload_bytes = atoi(fields[4]),
                                     .is_rtp = fields[5][0] == '1',
                                     .ttl = atoi(fields[6]),
                                     .interface = fields[7]};
  queue_event("{\"added\":[%d,%d]}", atoi(fields[1]), add_target(atoi(fields[1]), &settings, now_us()));
}

// move <id> <path> <greeting>: hands a subscriber over to another relay. move-target: hands a target over.
static void move(char *fields[], void (*plan)(int id, const char *path, const char *greeting)) {
  plan(atoi(fields[1]), fields[2], fields[3]);
}

static void handle_command(char *line) {
  char *fields[FIELDS_MAX];
  int count = split_fields(line, fields), number = count > 1 ? atoi(fields[1]) : 0;
  const char *name = fields[0];
  if (count == 7 && strcmp(name, "datagrams") == 0) open_datagrams(fields);
  else if (count == 2 && strcmp(name, "feed") == 0) await_feed(number);
  else if (count == 2 && strcmp(name, "close") == 0) close_source(number);
  else if (count == 2 && strcmp(name, "program") == 0) change_program(number);
  else if (count == 8 && strcmp(name, "target") == 0) open_target(fields);
  else if (count == 2 && strcmp(name, "untarget") == 0) remove_target(number);
  else if (count == 2 && strcmp(name, "unsubscribe") == 0) remove_subscriber(number);
  else if (count == 4 && strcmp(name, "move") == 0) move(fields, move_subscriber);
  else if (count == 4 && strcmp(name, "move-target") == 0) move(fields, move_target);
  else if (count == 2 && strcmp(name, "null") == 0) send_null_packets(number);
  else queue_event("{\"fault\":\"command\"}");
}

static void handle_input(struct watch *watch, uint32_t events) {
  (void)events;
  if (!read_lines(watch->descriptor, handle_command)) exit(0);
}

// Begins to read commands from stdin: one per line, with fields separated by tabs. The program exits at the end of
// stdin.
static bool open_commands(void) {
  static struct watch input = {.descriptor = STDIN_FILENO, .handle = handle_input};
  return watch_descriptor(&input, EPOLLIN);
}

// Milliseconds for which the loop can wait.
static int shortest_timeout(int report_due, int64_t now) {
  int timeout = report_due, subscribers = subscriber_timeout(now);
  if (subscribers >= 0 && subscribers < timeout) timeout = subscribers;
  if ((is_source_pending() || are_targets_pending()) && timeout > PENDING_MS) timeout = PENDING_MS;
  return timeout;
}

static void serve_receivers(int64_t now) {
  send_to_targets(now);
  send_to_subscribers(now);
  uint64_t targets = oldest_target_position(), subscribers = oldest_subscriber_position();
  trim_log(targets < subscribers ? targets : subscribers, now);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s <socket>\n", argv[0]);
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  set_event_descriptor(EVENT_DESCRIPTOR);
  if (!open_loop() || !open_events() || !open_media_socket(argv[1]) || !open_commands()) return report_failure("socket");
  queue_event("{\"listening\":true}");
  for (int timeout = 0;;) {
    flush_events();
    run_loop_once(timeout);
    int64_t now = now_us();
    update_source(now);
    serve_receivers(now);
    timeout = shortest_timeout(report_when_due(now), now);
    // Datagrams and other data wait in the buffers of the sockets.
    if (take_activity()) nanosleep(&(struct timespec){.tv_nsec = BATCH_US * 1000L}, NULL);
  }
}
