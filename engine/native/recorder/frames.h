// Reads the frames that a relay sends to a tap (engine/native/relay/subscriber.h).
#ifndef FRAMES_H
#define FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Offsets in one frame, at most (FRAME_STARTS in engine/native/relay/subscriber.c).
enum { STARTS_MAX = 64 };

struct frame_handlers {
  // PAT and PMT packets of the media that follows.
  void (*tables)(const uint8_t *data, size_t size);
  // Media, in whole packets except where a packet ends in the next call. `starts`: offsets of packets at which a
  // decoder can start.
  void (*media)(const uint8_t *data, size_t size, const uint32_t *starts, int count);
  void (*end)(void);
};

// Forgets an incomplete frame: another connection follows.
void reset_frames(void);

// Takes bytes cut at any position. Returns false if they are no frames.
bool read_frames(const uint8_t *data, size_t size, const struct frame_handlers *handlers);

#endif
