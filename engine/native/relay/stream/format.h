// Samples of the stream from which the engine reads its format: the first bytes of a key frame and of audio frames, and
// the length of the groups of pictures.
#ifndef FORMAT_H
#define FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables.h"

enum { SAMPLE_MAX_BYTES = 512 };

struct frame_sample {
  int pid;
  size_t length;
  uint8_t bytes[SAMPLE_MAX_BYTES];
};

// The newest group of pictures since the last call: its frames, and its length in 1/90,000 s. 0 frames: there is none.
struct picture_group {
  int frames;
  int64_t ticks;
};

// Forgets everything, because another stream begins. `video_pid`: the stream with the key frames.
void reset_format(const struct program *program, int video_pid);

// Takes a packet of the program. `is_start`: a decoder can start at it.
void sample_packet(const uint8_t *packet, int pid, bool is_start, int64_t now);

// A sample that was not taken yet, or NULL. Valid until the next packet.
const struct frame_sample *take_sample(void);

struct picture_group take_picture_group(void);

#endif
