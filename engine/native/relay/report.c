#include "report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include "clock.h"
#include "event-queue.h"
#include "stream/format.h"
#include "stream/framer.h"
#include "media-socket.h"
#include "receiver.h"
#include "rtp-receiver.h"
#include "stream/stream.h"
#include "subscriber.h"
#include "stream/tables.h"
#include "stream/transport.h"
#include "target.h"

enum { INTERVAL_US = 250000, NUMBER_MAX_BYTES = 8, AGE_MAX_BYTES = 32, ERROR_MAX_BYTES = 48 };

// When the next report is due, at a multiple of the interval.
static int64_t due_at;
static bool was_carrying;
static unsigned reported_revision, reported_errors;
static int64_t reported_jitter = -1;

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

// Writes bytes as hexadecimal digits. `text` has two characters for each byte, and one more.
static void write_hex(char *text, const uint8_t *bytes, size_t length) {
  text[0] = 0;
  for (size_t index = 0; index < length; index++) snprintf(text + 2 * index, 3, "%02x", bytes[index]);
}

// Queues the PMT of the program that is received; an empty one if there is none.
static void report_pmt(void) {
  const struct program *lead = lead_program();
  char text[2 * SECTION_MAX_BYTES + 1];
  write_hex(text, lead ? lead->section : NULL, lead ? lead->length : 0);
  queue_event("{\"pmt\":\"%s\"}", text);
}

// Queues the new samples, and the length of the groups of pictures.
static void report_format(void) {
  char text[2 * SAMPLE_MAX_BYTES + 1];
  for (const struct frame_sample *sample = take_sample(); sample; sample = take_sample()) {
    write_hex(text, sample->bytes, sample->length);
    queue_event("{\"sample\":[%d,\"%s\"]}", sample->pid, text);
  }
  struct picture_group group = take_picture_group();
  if (group.frames > 0) queue_event("{\"group\":[%d,%" PRId64 "]}", group.frames, group.ticks);
}

// Queues the age in milliseconds of the last packet of each stream of the program that is received; -1: it had none.
static void report_ages(int64_t now) {
  const struct program *lead = lead_program();
  char text[STREAMS_MAX * AGE_MAX_BYTES] = "";
  int length = 0;
  for (int index = 0; lead && index < lead->stream_count; index++) {
    int pid = lead->streams[index].pid;
    int64_t at = last_payload_at(pid);
    length += snprintf(text + length, sizeof text - (size_t)length, "%s[%d,%" PRId64 "]", index > 0 ? "," : "", pid, at > 0 ? (now - at) / 1000 : -1);
  }
  queue_event("{\"ages\":[%s]}", text);
}

// Queues the errors of the transport stream as count and age of the last one in milliseconds, and the jitter of the
// clock references in microseconds.
static void report_transport(int64_t now) {
  reported_errors = transport_error_revision();
  reported_jitter = pcr_arrival_jitter(now);
  const struct transport_error_count *counts = transport_error_counts();
  char text[TRANSPORT_ERROR_COUNT * ERROR_MAX_BYTES] = "";
  int length = 0;
  for (int error = 0; error < TRANSPORT_ERROR_COUNT; error++)
    length += snprintf(text + length, sizeof text - (size_t)length, "%s[%" PRIu64 ",%" PRId64 "]", error > 0 ? "," : "",
                       counts[error].count, (now - counts[error].at) / 1000);
  queue_event("{\"transport\":{\"errors\":[%s],\"jitter\":%" PRId64 "}}", text, reported_jitter);
}

static void report_source(bool carrying) {
  const struct stream_counters *counters = stream_counters();
  queue_event("{\"source\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]}",
              counters->bytes, counters->packets, counters->gaps, lost_rtp_packets(),
              invalid_bytes() + counters->invalid_bytes, carrying, counters->starts, counters->layouts, counters->seams);
}

int report_when_due(int64_t now) {
  bool carrying = is_carrying(now), is_due = now >= due_at;
  if (is_due) {
    due_at = next_multiple(now, INTERVAL_US);
    update_backlog_limit();
    expire_connections(now);
  }
  bool is_changed = carrying != was_carrying || table_revision() != reported_revision;
  if ((is_due || is_changed) && are_events_written()) {
    if (table_revision() != reported_revision) {
      report_programs();
      report_pmt();
    }
    reported_revision = table_revision();
    was_carrying = carrying;
    report_targets(now);
    report_subscribers();
    report_format();
    report_ages(now);
    if (transport_error_revision() != reported_errors || pcr_arrival_jitter(now) != reported_jitter) report_transport(now);
    // The last event of a report.
    report_source(carrying);
  }
  return (int)((due_at - now) / 1000) + 1;
}
