#include "framer.h"

#include <stdbool.h>

#include "stream.h"
#include "transport.h"
#include "ts-packet.h"

// ALIGNED_DATAGRAMS: after so many datagrams of whole packets others are foreign. FOREIGN_DATAGRAMS: after so many of
// those in a row the sender has changed its datagrams. SYNC_PACKETS: consecutive sync bytes that show where packets
// start (ETSI TR 101 290, 5.2.1); fewer are found in any data by chance.
enum { BATCH_PACKETS = 1024, ALIGNED_DATAGRAMS = 4, FOREIGN_DATAGRAMS = 8, SYNC_PACKETS = 5 };
enum { SYNC_BYTES = (SYNC_PACKETS - 1) * TS_PACKET_BYTES + 1 };

static uint8_t batch[BATCH_PACKETS * TS_PACKET_BYTES];
static size_t batch_count;
// Whether the start of the packets is known.
static bool is_synchronized;
// Bytes that were searched for the start of a packet since the last one; -1: no packet was found before.
static int searched = -1;
// An incomplete packet, or bytes in which no start was found yet. At most SYNC_BYTES - 1; more while they are joined
// with the next bytes.
static uint8_t rest[2 * SYNC_BYTES];
static size_t rest_length;
static int aligned_datagrams, foreign_datagrams;
static uint64_t invalid;

uint64_t invalid_bytes(void) { return invalid; }

static void drop_rest(void) {
  invalid += rest_length;
  rest_length = 0;
  is_synchronized = false;
  searched = -1;
}

void reset_framer(void) {
  drop_rest();
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

static bool is_packet_start(const uint8_t *bytes) {
  for (int packet = 0; packet < SYNC_PACKETS; packet++)
    if (bytes[packet * TS_PACKET_BYTES] != TS_SYNC_BYTE) return false;
  return true;
}

// The search for the start of a packet goes on. Behind the first packet it shows that the stream is not synchronized.
static void watch_search(int64_t now) {
  if (searched >= 0 && searched <= TS_PACKET_BYTES && ++searched > TS_PACKET_BYTES) count_transport_errors(SYNC_LOSS, 1, now);
}

// Passes whole packets. Returns how many bytes were used; the others are an incomplete packet, or too few to find a
// start.
static size_t take_whole_packets(const uint8_t *bytes, size_t length, int64_t now) {
  for (size_t done = 0;;) {
    if (!is_synchronized) {
      for (; length - done >= SYNC_BYTES && !is_packet_start(bytes + done); done++, invalid++) watch_search(now);
      if (length - done < SYNC_BYTES) return done;
      is_synchronized = true;
      // A single damaged sync byte does not move the packets.
      if (searched > 0 && searched < TS_PACKET_BYTES) count_transport_errors(SYNC_LOSS, 1, now);
      searched = 0;
    }
    size_t end = done;
    while (length - end >= TS_PACKET_BYTES && bytes[end] == TS_SYNC_BYTE) end += TS_PACKET_BYTES;
    add_packets(bytes + done, (end - done) / TS_PACKET_BYTES, now);
    done = end;
    if (done == length || bytes[done] == TS_SYNC_BYTE) return done;
    is_synchronized = false;
    count_transport_errors(SYNC_BYTE_ERROR, 1, now);
  }
}

void take_bytes(const uint8_t *bytes, size_t length, int64_t now) {
  if (rest_length > 0) {
    size_t added = length < sizeof rest - rest_length ? length : sizeof rest - rest_length;
    memcpy(rest + rest_length, bytes, added);
    size_t joined = rest_length + added, left = joined - take_whole_packets(rest, joined, now);
    if (left > added) {
      // All new bytes are in the rest.
      memmove(rest, rest + joined - left, left);
      rest_length = left;
      return;
    }
    rest_length = 0;
    bytes += added - left;
    length -= added - left;
  }
  size_t done = take_whole_packets(bytes, length, now);
  rest_length = length - done;
  memcpy(rest, bytes + done, rest_length);
}

// Counts the damage of a datagram that does not consist of whole packets. One in which less than half of the packets
// have a sync byte is foreign.
static void count_damage(const uint8_t *bytes, size_t length, int64_t now) {
  unsigned packets = 0, damaged = 0;
  for (size_t offset = 0; offset < length; offset += TS_PACKET_BYTES, packets++) damaged += bytes[offset] != TS_SYNC_BYTE;
  if (2 * damaged >= packets) return;
  count_transport_errors(SYNC_BYTE_ERROR, damaged, now);
  if (length % TS_PACKET_BYTES != 0) count_transport_errors(SYNC_LOSS, 1, now);
}

void take_datagram(const uint8_t *bytes, size_t length, int64_t now) {
  bool whole = length > 0 && length % TS_PACKET_BYTES == 0;
  for (size_t offset = 0; whole && offset < length; offset += TS_PACKET_BYTES) whole = bytes[offset] == TS_SYNC_BYTE;
  if (whole) {
    drop_rest();
    foreign_datagrams = 0;
    if (aligned_datagrams < ALIGNED_DATAGRAMS) aligned_datagrams++;
    add_packets(bytes, length / TS_PACKET_BYTES, now);
  } else if (aligned_datagrams == ALIGNED_DATAGRAMS && foreign_datagrams < FOREIGN_DATAGRAMS) {
    invalid += length;
    foreign_datagrams++;
    count_damage(bytes, length, now);
  } else {
    aligned_datagrams = 0;
    take_bytes(bytes, length, now);
  }
}
