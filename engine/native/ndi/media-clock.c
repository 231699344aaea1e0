#include "media-clock.h"

#include <math.h>

#include "api.h"

// In NDI time units (100 ns): one second, the unit of the returned times, and the time of the first frame, so that a
// block of the other track may be earlier.
enum { SECOND = 10000000, TIME_UNIT = 1000, LEAD = SECOND / 10 };
// How far a smoothed time may differ from its timestamp, and how far audio may be from the end of the previous block
// without a gap.
static const double JITTER_MAX = SECOND / 100, AUDIO_GAP = SECOND / 25;
// Gains of an alpha-beta filter: how much of a deviation changes the time and the period. Audio knows its period
// exactly.
static const double TIME_GAIN = 0.15, PERIOD_GAIN = 0.01, AUDIO_GAIN = 0.02;
// The difference between timestamps and the local clock that is removed, how fast (a fraction), and from which it is
// removed at once.
static const double DRIFT_MIN = SECOND / 10, DRIFT_RATE = 0.0002, DRIFT_MAX = SECOND;

static double clamp(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

static double smooth_video(track_clock *self, double timestamp, double duration) {
  if (duration <= 0) return timestamp;
  if (!self->is_started || fabs(timestamp - self->time) > SECOND) *self = (track_clock){timestamp, duration, true};
  else {
    // Frames may be missing.
    double steps = fmax(1, round((timestamp - self->time) / self->period)), expected = self->time + steps * self->period;
    double error = timestamp - expected;
    self->period = clamp(self->period + error / steps * PERIOD_GAIN, duration / 2, duration * 2);
    self->time = clamp(expected + error * TIME_GAIN, timestamp - JITTER_MAX, timestamp + JITTER_MAX);
  }
  return self->time;
}

// `self->time` is the expected time of the next block.
static double smooth_audio(track_clock *self, double timestamp, double duration) {
  double error = timestamp - self->time;
  double time = !self->is_started || fabs(error) > AUDIO_GAP ? timestamp : self->time + error * AUDIO_GAIN;
  *self = (track_clock){time + duration, duration, true};
  return time;
}

// Keeps the offset so that the times follow the local clock: a source whose clock is faster or slower would otherwise
// run away from it.
static void correct_offset(media_clock *self, int64_t timestamp, int64_t elapsed) {
  double drift = (double)(timestamp - self->offset - elapsed), passed = (double)(elapsed - self->corrected_at);
  self->corrected_at = elapsed;
  if (!self->has_offset || fabs(drift) > DRIFT_MAX) self->offset = timestamp - elapsed, self->has_offset = true;
  else if (fabs(drift) > DRIFT_MIN) self->offset += (int64_t)(copysign(passed, drift) * DRIFT_RATE);
}

static uint64_t next_units(media_clock *self, int track, double time) {
  double units = (time + LEAD) / TIME_UNIT;
  uint64_t whole = units > 0 ? (uint64_t)llround(units) : 0;
  if (whole <= self->last_units[track]) whole = self->last_units[track] + 1;
  return self->last_units[track] = whole;
}

typedef double (*smoother)(track_clock *self, double timestamp, double duration);

static uint64_t track_time(media_clock *self, int track, int64_t timestamp, int64_t now, double duration, smoother smooth) {
  int64_t elapsed = now - self->started_at;
  // A source without timestamps has the times of arrival.
  if (timestamp == TIME_UNKNOWN || timestamp <= 0) timestamp = now;
  correct_offset(self, timestamp, elapsed);
  return next_units(self, track, smooth(&self->tracks[track], (double)timestamp, duration) - (double)self->offset);
}

uint64_t video_time(media_clock *self, int track, int64_t timestamp, int64_t now, double duration) {
  return track_time(self, track, timestamp, now, duration, smooth_video);
}

uint64_t audio_time(media_clock *self, int track, int64_t timestamp, int64_t now, double duration) {
  return track_time(self, track, timestamp, now, duration, smooth_audio);
}
