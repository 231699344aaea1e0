#include "send.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../events/events.h"
#include "api.h"
#include "child.h"
#include "matroska.h"

// Nanoseconds: between two looks at who takes it, and of a unit of NDI's time.
enum { LOOK = 500000000, UNIT = 100 };

typedef struct {
  void *instance;
  int connections;
  int64_t looked;
  bool opened;
  // What is added to the stream's times, in NDI's units.
  int64_t base;
  // Sound with one channel after the other.
  float *planes;
  size_t room;
} sender;

static int64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool look(void *with) {
  sender *mine = with;
  int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (mine->looked == 0 || now - mine->looked >= LOOK) {
    mine->looked = now;
    int connections = ndi.send_connections(mine->instance, 0);
    if (connections != mine->connections) tell("{\"connections\":%d}", connections);
    mine->connections = connections;
  }
  return !ended;
}

// Pictures a second, as a fraction: those of television have 1001 in it.
static void rate_of(uint64_t duration, ndi_video *video) {
  double rate = duration > 0 ? 1e9 / (double)duration : 0;
  bool whole = fabs(rate - round(rate)) < 0.002;
  bool television = !whole && fabs(rate * 1.001 - round(rate * 1.001)) < 0.002;
  video->rate_n = (int)round(television ? rate * 1.001 * 1000 : rate * 1000);
  video->rate_d = television ? 1001 : 1000;
  // What has no even rate is said to have the one that the interface begins with.
  if (video->rate_n <= 0) video->rate_n = 30000, video->rate_d = 1001;
}

static void send_picture(sender *mine, const media *tracks, int64_t time, uint8_t *data, size_t size) {
  if (tracks->height <= 0 || size == 0 || size % (size_t)tracks->height != 0) return;
  ndi_video video = {
      .width = tracks->width,
      .height = tracks->height,
      .fourcc = UYVY,
      .scan = SCAN_PROGRESSIVE,
      .timecode = time,
      .data = data,
      .stride = (int)(size / (size_t)tracks->height),
  };
  if (tracks->shown_height > 0) video.aspect = (float)tracks->shown_width / (float)tracks->shown_height;
  rate_of(tracks->duration, &video);
  ndi.send_video(mine->instance, &video);
}

static bool send_sound(sender *mine, const media *tracks, int64_t time, const uint8_t *data, size_t size) {
  size_t channels = (size_t)tracks->channels, samples = channels > 0 ? size / sizeof(float) / channels : 0;
  if (samples == 0) return true;
  if (size > mine->room) {
    free(mine->planes);
    mine->room = size;
    mine->planes = malloc(size);
    if (!mine->planes) return false;
  }
  for (size_t at = 0; at < samples; at++)
    for (size_t channel = 0; channel < channels; channel++)
      memcpy(&mine->planes[channel * samples + at], data + (at * channels + channel) * sizeof(float), sizeof(float));
  ndi_audio audio = {
      .rate = tracks->rate,
      .channels = tracks->channels,
      .samples = (int)samples,
      .timecode = time,
      .fourcc = FLTP,
      .data = (uint8_t *)mine->planes,
      .stride = (int)(samples * sizeof(float)),
  };
  ndi.send_audio(mine->instance, &audio);
  return true;
}

static bool send_block(void *with, const media *tracks, int track, uint64_t time, uint8_t *data, size_t size) {
  sender *mine = with;
  int64_t at = (int64_t)(time / UNIT);
  if (!mine->opened) {
    mine->opened = true;
    // Picture and sound come at different times from the decoder; by the times they have in the stream they belong together.
    mine->base = clock_ns(CLOCK_REALTIME) / UNIT - at;
    tell("{\"open\":1}");
  }
  if (track == TRACK_VIDEO) send_picture(mine, tracks, mine->base + at, data, size);
  else if (track == TRACK_AUDIO && !send_sound(mine, tracks, mine->base + at, data, size)) return false;
  return look(mine);
}

int send_source(const char *name, const char *groups, char *const ffmpeg[]) {
  // What comes, comes at its own pace: nothing is held back to keep one.
  ndi_send_settings settings = {.name = name, .groups = *groups ? groups : NULL};
  sender mine = {.instance = ndi.send_create(&settings), .connections = -1};
  if (!mine.instance) return fail("create");
  int pipe = start_child(ffmpeg, false);
  if (pipe < 0) return fail("ffmpeg");
  reading from = {.pipe = pipe, .waits = look, .block = send_block, .with = &mine};
  bool good = read_blocks(&from);
  end_child(pipe);
  // Those who take it hear that it is over.
  ndi.send_destroy(mine.instance);
  free(mine.planes);
  return good ? 0 : fail("format");
}
