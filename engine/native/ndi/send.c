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

// How often the number of receivers is checked, and the length of an NDI time unit.
enum { CONNECTIONS_INTERVAL_NS = 500000000, NDI_TIME_UNIT_NS = 100 };

typedef struct {
  void *instance;
  int connections;
  int64_t checked_at;
  bool opened;
  // Added to the times of the stream, in NDI time units.
  int64_t time_offset;
  // Audio samples, one channel after the other.
  float *planar_audio;
  size_t planar_size;
} sender;

static int64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Writes a `connections` event when the number of receivers has changed. Returns whether to continue.
static bool report_connections(void *context) {
  sender *self = context;
  int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (self->checked_at == 0 || now - self->checked_at >= CONNECTIONS_INTERVAL_NS) {
    self->checked_at = now;
    int connections = ndi.send_connections(self->instance, 0);
    if (connections != self->connections) write_event("{\"connections\":%d}", connections);
    self->connections = connections;
  }
  return !stop_requested;
}

// Sets the frame rate as a fraction: n/1001 for NTSC rates such as 29.97, otherwise n/1000.
static void set_frame_rate(uint64_t duration_ns, ndi_video *video) {
  double rate = duration_ns > 0 ? 1e9 / (double)duration_ns : 0;
  bool is_integer = fabs(rate - round(rate)) < 0.002;
  bool is_ntsc = !is_integer && fabs(rate * 1.001 - round(rate * 1.001)) < 0.002;
  video->rate_n = (int)round(is_ntsc ? rate * 1.001 * 1000 : rate * 1000);
  video->rate_d = is_ntsc ? 1001 : 1000;
  // An unknown rate is sent as 29.97, the default of the NDI interface.
  if (video->rate_n <= 0) video->rate_n = 30000, video->rate_d = 1001;
}

static void send_video(sender *self, const media_format *format, int64_t time, uint8_t *data, size_t size) {
  if (format->height <= 0 || size == 0 || size % (size_t)format->height != 0) return;
  ndi_video video = {
      .width = format->width,
      .height = format->height,
      .fourcc = UYVY,
      .scan = SCAN_PROGRESSIVE,
      .timecode = time,
      .data = data,
      .stride = (int)(size / (size_t)format->height),
  };
  if (format->display_height > 0) video.aspect = (float)format->display_width / (float)format->display_height;
  set_frame_rate(format->frame_duration, &video);
  ndi.send_video(self->instance, &video);
}

static bool send_audio(sender *self, const media_format *format, int64_t time, const uint8_t *data, size_t size) {
  size_t channels = (size_t)format->channels, samples = channels > 0 ? size / sizeof(float) / channels : 0;
  if (samples == 0) return true;
  if (size > self->planar_size) {
    free(self->planar_audio);
    self->planar_size = size;
    self->planar_audio = malloc(size);
    if (!self->planar_audio) return false;
  }
  for (size_t sample = 0; sample < samples; sample++)
    for (size_t channel = 0; channel < channels; channel++)
      memcpy(&self->planar_audio[channel * samples + sample], data + (sample * channels + channel) * sizeof(float), sizeof(float));
  ndi_audio audio = {
      .rate = format->sample_rate,
      .channels = format->channels,
      .samples = (int)samples,
      .timecode = time,
      .fourcc = FLTP,
      .data = (uint8_t *)self->planar_audio,
      .stride = (int)(samples * sizeof(float)),
  };
  ndi.send_audio(self->instance, &audio);
  return true;
}

static bool send_block(void *context, const media_format *format, int track, uint64_t time, uint8_t *data, size_t size) {
  sender *self = context;
  int64_t stream_time = (int64_t)(time / NDI_TIME_UNIT_NS);
  if (!self->opened) {
    self->opened = true;
    // One offset for both tracks: audio and video leave the decoder at different moments and are in sync only by their stream times.
    self->time_offset = clock_ns(CLOCK_REALTIME) / NDI_TIME_UNIT_NS - stream_time;
    write_event("{\"open\":1}");
  }
  if (track == TRACK_VIDEO) send_video(self, format, self->time_offset + stream_time, data, size);
  else if (track == TRACK_AUDIO && !send_audio(self, format, self->time_offset + stream_time, data, size)) return false;
  return report_connections(self);
}

int send_source(const char *name, const char *groups, char *const ffmpeg[]) {
  // Without clock_video and clock_audio, the runtime sends each frame immediately instead of pacing them.
  ndi_send_settings settings = {.name = name, .groups = *groups ? groups : NULL};
  sender self = {.instance = ndi.send_create(&settings), .connections = -1};
  if (!self.instance) return report_failure("create");
  int pipe = start_child(ffmpeg, false);
  if (pipe < 0) return report_failure("ffmpeg");
  block_reader reader = {.pipe = pipe, .should_continue = report_connections, .handle_block = send_block, .context = &self};
  bool is_valid = read_blocks(&reader);
  stop_child(pipe);
  // Notifies the receivers that the source has ended.
  ndi.send_destroy(self.instance);
  free(self.planar_audio);
  return is_valid ? 0 : report_failure("format");
}
