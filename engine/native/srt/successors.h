// Publishers that are connected, and wait until it is clear whether the one before them still sends: a crashed encoder
// connects again before its silence is long enough, and may try only once.
#ifndef SUCCESSORS_H
#define SUCCESSORS_H

#include <srt/srt.h>
#include <stdbool.h>

#include "addresses.h"
#include "keys.h"

// Keeps a publisher waiting. Returns false if another one waits for the same key, or too many wait.
bool add_successor(const struct key *key, SRTSOCKET srt, const char *peer);

// Whether a publisher waits for a key.
bool has_successor(const char *token);

// Starts the sessions of those whose predecessor is gone or silent, and refuses those whose predecessor sends. Must be
// called several times a second.
void settle_successors(void);

#endif
