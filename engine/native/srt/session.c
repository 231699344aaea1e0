#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <srt/access_control.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../events/events.h"

// SRT's payload of seven packets of MPEG-TS.
enum { PACKET = 188, PAYLOAD = 7 * PACKET, STACK = 256 << 10 };
// Bytes of IPv4, UDP and SRT in each packet, which SRT counts too.
enum { HEADERS = 20 + 8 + 16 };
// Of 40 Mbps, and what SRT has without being told.
enum { PACKETS_A_MS = 4, PACKET_BYTES = 1456, BUFFER_PACKETS = 8192, WINDOW_PACKETS = 25600 };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct session *sessions;
static int last_id;

const char *reject_word(int reason) {
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

bool make_room(SRTSOCKET srt, int latency) {
  int packets = latency * PACKETS_A_MS;
  if (packets <= BUFFER_PACKETS) return true;
  int window = packets + packets / 4;
  int bytes = packets * PACKET_BYTES;
  return (window <= WINDOW_PACKETS || srt_setsockflag(srt, SRTO_FC, &window, sizeof window) >= 0) &&
         srt_setsockflag(srt, SRTO_RCVBUF, &bytes, sizeof bytes) >= 0 && srt_setsockflag(srt, SRTO_SNDBUF, &bytes, sizeof bytes) >= 0;
}

bool pace(SRTSOCKET srt, int overhead) {
  int64_t relative = 0;
  if (overhead == 0) return true;
  return srt_setsockflag(srt, SRTO_MAXBW, &relative, sizeof relative) >= 0 &&
         srt_setsockflag(srt, SRTO_OHEADBW, &overhead, sizeof overhead) >= 0;
}

// From SRT to the descriptor.
static const char *receive(struct session *one) {
  char data[1500];
  for (;;) {
    int size = srt_recvmsg(one->srt, data, sizeof data);
    if (size <= 0) return "peer";
    for (int done = 0; done < size;) {
      ssize_t written = write(one->descriptor, data + done, (size_t)(size - done));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return "hub";
      done += (int)written;
    }
  }
}

// From the descriptor to SRT, in whole packets: what does not wait for more goes at once.
static const char *send_on(struct session *one) {
  char data[16 * PAYLOAD];
  size_t held = 0;
  for (;;) {
    ssize_t got = read(one->descriptor, data + held, sizeof data - held);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return "hub";
    held += (size_t)got;
    size_t done = 0;
    while (held - done >= PACKET) {
      size_t size = held - done < PAYLOAD ? (held - done) / PACKET * PACKET : PAYLOAD;
      if (srt_sendmsg(one->srt, data + done, (int)size, -1, 1) < 0) return "peer";
      done += size;
    }
    held -= done;
    memmove(data, data + done, held);
  }
}

static void *carry(void *argument) {
  struct session *one = argument;
  one->why = one->publishes ? receive(one) : send_on(one);
  __sync_synchronize();
  one->over = true;
  return NULL;
}

int new_id(void) {
  pthread_mutex_lock(&guard);
  int id = ++last_id;
  pthread_mutex_unlock(&guard);
  return id;
}

bool begin_session(int id, const char *token, const char *peer, bool publishes, SRTSOCKET srt, int descriptor) {
  struct session *one = calloc(1, sizeof *one);
  if (!one) return false;
  one->id = id;
  one->publishes = publishes;
  one->srt = srt;
  one->descriptor = descriptor;
  strncpy(one->token, token, sizeof one->token - 1);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, STACK);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  // Told and known at once: the hub may want it gone as soon as it has heard of it, and its end comes after its beginning.
  pthread_mutex_lock(&guard);
  bool good = pthread_create(&thread, &attributes, carry, one) == 0;
  if (good) {
    tell("{\"open\":%d,\"token\":\"%s\",\"peer\":\"%s\"}", id, token, peer);
    one->next = sessions;
    sessions = one;
  } else {
    free(one);
  }
  pthread_mutex_unlock(&guard);
  pthread_attr_destroy(&attributes);
  return good;
}

// Wakes its thread, whichever side it waits for.
static void cut(struct session *one) {
  srt_close(one->srt);
  shutdown(one->descriptor, SHUT_RDWR);
}

void end_sessions(int id, const char *token) {
  pthread_mutex_lock(&guard);
  for (struct session *one = sessions; one; one = one->next)
    if ((id == 0 || one->id == id) && (!token || strcmp(one->token, token) == 0)) cut(one);
  pthread_mutex_unlock(&guard);
}

int count_sessions(const char *token) {
  int count = 0;
  pthread_mutex_lock(&guard);
  for (struct session *one = sessions; one; one = one->next) count += !one->over && strcmp(one->token, token) == 0;
  pthread_mutex_unlock(&guard);
  return count;
}

static void report(struct session *one);

int reap_sessions(void) {
  int left = 0;
  pthread_mutex_lock(&guard);
  for (struct session **at = &sessions; *at;) {
    struct session *one = *at;
    if (!one->over) {
      // A sender that waits for the hub's next bytes does not notice that nobody takes them any more.
      if (srt_getsockstate(one->srt) >= SRTS_BROKEN) shutdown(one->descriptor, SHUT_RDWR);
      left++;
      at = &one->next;
      continue;
    }
    *at = one->next;
    report(one);
    srt_close(one->srt);
    close(one->descriptor);
    tell("{\"close\":%d,\"why\":\"%s\"}", one->id, one->why);
    free(one);
  }
  pthread_mutex_unlock(&guard);
  return left;
}

// A connection that has ended tells nothing any more: what it told last is kept.
static void look(struct session *one) {
  SRT_TRACEBSTATS s;
  if (srt_bistats(one->srt, &s, 0, 1) < 0) return;
  one->seen = s;
  one->untold = true;
}

// Totals since the connection began; the hub makes rates of them. What a taker lost and did not drop came once more in time.
static void report(struct session *one) {
  if (!one->untold) return;
  one->untold = false;
  SRT_TRACEBSTATS s = one->seen;
  bool in = one->publishes;
  int64_t packets = in ? s.pktRecvUniqueTotal : s.pktSentUniqueTotal;
  int64_t bytes = (int64_t)(in ? s.byteRecvUniqueTotal : s.byteSentUniqueTotal) - packets * HEADERS;
  int lost = in ? s.pktRcvLossTotal : s.pktSndLossTotal;
  int dropped = in ? s.pktRcvDropTotal : s.pktSndDropTotal;
  int again = in ? (lost > dropped ? lost - dropped : 0) : s.pktRetransTotal;
  tell("{\"stats\":%d,\"bytes\":%" PRId64 ",\"packets\":%" PRId64 ",\"lost\":%d,\"dropped\":%d,\"%s\":%d,\"undecrypted\":%d,"
       "\"rtt\":%.2f,\"latency\":%d,\"bandwidth\":%.2f}",
       one->id, bytes, packets, lost, dropped, in ? "recovered" : "retransmitted", again, s.pktRcvUndecryptTotal, s.msRTT,
       in ? s.msRcvTsbPdDelay : s.msSndTsbPdDelay, s.mbpsBandwidth);
}

void look_at_sessions(void) {
  pthread_mutex_lock(&guard);
  for (struct session *one = sessions; one; one = one->next)
    if (!one->over) look(one);
  pthread_mutex_unlock(&guard);
}

void report_sessions(void) {
  look_at_sessions();
  pthread_mutex_lock(&guard);
  for (struct session *one = sessions; one; one = one->next) report(one);
  pthread_mutex_unlock(&guard);
}
