#include "keys.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_MAX = 4096 };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct key *keys[KEYS_MAX];
static int key_count;

static int index_of(const char *token) {
  for (int at = 0; at < key_count; at++)
    if (strcmp(keys[at]->token, token) == 0) return at;
  return -1;
}

static bool take(char *to, size_t max, const char *from) {
  if (strlen(from) > max) return false;
  strcpy(to, from);
  return true;
}

static bool number(int *to, const char *from, int min, int max) {
  char *end;
  long value = strtol(from, &end, 10);
  *to = (int)value;
  return *from != '\0' && *end == '\0' && value >= min && value <= max;
}

static bool read_ranges(struct key *key, char *text) {
  char *rest = NULL;
  for (char *one = strtok_r(text, ",", &rest); one; one = strtok_r(NULL, ",", &rest)) {
    if (key->range_count == RANGES_MAX) return false;
    struct range *range = &key->ranges[key->range_count++];
    int bits = 32;
    char *slash = strchr(one, '/');
    if (slash) *slash++ = '\0';
    struct in_addr address;
    if ((slash && !number(&bits, slash, 0, 32)) || inet_pton(AF_INET, one, &address) != 1) return false;
    range->mask = bits == 0 ? 0 : ~0u << (32 - bits);
    range->address = ntohl(address.s_addr) & range->mask;
  }
  return true;
}

bool put_key(char *fields[], int count) {
  if (count < 9) return false;
  struct key key = {.publishes = fields[1][0] == 's'};
  bool good = take(key.token, TOKEN_MAX, fields[0]) && strspn(key.token, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(key.token) &&
              take(key.name, NAME_MAX_BYTES, fields[2]) && take(key.passphrase, PASSPHRASE_MAX, fields[3]) &&
              number(&key.key_length, fields[4], 0, 32) && number(&key.latency, fields[5], 0, 60000) &&
              number(&key.max, fields[6], 1, 100000) && read_ranges(&key, fields[7]) && number(&key.overhead, fields[8], 0, 100);
  if (!good) return false;
  pthread_mutex_lock(&guard);
  int at = index_of(key.token);
  if (at < 0 && key_count < KEYS_MAX) {
    keys[key_count] = malloc(sizeof key);
    if (keys[key_count]) at = key_count++;
  }
  if (at >= 0) *keys[at] = key;
  pthread_mutex_unlock(&guard);
  return at >= 0;
}

bool forget_key(const char *token) {
  pthread_mutex_lock(&guard);
  int at = index_of(token);
  if (at >= 0) {
    free(keys[at]);
    keys[at] = keys[--key_count];
  }
  pthread_mutex_unlock(&guard);
  return at >= 0;
}

enum mode { ANY, SENDS, TAKES };

// The value of a name in `#!::a=b,c=d`; its length, or -1.
static int field(const char *text, char name, const char **value) {
  for (const char *at = text; at && *at; at = strchr(at, ',')) {
    if (*at == ',') at++;
    if (at[0] == name && at[1] == '=') {
      *value = at + 2;
      return (int)strcspn(*value, ",");
    }
  }
  return -1;
}

static const char *after(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

// What a stream id names, and what its bearer means to do.
static enum mode named(const char *stream_id, char name[NAME_MAX_BYTES + 1]) {
  enum mode mode = ANY;
  const char *rest = stream_id;
  int length = -1;
  const char *list = after(stream_id, "#!::");
  if (list) {
    const char *word = "";
    int size = field(list, 'm', &word);
    if (size == 7 && strncmp(word, "publish", 7) == 0) mode = SENDS;
    if (size == 7 && strncmp(word, "request", 7) == 0) mode = TAKES;
    rest = "";
    length = field(list, 'r', &rest);
  } else if (after(stream_id, "publish.srt/")) {
    mode = SENDS;
    rest = after(stream_id, "publish.srt/");
  } else if (after(stream_id, "play.srt/")) {
    mode = TAKES;
    rest = after(stream_id, "play.srt/");
  }
  if (length < 0) length = (int)strlen(rest);
  if (after(rest, "live/") && length >= 5) {
    rest += 5;
    length -= 5;
  }
  if (length > NAME_MAX_BYTES) length = 0;
  memcpy(name, rest, (size_t)length);
  name[length] = '\0';
  return mode;
}

bool peer_address(const struct sockaddr *peer, uint32_t *address) {
  if (peer->sa_family == AF_INET) *address = ntohl(((const struct sockaddr_in *)peer)->sin_addr.s_addr);
  else if (peer->sa_family == AF_INET6 && IN6_IS_ADDR_V4MAPPED(&((const struct sockaddr_in6 *)peer)->sin6_addr))
    memcpy(address, ((const struct sockaddr_in6 *)peer)->sin6_addr.s6_addr + 12, 4), *address = ntohl(*address);
  else return false;
  return true;
}

static bool may_come(const struct key *key, const struct sockaddr *peer) {
  if (key->range_count == 0) return true;
  uint32_t address;
  if (!peer_address(peer, &address)) return false;
  for (int at = 0; at < key->range_count; at++)
    if ((address & key->ranges[at].mask) == key->ranges[at].address) return true;
  return false;
}

static const struct key *matching(const char *name) {
  for (int at = 0; at < key_count; at++)
    if (keys[at]->name[0] == '\0' || strcmp(keys[at]->name, name) == 0) return keys[at];
  return NULL;
}

// A stream id as it stood in a URL, whose %XX not every program that is given one decodes. False when there is nothing to decode in it.
static bool decoded(const char *stream_id, char text[STREAM_ID_MAX + 1]) {
  int length = 0;
  bool differs = false;
  for (const char *at = stream_id; *at && length < STREAM_ID_MAX; length++) {
    char digits[3] = {0};
    if (at[0] == '%' && isxdigit((unsigned char)at[1]) && isxdigit((unsigned char)at[2])) {
      memcpy(digits, at + 1, 2);
      differs = true;
    }
    text[length] = digits[0] ? (char)strtol(digits, NULL, 16) : *at;
    at += digits[0] ? 3 : 1;
  }
  text[length] = '\0';
  return differs;
}

enum verdict find_key(const char *stream_id, const struct sockaddr *peer, struct key *found) {
  char name[NAME_MAX_BYTES + 1], other[NAME_MAX_BYTES + 1], text[STREAM_ID_MAX + 1];
  enum mode mode = named(stream_id, name);
  enum verdict verdict = UNKNOWN_KEY;
  pthread_mutex_lock(&guard);
  const struct key *match = matching(name);
  if (!match && decoded(stream_id, text)) {
    mode = named(text, other);
    match = matching(other);
  }
  if (!match) {
    found->token[0] = '\0';
    strcpy(found->name, name);
  } else {
    *found = *match;
    if (mode != ANY && match->name[0] != '\0' && (mode == SENDS) != match->publishes) verdict = WRONG_MODE;
    else verdict = may_come(match, peer) ? KNOWN : WRONG_ADDRESS;
  }
  pthread_mutex_unlock(&guard);
  return verdict;
}
