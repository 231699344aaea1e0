// Sends MPEG-TS as datagrams from a connected socket, over UDP or with RTP headers (RFC 3550, RFC 2250).
#ifndef DATAGRAM_SENDER_H
#define DATAGRAM_SENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct datagram_sender {
  int descriptor;
  // Bytes of MPEG-TS in a datagram.
  size_t payload_bytes;
  bool is_rtp;
  uint16_t sequence;
  uint32_t timestamp_offset, source;
  // Datagrams that the system takes in one call and separates later (UDP_SEGMENT).
  int segments;
  // Whether the socket's buffer is full.
  bool is_blocked;
  uint64_t bytes, packets;
  // When an ICMP message last said that no program listens at the port; 0: never.
  int64_t refused_at;
  // The newest other system error code.
  int error;
};

void begin_datagrams(struct datagram_sender *sender, int descriptor, size_t payload_bytes, bool is_rtp);

// Sends bytes until the socket's buffer is full; the last datagram may have fewer than the others. Returns how many
// bytes were sent or, because of an error, skipped.
size_t send_datagrams(struct datagram_sender *sender, const uint8_t *bytes, size_t length, int64_t now);

#endif
