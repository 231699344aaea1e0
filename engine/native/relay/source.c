#define _GNU_SOURCE
#include "source.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "clock.h"
#include "datagram-address.h"
#include "event-queue.h"
#include "hand-over.h"
#include "stream/framer.h"
#include "loop.h"
#include "media-socket.h"
#include "rtp-receiver.h"
#include "stream/stream.h"

// Reads at most ROUNDS times DATAGRAMS datagrams, or ROUNDS times FEED_BYTES bytes, before the receivers are served.
enum { DATAGRAMS = 64, DATAGRAM_BYTES = 65536, ROUNDS = 8, FEED_BYTES = 128 << 10 };
// Bytes of the socket's buffer: more than a second of 40 Mbps, for times when the program does not run.
enum { SOCKET_BUFFER = 8 << 20 };

static void handle_datagrams(struct watch *watch, uint32_t events);
static void handle_feed(struct watch *watch, uint32_t events);

static struct watch port = {.descriptor = -1, .handle = handle_datagrams};
static struct watch feed = {.descriptor = -1, .handle = handle_feed};
static bool is_rtp, has_activity;
// The port that another relay has passed on, and that is read after the end of the feed; -1: there is none.
static int adopted = -1;
static bool adopted_uses_rtp;
static int source_number = -1;
static bool awaits_feed;

// One page of a buffer is in memory unless datagrams are larger.
static uint8_t buffers[DATAGRAMS][DATAGRAM_BYTES];
static struct iovec vectors[DATAGRAMS];
static struct mmsghdr messages[DATAGRAMS];

static void close_current(void) {
  if (adopted >= 0) close(adopted);
  adopted = -1;
  close_watch(&port);
  close_watch(&feed);
  source_number = -1;
  awaits_feed = false;
  pass_packets(now_us());
  reset_framer();
  reset_rtp();
  end_stream();
}

bool take_activity(void) {
  bool activity = has_activity;
  has_activity = false;
  return activity;
}

bool is_source_pending(void) { return has_kept_rtp_packets(); }

void update_source(int64_t now) {
  if (!has_kept_rtp_packets()) return;
  expire_rtp_packets(now);
  pass_packets(now);
}

static void take_message(const struct mmsghdr *message, const uint8_t *bytes, int64_t now) {
  if (is_rtp) take_rtp_packet(bytes, message->msg_len, now);
  else take_datagram(bytes, message->msg_len, now);
}

static void handle_datagrams(struct watch *watch, uint32_t events) {
  (void)events;
  int64_t now = now_us();
  for (int round = 0, count = DATAGRAMS; round < ROUNDS && count == DATAGRAMS; round++) {
    count = recvmmsg(watch->descriptor, messages, DATAGRAMS, MSG_DONTWAIT, NULL);
    for (int index = 0; index < count; index++) take_message(&messages[index], buffers[index], now);
  }
  pass_packets(now);
  has_activity = true;
}

static void prepare_messages(void) {
  for (int index = 0; index < DATAGRAMS; index++) {
    vectors[index] = (struct iovec){buffers[index], DATAGRAM_BYTES};
    messages[index].msg_hdr = (struct msghdr){.msg_iov = &vectors[index], .msg_iovlen = 1};
  }
}

// Goes on with the port that another relay has passed on. The stream has not ended.
static void continue_with_adopted(void) {
  prepare_messages();
  reset_framer();
  reset_rtp();
  port.descriptor = adopted;
  is_rtp = adopted_uses_rtp;
  adopted = -1;
  awaits_feed = false;
  int error = watch_descriptor(&port, EPOLLIN) ? 0 : errno;
  if (error != 0) close_watch(&port);
  queue_event("{\"opened\":[%d,%d]}", source_number, error);
}

static void handle_feed(struct watch *watch, uint32_t events) {
  (void)events;
  int64_t now = now_us();
  for (int round = 0; round < ROUNDS; round++) {
    ssize_t size = read(watch->descriptor, buffers, FEED_BYTES);
    if (size < 0 && errno == EINTR) continue;
    if (size > 0) take_bytes((uint8_t *)buffers, (size_t)size, now);
    if (size == 0 || (size < 0 && errno != EAGAIN)) {
      // Another relay passes its port on before its stream ends.
      int ended = feed.descriptor;
      take_waiting_connections();
      if (feed.descriptor != ended) return;
      pass_packets(now);
      close_watch(&feed);
      if (adopted >= 0) return continue_with_adopted();
      reset_framer();
      end_stream();
      queue_event("{\"ended\":%d}", source_number);
      return;
    }
    if (size < FEED_BYTES) break;
  }
  pass_packets(now);
  has_activity = true;
}

// Joins an IPv4 group on the interface with an address. Returns 0 or a system error code.
static int join_ipv4_group(int descriptor, struct in_addr group, const struct datagram_source *settings) {
  struct in_addr interface = {0}, sender = {0};
  int off = 0;
  if (settings->interface[0] && inet_pton(AF_INET, settings->interface, &interface) != 1) return EINVAL;
  if (settings->sender[0] && inet_pton(AF_INET, settings->sender, &sender) != 1) return EINVAL;
  // Without this the socket also receives groups that other sockets have joined.
  setsockopt(descriptor, IPPROTO_IP, IP_MULTICAST_ALL, &off, sizeof off);
  struct ip_mreq any_sender = {.imr_multiaddr = group, .imr_interface = interface};
  struct ip_mreq_source one_sender = {.imr_multiaddr = group, .imr_interface = interface, .imr_sourceaddr = sender};
  int result = settings->sender[0] ? setsockopt(descriptor, IPPROTO_IP, IP_ADD_SOURCE_MEMBERSHIP, &one_sender, sizeof one_sender)
                                   : setsockopt(descriptor, IPPROTO_IP, IP_ADD_MEMBERSHIP, &any_sender, sizeof any_sender);
  return result < 0 ? errno : 0;
}

// Joins an IPv6 group on the interface with a name. Returns 0 or a system error code.
static int join_ipv6_group(int descriptor, const struct sockaddr_in6 *group, const struct datagram_source *settings) {
  struct group_source_req one_sender = {.gsr_interface = group->sin6_scope_id};
  struct sockaddr_in6 sender = {.sin6_family = AF_INET6};
  int off = 0;
  if (settings->sender[0] && inet_pton(AF_INET6, settings->sender, &sender.sin6_addr) != 1) return EINVAL;
  setsockopt(descriptor, IPPROTO_IPV6, IPV6_MULTICAST_ALL, &off, sizeof off);
  struct ipv6_mreq any_sender = {.ipv6mr_multiaddr = group->sin6_addr, .ipv6mr_interface = group->sin6_scope_id};
  memcpy(&one_sender.gsr_group, group, sizeof *group);
  memcpy(&one_sender.gsr_source, &sender, sizeof sender);
  int result = settings->sender[0] ? setsockopt(descriptor, IPPROTO_IPV6, MCAST_JOIN_SOURCE_GROUP, &one_sender, sizeof one_sender)
                                   : setsockopt(descriptor, IPPROTO_IPV6, IPV6_JOIN_GROUP, &any_sender, sizeof any_sender);
  return result < 0 ? errno : 0;
}

static int bind_socket(int descriptor, const struct datagram_source *settings, const struct datagram_address *address) {
  int size = SOCKET_BUFFER, on = 1, off = 0;
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) < 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  // A port at `::` receives IPv4 datagrams, too.
  if (address->any.ss_family == AF_INET6) setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
  bool multicast = is_multicast_address(address);
  // Several programs may receive the same group.
  if (multicast) setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(descriptor, (const struct sockaddr *)address, address_length(address)) < 0) return errno;
  if (!multicast) return 0;
  return address->any.ss_family == AF_INET6 ? join_ipv6_group(descriptor, &address->ipv6, settings)
                                            : join_ipv4_group(descriptor, address->ipv4.sin_addr, settings);
}

int open_datagram_source(int number, const struct datagram_source *settings) {
  close_current();
  prepare_messages();
  struct datagram_address address;
  int error = parse_datagram_address(&address, settings->address, settings->port, settings->interface);
  if (error != 0) return error;
  int descriptor = socket(address.any.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return errno;
  error = bind_socket(descriptor, settings, &address);
  port.descriptor = descriptor;
  if (error == 0 && !watch_descriptor(&port, EPOLLIN)) error = errno;
  if (error != 0) {
    close_watch(&port);
    return error;
  }
  is_rtp = settings->is_rtp;
  source_number = number;
  return 0;
}

void await_feed(int number) {
  close_current();
  source_number = number;
  awaits_feed = true;
}

bool accept_feed(int number, int descriptor, int64_t now) {
  if (!awaits_feed || number != source_number) return false;
  if (feed.descriptor >= 0) {
    close_watch(&feed);
    pass_packets(now);
    reset_framer();
    end_stream();
  }
  feed.descriptor = descriptor;
  if (watch_descriptor(&feed, EPOLLIN)) return true;
  feed.descriptor = -1;
  return false;
}

int move_source(const char *path, const char *greeting, int64_t now) {
  if (port.descriptor < 0) return ENOTCONN;
  char line[HAND_OVER_LINE_BYTES + 1];
  int length = snprintf(line, sizeof line, "%s\n", greeting);
  if (length >= (int)sizeof line) return EMSGSIZE;
  int error = pass_descriptor(path, line, (size_t)length, port.descriptor);
  if (error != 0) return error;
  flush_rtp_packets(now);
  close_current();
  return 0;
}

bool adopt_source(int number, bool uses_rtp, int descriptor) {
  int type = 0;
  socklen_t length = sizeof type;
  if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) < 0 || type != SOCK_DGRAM) return false;
  if (!awaits_feed || number != source_number) return false;
  if (adopted >= 0) close(adopted);
  adopted = descriptor;
  adopted_uses_rtp = uses_rtp;
  if (feed.descriptor < 0) continue_with_adopted();
  return true;
}

void close_source(int number) {
  if (number == source_number) close_current();
}
