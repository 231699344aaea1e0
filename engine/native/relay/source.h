// The source of the stream: datagrams that arrive at a port, or a connection of a process.
#ifndef SOURCE_H
#define SOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct datagram_source {
  // Local address, or multicast group. `::` is all addresses, of IPv6 and IPv4.
  const char *address;
  int port;
  // Interface on which the group is joined: its address for IPv4, its name for IPv6; empty: the system chooses.
  const char *interface;
  // Sender of a source-specific multicast group; empty: any.
  const char *sender;
  bool is_rtp;
};

// Replaces the source. `number` identifies it in events and commands. Returns 0 or a system error code, after which
// there is no source.
int open_datagram_source(int number, const struct datagram_source *settings);

// Replaces the source by a feed that is not connected yet. Any number of connections may follow, each of which replaces
// the one before.
void await_feed(int number);

// Takes a connection of the awaited feed. Returns false, without closing it, if no feed with this number is awaited.
bool accept_feed(int number, int descriptor, int64_t now);

// Passes the open port on to the relay with this media socket, which goes on receiving where this one stops. Here the
// stream ends. Returns 0 or a system error code, after which the source goes on.
int move_source(const char *path, const char *greeting, int64_t now);

// Takes over the port of another relay. The feed with this number, through which the stream of that relay has arrived,
// is read up to its end, and the stream goes on. Returns false, without closing the descriptor, if there is no such
// feed.
bool adopt_source(int number, bool uses_rtp, int descriptor);

// Ends the source if it has this number.
void close_source(int number);

// Whether the source has delivered media since the last call.
bool take_activity(void);

// Handles delayed packets. Must be called after each turn of the event loop.
void update_source(int64_t now);

// Whether `update_source` must be called within 10 ms.
bool is_source_pending(void);

#endif
