// The stream ids that are known on a port: what each is for, with which passphrase, from where.
#ifndef KEYS_H
#define KEYS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum { TOKEN_MAX = 32, NAME_MAX_BYTES = 256, STREAM_ID_MAX = 512, PASSPHRASE_MAX = 79, RANGES_MAX = 32 };

// Addresses a.b.c.d/bits.
struct range {
  uint32_t address;
  uint32_t mask;
};

struct key {
  // What the hub calls it; free of what JSON escapes.
  char token[TOKEN_MAX + 1];
  // Whoever comes with it sends; else takes.
  bool publishes;
  // Empty: whatever stream id comes, or none.
  char name[NAME_MAX_BYTES + 1];
  // Empty: no encryption.
  char passphrase[PASSPHRASE_MAX + 1];
  // 16, 24 or 32 bytes; 0 leaves it to the caller.
  int key_length;
  // Milliseconds.
  int latency;
  // Percent beyond the stream for what is sent once more, to who takes; 0: as much as it takes.
  int overhead;
  // Connections at a time; a stream has one sender.
  int max;
  // None: from anywhere.
  struct range ranges[RANGES_MAX];
  int range_count;
};

enum verdict { KNOWN, UNKNOWN_KEY, WRONG_MODE, WRONG_ADDRESS };

// Adds or changes a key: token, 's' or 't', name, passphrase, key length, latency, max, ranges between commas, overhead. False for bad
// fields.
bool put_key(char *fields[], int count);

// The address of a peer as a number. False when it is none of IPv4.
bool peer_address(const struct sockaddr *peer, uint32_t *address);

// Forgets it. False when there is none.
bool forget_key(const char *token);

// Finds the key for a stream id and an address, and copies it. Stream ids are the key itself, `live/KEY`, `publish.srt/live/KEY`,
// `play.srt/live/KEY`, or access control's `#!::r=KEY,m=publish` and `m=request`; each as it is, or with %XX as in a URL.
// An unknown one leaves in `found` the name that was looked for, and no token.
enum verdict find_key(const char *stream_id, const struct sockaddr *peer, struct key *found);

#endif
