// The stream: measures the packets of the source and passes them to the packet log. Nothing passes before the tables
// and a packet at which a decoder can start. Where another stream follows, continuity counters go on, and the
// discontinuity indicator marks the seam.
#ifndef STREAM_H
#define STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet-log.h"

// Values since the start of the program.
struct stream_counters {
  // Received MPEG-TS, counted once the tables are known.
  uint64_t bytes, packets;
  // Bytes of packets that were no stream, because no table lists them.
  uint64_t invalid_bytes;
  // Gaps in the continuity counters once the tables are known; each means missing packets.
  uint64_t gaps;
  // Packets at which a decoder can start.
  uint64_t starts;
  // Changes of the layout.
  uint64_t layouts;
  // Seams: the source restarted, or another one followed.
  uint64_t seams;
};

// Takes whole packets in the order in which they arrived.
void take_packets(const uint8_t *packets, size_t count, int64_t now);

// The source restarted: the next packets are not contiguous with the previous ones.
void mark_seam(void);

// The stream ended. The next packets belong to another one.
void end_stream(void);

// Restricts the stream to a program; 0: all programs.
void change_program(int number);

// Whether packets with known tables arrived within the last second.
bool is_carrying(int64_t now);

const struct stream_counters *stream_counters(void);

// When the last packet of a PID that has a payload arrived; 0: none since the stream began. Packets that carry only a
// clock reference do not count: an encoder sends them although it has no picture.
int64_t last_payload_at(int pid);

// Writes the current tables with the continuity counters at a start. Returns their length. `tables` has
// TABLES_MAX_BYTES.
size_t copy_tables(uint8_t *tables, const struct start *start);

#endif
