#include "bars.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>

#include "keys.h"

enum { BARS_MAX = 1024 };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct {
  uint32_t address;
  int64_t until;
} bars[BARS_MAX];

bool bar(const char *text, int64_t until) {
  struct in_addr parsed;
  if (inet_pton(AF_INET, text, &parsed) != 1) return false;
  uint32_t address = ntohl(parsed.s_addr);
  pthread_mutex_lock(&guard);
  int place = 0;
  for (int at = 0; at < BARS_MAX; at++) {
    if (bars[at].address == address && bars[at].until > 0) {
      place = at;
      break;
    }
    if (bars[at].until < bars[place].until) place = at;
  }
  bars[place].address = address;
  bars[place].until = until;
  pthread_mutex_unlock(&guard);
  return true;
}

bool is_barred(const struct sockaddr *peer, int64_t now) {
  uint32_t address;
  if (!peer_address(peer, &address)) return false;
  bool found = false;
  pthread_mutex_lock(&guard);
  for (int at = 0; at < BARS_MAX && !found; at++) found = bars[at].address == address && bars[at].until > now;
  pthread_mutex_unlock(&guard);
  return found;
}
