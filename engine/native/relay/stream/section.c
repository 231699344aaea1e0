#include "section.h"

enum { POLYNOMIAL = 0x04c11db7, CHECKSUM_BYTES = 4, SECTION_MIN_BYTES = 12 };

// CRC-32 of MPEG-2 systems (annex A). It is 0 for a section with its checksum.
static uint32_t checksum(const uint8_t *bytes, size_t length) {
  uint32_t value = 0xffffffff;
  for (size_t index = 0; index < length; index++) {
    value ^= (uint32_t)bytes[index] << 24;
    for (int bit = 0; bit < 8; bit++) value = value << 1 ^ (value & 0x80000000 ? POLYNOMIAL : 0);
  }
  return value;
}

void finish_section(uint8_t *section, size_t length) {
  uint32_t value = checksum(section, length - CHECKSUM_BYTES);
  for (int index = 0; index < CHECKSUM_BYTES; index++) section[length - 1 - (size_t)index] = (uint8_t)(value >> 8 * index);
}

// Adds the packet's payload from an offset on.
static void append(struct section_collector *collector, const uint8_t *packet, int offset) {
  memcpy(collector->packets[collector->packet_count++], packet, TS_PACKET_BYTES);
  memcpy(collector->bytes + collector->length, packet + offset, (size_t)(TS_PACKET_BYTES - offset));
  collector->length += (size_t)(TS_PACKET_BYTES - offset);
}

size_t collect_section(struct section_collector *collector, const uint8_t *packet) {
  int payload = ts_payload_offset(packet);
  collector->is_damaged = false;
  if (payload < 0) return 0;
  if (ts_is_unit_start(packet)) {
    collector->packet_count = 0;
    collector->length = 0;
    // The pointer field says how many bytes of the previous section precede this one.
    int start = payload + 1 + packet[payload];
    if (start >= TS_PACKET_BYTES) return 0;
    append(collector, packet, start);
  } else {
    if (collector->packet_count == 0) return 0;
    // Longer than a section can be, so a start was missed.
    if (collector->packet_count == SECTION_MAX_PACKETS) {
      collector->packet_count = 0;
      return 0;
    }
    append(collector, packet, payload);
  }
  if (collector->length < 3) return 0;
  size_t length = 3 + (size_t)((collector->bytes[1] & 0x0f) << 8 | collector->bytes[2]);
  if (collector->length < length) return 0;
  bool whole = collector->bytes[0] == collector->table_id && length >= SECTION_MIN_BYTES && length <= SECTION_MAX_BYTES;
  bool valid = whole && checksum(collector->bytes, length) == 0;
  collector->is_damaged = whole && !valid;
  if (!valid) collector->packet_count = 0;
  return valid ? length : 0;
}
