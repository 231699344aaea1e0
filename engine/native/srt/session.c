#include "session.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../messages/events.h"
#include "transfer.h"

enum { THREAD_STACK_BYTES = 256 << 10 };
// IPv4, UDP and SRT headers, which libsrt includes in its byte counts.
enum { HEADER_BYTES = 20 + 8 + 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// Signalled when a session gets another descriptor, or is to end.
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct session *sessions;
static int last_id;

int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Waits for the next descriptor. Returns false if the session is to end.
static bool take_descriptor(struct session *session) {
  pthread_mutex_lock(&lock);
  while (session->next_descriptor < 0 && !session->closing) pthread_cond_wait(&changed, &lock);
  if (session->descriptor >= 0) close(session->descriptor);
  session->descriptor = session->next_descriptor;
  session->next_descriptor = -1;
  bool taken = session->descriptor >= 0 && !session->closing;
  pthread_mutex_unlock(&lock);
  return taken;
}

static void *run_session(void *argument) {
  struct session *session = argument;
  bool by_hub = true;
  while (by_hub && take_descriptor(session)) {
    by_hub = session->publishes ? receive_from_srt(session) : send_to_srt(session);
    pthread_mutex_lock(&lock);
    bool has_next = session->next_descriptor >= 0 || session->closing;
    pthread_mutex_unlock(&lock);
    if (by_hub && !has_next) write_event("{\"unlinked\":%d}", session->id);
  }
  session->reason = by_hub ? "hub" : "peer";
  __sync_synchronize();
  session->finished = true;
  return NULL;
}

int next_session_id(void) {
  pthread_mutex_lock(&lock);
  int id = ++last_id;
  pthread_mutex_unlock(&lock);
  return id;
}

bool start_session(int id, const char *token, const char *peer, bool publishes, SRTSOCKET srt) {
  struct session *session = calloc(1, sizeof *session);
  if (!session) return false;
  session->id = id;
  session->publishes = publishes;
  session->srt = srt;
  session->descriptor = session->next_descriptor = -1;
  session->arrived_at = session->counted_at = session->arrived_after = now_ms();
  strncpy(session->token, token, sizeof session->token - 1);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  // The lock covers the event and the list entry: the hub may close the session as soon as it reads the event, and the
  // `close` event must follow the `open` event.
  pthread_mutex_lock(&lock);
  bool started = pthread_create(&thread, &attributes, run_session, session) == 0;
  if (started) {
    write_event("{\"open\":%d,\"token\":\"%s\",\"peer\":\"%s\"}", id, token, peer);
    session->next = sessions;
    sessions = session;
  } else {
    free(session);
  }
  pthread_mutex_unlock(&lock);
  pthread_attr_destroy(&attributes);
  return started;
}

// Makes the thread of a session notice that it is to end, wherever it waits for the hub. The lock must be held.
static void wake_session(struct session *session) {
  session->closing = true;
  if (session->descriptor >= 0) shutdown(session->descriptor, SHUT_RDWR);
  pthread_cond_broadcast(&changed);
}

// Closes both sides, so that the thread wakes up whichever side it is blocked on.
static void close_session(struct session *session) {
  srt_close(session->srt);
  wake_session(session);
}

void close_sessions(int id, const char *token) {
  pthread_mutex_lock(&lock);
  for (struct session *session = sessions; session; session = session->next)
    if ((id == 0 || session->id == id) && (!token || strcmp(session->token, token) == 0)) close_session(session);
  pthread_mutex_unlock(&lock);
}

// Returns the descriptor of a connection to a Unix socket with the greeting written to it, or -1.
static int connect_to_hub(const char *path, const char *greeting) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return -1;
  strcpy(address.sun_path, path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  struct iovec line[] = {{(void *)greeting, strlen(greeting)}, {"\n", 1}};
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0 &&
      writev(descriptor, line, 2) == (ssize_t)(line[0].iov_len + 1))
    return descriptor;
  close(descriptor);
  return -1;
}

void link_session(int id, const char *path, const char *greeting) {
  int descriptor = connect_to_hub(path, greeting);
  if (descriptor < 0) {
    write_event("{\"unlinked\":%d}", id);
    return;
  }
  pthread_mutex_lock(&lock);
  struct session *session = sessions;
  while (session && session->id != id) session = session->next;
  if (session && !session->closing) {
    if (session->next_descriptor >= 0) close(session->next_descriptor);
    session->next_descriptor = descriptor;
    if (session->descriptor >= 0) shutdown(session->descriptor, SHUT_RDWR);
    pthread_cond_broadcast(&changed);
  } else {
    close(descriptor);
  }
  pthread_mutex_unlock(&lock);
}

int count_sessions(const char *token) {
  int count = 0;
  pthread_mutex_lock(&lock);
  for (struct session *session = sessions; session; session = session->next)
    count += !session->finished && strcmp(session->token, token) == 0;
  pthread_mutex_unlock(&lock);
  return count;
}

void notice_arrivals(struct session *session) {
  SRT_TRACEBSTATS stats;
  // libsrt counts packets before their latency is over.
  int64_t now = now_ms(), counted_at = session->counted_at;
  if (srt_bistats(session->srt, &stats, 0, 1) < 0) return;
  session->counted_at = now;
  if (stats.pktRecvTotal <= session->arrived_packets) return;
  session->arrived_packets = stats.pktRecvTotal;
  session->arrived_at = now;
  session->arrived_after = counted_at;
}

bool has_arrived_after(const char *token, int64_t time) {
  bool has_arrived = false;
  pthread_mutex_lock(&lock);
  for (struct session *session = sessions; session; session = session->next)
    has_arrived |= !session->finished && strcmp(session->token, token) == 0 && session->arrived_after >= time;
  pthread_mutex_unlock(&lock);
  return has_arrived;
}

int64_t silence_ms(const char *token) {
  int64_t silence = INT64_MAX, now = now_ms();
  pthread_mutex_lock(&lock);
  for (struct session *session = sessions; session; session = session->next)
    if (!session->finished && strcmp(session->token, token) == 0 && now - session->arrived_at < silence)
      silence = now - session->arrived_at;
  pthread_mutex_unlock(&lock);
  return silence;
}

void sample_arrivals(void) {
  pthread_mutex_lock(&lock);
  for (struct session *session = sessions; session; session = session->next)
    if (!session->finished && session->publishes) notice_arrivals(session);
  pthread_mutex_unlock(&lock);
}

static void report_stats(struct session *session);

int reap_sessions(void) {
  int left = 0;
  pthread_mutex_lock(&lock);
  for (struct session **link = &sessions; *link;) {
    struct session *session = *link;
    if (!session->finished) {
      // A thread that is blocked reading from the hub does not notice that the player has disconnected.
      if (srt_getsockstate(session->srt) >= SRTS_BROKEN) wake_session(session);
      left++;
      link = &session->next;
      continue;
    }
    *link = session->next;
    report_stats(session);
    srt_close(session->srt);
    if (session->descriptor >= 0) close(session->descriptor);
    if (session->next_descriptor >= 0) close(session->next_descriptor);
    write_event("{\"close\":%d,\"why\":\"%s\"}", session->id, session->reason);
    free(session);
  }
  pthread_mutex_unlock(&lock);
  return left;
}

// libsrt returns no statistics after the end of a connection, so the last sample stays. While a receiver acknowledges
// nothing, the sample of its last acknowledgement stays: libsrt counts bytes as sent, and then packets as dropped,
// although the receiver has stopped or is gone.
static void sample_stats(struct session *session) {
  SRT_TRACEBSTATS stats;
  if (srt_bistats(session->srt, &stats, 0, 1) < 0) return;
  session->has_unreported_stats = true;
  session->unacknowledged_bytes = (int64_t)(stats.byteSentUniqueTotal - session->stats.byteSentUniqueTotal);
  if (session->unacknowledged_bytes > 0 && stats.pktRecvACKTotal == session->stats.pktRecvACKTotal) return;
  session->stats = stats;
  session->unacknowledged_bytes = 0;
}

// Writes the totals since the start of the connection, from which the hub derives rates. libsrt does not count
// recovered packets: those are the received packets that were lost and not dropped.
static void report_stats(struct session *session) {
  if (!session->has_unreported_stats) return;
  session->has_unreported_stats = false;
  SRT_TRACEBSTATS stats = session->stats;
  bool incoming = session->publishes;
  int64_t packets = incoming ? stats.pktRecvUniqueTotal : stats.pktSentUniqueTotal;
  int64_t bytes = (int64_t)(incoming ? stats.byteRecvUniqueTotal : stats.byteSentUniqueTotal) - packets * HEADER_BYTES;
  int lost = incoming ? stats.pktRcvLossTotal : stats.pktSndLossTotal;
  int dropped = incoming ? stats.pktRcvDropTotal : stats.pktSndDropTotal;
  int resent = incoming ? (lost > dropped ? lost - dropped : 0) : stats.pktRetransTotal;
  write_event("{\"stats\":%d,\"bytes\":%" PRId64 ",\"packets\":%" PRId64 ",\"lost\":%d,\"dropped\":%d,\"%s\":%d,\"undecrypted\":%d,"
              "\"rtt\":%.2f,\"latency\":%d,\"bandwidth\":%.2f,\"unacknowledged\":%" PRId64 ",\"received\":%" PRId64 "}",
              session->id, bytes, packets, lost, dropped, incoming ? "recovered" : "retransmitted", resent, stats.pktRcvUndecryptTotal,
              stats.msRTT, incoming ? stats.msRcvTsbPdDelay : stats.msSndTsbPdDelay, stats.mbpsBandwidth, session->unacknowledged_bytes,
              (int64_t)stats.pktRecvTotal);
}

void sample_sessions(void) {
  pthread_mutex_lock(&lock);
  for (struct session *session = sessions; session; session = session->next)
    if (!session->finished) sample_stats(session);
  pthread_mutex_unlock(&lock);
}

void report_sessions(void) {
  sample_sessions();
  pthread_mutex_lock(&lock);
  for (struct session *session = sessions; session; session = session->next) report_stats(session);
  pthread_mutex_unlock(&lock);
}
