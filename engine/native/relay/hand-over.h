// Hands a receiver over to another relay, whose stream has the same frames with the same timestamps, without a gap:
// this relay sends up to the next start point, then passes the receiver's descriptor on, and the other relay continues
// at that start point.
#ifndef HAND_OVER_H
#define HAND_OVER_H

#include <stdbool.h>
#include <stdint.h>

#include "receiver.h"

enum { HAND_OVER_PATH_BYTES = 108, HAND_OVER_LINE_BYTES = 96 };

struct hand_over {
  bool is_planned;
  // Media socket of the other relay, and the first line of the connection to it.
  char path[HAND_OVER_PATH_BYTES], greeting[HAND_OVER_LINE_BYTES];
  // End of the log when it was planned.
  uint64_t from;
};

// Plans a hand-over at the next start point. Returns false if the path or the line is too long.
bool plan_hand_over(struct hand_over *plan, const char *path, const char *greeting);

// Keeps the plan for a subscriber whose connection has not arrived yet, and finds it when that has.
void keep_early_plan(int id, const char *path, const char *greeting);
void find_early_plan(int id, struct hand_over *plan);

// Whether a receiver has reached the place of its hand-over: the next start point, or the end of a stream that has
// stopped. Otherwise lowers `end` to that place.
bool is_hand_over_due(const struct hand_over *plan, const struct receiver *receiver, uint64_t *end, int64_t now);

// Passes a descriptor to the other relay, with the greeting, `details`, and the place. Returns 0 or a system error
// code; after EAGAIN it can be called again.
int hand_over(const struct hand_over *plan, const struct receiver *receiver, const char *details, int descriptor);

// Passes a descriptor with a line to the media socket of another relay. Returns 0 or a system error code.
int pass_descriptor(const char *path, const char *line, size_t length, int descriptor);

// Reads `length` bytes from a connection, and the descriptor that came with them; -1 if there is none. Returns false if
// the connection ended.
bool receive_descriptor(int connection, void *bytes, size_t length, int *descriptor);

// Presentation times, in 1/90,000 s, of the start point at which a receiver goes on, and of the one before; -1: it is
// not known.
struct place {
  int64_t time, before;
};

// As `begin_receiver`, but at the start point with the time of a place. If only the one before has arrived, it waits
// for it. Where the stream has other times, it begins with the group of pictures so far, so that it misses none.
void begin_receiver_at(struct receiver *receiver, int id, const struct place *place, bool needs_tables, int64_t now);

#endif
