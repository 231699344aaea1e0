#include "socket-options.h"

#include <srt/access_control.h>

// Packet rate of 40 Mbit/s, the buffer size of a packet, and the defaults of libsrt for the buffers and the flow
// control window.
enum { PACKETS_PER_MS = 4, PACKET_BYTES = 1456, DEFAULT_BUFFER_PACKETS = 8192, DEFAULT_WINDOW_PACKETS = 25600 };

const char *reject_code(int reason) {
  switch (reason) {
    case SRT_REJ_BADSECRET:
    case SRT_REJ_UNSECURE:
      return "passphrase";
    case SRT_REJ_TIMEOUT:
      return "timeout";
    case SRT_REJX_NOTFOUND:
      return "key";
    case SRT_REJX_FORBIDDEN:
    case SRT_REJX_UNAUTHORIZED:
      return "forbidden";
    case SRT_REJX_CONFLICT:
    case SRT_REJX_LOCKED:
      return "busy";
    case SRT_REJX_OVERLOAD:
      return "full";
    case SRT_REJX_BAD_MODE:
      return "mode";
    default:
      return reason >= SRT_REJC_PREDEFINED ? "forbidden" : "handshake";
  }
}

bool size_buffers(SRTSOCKET srt, int latency_ms) {
  int packets = latency_ms * PACKETS_PER_MS;
  if (packets <= DEFAULT_BUFFER_PACKETS) return true;
  int window = packets + packets / 4;
  int bytes = packets * PACKET_BYTES;
  return (window <= DEFAULT_WINDOW_PACKETS || srt_setsockflag(srt, SRTO_FC, &window, sizeof window) >= 0) &&
         srt_setsockflag(srt, SRTO_RCVBUF, &bytes, sizeof bytes) >= 0 && srt_setsockflag(srt, SRTO_SNDBUF, &bytes, sizeof bytes) >= 0;
}

bool limit_bandwidth(SRTSOCKET srt, int overhead_percent) {
  int64_t relative_to_input = 0;
  if (overhead_percent == 0) return true;
  return srt_setsockflag(srt, SRTO_MAXBW, &relative_to_input, sizeof relative_to_input) >= 0 &&
         srt_setsockflag(srt, SRTO_OHEADBW, &overhead_percent, sizeof overhead_percent) >= 0;
}
