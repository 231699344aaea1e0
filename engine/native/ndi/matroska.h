// Matroska as far as it carries raw pictures and sound over a pipe: ffmpeg writes and reads it, with the times of both in it.
#ifndef MATROSKA_H
#define MATROSKA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

enum { TRACK_VIDEO = 1, TRACK_AUDIO = 2 };

typedef struct {
  // 0 where there is no such track.
  int width, height;
  // Of the whole picture, as it is to be shown; 0 is square pixels.
  int shown_width, shown_height;
  uint32_t fourcc;
  // Nanoseconds of a picture; 0 where nobody knows.
  uint64_t duration;
  int rate, channels;
} media;

// Writes what stands before the first block. Returns whether it could.
bool write_header(int pipe, const media *tracks);

// Writes a block. `time` counts units of 100 µs. Of `parts` the first is left free for what stands before the data.
bool write_block(int pipe, int track, uint64_t time, struct iovec *parts, int count);

typedef struct {
  int pipe;
  // Called at least twice a second while it is waited for what comes; without more, reading ends when it answers false.
  bool (*waits)(void *with);
  // A block: `time` counts nanoseconds. Reading ends when it answers false.
  bool (*block)(void *with, const media *tracks, int track, uint64_t time, uint8_t *data, size_t size);
  void *with;
} reading;

// Reads to the end of the pipe. Returns false when what came is not Matroska.
bool read_blocks(const reading *from);

#endif
