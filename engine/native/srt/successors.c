#include "successors.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "../messages/events.h"
#include "session.h"

enum { SUCCESSORS_MAX = 64 };
// Packets that arrive within this time may have been sent before the publisher failed.
enum { IN_FLIGHT_MS = 300 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct successor {
  // Empty: unused.
  char token[TOKEN_MAX + 1];
  char peer[PEER_MAX_BYTES];
  SRTSOCKET srt;
  int replace_after_ms;
  int64_t connected_at;
} successors[SUCCESSORS_MAX];

static struct successor *find_successor(const char *token) {
  for (int index = 0; index < SUCCESSORS_MAX; index++)
    if (strcmp(successors[index].token, token) == 0) return &successors[index];
  return NULL;
}

bool add_successor(const struct key *key, SRTSOCKET srt, const char *peer) {
  pthread_mutex_lock(&lock);
  struct successor *successor = find_successor(key->token) ? NULL : find_successor("");
  if (successor) {
    *successor = (struct successor){.srt = srt, .replace_after_ms = key->replace_after_ms, .connected_at = now_ms()};
    strcpy(successor->token, key->token);
    strncpy(successor->peer, peer, sizeof successor->peer - 1);
  }
  pthread_mutex_unlock(&lock);
  return successor != NULL;
}

bool has_successor(const char *token) {
  pthread_mutex_lock(&lock);
  bool found = find_successor(token) != NULL;
  pthread_mutex_unlock(&lock);
  return found;
}

// Returns whether it waits no longer.
static bool settle(const struct successor *successor) {
  const char *token = successor->token;
  if (!has_key(token) || srt_getsockstate(successor->srt) >= SRTS_BROKEN) {
    srt_close(successor->srt);
    return true;
  }
  bool is_replaceable = count_sessions(token) == 0 || silence_ms(token) >= successor->replace_after_ms;
  if (is_replaceable) {
    close_sessions(0, token);
    if (!start_session(next_session_id(), token, successor->peer, true, successor->srt)) srt_close(successor->srt);
    return true;
  }
  if (!has_arrived_after(token, successor->connected_at + IN_FLIGHT_MS)) return false;
  write_event("{\"refused\":\"busy\",\"token\":\"%s\",\"peer\":\"%s\"}", token, successor->peer);
  srt_close(successor->srt);
  return true;
}

void settle_successors(void) {
  pthread_mutex_lock(&lock);
  for (int index = 0; index < SUCCESSORS_MAX; index++)
    if (successors[index].token[0] && settle(&successors[index])) successors[index].token[0] = '\0';
  pthread_mutex_unlock(&lock);
}
