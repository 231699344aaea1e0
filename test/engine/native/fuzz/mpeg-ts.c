// MPEG-TS of a stranger: framing, tables, frames, and the packets that receivers get of it.
//
// The first byte has flags. Segments follow: a byte with the number of packets (five bits; 0: the next byte has a
// number of bytes) and the time until it arrives (three bits), and the bytes of the segment.
#include "relay/clock.h"
#include "relay/stream/framer.h"
#include "relay/stream/section.h"
#include "relay/stream/stream.h"
#include "input.h"
#include "receivers.h"

// ARE_CHECKSUMS_CORRECT: a fuzzer does not find checksums, so sections get correct ones.
enum { IS_DATAGRAM = 1, ARE_CHECKSUMS_CORRECT = 2, HAS_PROGRAM = 4, PROGRAM_SHIFT = 4 };
enum { PACKETS_MASK = 31, TIME_SHIFT = 5 };
static const int64_t STEPS_US[] = {0, 1000, 40000, 400000, 1100000, 2100000, 3100000, 13000000};

static void correct_checksum(uint8_t *packet) {
  int offset = ts_payload_offset(packet);
  if (offset < 0 || !ts_is_unit_start(packet)) return;
  size_t start = (size_t)offset + 1 + packet[offset];
  if (start + 3 > TS_PACKET_BYTES) return;
  size_t length = 3 + (size_t)((packet[start + 1] & 15) << 8 | packet[start + 2]);
  if (packet[start] <= 2 && length >= 4 && start + length <= TS_PACKET_BYTES) finish_section(packet + start, length);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct input input = {bytes, size};
  int64_t now = now_us();
  int flags = take_byte(&input);
  if (flags & HAS_PROGRAM) change_program(flags >> PROGRAM_SHIFT);
  open_receivers(now);
  while (input.size > 0) {
    int control = take_byte(&input);
    size_t packets = control & PACKETS_MASK, length = packets > 0 ? packets * TS_PACKET_BYTES : take_byte(&input);
    uint8_t *segment = take_copy(&input, &length, 0);
    now += STEPS_US[control >> TIME_SHIFT];
    for (size_t offset = 0; (flags & ARE_CHECKSUMS_CORRECT) && offset + TS_PACKET_BYTES <= length; offset += TS_PACKET_BYTES)
      correct_checksum(segment + offset);
    if (flags & IS_DATAGRAM) take_datagram(segment, length, now);
    else take_bytes(segment, length, now);
    free(segment);
    pass_packets(now);
    serve_receivers(now);
  }
  reset_stream(now);
  return 0;
}
