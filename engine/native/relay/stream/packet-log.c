#include "packet-log.h"

#include <stdlib.h>

#include "ts-packet.h"

// CHUNK_BYTES: a multiple of the packets in a datagram. CHUNKS_MAX: more than all receivers together can keep.
enum { CHUNK_BYTES = 50 * 7 * TS_PACKET_BYTES, CHUNKS_MAX = 512, SPARE_MAX = 4, STARTS_MAX = 2048, ENDS_MAX = 64 };

// The chunks in use are a ring. The first byte of chunk `first_chunk` has the position `first_chunk * CHUNK_BYTES`.
static uint8_t *chunks[CHUNKS_MAX];
static uint64_t first_chunk, next_chunk;
static uint64_t end;
static uint8_t *spare[SPARE_MAX];
static int spare_count;

// The newest starts are a ring too.
static struct start starts[STARTS_MAX];
static uint64_t first_start, next_start;

static int64_t hold_us;

static uint64_t ends[ENDS_MAX];
static unsigned ends_so_far;

static void free_first_chunk(void) {
  uint8_t *chunk = chunks[first_chunk++ % CHUNKS_MAX];
  if (spare_count < SPARE_MAX) spare[spare_count++] = chunk;
  else free(chunk);
}

uint8_t *append_packet(void) {
  if (end == next_chunk * CHUNK_BYTES) {
    if (next_chunk - first_chunk == CHUNKS_MAX) free_first_chunk();
    uint8_t *chunk = spare_count > 0 ? spare[--spare_count] : malloc(CHUNK_BYTES);
    if (!chunk) return NULL;
    chunks[next_chunk++ % CHUNKS_MAX] = chunk;
  }
  uint8_t *packet = chunks[(next_chunk - 1) % CHUNKS_MAX] + end % CHUNK_BYTES;
  end += TS_PACKET_BYTES;
  return packet;
}

uint64_t log_start(void) { return first_chunk * CHUNK_BYTES; }
uint64_t log_end(void) { return end; }

size_t log_bytes(uint64_t position, const uint8_t **bytes) {
  if (position >= end || position < log_start()) return 0;
  uint64_t chunk = position / CHUNK_BYTES, chunk_end = (chunk + 1) * CHUNK_BYTES;
  *bytes = chunks[chunk % CHUNKS_MAX] + position % CHUNK_BYTES;
  return (size_t)((chunk_end < end ? chunk_end : end) - position);
}

void add_start(int64_t now, int pat_counter, int pmt_counter) {
  if (next_start - first_start == STARTS_MAX) first_start++;
  starts[next_start++ % STARTS_MAX] =
      (struct start){.position = end, .at = now, .pat_counter = (int8_t)pat_counter, .pmt_counter = (int8_t)pmt_counter};
}

bool find_start(uint64_t position, struct start *start) {
  bool found = false;
  for (uint64_t index = next_start; index > first_start && starts[(index - 1) % STARTS_MAX].position >= position; index--) {
    *start = starts[(index - 1) % STARTS_MAX];
    found = true;
  }
  return found;
}

bool find_group(int64_t now, struct start *start) {
  if (next_start == first_start) return false;
  *start = starts[(next_start - 1) % STARTS_MAX];
  return end - start->position <= GOP_MAX_BYTES && now - start->at <= GOP_MAX_US;
}

bool find_start_before(int64_t at, struct start *start) {
  bool found = false;
  for (uint64_t index = next_start; index > first_start; index--) {
    const struct start *each = &starts[(index - 1) % STARTS_MAX];
    if (each->position < log_start() || end - each->position > GOP_MAX_BYTES) break;
    *start = *each;
    found = true;
    if (each->at <= at) break;
  }
  return found;
}

void hold_packets(int64_t us) { hold_us = us; }

void clear_starts(void) { first_start = next_start; }

void trim_log(uint64_t position, int64_t now) {
  struct start start;
  if (find_group(now, &start) && start.position < position) position = start.position;
  if (hold_us > 0 && find_start_before(now - hold_us, &start) && start.position < position) position = start.position;
  while (first_chunk < next_chunk && (first_chunk + 1) * CHUNK_BYTES <= position) free_first_chunk();
  while (first_start < next_start && starts[first_start % STARTS_MAX].position < log_start()) first_start++;
}

void add_end(void) { ends[ends_so_far++ % ENDS_MAX] = end; }
unsigned end_count(void) { return ends_so_far; }

bool end_position(unsigned number, uint64_t *position) {
  if (number >= ends_so_far) return false;
  // An end that is no longer known is treated as the oldest known one.
  if (ends_so_far - number > ENDS_MAX) number = ends_so_far - ENDS_MAX;
  *position = ends[number % ENDS_MAX];
  return true;
}
