// The stream keys that a port accepts, each with its direction, passphrase, limits and allowed addresses.
#ifndef KEYS_H
#define KEYS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "addresses.h"

enum { TOKEN_MAX = 32, NAME_MAX_BYTES = 256, STREAM_ID_MAX = 512, PASSPHRASE_MAX = 79, RANGES_MAX = 32 };

// A range of IPv4 or IPv6 addresses.
struct range {
  struct address address;
  // Bits of the address that all addresses of the range have in common.
  int bits;
};

struct key {
  // The hub's identifier of the key. Contains no characters that JSON escapes.
  char token[TOKEN_MAX + 1];
  // Whether a client with this key publishes; otherwise it plays.
  bool publishes;
  // The stream key. Empty: every stream ID matches, including none.
  char name[NAME_MAX_BYTES + 1];
  // Empty: no encryption.
  char passphrase[PASSPHRASE_MAX + 1];
  // 16, 24 or 32 bytes; 0 leaves the choice to the caller.
  int key_length;
  int latency_ms;
  // Bandwidth for retransmissions to a player, in percent of the stream's bitrate; 0: unlimited.
  int overhead_percent;
  // Maximum number of simultaneous connections.
  int max_connections;
  // Milliseconds without media after which the next publisher replaces the current one; 0: at once; -1: never.
  int replace_after_ms;
  // Allowed client addresses. Empty: all addresses.
  struct range ranges[RANGES_MAX];
  int range_count;
};

enum key_result { KEY_ACCEPTED, KEY_UNKNOWN, KEY_WRONG_MODE, KEY_WRONG_ADDRESS };

// Adds or replaces a key. Fields: token, 's' (publish) or 't' (play), name, passphrase, key length, latency in ms,
// maximum number of connections, ranges separated by commas, overhead in percent, and optionally when the next
// publisher replaces the current one. Returns false if a field is invalid or the list is full.
bool set_key(char *fields[], int count);

// Whether there is a key with this token.
bool has_key(const char *token);

// Returns false if there is no key with this token.
bool remove_key(const char *token);

// Copies the key for a stream ID to `found` and checks the mode and the client's address. Accepted forms of a stream
// ID: the key itself, `live/KEY`, `publish.srt/live/KEY`, `play.srt/live/KEY`, or SRT access control
// `#!::r=KEY,m=publish` and `m=request`; each may be percent-encoded. For KEY_UNKNOWN, `found` holds the name from the
// stream ID, an empty token, and whether the client may publish by the mode in its stream ID.
enum key_result find_key(const char *stream_id, const struct sockaddr *peer, struct key *found);

#endif
