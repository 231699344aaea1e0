#include "report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "clock.h"
#include "event-queue.h"
#include "stream/framer.h"
#include "media-socket.h"
#include "receiver.h"
#include "rtp-receiver.h"
#include "stream/stream.h"
#include "subscriber.h"
#include "stream/tables.h"
#include "target.h"

enum { INTERVAL_US = 250000, NUMBER_MAX_BYTES = 8 };

static int64_t reported_at;
static bool was_carrying;
static unsigned reported_revision;

// Queues one event for each program: its number, and the types of its streams.
static void report_programs(void) {
  queue_event("{\"programs\":%d}", program_count());
  for (int index = 0; index < program_count(); index++) {
    const struct program *program = program_at(index);
    char types[STREAMS_MAX * NUMBER_MAX_BYTES] = "";
    int length = 0;
    for (int stream = 0; stream < program->stream_count; stream++)
      length += snprintf(types + length, sizeof types - (size_t)length, ",%d", program->streams[stream].type);
    queue_event("{\"program\":[%d%s]}", program->number, types);
  }
}

static void report_source(bool carrying) {
  const struct stream_counters *counters = stream_counters();
  queue_event("{\"source\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]}",
              counters->bytes, counters->packets, counters->gaps, lost_rtp_packets(), invalid_bytes(), carrying, counters->starts,
              counters->layouts, counters->seams);
}

int report_when_due(int64_t now) {
  bool carrying = is_carrying(now), is_due = now - reported_at >= INTERVAL_US;
  if (is_due) {
    reported_at = now;
    update_backlog_limit();
    expire_connections(now);
  }
  bool is_changed = carrying != was_carrying || table_revision() != reported_revision;
  if ((is_due || is_changed) && are_events_written()) {
    if (table_revision() != reported_revision) report_programs();
    reported_revision = table_revision();
    was_carrying = carrying;
    report_targets(now);
    report_subscribers();
    // The last event of a report.
    report_source(carrying);
  }
  return (int)((reported_at + INTERVAL_US - now) / 1000) + 1;
}
