// Stream IDs of SRT callers, and the stream keys that they are compared with. A line that begins with `k` is the fields
// of a key; one that begins with `b` is an address to block; any other is a stream ID.
#include <arpa/inet.h>
#include <netinet/in.h>

#include "messages/line-reader.h"
#include "srt/blocklist.h"
#include "srt/keys.h"
#include "input.h"

enum { KEYS_MAX = 8 };

// The peer depends on the first character, so that all families are tried.
static void look_up(const char *stream_id) {
  struct sockaddr_in6 ipv6 = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  struct sockaddr_in ipv4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (*stream_id & 2) memcpy(&ipv6.sin6_addr, &(struct in6_addr){.s6_addr = {[10] = 0xff, 0xff, 127, 0, 0, 1}}, sizeof ipv6.sin6_addr);
  const struct sockaddr *peer = *stream_id & 1 ? (const struct sockaddr *)&ipv4 : (const struct sockaddr *)&ipv6;
  struct key key;
  enum key_result result = find_key(stream_id, peer, &key);
  if (strlen(key.name) > NAME_MAX_BYTES || strlen(key.token) > TOKEN_MAX) abort();
  if (result == KEY_ACCEPTED && !key.token[0] && key.name[0]) abort();
  is_blocked(peer, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct input input = {bytes, size};
  char *tokens[KEYS_MAX];
  int count = 0;
  while (input.size > 0) {
    size_t length;
    char *line = take_line(&input, &length), *fields[FIELDS_MAX];
    if (line[0] == 'k') {
      int number = split_fields(line + 1, fields);
      if (count < KEYS_MAX && set_key(fields, number)) tokens[count++] = strdup(fields[0]);
    } else if (line[0] == 'b') {
      block_address(line + 1, 1);
    } else {
      look_up(line);
    }
    free(line);
  }
  for (int index = 0; index < count; index++) remove_key(tokens[index]), free(tokens[index]);
  return 0;
}
