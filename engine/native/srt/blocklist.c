#include "blocklist.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>

#include "keys.h"

enum { ENTRIES_MAX = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  uint32_t address;
  int64_t until;
} entries[ENTRIES_MAX];

bool block_address(const char *text, int64_t until) {
  struct in_addr parsed;
  if (inet_pton(AF_INET, text, &parsed) != 1) return false;
  uint32_t address = ntohl(parsed.s_addr);
  pthread_mutex_lock(&lock);
  int target = 0;
  for (int index = 0; index < ENTRIES_MAX; index++) {
    if (entries[index].address == address && entries[index].until > 0) {
      target = index;
      break;
    }
    if (entries[index].until < entries[target].until) target = index;
  }
  entries[target].address = address;
  entries[target].until = until;
  pthread_mutex_unlock(&lock);
  return true;
}

bool is_blocked(const struct sockaddr *peer, int64_t now) {
  uint32_t address;
  if (!get_peer_address(peer, &address)) return false;
  bool found = false;
  pthread_mutex_lock(&lock);
  for (int index = 0; index < ENTRIES_MAX && !found; index++)
    found = entries[index].address == address && entries[index].until > now;
  pthread_mutex_unlock(&lock);
  return found;
}
