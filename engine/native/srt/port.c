#include "port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <malloc.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <srt/access_control.h>
#include <srt/srt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../events/events.h"
#include "bars.h"
#include "keys.h"
#include "lines.h"
#include "session.h"

// Milliseconds.
enum { TURN = 200, REPORT = 1000, SETTLE = 100, HANDSHAKE = 4000, LINGER = 10000 };
// Handshakes that are looked after at a time.
enum { PENDING_MAX = 256 };

static const char *hub_path;

// Those who were let in by their key and have yet to show that they know its passphrase.
static struct pending {
  SRTSOCKET srt;
  char token[TOKEN_MAX + 1];
  char peer[64];
  int64_t since;
} pending[PENDING_MAX];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static int64_t now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return (int64_t)at.tv_sec * 1000 + at.tv_nsec / 1000000;
}

static void name_peer(const struct sockaddr *peer, char text[64]) {
  char address[INET6_ADDRSTRLEN] = "";
  const struct sockaddr_in *four = (const struct sockaddr_in *)peer;
  inet_ntop(AF_INET, &four->sin_addr, address, sizeof address);
  snprintf(text, 64, "%s:%d", peer->sa_family == AF_INET ? address : "", ntohs(four->sin_port));
}

static void expect(SRTSOCKET srt, const char *token, const char *peer) {
  pthread_mutex_lock(&guard);
  for (int at = 0; at < PENDING_MAX; at++) {
    if (pending[at].token[0]) continue;
    pending[at].srt = srt;
    pending[at].since = now();
    strcpy(pending[at].token, token);
    strcpy(pending[at].peer, peer);
    break;
  }
  pthread_mutex_unlock(&guard);
}

static void arrived(SRTSOCKET srt) {
  pthread_mutex_lock(&guard);
  for (int at = 0; at < PENDING_MAX; at++)
    if (pending[at].token[0] && pending[at].srt == srt) pending[at].token[0] = '\0';
  pthread_mutex_unlock(&guard);
}

// Whoever was let in by its key and never arrived had another passphrase, or went. SRT drops such a socket at once.
static void forget_lost(void) {
  pthread_mutex_lock(&guard);
  for (int at = 0; at < PENDING_MAX; at++) {
    if (!pending[at].token[0]) continue;
    int64_t age = now() - pending[at].since;
    if (age < SETTLE || (age < HANDSHAKE && srt_getsockstate(pending[at].srt) < SRTS_BROKEN)) continue;
    tell("{\"refused\":\"passphrase\",\"token\":\"%s\",\"peer\":\"%s\"}", pending[at].token, pending[at].peer);
    pending[at].token[0] = '\0';
  }
  pthread_mutex_unlock(&guard);
}

static int refuse(SRTSOCKET srt, int reason, const char *token, const char *peer) {
  tell("{\"refused\":\"%s\",\"token\":\"%s\",\"peer\":\"%s\"}", reject_word(reason), token, peer);
  srt_setrejectreason(srt, reason);
  return -1;
}

// What stands for a key that nobody has: FNV-1a of its bytes, as the hub makes it, too.
static uint32_t mark_of(const char *key) {
  uint32_t hash = 0x811c9dc5;
  for (; *key; key++) hash = (hash ^ (unsigned char)*key) * 0x01000193;
  return hash;
}

// Called by SRT for each handshake, before it is answered.
static int let_in(void *unused, SRTSOCKET srt, int version, const struct sockaddr *peer, const char *stream_id) {
  (void)unused;
  (void)version;
  char from[64];
  name_peer(peer, from);
  struct key key;
  // Not told: its key is not looked at.
  if (is_barred(peer, now())) {
    srt_setrejectreason(srt, SRT_REJX_FORBIDDEN);
    return -1;
  }
  switch (find_key(stream_id ? stream_id : "", peer, &key)) {
    case UNKNOWN_KEY:
      tell("{\"refused\":\"key\",\"token\":\"\",\"peer\":\"%s\",\"mark\":\"%08x\"}", from, mark_of(key.name));
      srt_setrejectreason(srt, SRT_REJX_NOTFOUND);
      return -1;
    case WRONG_MODE:
      return refuse(srt, SRT_REJX_BAD_MODE, key.token, from);
    case WRONG_ADDRESS:
      return refuse(srt, SRT_REJX_FORBIDDEN, key.token, from);
    case KNOWN:
      break;
  }
  if (count_sessions(key.token) >= key.max)
    return refuse(srt, key.publishes ? SRT_REJX_CONFLICT : SRT_REJX_OVERLOAD, key.token, from);
  if (key.passphrase[0]) {
    if (srt_setsockflag(srt, SRTO_PASSPHRASE, key.passphrase, (int)strlen(key.passphrase)) < 0)
      return refuse(srt, SRT_REJX_ISE, key.token, from);
    if (key.key_length > 0) srt_setsockflag(srt, SRTO_PBKEYLEN, &key.key_length, sizeof key.key_length);
  }
  srt_setsockflag(srt, SRTO_LATENCY, &key.latency, sizeof key.latency);
  if (!key.publishes) pace(srt, key.overhead);
  expect(srt, key.token, from);
  return 0;
}

// Dials the hub for a connection. Returns the descriptor, or -1.
static int dial_hub(int id) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(hub_path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, hub_path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  char first[16];
  int length = snprintf(first, sizeof first, "%d\n", id);
  if (descriptor >= 0 && connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0 &&
      write(descriptor, first, (size_t)length) == length)
    return descriptor;
  if (descriptor >= 0) close(descriptor);
  return -1;
}

static void enter(SRTSOCKET srt, const struct sockaddr *peer) {
  char stream_id[513] = "", from[64];
  int size = sizeof stream_id - 1;
  srt_getsockflag(srt, SRTO_STREAMID, stream_id, &size);
  name_peer(peer, from);
  arrived(srt);
  struct key key;
  // Its key may be another one since the handshake, and of two senders that came at once one is late.
  bool good = find_key(stream_id, peer, &key) == KNOWN && count_sessions(key.token) < key.max;
  int id = good ? new_id() : 0;
  int descriptor = good ? dial_hub(id) : -1;
  if (descriptor < 0) {
    srt_close(srt);
    return;
  }
  if (begin_session(id, key.token, from, key.publishes, srt, descriptor)) return;
  srt_close(srt);
  close(descriptor);
}

static void *accept_all(void *argument) {
  SRTSOCKET listener = *(SRTSOCKET *)argument;
  for (;;) {
    struct sockaddr_storage peer;
    int size = sizeof peer;
    SRTSOCKET srt = srt_accept(listener, (struct sockaddr *)&peer, &size);
    if (srt != SRT_INVALID_SOCK) enter(srt, (struct sockaddr *)&peer);
    else if (srt_getsockstate(listener) != SRTS_LISTENING) return NULL;
  }
}

static void obey(char *line) {
  char *fields[FIELDS_MAX];
  int count = split(line, fields);
  if (count > 1 && strcmp(fields[0], "key") == 0) {
    if (!put_key(fields + 1, count - 1)) tell("{\"fault\":\"key\"}");
  } else if (count == 2 && strcmp(fields[0], "gone") == 0) {
    if (forget_key(fields[1])) end_sessions(0, fields[1]);
  } else if (count == 3 && strcmp(fields[0], "bar") == 0) {
    if (!bar(fields[1], now() + atoi(fields[2]))) tell("{\"fault\":\"bar\"}");
  } else if (count == 2 && strcmp(fields[0], "drop") == 0) {
    int id = atoi(fields[1]);
    if (id > 0) end_sessions(id, NULL);
  } else {
    tell("{\"fault\":\"command\"}");
  }
}

int serve_port(const char *host, int port, int key_length, const char *hub, int latency) {
  hub_path = hub;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  int payload = 1316, on = 1;
  SRTSOCKET listener = srt_create_socket();
  srt_setsockflag(listener, SRTO_PAYLOADSIZE, &payload, sizeof payload);
  srt_setsockflag(listener, SRTO_TLPKTDROP, &on, sizeof on);
  make_room(listener, latency);
  if (key_length > 0) srt_setsockflag(listener, SRTO_PBKEYLEN, &key_length, sizeof key_length);
  srt_listen_callback(listener, let_in, NULL);
  if (inet_pton(AF_INET, host, &address.sin_addr) != 1 || srt_bind(listener, (struct sockaddr *)&address, sizeof address) < 0 ||
      srt_listen(listener, 64) < 0) {
    tell("{\"failed\":\"port\"}");
    return 1;
  }
  int size = sizeof address;
  srt_getsockname(listener, (struct sockaddr *)&address, &size);
  tell("{\"listening\":%d}", ntohs(address.sin_port));
  pthread_t acceptor;
  if (pthread_create(&acceptor, NULL, accept_all, &listener) != 0) return 1;

  int64_t reported = now(), moved = 0;
  int before = 0;
  for (struct pollfd commands = {.fd = 0, .events = POLLIN};;) {
    if (poll(&commands, 1, TURN) > 0 && !read_lines(0, obey)) break;
    int sessions = reap_sessions();
    if (sessions != before) moved = now();
    before = sessions;
    forget_lost();
    if (now() - reported < REPORT) continue;
    reported = now();
    report_sessions();
    // What SRT lets go of some seconds after a connection lies between what is still used: asked to, the heap gives that back, too.
    if (reported - moved < LINGER) malloc_trim(0);
  }
  // The hub is gone: whoever is connected must notice at once.
  srt_close(listener);
  end_sessions(0, NULL);
  return 0;
}
