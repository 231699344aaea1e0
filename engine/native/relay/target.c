#define _GNU_SOURCE
#include "target.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clock.h"
#include "event-queue.h"
#include "stream/packet-log.h"
#include "receiver.h"
#include "stream/ts-packet.h"

// PARTIAL_US: how long packets that do not fill a datagram wait for more.
enum { TARGETS_MAX = 256, BATCH = 64, PARTIAL_US = 20000, SEND_BUFFER = 2 << 20, PAYLOAD_MAX_BYTES = 65000 };
enum { RTP_HEADER_BYTES = 12, RTP_VERSION = 0x80, MPEG_TS_PAYLOAD_TYPE = 33 };

struct target {
  struct receiver receiver;
  int descriptor;
  size_t payload_bytes;
  bool is_rtp;
  uint16_t sequence;
  uint32_t timestamp_offset, source;
  uint64_t bytes, packets;
  // When packets that do not fill a datagram began to wait; 0: there are none.
  int64_t partial_since;
  bool is_blocked;
  // When an ICMP message last said that no program listens at the port; 0: never.
  int64_t refused_at;
  // The newest other system error code.
  int error;
};

static struct target *targets[TARGETS_MAX];
static int count;
static uint8_t headers[BATCH][RTP_HEADER_BYTES];
static struct iovec vectors[BATCH][2];
static struct mmsghdr messages[BATCH];

static int open_socket(const struct target_settings *settings, int *descriptor) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)settings->port)};
  struct sockaddr_in local = {.sin_family = AF_INET};
  if (inet_pton(AF_INET, settings->address, &address.sin_addr) != 1) return EINVAL;
  if (settings->interface[0] && inet_pton(AF_INET, settings->interface, &local.sin_addr) != 1) return EINVAL;
  *descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (*descriptor < 0) return errno;
  int size = SEND_BUFFER, ttl = settings->ttl;
  if (setsockopt(*descriptor, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) < 0)
    setsockopt(*descriptor, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  if ((ntohl(address.sin_addr.s_addr) & 0xf0000000) == 0xe0000000) {
    if (setsockopt(*descriptor, IPPROTO_IP, IP_MULTICAST_TTL, &ttl, sizeof ttl) < 0) return errno;
    if (settings->interface[0]) {
      if (setsockopt(*descriptor, IPPROTO_IP, IP_MULTICAST_IF, &local.sin_addr, sizeof local.sin_addr) < 0) return errno;
      if (bind(*descriptor, (struct sockaddr *)&local, sizeof local) < 0) return errno;
    }
  }
  return connect(*descriptor, (struct sockaddr *)&address, sizeof address) < 0 ? errno : 0;
}

static int find_target(int id) {
  for (int index = 0; index < count; index++)
    if (targets[index]->receiver.id == id) return index;
  return -1;
}

void remove_target(int id) {
  int index = find_target(id);
  if (index < 0) return;
  close(targets[index]->descriptor);
  free(targets[index]);
  targets[index] = targets[--count];
}

int add_target(int id, const struct target_settings *settings, int64_t now) {
  if (settings->payload_bytes < TS_PACKET_BYTES || settings->payload_bytes > PAYLOAD_MAX_BYTES) return EINVAL;
  remove_target(id);
  if (count == TARGETS_MAX) return ENOSPC;
  int descriptor = -1, error = open_socket(settings, &descriptor);
  struct target *target = error == 0 ? calloc(1, sizeof *target) : NULL;
  if (!target) {
    if (descriptor >= 0) close(descriptor);
    return error != 0 ? error : ENOMEM;
  }
  begin_receiver(&target->receiver, id, false, true, now);
  target->descriptor = descriptor;
  target->payload_bytes = (size_t)settings->payload_bytes / TS_PACKET_BYTES * TS_PACKET_BYTES;
  target->is_rtp = settings->is_rtp;
  struct {
    uint32_t source, offset;
    uint16_t sequence;
  } random = {0};
  if (getrandom(&random, sizeof random, 0) < 0) random.source = (uint32_t)now;
  target->source = random.source;
  target->timestamp_offset = random.offset;
  target->sequence = random.sequence;
  targets[count++] = target;
  return 0;
}

static void write_32(uint8_t *target, uint32_t value) {
  for (int index = 0; index < 4; index++) target[index] = (uint8_t)(value >> (24 - 8 * index));
}

// Prepares one datagram. RTP timestamps are the times of sending, as RFC 2250 requires; the clock of the media is inside MPEG-TS.
static void prepare_message(struct target *target, int index, const uint8_t *bytes, size_t length, int64_t now) {
  int parts = 0;
  if (target->is_rtp) {
    uint8_t *header = headers[index];
    uint16_t sequence = (uint16_t)(target->sequence + index);
    header[0] = RTP_VERSION;
    header[1] = MPEG_TS_PAYLOAD_TYPE;
    header[2] = (uint8_t)(sequence >> 8);
    header[3] = (uint8_t)sequence;
    write_32(header + 4, target->timestamp_offset + (uint32_t)(now * 9 / 100));
    write_32(header + 8, target->source);
    vectors[index][parts++] = (struct iovec){header, RTP_HEADER_BYTES};
  }
  vectors[index][parts++] = (struct iovec){(void *)bytes, length};
  messages[index].msg_hdr = (struct msghdr){.msg_iov = vectors[index], .msg_iovlen = (size_t)parts};
}

static void handle_error(struct target *target, int error, int64_t now) {
  if (error == ECONNREFUSED) target->refused_at = now;
  else if (error == EAGAIN || error == ENOBUFS) target->is_blocked = true;
  else if (error != EINTR) target->error = error;
}

// Sends prepared datagrams. Returns how many were sent or, because of an error, skipped.
static int send_messages(struct target *target, int total, int64_t now) {
  int done = 0;
  bool may_be_refused = false;
  while (done < total && !target->is_blocked) {
    int sent = sendmmsg(target->descriptor, messages + done, (unsigned)(total - done), 0);
    if (sent < 0) {
      // The system reports a refused datagram when the next one is sent, which is not sent then. It is sent again.
      bool is_reported = errno == ECONNREFUSED;
      may_be_refused = false;
      handle_error(target, errno, now);
      if (is_reported) sent = sendmmsg(target->descriptor, messages + done, (unsigned)(total - done), 0);
      if (sent < 0) {
        if (target->is_blocked || errno == EINTR) continue;
        done++;
        continue;
      }
    } else if (may_be_refused) {
      target->refused_at = now;
    }
    for (int index = done; index < done + sent; index++) {
      target->packets++;
      target->bytes += messages[index].msg_len - (target->is_rtp ? RTP_HEADER_BYTES : 0);
    }
    done += sent;
    // After a part of the datagrams the system stops silently, for a full buffer or a refused datagram.
    may_be_refused = done < total;
  }
  return done;
}

// Sends the tables that precede the first key frame.
static void send_prefix(struct target *target, int64_t now) {
  struct receiver *receiver = &target->receiver;
  while (has_prefix(receiver) && !target->is_blocked) {
    size_t left = receiver->prefix_length - receiver->prefix_done;
    size_t length = left < target->payload_bytes ? left : target->payload_bytes;
    prepare_message(target, 0, receiver->prefix + receiver->prefix_done, length, now);
    if (send_messages(target, 1, now) == 0) return;
    target->sequence++;
    receiver->prefix_done += length;
  }
}

static void send_stream(struct target *target, int64_t now) {
  struct receiver *receiver = &target->receiver;
  target->is_blocked = false;
  if (!seek_start(receiver)) return;
  send_prefix(target, now);
  while (!target->is_blocked) {
    const uint8_t *bytes;
    size_t length = log_bytes(receiver->position, &bytes), prepared = 0;
    // A datagram that the end of the log cuts waits a little; one that the end of the memory cuts does not.
    size_t partial = receiver->position + length == log_end() ? length % target->payload_bytes : 0;
    if (partial == 0) target->partial_since = 0;
    else if (target->partial_since == 0) target->partial_since = now;
    if (partial > 0 && now - target->partial_since < PARTIAL_US) length -= partial;
    if (length == 0) return;
    int total = 0;
    uint64_t position = receiver->position;
    for (; total < BATCH && prepared < length; total++) {
      size_t size = length - prepared < target->payload_bytes ? length - prepared : target->payload_bytes;
      prepare_message(target, total, bytes + prepared, size, now);
      prepared += size;
    }
    int done = send_messages(target, total, now);
    target->sequence = (uint16_t)(target->sequence + done);
    for (int index = 0; index < done; index++) position += vectors[index][target->is_rtp ? 1 : 0].iov_len;
    receiver->position = position;
    if (position == log_end()) target->partial_since = 0;
  }
}

void send_to_targets(int64_t now) {
  for (int index = 0; index < count; index++) {
    send_stream(targets[index], now);
    if (limit_backlog(&targets[index]->receiver, 0)) targets[index]->partial_since = 0;
  }
}

bool are_targets_pending(void) {
  for (int index = 0; index < count; index++)
    if (targets[index]->is_blocked || targets[index]->partial_since > 0) return true;
  return false;
}

uint64_t oldest_target_position(void) {
  uint64_t oldest = log_end();
  for (int index = 0; index < count; index++)
    if (!targets[index]->receiver.is_seeking && targets[index]->receiver.position < oldest) oldest = targets[index]->receiver.position;
  return oldest;
}

void report_targets(int64_t now) {
  for (int index = 0; index < count; index++) {
    struct target *target = targets[index];
    // Age of the refusal in ms, because the clocks of the processes may differ; -1: none.
    int64_t age = target->refused_at > 0 ? (now - target->refused_at) / 1000 : -1;
    queue_event("{\"target\":[%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%d]}", target->receiver.id, target->bytes, target->packets,
                dropped_bytes(&target->receiver), age, target->error);
    target->error = 0;
  }
}
