#include "start-points.h"

#include "ts-packet.h"

enum codec video_codec(int stream_type) {
  switch (stream_type) {
    case 0x01:
    case 0x02:
      return CODEC_MPEG2;
    case 0x1b:
      return CODEC_H264;
    case 0x24:
      return CODEC_HEVC;
    case 0x10:
    case 0x20:
    case 0x21:
    case 0x33:
    case 0x42:
    case 0xea:
      return CODEC_OTHER;
    default:
      return CODEC_NONE;
  }
}

// Whether the byte after a start code begins a key frame, a parameter set or a sequence header.
static bool is_start_unit(int unit, enum codec codec) {
  int hevc_type = unit >> 1 & 63;
  switch (codec) {
    case CODEC_H264:
      return (unit & 31) == 5 || (unit & 31) == 7;
    case CODEC_HEVC:
      return (hevc_type >= 16 && hevc_type <= 21) || hevc_type == 32 || hevc_type == 33;
    case CODEC_MPEG2:
      return unit == 0xb3;
    default:
      return false;
  }
}

bool is_key_frame(const uint8_t *packet, int payload, enum codec codec) {
  if (ts_has_random_access(packet)) return true;
  if (payload + 9 > TS_PACKET_BYTES || packet[payload] != 0 || packet[payload + 1] != 0 || packet[payload + 2] != 1) return false;
  for (int offset = payload + 9 + packet[payload + 8]; offset + 3 < TS_PACKET_BYTES; offset++)
    if (packet[offset] == 0 && packet[offset + 1] == 0 && packet[offset + 2] == 1 && is_start_unit(packet[offset + 3], codec)) return true;
  return false;
}
