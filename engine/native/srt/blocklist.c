#include "blocklist.h"

#include <pthread.h>

#include "addresses.h"

enum { ENTRIES_MAX = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
  struct address address;
  int64_t until;
} entries[ENTRIES_MAX];

// Whether two addresses count as one client: the same IPv4 address, or the same IPv6 network.
static bool is_same_client(const struct address *one, const struct address *other) {
  return has_prefix_in_common(one, other, is_ipv4_address(one) ? ADDRESS_BITS : NETWORK_BITS);
}

bool block_address(const char *text, int64_t until) {
  struct address address;
  if (!parse_address(text, &address)) return false;
  pthread_mutex_lock(&lock);
  int target = 0;
  for (int index = 0; index < ENTRIES_MAX; index++) {
    if (entries[index].until > 0 && is_same_client(&entries[index].address, &address)) {
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
  struct address address;
  if (!get_peer_address(peer, &address)) return false;
  bool found = false;
  pthread_mutex_lock(&lock);
  for (int index = 0; index < ENTRIES_MAX && !found; index++)
    found = entries[index].until > now && is_same_client(&entries[index].address, &address);
  pthread_mutex_unlock(&lock);
  return found;
}
