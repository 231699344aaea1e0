#include "framer.h"

#include <stdbool.h>

#include "stream.h"
#include "ts-packet.h"

// ALIGNED_DATAGRAMS: after so many datagrams of whole packets others are foreign. FOREIGN_DATAGRAMS: after so many of those in a row the
// sender has changed its datagrams.
enum { BATCH_PACKETS = 1024, ALIGNED_DATAGRAMS = 4, FOREIGN_DATAGRAMS = 8 };

static uint8_t batch[BATCH_PACKETS * TS_PACKET_BYTES];
static size_t batch_count;
// An incomplete packet, and the first byte of the next one.
static uint8_t rest[TS_PACKET_BYTES + 1];
static size_t rest_length;
static int aligned_datagrams, foreign_datagrams;
static uint64_t invalid;

uint64_t invalid_bytes(void) { return invalid; }

void reset_framer(void) {
  invalid += rest_length;
  rest_length = 0;
  aligned_datagrams = foreign_datagrams = 0;
}

void pass_packets(int64_t now) {
  take_packets(batch, batch_count, now);
  batch_count = 0;
}

static void add_packets(const uint8_t *packets, size_t count, int64_t now) {
  while (count > 0) {
    if (batch_count == BATCH_PACKETS) pass_packets(now);
    size_t taken = count < BATCH_PACKETS - batch_count ? count : BATCH_PACKETS - batch_count;
    memcpy(batch + batch_count * TS_PACKET_BYTES, packets, taken * TS_PACKET_BYTES);
    batch_count += taken;
    count -= taken;
    packets += taken * TS_PACKET_BYTES;
  }
}

// Whether a packet starts here. 0x47 can also be payload, so the next packet, if it was received, must start with it too.
static bool is_aligned(const uint8_t *bytes, size_t length) {
  return bytes[0] == TS_SYNC_BYTE && (length <= TS_PACKET_BYTES || bytes[TS_PACKET_BYTES] == TS_SYNC_BYTE);
}

// Passes whole packets. Returns how many bytes were used; fewer than 188 remain.
static size_t take_whole_packets(const uint8_t *bytes, size_t length, int64_t now) {
  size_t done = 0;
  while (length - done >= TS_PACKET_BYTES) {
    if (!is_aligned(bytes + done, length - done)) {
      done++;
      invalid++;
      continue;
    }
    size_t end = done;
    while (length - end >= TS_PACKET_BYTES && bytes[end] == TS_SYNC_BYTE) end += TS_PACKET_BYTES;
    add_packets(bytes + done, (end - done) / TS_PACKET_BYTES, now);
    done = end;
  }
  return done;
}

void take_bytes(const uint8_t *bytes, size_t length, int64_t now) {
  while (rest_length > 0 && length > 0) {
    // Completes the packet, with the first byte of the next one if it was received.
    size_t missing = TS_PACKET_BYTES - rest_length, known = length > missing ? missing + 1 : length;
    memcpy(rest + rest_length, bytes, known);
    if (rest_length + known < TS_PACKET_BYTES) {
      rest_length += known;
      return;
    }
    if (is_aligned(rest, rest_length + known)) {
      add_packets(rest, 1, now);
      bytes += missing;
      length -= missing;
      rest_length = 0;
      break;
    }
    // Searches in the rest for another start.
    size_t start = 1;
    while (start < rest_length && rest[start] != TS_SYNC_BYTE) start++;
    invalid += start;
    memmove(rest, rest + start, rest_length - start);
    rest_length -= start;
  }
  size_t done = take_whole_packets(bytes, length, now);
  rest_length = rest_length > 0 ? rest_length : length - done;
  if (length > done) memcpy(rest, bytes + done, length - done);
}

void take_datagram(const uint8_t *bytes, size_t length, int64_t now) {
  bool whole = length > 0 && length % TS_PACKET_BYTES == 0;
  for (size_t offset = 0; whole && offset < length; offset += TS_PACKET_BYTES) whole = bytes[offset] == TS_SYNC_BYTE;
  if (whole) {
    invalid += rest_length;
    rest_length = 0;
    foreign_datagrams = 0;
    if (aligned_datagrams < ALIGNED_DATAGRAMS) aligned_datagrams++;
    add_packets(bytes, length / TS_PACKET_BYTES, now);
  } else if (aligned_datagrams == ALIGNED_DATAGRAMS && foreign_datagrams < FOREIGN_DATAGRAMS) {
    invalid += length;
    foreign_datagrams++;
  } else {
    aligned_datagrams = 0;
    take_bytes(bytes, length, now);
  }
}
