// The MPEG-TS packet (ISO/IEC 13818-1, 2.4.3.2).
#ifndef TS_PACKET_H
#define TS_PACKET_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { TS_PACKET_BYTES = 188, TS_SYNC_BYTE = 0x47, TS_NULL_PID = 0x1fff, TS_PIDS = 0x2000 };

static inline int ts_pid(const uint8_t *packet) { return (packet[1] & 0x1f) << 8 | packet[2]; }

static inline void ts_set_pid(uint8_t *packet, int pid) {
  packet[1] = (uint8_t)((packet[1] & 0xe0) | pid >> 8);
  packet[2] = (uint8_t)pid;
}

// Whether the packet has the payload unit start indicator: a frame or section starts in it.
static inline bool ts_is_unit_start(const uint8_t *packet) { return packet[1] & 0x40; }

static inline bool ts_has_transport_error(const uint8_t *packet) { return packet[1] & 0x80; }

static inline bool ts_is_scrambled(const uint8_t *packet) { return packet[3] & 0xc0; }

static inline bool ts_has_payload(const uint8_t *packet) { return packet[3] & 0x10; }

static inline int ts_counter(const uint8_t *packet) { return packet[3] & 0x0f; }

// Whether the packet has an adaptation field with a byte of flags.
static inline bool ts_has_flags(const uint8_t *packet) { return (packet[3] & 0x20) && packet[4] > 0; }

static inline bool ts_has_discontinuity(const uint8_t *packet) { return ts_has_flags(packet) && (packet[5] & 0x80); }

static inline bool ts_has_random_access(const uint8_t *packet) { return ts_has_flags(packet) && (packet[5] & 0x40); }

// Offset of the payload, or -1 if there is none.
static inline int ts_payload_offset(const uint8_t *packet) {
  if (!ts_has_payload(packet)) return -1;
  int offset = packet[3] & 0x20 ? 5 + packet[4] : 4;
  return offset < TS_PACKET_BYTES ? offset : -1;
}

// The base of the program clock reference in units of 1/90,000 s, or -1 if the packet has none.
static inline int64_t ts_pcr(const uint8_t *packet) {
  if (!(packet[3] & 0x20) || packet[4] < 7 || !(packet[5] & 0x10)) return -1;
  return (int64_t)packet[6] << 25 | packet[7] << 17 | packet[8] << 9 | packet[9] << 1 | packet[10] >> 7;
}

// Writes a packet without payload that has the discontinuity indicator.
static inline void ts_write_discontinuity(uint8_t *packet, int pid, int counter) {
  memset(packet, 0xff, TS_PACKET_BYTES);
  packet[0] = TS_SYNC_BYTE;
  packet[1] = (uint8_t)(pid >> 8);
  packet[2] = (uint8_t)pid;
  packet[3] = (uint8_t)(0x20 | counter);
  packet[4] = TS_PACKET_BYTES - 5;
  packet[5] = 0x80;
}

static inline void ts_write_null_packet(uint8_t *packet) {
  static const uint8_t header[] = {TS_SYNC_BYTE, 0x1f, 0xff, 0x10};
  memset(packet, 0xff, TS_PACKET_BYTES);
  memcpy(packet, header, sizeof header);
}

#endif
