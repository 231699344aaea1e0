#include "target.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "datagram-address.h"
#include "datagram-sender.h"
#include "event-queue.h"
#include "hand-over.h"
#include "stream/packet-log.h"
#include "receiver.h"
#include "stream/ts-packet.h"

// PARTIAL_US: how long packets that do not fill a datagram wait for more.
enum { TARGETS_MAX = 256, PARTIAL_US = 20000, SEND_BUFFER = 2 << 20, PAYLOAD_MAX_BYTES = 65000 };

struct target {
  struct receiver receiver;
  struct datagram_sender sender;
  // When packets that do not fill a datagram began to wait; 0: there are none.
  int64_t partial_since;
  struct hand_over plan;
  // Whether it has reached the place of its hand-over.
  bool is_leaving;
};

static struct target *targets[TARGETS_MAX];
static int count;

// Sets how multicast leaves the machine. Returns 0 or a system error code.
static int set_multicast_options(int descriptor, const struct target_settings *settings, const struct datagram_address *address) {
  int ttl = settings->ttl, interface_index = (int)address->ipv6.sin6_scope_id;
  if (address->any.ss_family == AF_INET6) {
    if (setsockopt(descriptor, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &ttl, sizeof ttl) < 0) return errno;
    if (interface_index == 0) return 0;
    return setsockopt(descriptor, IPPROTO_IPV6, IPV6_MULTICAST_IF, &interface_index, sizeof interface_index) < 0 ? errno : 0;
  }
  struct sockaddr_in local = {.sin_family = AF_INET};
  if (setsockopt(descriptor, IPPROTO_IP, IP_MULTICAST_TTL, &ttl, sizeof ttl) < 0) return errno;
  if (!settings->interface[0]) return 0;
  if (inet_pton(AF_INET, settings->interface, &local.sin_addr) != 1) return EINVAL;
  if (setsockopt(descriptor, IPPROTO_IP, IP_MULTICAST_IF, &local.sin_addr, sizeof local.sin_addr) < 0) return errno;
  return bind(descriptor, (struct sockaddr *)&local, sizeof local) < 0 ? errno : 0;
}

static int open_socket(const struct target_settings *settings, int *descriptor) {
  struct datagram_address address;
  int error = parse_datagram_address(&address, settings->address, settings->port, settings->interface);
  if (error != 0) return error;
  *descriptor = socket(address.any.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (*descriptor < 0) return errno;
  int size = SEND_BUFFER;
  if (setsockopt(*descriptor, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) < 0)
    setsockopt(*descriptor, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
  if (is_multicast_address(&address)) error = set_multicast_options(*descriptor, settings, &address);
  if (error != 0) return error;
  return connect(*descriptor, (struct sockaddr *)&address, address_length(&address)) < 0 ? errno : 0;
}

static int find_target(int id) {
  for (int index = 0; index < count; index++)
    if (targets[index]->receiver.id == id) return index;
  return -1;
}

void remove_target(int id) {
  int index = find_target(id);
  if (index < 0) return;
  close(targets[index]->sender.descriptor);
  free(targets[index]);
  targets[index] = targets[--count];
}

static bool is_valid_payload(int bytes) { return bytes >= TS_PACKET_BYTES && bytes <= PAYLOAD_MAX_BYTES; }

int add_target(int id, const struct target_settings *settings, int64_t now) {
  if (!is_valid_payload(settings->payload_bytes)) return EINVAL;
  if (find_target(id) >= 0) return 0;
  if (count == TARGETS_MAX) return ENOSPC;
  int descriptor = -1, error = open_socket(settings, &descriptor);
  struct target *target = error == 0 ? calloc(1, sizeof *target) : NULL;
  if (!target) {
    if (descriptor >= 0) close(descriptor);
    return error != 0 ? error : ENOMEM;
  }
  begin_receiver(&target->receiver, id, false, true, now);
  begin_datagrams(&target->sender, descriptor, (size_t)settings->payload_bytes / TS_PACKET_BYTES * TS_PACKET_BYTES, settings->is_rtp);
  targets[count++] = target;
  return 0;
}

void move_target(int id, const char *path, const char *greeting) {
  int index = find_target(id);
  if (index >= 0) plan_hand_over(&targets[index]->plan, path, greeting);
}

bool adopt_target(const char *line, int descriptor, int64_t now) {
  int id, payload_bytes, is_rtp;
  unsigned sequence, offset, source;
  struct place place = {-1, -1};
  int count_read = sscanf(line, "target %d %d %d %u %u %u %" SCNd64 " %" SCNd64, &id, &payload_bytes, &is_rtp, &sequence, &offset,
                          &source, &place.time, &place.before);
  if (count_read < 7) return false;
  if (!is_valid_payload(payload_bytes)) return false;
  remove_target(id);
  struct target *target = count < TARGETS_MAX ? calloc(1, sizeof *target) : NULL;
  if (!target) return false;
  begin_receiver_at(&target->receiver, id, &place, true, now);
  begin_datagrams(&target->sender, descriptor, (size_t)payload_bytes / TS_PACKET_BYTES * TS_PACKET_BYTES, is_rtp != 0);
  target->sender.sequence = (uint16_t)sequence;
  target->sender.timestamp_offset = offset;
  target->sender.source = source;
  targets[count++] = target;
  return true;
}

// Hands it over, with the state of its RTP source. Returns whether it has left.
static bool leave(const struct target *target) {
  char details[48];
  const struct datagram_sender *sender = &target->sender;
  snprintf(details, sizeof details, " %u %u %u", sender->sequence, sender->timestamp_offset, sender->source);
  return hand_over(&target->plan, &target->receiver, details, sender->descriptor) != EAGAIN;
}

static void send_stream(struct target *target, int64_t now) {
  struct receiver *receiver = &target->receiver;
  struct datagram_sender *sender = &target->sender;
  uint64_t end = log_end();
  sender->is_blocked = false;
  target->is_leaving = is_hand_over_due(&target->plan, receiver, &end, now);
  if (target->is_leaving || !seek_start(receiver)) return;
  if (has_prefix(receiver))
    receiver->prefix_done +=
        send_datagrams(sender, receiver->prefix + receiver->prefix_done, receiver->prefix_length - receiver->prefix_done, now);
  while (!sender->is_blocked) {
    const uint8_t *bytes;
    size_t length = log_bytes(receiver->position, &bytes);
    if (length > end - receiver->position) length = (size_t)(end - receiver->position);
    // A datagram that the end of the log cuts waits a little; one that the end of the memory, or a hand-over, cuts does
    // not.
    size_t partial = receiver->position + length == log_end() ? length % sender->payload_bytes : 0;
    if (partial == 0) target->partial_since = 0;
    else if (target->partial_since == 0) target->partial_since = now;
    if (partial > 0 && now - target->partial_since < PARTIAL_US) length -= partial;
    if (length == 0) break;
    receiver->position += send_datagrams(sender, bytes, length, now);
    if (receiver->position == log_end()) target->partial_since = 0;
  }
  target->is_leaving = is_hand_over_due(&target->plan, receiver, &end, now);
}

void send_to_targets(int64_t now) {
  for (int index = count - 1; index >= 0; index--) {
    send_stream(targets[index], now);
    if (targets[index]->is_leaving && leave(targets[index])) {
      remove_target(targets[index]->receiver.id);
      continue;
    }
    if (limit_backlog(&targets[index]->receiver, 0)) targets[index]->partial_since = 0;
  }
}

bool are_targets_pending(void) {
  for (int index = 0; index < count; index++)
    if (targets[index]->sender.is_blocked || targets[index]->partial_since > 0) return true;
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
    struct datagram_sender *sender = &target->sender;
    // Age of the refusal in ms, because the clocks of the processes may differ; -1: none.
    int64_t age = sender->refused_at > 0 ? (now - sender->refused_at) / 1000 : -1;
    queue_event("{\"target\":[%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%d]}", target->receiver.id, sender->bytes, sender->packets,
                dropped_bytes(&target->receiver), age, sender->error);
    sender->error = 0;
  }
}
