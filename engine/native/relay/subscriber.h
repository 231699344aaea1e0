// Connections that receive the stream: processes, as plain MPEG-TS, and the engine, as frames.
#ifndef SUBSCRIBER_H
#define SUBSCRIBER_H

#include <stdbool.h>
#include <stdint.h>

#include "hand-over.h"

// A frame has a header of 8 bytes: its type, 0, a count (16 bits), a length in bytes (32 bits), both in network byte
// order. 'T': PAT and PMT packets. 'M': `count` offsets (32 bits each) of start points in the media, then the media.
// 'E': the stream ended.
struct subscriber_settings {
  int id;
  // Whether it receives frames.
  bool is_tap;
  // Whether it begins with the cached group of pictures.
  bool from_cache;
  // Whether the connection is closed when another stream follows.
  bool ends_with_stream;
  // For frames: how long media is collected. Processes have a fixed time.
  int batch_ms;
  // How long packets are kept for a later tap, and how many milliseconds ago the packets have arrived with which this
  // one begins: at the start point before them; -1: it does not begin with such packets.
  int hold_ms, age_ms;
  // Of one that another relay has handed over: where it goes on; otherwise unknown.
  struct place place;
};

// Takes a connection. Returns false, without closing it, if there is no memory.
bool add_subscriber(const struct subscriber_settings *settings, int descriptor, int64_t now);
void remove_subscriber(int id);

// Hands a subscriber over to another relay at the next start point (hand-over/hand-over.h).
void move_subscriber(int id, const char *path, const char *greeting);

// Sends null packets to a process that has nothing else to receive.
void send_null_packets(int id);

// Sends the new packets to all subscribers.
void send_to_subscribers(int64_t now);

// Milliseconds until `send_to_subscribers` must be called again; -1: when something has arrived.
int subscriber_timeout(int64_t now);

// The oldest position that a subscriber still needs, or the end of the log.
uint64_t oldest_subscriber_position(void);

// Queues report events.
void report_subscribers(void);

#endif
