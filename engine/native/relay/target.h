// Targets that receive the stream as datagrams, over UDP or with RTP headers (RFC 3550, RFC 2250).
#ifndef TARGET_H
#define TARGET_H

#include <stdbool.h>
#include <stdint.h>

struct target_settings {
  const char *address;
  int port;
  // Bytes of MPEG-TS in a datagram: a multiple of 188.
  int payload_bytes;
  bool is_rtp;
  // Time to live of multicast datagrams.
  int ttl;
  // Interface for multicast: its address for IPv4, its name for IPv6; empty: the system chooses.
  const char *interface;
};

// Returns 0 or a system error code. A target that another relay has handed over under this ID stays as it is.
int add_target(int id, const struct target_settings *settings, int64_t now);
void remove_target(int id);

// Hands a target over to another relay at the next start point (hand-over/hand-over.h).
void move_target(int id, const char *path, const char *greeting);

// Takes a target from another relay; the line is that of greeting.h. Returns false, without closing the descriptor,
// if it is not valid.
bool adopt_target(const char *line, int descriptor, int64_t now);

// Sends the new packets to all targets.
void send_to_targets(int64_t now);

// Whether a target waits for the rest of a datagram or for its socket, so that `send_to_targets` must be called within
// 10 ms.
bool are_targets_pending(void);

// The oldest position that a target still needs, or the end of the log.
uint64_t oldest_target_position(void);

// Queues report events.
void report_targets(int64_t now);

#endif
