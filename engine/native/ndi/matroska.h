// The subset of Matroska (RFC 9559) that carries raw video and audio with timestamps over a pipe to and from ffmpeg.
#ifndef MATROSKA_H
#define MATROSKA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum { TRACK_VIDEO = 1, TRACK_AUDIO = 2 };

typedef struct {
  // 0: no video track.
  int width, height;
  // Display size in any unit; 0 means square pixels.
  int display_width, display_height;
  uint32_t fourcc;
  // Duration of a video frame in ns; 0: unknown.
  uint64_t frame_duration;
  // 0 channels: no audio track.
  int sample_rate, channels;
} media_format;

// Writes everything before the first block. Returns false if the write fails.
bool write_header(int pipe, const media_format *format);

// Writes a block. `time` is in units of 100 µs. The first of `parts` is overwritten with the headers of the block; the
// data starts with the second. Returns false if the write fails.
bool write_block(int pipe, int track, uint64_t time, struct iovec *parts, int count);

typedef struct {
  int pipe;
  // Called before each read and at least four times a second. Reading ends when it returns false.
  bool (*should_continue)(void *context);
  // Called for each block. `time` is in ns. Reading ends when it returns false.
  bool (*handle_block)(void *context, const media_format *format, int track, uint64_t time, uint8_t *data, size_t size);
  void *context;
} block_reader;

// Reads until the end of the pipe, or until a callback returns false. Returns false if the input is not valid Matroska.
bool read_blocks(const block_reader *reader);

#endif
