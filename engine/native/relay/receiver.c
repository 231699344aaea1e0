#include "receiver.h"

#include <string.h>

#include "stream/packet-log.h"
#include "stream/stream.h"
#include "stream/tables.h"

enum { BACKLOG_MIN = 256 << 10, BACKLOG_MAX = 4 << 20 };
// The rate is measured over a second and allows a backlog of two.
enum { SAMPLES = 4, BACKLOG_SECONDS = 2 };

static uint64_t limit = BACKLOG_MIN;
static uint64_t log_ends[SAMPLES];
static unsigned sample;

void update_backlog_limit(void) {
  uint64_t end = log_end(), wanted = (end - log_ends[sample % SAMPLES]) * BACKLOG_SECONDS;
  log_ends[sample++ % SAMPLES] = end;
  limit = wanted < BACKLOG_MIN ? BACKLOG_MIN : wanted > BACKLOG_MAX ? BACKLOG_MAX : wanted;
}

bool add_prefix(struct receiver *receiver, const void *bytes, size_t length) {
  if (receiver->prefix_done == receiver->prefix_length) receiver->prefix_done = receiver->prefix_length = 0;
  if (length > PREFIX_MAX_BYTES - receiver->prefix_length) return false;
  memcpy(receiver->prefix + receiver->prefix_length, bytes, length);
  receiver->prefix_length += length;
  return true;
}

static void begin_at(struct receiver *receiver, const struct start *start) {
  uint8_t tables[TABLES_MAX_BYTES];
  if (receiver->is_dropping) receiver->dropped += start->position - receiver->drop_start;
  receiver->is_dropping = false;
  receiver->position = start->position;
  receiver->is_seeking = false;
  if (receiver->needs_tables && !receiver->has_tables) add_prefix(receiver, tables, copy_tables(tables, start));
  receiver->has_tables = false;
}

void begin_receiver(struct receiver *receiver, int id, bool from_cache, bool needs_tables, int64_t now) {
  struct start start;
  receiver->id = id;
  receiver->position = log_end();
  receiver->is_seeking = true;
  receiver->needs_tables = needs_tables;
  receiver->has_tables = receiver->is_dropping = false;
  receiver->group_end = receiver->dropped = 0;
  receiver->prefix_length = receiver->prefix_done = 0;
  if (!from_cache || !find_group(now, &start)) return;
  receiver->group_end = receiver->position;
  begin_at(receiver, &start);
}

void begin_receiver_before(struct receiver *receiver, int id, int64_t at, int64_t now) {
  struct start start;
  begin_receiver(receiver, id, false, false, now);
  if (!find_start_before(at, &start)) return;
  receiver->group_end = receiver->position;
  begin_at(receiver, &start);
}

bool seek_start(struct receiver *receiver) {
  struct start start;
  if (!receiver->is_seeking) return true;
  if (!find_start(receiver->position, &start)) return false;
  begin_at(receiver, &start);
  return true;
}

uint64_t backlog(const struct receiver *receiver) { return receiver->is_seeking ? 0 : log_end() - receiver->position; }

uint64_t dropped_bytes(const struct receiver *receiver) {
  return receiver->dropped + (receiver->is_dropping ? log_end() - receiver->drop_start : 0);
}

bool limit_backlog(struct receiver *receiver, uint64_t kept_end) {
  uint64_t allowed = receiver->position < receiver->group_end ? GOP_MAX_BYTES + limit : limit;
  if (backlog(receiver) <= allowed && (receiver->is_seeking || receiver->position >= log_start())) return false;
  while (receiver->position < kept_end) {
    const uint8_t *bytes;
    size_t length = log_bytes(receiver->position, &bytes);
    if (length > kept_end - receiver->position) length = (size_t)(kept_end - receiver->position);
    if (length == 0 || !add_prefix(receiver, bytes, length)) break;
    receiver->position += length;
  }
  receiver->is_dropping = true;
  receiver->drop_start = receiver->position;
  receiver->position = log_end();
  receiver->is_seeking = true;
  return true;
}
