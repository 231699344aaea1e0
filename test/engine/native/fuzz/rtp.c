// Datagrams of a stranger at a port for RTP: each is a length in two bytes, whose first three bits are the time until
// it arrives, and its bytes.
#include "relay/clock.h"
#include "relay/rtp-receiver.h"
#include "relay/stream/framer.h"
#include "input.h"
#include "receivers.h"

enum { TIME_SHIFT = 5, LENGTH_MASK = 31 };
static const int64_t STEPS_US[] = {0, 0, 0, 1000, 10000, 31000, 500000, 3000000};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct input input = {bytes, size};
  int64_t now = now_us();
  open_receivers(now);
  while (input.size > 0) {
    int first = take_byte(&input);
    size_t length = (size_t)(first & LENGTH_MASK) << 8 | take_byte(&input);
    uint8_t *datagram = take_copy(&input, &length, 0);
    now += STEPS_US[first >> TIME_SHIFT];
    take_rtp_packet(datagram, length, now);
    free(datagram);
    if (has_kept_rtp_packets()) expire_rtp_packets(now);
    pass_packets(now);
    serve_receivers(now);
  }
  reset_stream(now);
  return 0;
}
