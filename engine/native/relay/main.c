// Receives one stream and copies it to all receivers: `headend-relay <path of its Unix socket>`. Commands arrive on
// stdin, events go to descriptor 3. All in one thread, which waits for no receiver and not for the engine.
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "../messages/events.h"
#include "../messages/line-reader.h"
#include "clock.h"
#include "commands.h"
#include "event-queue.h"
#include "loop.h"
#include "media-socket.h"
#include "report.h"
#include "source.h"
#include "stream/packet-log.h"
#include "stream/stream.h"
#include "subscriber.h"
#include "target.h"

// BATCH_US: how long media is collected at most before it is handled, which takes a tenth of the wake-ups. PENDING_MS:
// the longest wait while something is due soon.
enum { BATCH_US = 5000, PENDING_MS = 5 };

// Carries out the commands that have arrived on stdin, and waits for none. The program exits at the end of stdin.
static void take_commands(void) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  while (poll(&input, 1, 0) > 0)
    if (!read_lines(STDIN_FILENO, handle_command)) exit(0);
}

static void handle_input(struct watch *watch, uint32_t events) {
  (void)watch, (void)events;
  take_commands();
}

// Begins to read commands from stdin: one per line, with fields separated by tabs.
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
  if (!open_loop() || !open_events() || !open_media_socket(argv[1], take_commands) || !open_commands()) return report_failure("socket");
  queue_event("{\"listening\":true}");
  for (int timeout = 0;;) {
    flush_events();
    run_loop_once(timeout);
    int64_t now = now_us();
    update_source(now);
    serve_receivers(now);
    timeout = shortest_timeout(report_when_due(now), now);
    // Datagrams and other data wait in the buffers of the sockets.
    if (take_activity()) sleep_until(next_multiple(now_us(), BATCH_US));
  }
}
