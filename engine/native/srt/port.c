#include "port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <malloc.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <srt/access_control.h>
#include <srt/srt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../messages/events.h"
#include "addresses.h"
#include "blocklist.h"
#include "keys.h"
#include "../messages/line-reader.h"
#include "port-commands.h"
#include "session.h"
#include "socket-options.h"
#include "successors.h"

// TRIM_PERIOD_MS: how long after the last change of the number of sessions the heap is trimmed.
enum { POLL_INTERVAL_MS = 100, REPORT_INTERVAL_MS = 1000, TRIM_PERIOD_MS = 10000 };
// A handshake is checked after 100 ms at the earliest, and counts as failed after 4 s.
enum { HANDSHAKE_CHECK_MS = 100, HANDSHAKE_TIMEOUT_MS = 4000, PENDING_MAX = 256 };
// A publisher whose last packet is not older sends: no encoder starts again and connects within that time.
enum { SENDING_MS = 40 };
enum { PAYLOAD_BYTES = 1316, BACKLOG = 64 };
// The part of an unknown stream key that is reported.
enum { UNKNOWN_NAME_BYTES = 64 };

// Clients with a known key whose handshake has not yet proven that they know its passphrase.
static struct pending {
  SRTSOCKET srt;
  char token[TOKEN_MAX + 1];
  char peer[PEER_MAX_BYTES];
  int64_t started_at;
} pending[PENDING_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add_pending(SRTSOCKET srt, const char *token, const char *peer) {
  pthread_mutex_lock(&lock);
  for (int index = 0; index < PENDING_MAX; index++) {
    if (pending[index].token[0]) continue;
    pending[index].srt = srt;
    pending[index].started_at = now_ms();
    strcpy(pending[index].token, token);
    strcpy(pending[index].peer, peer);
    break;
  }
  pthread_mutex_unlock(&lock);
}

static void remove_pending(SRTSOCKET srt) {
  pthread_mutex_lock(&lock);
  for (int index = 0; index < PENDING_MAX; index++)
    if (pending[index].token[0] && pending[index].srt == srt) pending[index].token[0] = '\0';
  pthread_mutex_unlock(&lock);
}

// Reports the clients whose handshake failed: they used a wrong passphrase or disconnected. libsrt closes such a socket
// at once.
static void expire_pending(void) {
  pthread_mutex_lock(&lock);
  for (int index = 0; index < PENDING_MAX; index++) {
    if (!pending[index].token[0]) continue;
    int64_t age = now_ms() - pending[index].started_at;
    if (age < HANDSHAKE_CHECK_MS || (age < HANDSHAKE_TIMEOUT_MS && srt_getsockstate(pending[index].srt) < SRTS_BROKEN)) continue;
    write_event("{\"refused\":\"passphrase\",\"token\":\"%s\",\"peer\":\"%s\"}", pending[index].token, pending[index].peer);
    pending[index].token[0] = '\0';
  }
  pthread_mutex_unlock(&lock);
}

static int refuse(SRTSOCKET srt, int reason, const char *token, const char *peer) {
  write_event("{\"refused\":\"%s\",\"token\":\"%s\",\"peer\":\"%s\"}", reject_code(reason), token, peer);
  srt_setrejectreason(srt, reason);
  return -1;
}

// Identifies an unknown stream key in events without revealing it: FNV-1a, which the hub computes in the same way.
static uint32_t key_hash(const char *key) {
  uint32_t hash = 0x811c9dc5;
  for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 0x01000193;
  return hash;
}

// Reports an unknown stream key. Its text is in hexadecimal, because a client can send any bytes.
static void report_unknown_key(const struct key *key, const char *peer) {
  char name[2 * UNKNOWN_NAME_BYTES + 1] = "";
  for (int index = 0; index < UNKNOWN_NAME_BYTES && key->name[index]; index++)
    snprintf(name + 2 * index, 3, "%02x", (unsigned char)key->name[index]);
  write_event("{\"refused\":\"key\",\"token\":\"\",\"peer\":\"%s\",\"mark\":\"%08x\",\"name\":\"%s\",\"plays\":%s}", peer,
              key_hash(key->name), name, key->publishes ? "false" : "true");
}

enum room { ROOM_FREE, ROOM_SUCCESSOR, ROOM_NONE };

// Returns whether a client is accepted beside those that have its key, or instead of them, or whether it waits until
// the publisher before it is silent.
static enum room find_room(const struct key *key) {
  if (count_sessions(key->token) < key->max_connections) return ROOM_FREE;
  if (!key->publishes || key->replace_after_ms < 0) return ROOM_NONE;
  return silence_ms(key->token) >= key->replace_after_ms ? ROOM_FREE : ROOM_SUCCESSOR;
}

// Returns whether a client can be refused before its handshake is answered.
static bool is_full(const struct key *key) {
  enum room room = find_room(key);
  return room == ROOM_NONE || (room == ROOM_SUCCESSOR && (silence_ms(key->token) < SENDING_MS || has_successor(key->token)));
}

// Called by libsrt for each handshake, before it responds. Returns 0 to accept and -1 to reject.
static int on_handshake(void *unused, SRTSOCKET srt, int version, const struct sockaddr *peer, const char *stream_id) {
  (void)unused;
  (void)version;
  char address[PEER_MAX_BYTES];
  format_peer(peer, address);
  struct key key;
  // No event: the key of a blocked client is not checked.
  if (is_blocked(peer, now_ms())) {
    srt_setrejectreason(srt, SRT_REJX_FORBIDDEN);
    return -1;
  }
  switch (find_key(stream_id ? stream_id : "", peer, &key)) {
    case KEY_UNKNOWN:
      report_unknown_key(&key, address);
      srt_setrejectreason(srt, SRT_REJX_NOTFOUND);
      return -1;
    case KEY_WRONG_MODE:
      return refuse(srt, SRT_REJX_BAD_MODE, key.token, address);
    case KEY_WRONG_ADDRESS:
      return refuse(srt, SRT_REJX_FORBIDDEN, key.token, address);
    case KEY_ACCEPTED:
      break;
  }
  if (is_full(&key))
    return refuse(srt, key.publishes ? SRT_REJX_CONFLICT : SRT_REJX_OVERLOAD, key.token, address);
  if (key.passphrase[0]) {
    if (srt_setsockflag(srt, SRTO_PASSPHRASE, key.passphrase, (int)strlen(key.passphrase)) < 0)
      return refuse(srt, SRT_REJX_ISE, key.token, address);
    if (key.key_length > 0) srt_setsockflag(srt, SRTO_PBKEYLEN, &key.key_length, sizeof key.key_length);
  }
  srt_setsockflag(srt, SRTO_LATENCY, &key.latency_ms, sizeof key.latency_ms);
  if (!key.publishes) limit_bandwidth(srt, key.overhead_percent);
  add_pending(srt, key.token, address);
  return 0;
}

static void accept_connection(SRTSOCKET srt, const struct sockaddr *peer) {
  char stream_id[STREAM_ID_MAX + 1] = "", address[PEER_MAX_BYTES];
  int size = sizeof stream_id - 1;
  srt_getsockflag(srt, SRTO_STREAMID, stream_id, &size);
  format_peer(peer, address);
  remove_pending(srt);
  struct key key;
  // Checked again because the key may have changed since the handshake, and because two publishers may have connected
  // at once.
  enum room room = find_key(stream_id, peer, &key) == KEY_ACCEPTED ? find_room(&key) : ROOM_NONE;
  if (room == ROOM_SUCCESSOR && add_successor(&key, srt, address)) return;
  // The publishers that this one replaces.
  if (room == ROOM_FREE && key.publishes && count_sessions(key.token) >= key.max_connections) close_sessions(0, key.token);
  if (room != ROOM_FREE || !start_session(next_session_id(), key.token, address, key.publishes, srt)) srt_close(srt);
}

static void *accept_loop(void *argument) {
  SRTSOCKET listener = *(SRTSOCKET *)argument;
  for (;;) {
    struct sockaddr_storage peer;
    int size = sizeof peer;
    SRTSOCKET srt = srt_accept(listener, (struct sockaddr *)&peer, &size);
    if (srt != SRT_INVALID_SOCK) accept_connection(srt, (struct sockaddr *)&peer);
    else if (srt_getsockstate(listener) != SRTS_LISTENING) return NULL;
  }
}

// Returns false if the host is not an address.
static bool set_listen_address(struct sockaddr_storage *address, const char *host, int port) {
  struct sockaddr_in *ipv4 = (struct sockaddr_in *)address;
  struct sockaddr_in6 *ipv6 = (struct sockaddr_in6 *)address;
  memset(address, 0, sizeof *address);
  address->ss_family = strchr(host, ':') ? AF_INET6 : AF_INET;
  // The port is at the same place in both.
  ipv4->sin_port = htons((uint16_t)port);
  return inet_pton(address->ss_family, host, address->ss_family == AF_INET6 ? (void *)&ipv6->sin6_addr : (void *)&ipv4->sin_addr) == 1;
}

// Returns the listening socket, or SRT_INVALID_SOCK if the address or the port cannot be used.
static SRTSOCKET open_listener(struct sockaddr_storage *address, int key_length, int latency_ms) {
  int payload = PAYLOAD_BYTES, on = 1, off = 0;
  SRTSOCKET listener = srt_create_socket();
  srt_setsockflag(listener, SRTO_PAYLOADSIZE, &payload, sizeof payload);
  srt_setsockflag(listener, SRTO_TLPKTDROP, &on, sizeof on);
  size_buffers(listener, latency_ms);
  if (key_length > 0) srt_setsockflag(listener, SRTO_PBKEYLEN, &key_length, sizeof key_length);
  // A port at `::` accepts IPv4 clients, too.
  if (address->ss_family == AF_INET6) srt_setsockflag(listener, SRTO_IPV6ONLY, &off, sizeof off);
  srt_listen_callback(listener, on_handshake, NULL);
  int size = address->ss_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
  if (srt_bind(listener, (struct sockaddr *)address, size) < 0 || srt_listen(listener, BACKLOG) < 0) return SRT_INVALID_SOCK;
  size = sizeof *address;
  srt_getsockname(listener, (struct sockaddr *)address, &size);
  return listener;
}

static volatile sig_atomic_t stop_requested;
static void on_sigterm(int signal) {
  (void)signal;
  stop_requested = 1;
  // Ends the program if it cannot close the connections.
  alarm(1);
}

// Handles commands and reports sessions until stdin ends, or SIGTERM arrives.
static void run_main_loop(void) {
  // A multiple of the interval, so that all programs of the engine report at the same time.
  int64_t report = now_ms() / REPORT_INTERVAL_MS, changed_at = 0;
  int previous_sessions = 0;
  for (struct pollfd commands = {.fd = STDIN_FILENO, .events = POLLIN};;) {
    int timeout = POLL_INTERVAL_MS - (int)(now_ms() % POLL_INTERVAL_MS);
    if (poll(&commands, 1, timeout) > 0 && !read_lines(STDIN_FILENO, handle_port_command)) return;
    if (stop_requested) return;
    int64_t now = now_ms();
    int sessions = reap_sessions();
    if (sessions != previous_sessions) changed_at = now;
    previous_sessions = sessions;
    expire_pending();
    sample_arrivals();
    settle_successors();
    if (now / REPORT_INTERVAL_MS == report) continue;
    report = now / REPORT_INTERVAL_MS;
    report_sessions();
    // libsrt frees the memory of a connection some seconds after its end, in between memory still in use, so the heap
    // does not shrink by itself.
    if (now - changed_at < TRIM_PERIOD_MS) malloc_trim(0);
  }
}

int serve_port(const char *host, int port, int key_length, int latency_ms) {
  struct sockaddr_storage address;
  SRTSOCKET listener = SRT_INVALID_SOCK;
  if (set_listen_address(&address, host, port)) listener = open_listener(&address, key_length, latency_ms);
  if (listener == SRT_INVALID_SOCK) {
    int error = 0;
    srt_getlasterror(&error);
    return report_failure(error == EACCES ? "port-privileged" : "port");
  }
  write_event("{\"listening\":%d}", ntohs(((struct sockaddr_in *)&address)->sin_port));
  signal(SIGTERM, on_sigterm);
  pthread_t acceptor;
  if (pthread_create(&acceptor, NULL, accept_loop, &listener) != 0) return 1;
  run_main_loop();
  // The hub has exited, so the remote ends must be disconnected at once.
  srt_close(listener);
  close_sessions(0, NULL);
  return 0;
}
