#define _GNU_SOURCE
#include "socket-counters.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// Descriptors above are not counted; the NDI runtime uses about ten per connection.
enum { DESCRIPTORS_MAX = 4096 };
enum { SILENT_MS = 2000 };
// Receivers of destinations: seconds between two probes of the kernel, how long none is answered until a receiver
// counts as gone, which covers the loss of one packet, and when the kernel ends the connection. The last one is the
// default of Linux for the 60 s that the runtime sets.
enum { PROBE_INTERVAL_S = 1, RECEIVER_SILENT_MS = 3000, PROBED_MAX_MS = 735000 };

// Times in ms of CLOCK_MONOTONIC; 0: never.
typedef struct {
  atomic_llong sent_at, received_at;
} socket_state;

static socket_state sockets[DESCRIPTORS_MAX];
static atomic_ullong sent_bytes;

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool get_option(int descriptor, int level, int name, void *value, socklen_t size) {
  return getsockopt(descriptor, level, name, value, &size) == 0;
}

static bool is_internet(int descriptor) {
  int domain = 0;
  return get_option(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, sizeof domain) && (domain == AF_INET || domain == AF_INET6);
}

static void count_sent(int descriptor, int64_t bytes) {
  if (bytes <= 0 || !is_internet(descriptor)) return;
  atomic_fetch_add(&sent_bytes, (unsigned long long)bytes);
  if (descriptor < DESCRIPTORS_MAX) atomic_store(&sockets[descriptor].sent_at, now_ms());
}

static void count_received(int descriptor, int64_t bytes) {
  if (bytes > 0 && descriptor < DESCRIPTORS_MAX) atomic_store(&sockets[descriptor].received_at, now_ms());
}

uint64_t count_sent_bytes(void) { return atomic_load(&sent_bytes); }

// A peer is gone that has closed the connection, or that does not acknowledge data. The kernel receives the
// acknowledgements of TCP.
static bool is_tcp_gone(const struct tcp_info *info) {
  bool is_unanswered = info->tcpi_unacked > 0 && info->tcpi_last_ack_recv > SILENT_MS;
  return info->tcpi_state == TCP_CLOSE_WAIT || (info->tcpi_state == TCP_ESTABLISHED && is_unanswered);
}

int count_silent_peers(void) {
  int tcp = 0, udp = 0;
  int64_t now = now_ms();
  for (int descriptor = 0; descriptor < DESCRIPTORS_MAX; descriptor++) {
    int64_t sent_at = atomic_load(&sockets[descriptor].sent_at), received_at = atomic_load(&sockets[descriptor].received_at);
    struct tcp_info info;
    if (sent_at == 0 && received_at == 0) continue;
    if (get_option(descriptor, IPPROTO_TCP, TCP_INFO, &info, sizeof info)) tcp += is_tcp_gone(&info);
    // The runtime may stop to send to a peer that does not respond.
    else udp += received_at > 0 && sent_at > received_at && now - received_at > SILENT_MS;
  }
  return tcp > udp ? tcp : udp;
}

// Lets the kernel probe a connection on which nothing is sent.
static void start_probes(int descriptor) {
  int interval = 0, on = 1;
  unsigned probed_max = PROBED_MAX_MS;
  if (get_option(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &interval, sizeof interval) && interval == PROBE_INTERVAL_S) return;
  interval = PROBE_INTERVAL_S;
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &interval, sizeof interval);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  // In place of a number of probes.
  setsockopt(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, &probed_max, sizeof probed_max);
  setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

void count_silent_receivers(int first_port, int ports, int silent[]) {
  memset(silent, 0, (size_t)ports * sizeof *silent);
  for (int descriptor = 0; descriptor < DESCRIPTORS_MAX; descriptor++) {
    struct sockaddr_in address = {0};
    socklen_t size = sizeof address;
    struct tcp_info info;
    if (atomic_load(&sockets[descriptor].sent_at) == 0 && atomic_load(&sockets[descriptor].received_at) == 0) continue;
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0 || address.sin_family != AF_INET) continue;
    int index = ntohs(address.sin_port) - first_port;
    if (index < 0 || index >= ports || !get_option(descriptor, IPPROTO_TCP, TCP_INFO, &info, sizeof info)) continue;
    start_probes(descriptor);
    silent[index] += is_tcp_gone(&info) || (info.tcpi_state == TCP_ESTABLISHED && info.tcpi_last_ack_recv > RECEIVER_SILENT_MS);
  }
}

// Defines a variable with the function of the C library that has the name of the calling function.
#define ORIGINAL(name)                           \
  static __typeof__(&name) original;             \
  if (!original) *(void **)&original = dlsym(RTLD_NEXT, #name)

ssize_t send(int descriptor, const void *data, size_t size, int flags) {
  ORIGINAL(send);
  ssize_t sent = original(descriptor, data, size, flags);
  count_sent(descriptor, sent);
  return sent;
}

ssize_t sendto(int descriptor, const void *data, size_t size, int flags, const struct sockaddr *address, socklen_t address_size) {
  ORIGINAL(sendto);
  ssize_t sent = original(descriptor, data, size, flags, address, address_size);
  count_sent(descriptor, sent);
  return sent;
}

ssize_t sendmsg(int descriptor, const struct msghdr *message, int flags) {
  ORIGINAL(sendmsg);
  ssize_t sent = original(descriptor, message, flags);
  count_sent(descriptor, sent);
  return sent;
}

int sendmmsg(int descriptor, struct mmsghdr *messages, unsigned int count, int flags) {
  ORIGINAL(sendmmsg);
  int sent = original(descriptor, messages, count, flags);
  int64_t bytes = 0;
  for (int index = 0; index < sent; index++) bytes += messages[index].msg_len;
  count_sent(descriptor, bytes);
  return sent;
}

ssize_t recv(int descriptor, void *data, size_t size, int flags) {
  ORIGINAL(recv);
  ssize_t received = original(descriptor, data, size, flags);
  count_received(descriptor, received);
  return received;
}

ssize_t recvmsg(int descriptor, struct msghdr *message, int flags) {
  ORIGINAL(recvmsg);
  ssize_t received = original(descriptor, message, flags);
  count_received(descriptor, received);
  return received;
}

int recvmmsg(int descriptor, struct mmsghdr *messages, unsigned int count, int flags, struct timespec *timeout) {
  ORIGINAL(recvmmsg);
  int received = original(descriptor, messages, count, flags, timeout);
  count_received(descriptor, received);
  return received;
}

int close(int descriptor) {
  ORIGINAL(close);
  if (descriptor >= 0 && descriptor < DESCRIPTORS_MAX) sockets[descriptor] = (socket_state){0};
  return original(descriptor);
}
