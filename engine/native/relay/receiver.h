// The position of a receiver in the packet log. It begins at a key frame; if it is too slow, it drops packets until the
// next one.
#ifndef RECEIVER_H
#define RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PREFIX_MAX_BYTES = 144 << 10 };

struct receiver {
  // Identifies it in commands and events.
  int id;
  uint64_t position;
  // Whether it waits for a start point at or after its position.
  bool is_seeking;
  // Whether the tables precede the packets from a start point on.
  bool needs_tables;
  // Whether it has those of the start point that it waits for, from the relay that has handed it over.
  bool has_tables;
  // End of the log when it began with the cached group of pictures, which does not count as its backlog.
  uint64_t group_end;
  // Whether it is too slow and drops packets, and from which position on.
  bool is_dropping;
  uint64_t drop_start;
  // Bytes dropped before.
  uint64_t dropped;
  // Bytes to send before those at its position, such as the tables.
  uint8_t prefix[PREFIX_MAX_BYTES];
  size_t prefix_length, prefix_done;
};

// Places it at the next start point, or at the cached group of pictures if there is one. Sets all fields.
void begin_receiver(struct receiver *receiver, int id, bool from_cache, bool needs_tables, int64_t now);

// As `begin_receiver`, but at the newest start point that has arrived by a time, and for a tap.
void begin_receiver_before(struct receiver *receiver, int id, int64_t at, int64_t now);

// Moves it to the start point that it waits for. Returns whether it can send.
bool seek_start(struct receiver *receiver);

// Adds bytes to its prefix. Returns false if they do not fit.
bool add_prefix(struct receiver *receiver, const void *bytes, size_t length);

static inline bool has_prefix(const struct receiver *receiver) { return receiver->prefix_done < receiver->prefix_length; }

// Bytes in the log that it has not sent.
uint64_t backlog(const struct receiver *receiver);

// Bytes dropped because it was too slow.
uint64_t dropped_bytes(const struct receiver *receiver);

// Drops its backlog if that is longer than allowed, except for the bytes before `kept_end`, which go to its prefix: the
// rest of a packet or of a frame that it has begun to send. Returns whether it dropped anything.
bool limit_backlog(struct receiver *receiver, uint64_t kept_end);

// Adjusts the allowed backlog to the rate of the stream: 2 s, between 256 KiB and 4 MiB. Must be called every 250 ms.
void update_backlog_limit(void);

#endif
