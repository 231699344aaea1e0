// The newest packets of the stream, once for all receivers. Each receiver has a position in it, so that nothing is
// copied per receiver. Positions count bytes since the start of the program.
#ifndef PACKET_LOG_H
#define PACKET_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// GOP_MAX_BYTES, GOP_MAX_US: the longest group of pictures that is kept for receivers that begin with it.
enum { GOP_MAX_BYTES = 16 << 20, GOP_MAX_US = 12000000 };

// A position at which a decoder can start.
struct start {
  uint64_t position;
  // When it arrived.
  int64_t at;
  // Continuity counters of the last packets of the PAT and of the PMT before it.
  int8_t pat_counter, pmt_counter;
};

// Adds one packet and returns where to write it. The memory is 188 bytes long. NULL: there is no memory.
uint8_t *append_packet(void);

// Positions of the oldest packet and after the newest one.
uint64_t log_start(void);
uint64_t log_end(void);

// The bytes from a position on; fewer than available if they are not contiguous. 0 at the end.
size_t log_bytes(uint64_t position, const uint8_t **bytes);

// Marks the end of the log as a position at which a decoder can start.
void add_start(int64_t now, int pat_counter, int pmt_counter);

// Finds the first start at or after a position. Returns false if there is none.
bool find_start(uint64_t position, struct start *start);

// Finds the newest start, from which a whole group of pictures is in the log. Returns false if there is none.
bool find_group(int64_t now, struct start *start);

// Finds the newest start that has arrived by a time, or the oldest one after it from which at most GOP_MAX_BYTES are in
// the log. Returns false if there is none.
bool find_start_before(int64_t at, struct start *start);

// Sets how long packets are kept after their arrival, besides the newest group of pictures. What is kept begins at a
// start and has at most GOP_MAX_BYTES.
void hold_packets(int64_t us);

// Forgets the starts, so that no receiver begins with packets of an ended stream.
void clear_starts(void);

// Frees the memory of packets before a position that are not part of the newest group of pictures, and not held.
void trim_log(uint64_t position, int64_t now);

// Positions at which the stream ended and another one followed. Ends are numbered from 0; `end_position` returns false
// if the number is not known yet.
void add_end(void);
unsigned end_count(void);
bool end_position(unsigned number, uint64_t *position);

#endif
