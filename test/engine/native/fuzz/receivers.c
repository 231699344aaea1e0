#include "receivers.h"

#include <stdlib.h>

#include "relay/receiver.h"
#include "relay/rtp-receiver.h"
#include "relay/stream/format.h"
#include "relay/stream/framer.h"
#include "relay/stream/packet-log.h"
#include "relay/stream/stream.h"
#include "relay/stream/ts-packet.h"

// The first one begins with the newest packets. The second one is slow, so that it loses its place.
enum { RECEIVERS = 2, SLOW = 1, LATER_US = 60000000 };

static struct receiver receivers[RECEIVERS];

void open_receivers(int64_t now) {
  for (int index = 0; index < RECEIVERS; index++) begin_receiver(&receivers[index], index, index != SLOW, true, now);
}

static void check_packets(const uint8_t *bytes, size_t length) {
  if (length % TS_PACKET_BYTES != 0) abort();
  for (size_t offset = 0; offset < length; offset += TS_PACKET_BYTES)
    if (bytes[offset] != TS_SYNC_BYTE) abort();
}

static void receive(struct receiver *receiver) {
  check_packets(receiver->prefix + receiver->prefix_done, receiver->prefix_length - receiver->prefix_done);
  receiver->prefix_done = receiver->prefix_length;
  const uint8_t *bytes;
  for (size_t length; (length = log_bytes(receiver->position, &bytes)) > 0; receiver->position += length) check_packets(bytes, length);
}

void serve_receivers(int64_t now) {
  uint64_t oldest = log_end();
  for (int index = 0; index < RECEIVERS; index++) {
    struct receiver *receiver = &receivers[index];
    if (seek_start(receiver) && index != SLOW) receive(receiver);
    limit_backlog(receiver, 0);
    if (!receiver->is_seeking && receiver->position < oldest) oldest = receiver->position;
  }
  update_backlog_limit();
  trim_log(oldest, now);
  for (const struct frame_sample *sample; (sample = take_sample());)
    if (sample->length > SAMPLE_MAX_BYTES) abort();
  take_picture_group();
}

void reset_stream(int64_t now) {
  reset_framer();
  reset_rtp();
  end_stream();
  change_program(0);
  trim_log(log_end(), now + LATER_US);
}
