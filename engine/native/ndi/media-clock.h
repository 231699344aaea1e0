// Times of received frames. The timestamps of a source keep audio and video in sync, but jitter with the load of its
// machine: the clock follows the timestamps of each track smoothly, and the local clock slowly, with one offset for
// both tracks.
#ifndef MEDIA_CLOCK_H
#define MEDIA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { CLOCK_TRACKS = 3 };

// Times in NDI units (100 ns).
typedef struct {
  // Smoothed timestamp of the last frame, and the smoothed distance of two frames.
  double time, period;
  bool is_started;
} track_clock;

typedef struct {
  // Local time of the start of the stream.
  int64_t started_at;
  // Subtracted from timestamps.
  int64_t offset;
  bool has_offset;
  int64_t corrected_at;
  track_clock tracks[CLOCK_TRACKS];
  uint64_t last_units[CLOCK_TRACKS];
} media_clock;

// Returns the time of a video frame since the start in units of 100 µs. The times of a track strictly increase. `now`
// is the local time, `duration` the nominal duration of a frame, or 0 if it is unknown.
uint64_t video_time(media_clock *self, int track, int64_t timestamp, int64_t now, double duration);

// As `video_time`, for a block of audio with this duration.
uint64_t audio_time(media_clock *self, int track, int64_t timestamp, int64_t now, double duration);

#endif
