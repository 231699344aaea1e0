// Times of sent frames. The decoder delivers audio and video in bursts. The clock holds each block until its time, so
// that its timestamp, which the runtime sets when it is sent, is as regular as its timecode, and audio and video stay
// in sync for receivers that use timestamps.
#ifndef SEND_CLOCK_H
#define SEND_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

// Times in NDI units (100 ns).
typedef struct {
  // Added to the times of the stream to get timecodes, which are not ahead of the wall clock. One offset for both
  // tracks.
  int64_t offset;
  // How long after its timecode a block is sent: the time by which the last blocks came late.
  double delay;
  // Whether the backlog is over.
  bool is_live;
  int64_t started_at, corrected_at;
  // When the last block was sent, and when the clock last had to wait for a block.
  int64_t sent_at, starved_at;
  // When a block last came early.
  int64_t early_at;
} send_clock;

// Waits until a block of the stream is due, or less if it is late. Returns false if it is not to be sent: the decoder
// delivers the first second late and at once, which would be a second of pictures in fast motion.
bool wait_for_time(send_clock *self, int64_t stream_time);

// Call after each block that was sent.
void end_block(send_clock *self);

#endif
