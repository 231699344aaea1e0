#include "rtp-receiver.h"

#include <string.h>

#include "stream/framer.h"
#include "stream/stream.h"

// WINDOW: packets by which a packet can be early. KEEP_US: how long it waits for its predecessors. DROPOUT_MAX: missing
// packets that are loss (RFC 3550, A.1); a larger step belongs to a restarted sender.
enum { WINDOW = 64, KEEP_US = 30000, DROPOUT_MAX = 3000, PAYLOAD_MAX_BYTES = 9216 };
enum { HEADER_BYTES = 12, VERSION = 2, RTCP_FIRST_TYPE = 192, RTCP_LAST_TYPE = 223 };

struct rtp_packet {
  uint32_t source;
  uint16_t sequence;
  const uint8_t *payload;
  size_t length;
};

struct kept_packet {
  bool is_used;
  uint16_t sequence;
  size_t length;
  uint8_t payload[PAYLOAD_MAX_BYTES];
};

static bool has_sender;
static uint32_t sender;
static uint16_t next_sequence;
// By sequence number modulo WINDOW.
static struct kept_packet kept[WINDOW];
static int kept_count;
static int64_t kept_since;
// A packet of another sender, or after a jump. The sender counts as changed when the next one follows it.
static struct kept_packet candidate;
static uint32_t candidate_source;
static uint64_t lost, unused;

uint64_t lost_rtp_packets(void) { return lost; }
uint64_t unused_rtp_packets(void) { return unused; }
bool has_kept_rtp_packets(void) { return kept_count > 0; }

void reset_rtp(void) {
  has_sender = false;
  kept_count = 0;
  candidate.is_used = false;
  for (int index = 0; index < WINDOW; index++) kept[index].is_used = false;
}

// Reads the header. Returns false if it is not an RTP packet with a payload.
static bool parse(struct rtp_packet *packet, const uint8_t *bytes, size_t length) {
  if (length < HEADER_BYTES || bytes[0] >> 6 != VERSION || (bytes[1] >= RTCP_FIRST_TYPE && bytes[1] <= RTCP_LAST_TYPE)) return false;
  size_t start = HEADER_BYTES + 4 * (size_t)(bytes[0] & 0x0f);
  if (bytes[0] & 0x10) {
    if (length < start + 4) return false;
    start += 4 + 4 * (size_t)(bytes[start + 2] << 8 | bytes[start + 3]);
  }
  size_t padding = bytes[0] & 0x20 ? bytes[length - 1] : 0;
  if (length <= start + padding) return false;
  packet->sequence = (uint16_t)(bytes[2] << 8 | bytes[3]);
  packet->source = (uint32_t)bytes[8] << 24 | (uint32_t)bytes[9] << 16 | (uint32_t)bytes[10] << 8 | bytes[11];
  packet->payload = bytes + start;
  packet->length = length - start - padding;
  return true;
}

static void keep(struct kept_packet *target, const struct rtp_packet *packet) {
  if (packet->length > PAYLOAD_MAX_BYTES) return;
  target->is_used = true;
  target->sequence = packet->sequence;
  target->length = packet->length;
  memcpy(target->payload, packet->payload, packet->length);
}

// Passes on the kept packets that follow without a gap.
static void pass_successors(int64_t now) {
  for (struct kept_packet *next; kept_count > 0 && (next = &kept[next_sequence % WINDOW])->is_used; next_sequence++) {
    next->is_used = false;
    kept_count--;
    take_datagram(next->payload, next->length, now);
  }
  kept_since = now;
}

// Gives up the missing packets before the earliest kept one.
static void skip_missing(int64_t now) {
  while (!kept[next_sequence % WINDOW].is_used) next_sequence++, lost++;
  pass_successors(now);
}

static void pass(const struct rtp_packet *packet, int64_t now) {
  next_sequence = (uint16_t)(packet->sequence + 1);
  take_datagram(packet->payload, packet->length, now);
  pass_successors(now);
}

void expire_rtp_packets(int64_t now) {
  while (kept_count > 0 && now - kept_since > KEEP_US) {
    int64_t since = kept_since;
    skip_missing(now);
    // The packets behind the next gap have waited as long.
    if (kept_count > 0) kept_since = since;
  }
}

void flush_rtp_packets(int64_t now) {
  while (kept_count > 0) skip_missing(now);
}

// Takes a packet that does not belong to the current sequence: the sender has restarted if a second one follows it.
static void take_candidate(const struct rtp_packet *packet, int64_t now) {
  bool follows = candidate.is_used && candidate_source == packet->source && (uint16_t)(candidate.sequence + 1) == packet->sequence;
  if (!follows) {
    keep(&candidate, packet);
    candidate_source = packet->source;
    return;
  }
  flush_rtp_packets(now);
  pass_packets(now);
  mark_seam();
  candidate.is_used = false;
  sender = packet->source;
  take_datagram(candidate.payload, candidate.length, now);
  pass(packet, now);
}

void take_rtp_packet(const uint8_t *datagram, size_t length, int64_t now) {
  struct rtp_packet packet;
  if (!parse(&packet, datagram, length)) {
    unused++;
    return;
  }
  if (!has_sender) {
    has_sender = true;
    sender = packet.source;
    return pass(&packet, now);
  }
  int step = (int16_t)(packet.sequence - next_sequence);
  if (packet.source != sender || step >= DROPOUT_MAX || step < -WINDOW) return take_candidate(&packet, now);
  candidate.is_used = false;
  if (step == 0) {
    pass(&packet, now);
  } else if (step < 0) {
    unused++;
  } else if (step >= WINDOW || packet.length > PAYLOAD_MAX_BYTES) {
    flush_rtp_packets(now);
    // The kept packets may have been newer than this one.
    int missing = (int16_t)(packet.sequence - next_sequence);
    if (missing < 0) return;
    lost += (uint64_t)missing;
    pass(&packet, now);
  } else if (kept[packet.sequence % WINDOW].is_used) {
    unused++;
  } else {
    if (kept_count++ == 0) kept_since = now;
    keep(&kept[packet.sequence % WINDOW], &packet);
  }
}
