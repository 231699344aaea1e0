#include "keys.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_MAX = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct key *keys[KEYS_MAX];
static int key_count;

static int key_index(const char *token) {
  for (int index = 0; index < key_count; index++)
    if (strcmp(keys[index]->token, token) == 0) return index;
  return -1;
}

static bool copy_text(char *target, size_t max_length, const char *text) {
  if (strlen(text) > max_length) return false;
  strcpy(target, text);
  return true;
}

static bool parse_number(int *target, const char *text, int min, int max) {
  char *end;
  long value = strtol(text, &end, 10);
  *target = (int)value;
  return *text != '\0' && *end == '\0' && value >= min && value <= max;
}

static bool parse_ranges(struct key *key, char *text) {
  char *rest = NULL;
  for (char *part = strtok_r(text, ",", &rest); part; part = strtok_r(NULL, ",", &rest)) {
    if (key->range_count == RANGES_MAX) return false;
    struct range *range = &key->ranges[key->range_count++];
    int bits = -1;
    char *slash = strchr(part, '/');
    if (slash) *slash++ = '\0';
    if (!parse_address(part, &range->address)) return false;
    int offset = is_ipv4_address(&range->address) ? MAPPED_BITS : 0;
    if (slash && !parse_number(&bits, slash, 0, ADDRESS_BITS - offset)) return false;
    range->bits = slash ? offset + bits : ADDRESS_BITS;
  }
  return true;
}

bool set_key(char *fields[], int count) {
  if (count < 9) return false;
  struct key key = {.publishes = fields[1][0] == 's', .replace_after_ms = -1};
  bool valid = fields[0][0] != '\0' && copy_text(key.token, TOKEN_MAX, fields[0]) &&
               strspn(key.token, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(key.token) &&
               copy_text(key.name, NAME_MAX_BYTES, fields[2]) && copy_text(key.passphrase, PASSPHRASE_MAX, fields[3]) &&
               parse_number(&key.key_length, fields[4], 0, 32) && parse_number(&key.latency_ms, fields[5], 0, 60000) &&
               parse_number(&key.max_connections, fields[6], 1, 100000) && parse_ranges(&key, fields[7]) &&
               parse_number(&key.overhead_percent, fields[8], 0, 100) &&
               (count < 10 || parse_number(&key.replace_after_ms, fields[9], -1, 60000));
  if (!valid) return false;
  pthread_mutex_lock(&lock);
  int index = key_index(key.token);
  if (index < 0 && key_count < KEYS_MAX) {
    keys[key_count] = malloc(sizeof key);
    if (keys[key_count]) index = key_count++;
  }
  if (index >= 0) *keys[index] = key;
  pthread_mutex_unlock(&lock);
  return index >= 0;
}

bool has_key(const char *token) {
  pthread_mutex_lock(&lock);
  bool found = key_index(token) >= 0;
  pthread_mutex_unlock(&lock);
  return found;
}

bool remove_key(const char *token) {
  pthread_mutex_lock(&lock);
  int index = key_index(token);
  if (index >= 0) {
    free(keys[index]);
    keys[index] = keys[--key_count];
  }
  pthread_mutex_unlock(&lock);
  return index >= 0;
}

enum mode { MODE_ANY, MODE_PUBLISH, MODE_PLAY };

// Finds a value in an SRT access control list such as `r=KEY,m=publish`. Returns the length of the value, or -1 if the
// name is missing.
static int access_control_value(const char *text, char name, const char **value) {
  for (const char *entry = text; entry && *entry; entry = strchr(entry, ',')) {
    if (*entry == ',') entry++;
    if (entry[0] == name && entry[1] == '=') {
      *value = entry + 2;
      return (int)strcspn(*value, ",");
    }
  }
  return -1;
}

static const char *skip_prefix(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

// Extracts the key name and the mode from a stream ID. The name is empty if it is longer than NAME_MAX_BYTES.
static enum mode parse_stream_id(const char *stream_id, char name[NAME_MAX_BYTES + 1]) {
  enum mode mode = MODE_ANY;
  const char *rest = stream_id;
  int length = -1;
  const char *list = skip_prefix(stream_id, "#!::");
  if (list) {
    const char *word = "";
    int size = access_control_value(list, 'm', &word);
    if (size == 7 && strncmp(word, "publish", 7) == 0) mode = MODE_PUBLISH;
    if (size == 7 && strncmp(word, "request", 7) == 0) mode = MODE_PLAY;
    rest = "";
    length = access_control_value(list, 'r', &rest);
  } else if (skip_prefix(stream_id, "publish.srt/")) {
    mode = MODE_PUBLISH;
    rest = skip_prefix(stream_id, "publish.srt/");
  } else if (skip_prefix(stream_id, "play.srt/")) {
    mode = MODE_PLAY;
    rest = skip_prefix(stream_id, "play.srt/");
  }
  if (length < 0) length = (int)strlen(rest);
  if (skip_prefix(rest, "live/") && length >= 5) {
    rest += 5;
    length -= 5;
  }
  if (length > NAME_MAX_BYTES) length = 0;
  memcpy(name, rest, (size_t)length);
  name[length] = '\0';
  return mode;
}

static bool is_address_allowed(const struct key *key, const struct sockaddr *peer) {
  if (key->range_count == 0) return true;
  struct address address;
  if (!get_peer_address(peer, &address)) return false;
  for (int index = 0; index < key->range_count; index++)
    if (has_prefix_in_common(&address, &key->ranges[index].address, key->ranges[index].bits)) return true;
  return false;
}

static const struct key *key_by_name(const char *name) {
  for (int index = 0; index < key_count; index++)
    if (keys[index]->name[0] == '\0' || strcmp(keys[index]->name, name) == 0) return keys[index];
  return NULL;
}

// Decodes %XX in a stream ID, because some clients copy it from a URL without decoding it. Returns false if there is
// nothing to decode.
static bool percent_decode(const char *stream_id, char text[STREAM_ID_MAX + 1]) {
  int length = 0;
  bool differs = false;
  for (const char *source = stream_id; *source && length < STREAM_ID_MAX; length++) {
    char digits[3] = {0};
    if (source[0] == '%' && isxdigit((unsigned char)source[1]) && isxdigit((unsigned char)source[2])) {
      memcpy(digits, source + 1, 2);
      differs = true;
    }
    text[length] = digits[0] ? (char)strtol(digits, NULL, 16) : *source;
    source += digits[0] ? 3 : 1;
  }
  text[length] = '\0';
  return differs;
}

enum key_result find_key(const char *stream_id, const struct sockaddr *peer, struct key *found) {
  char name[NAME_MAX_BYTES + 1], decoded_name[NAME_MAX_BYTES + 1], text[STREAM_ID_MAX + 1];
  enum mode mode = parse_stream_id(stream_id, name);
  enum key_result result = KEY_UNKNOWN;
  pthread_mutex_lock(&lock);
  const struct key *match = key_by_name(name);
  if (!match && percent_decode(stream_id, text)) {
    mode = parse_stream_id(text, decoded_name);
    match = key_by_name(decoded_name);
  }
  if (!match) {
    found->token[0] = '\0';
    found->publishes = mode != MODE_PLAY;
    strcpy(found->name, name);
  } else {
    *found = *match;
    if (mode != MODE_ANY && match->name[0] != '\0' && (mode == MODE_PUBLISH) != match->publishes) result = KEY_WRONG_MODE;
    else result = is_address_allowed(match, peer) ? KEY_ACCEPTED : KEY_WRONG_ADDRESS;
  }
  pthread_mutex_unlock(&lock);
  return result;
}
