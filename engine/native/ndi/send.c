#include "send.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../messages/events.h"
#include "api.h"
#include "child.h"
#include "matroska.h"
#include "send-clock.h"
#include "socket-counters.h"

// How often receivers and sent bytes are reported, the length of an NDI time unit, and the duration of the shortest
// frame.
enum { REPORT_INTERVAL_NS = 500000000, NDI_TIME_UNIT_NS = 100, FRAME_MIN_NS = 1000000 };
// Bytes of a pixel of UYVY.
enum { PIXEL_BYTES = 2 };

typedef struct {
  void *instance;
  int connections;
  int64_t reported_at;
  uint64_t reported_bytes;
  bool opened;
  send_clock clock;
  // Audio samples, one channel after the other.
  float *planar_audio;
  size_t planar_size;
} sender;

static int64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// Writes the number of receivers when it has changed, and the bytes that were sent since the last report. Receivers
// that do not respond do not count, because the runtime keeps their connections for 16 s and longer. Returns whether to
// continue.
static bool report_sending(void *context) {
  sender *self = context;
  int64_t now = clock_ns(CLOCK_MONOTONIC);
  if (self->reported_at == 0 || now - self->reported_at >= REPORT_INTERVAL_NS) {
    self->reported_at = now;
    int connections = ndi.send_connections(self->instance, 0) - count_silent_peers();
    if (connections < 0) connections = 0;
    if (connections != self->connections) write_event("{\"connections\":%d}", connections);
    self->connections = connections;
    uint64_t bytes = count_sent_bytes();
    if (bytes > self->reported_bytes) write_event("{\"sent\":%llu}", (unsigned long long)(bytes - self->reported_bytes));
    self->reported_bytes = bytes;
  }
  return !stop_requested;
}

// Sets the frame rate as a fraction: n/1001 for NTSC rates such as 29.97, otherwise n/1000.
static void set_frame_rate(uint64_t duration_ns, ndi_video *video) {
  double rate = duration_ns >= FRAME_MIN_NS ? 1e9 / (double)duration_ns : 0;
  bool is_integer = fabs(rate - round(rate)) < 0.002;
  bool is_ntsc = !is_integer && fabs(rate * 1.001 - round(rate * 1.001)) < 0.002;
  video->rate_n = (int)round(is_ntsc ? rate * 1.001 * 1000 : rate * 1000);
  video->rate_d = is_ntsc ? 1001 : 1000;
  // An unknown rate is sent as 29.97, the default of the NDI interface.
  if (video->rate_n <= 0) video->rate_n = 30000, video->rate_d = 1001;
}

static void send_video(sender *self, const media_format *format, int64_t time, uint8_t *data, size_t size) {
  if (format->width <= 0 || format->height <= 0 || size == 0 || size % (size_t)format->height != 0) return;
  size_t stride = size / (size_t)format->height;
  // The runtime would read past the end of the data.
  if (stride < (size_t)format->width * PIXEL_BYTES) return;
  ndi_video video = {
      .width = format->width,
      .height = format->height,
      .fourcc = UYVY,
      .scan = SCAN_PROGRESSIVE,
      .timecode = time,
      .data = data,
      .stride = (int)stride,
  };
  if (format->display_height > 0) video.aspect = (float)format->display_width / (float)format->display_height;
  set_frame_rate(format->frame_duration, &video);
  ndi.send_video(self->instance, &video);
}

static bool send_audio(sender *self, const media_format *format, int64_t time, const uint8_t *data, size_t size) {
  size_t channels = (size_t)format->channels, samples = channels > 0 ? size / sizeof(float) / channels : 0;
  if (samples == 0 || format->sample_rate <= 0) return true;
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
  if (!self->opened) write_event("{\"open\":1}");
  self->opened = true;
  if (!wait_for_time(&self->clock, stream_time)) return report_sending(self);
  int64_t timecode = self->clock.offset + stream_time;
  if (track == TRACK_VIDEO) send_video(self, format, timecode, data, size);
  else if (track == TRACK_AUDIO && !send_audio(self, format, timecode, data, size)) return false;
  end_block(&self->clock);
  return report_sending(self);
}

int send_source(const char *name, const char *groups, char *const ffmpeg[]) {
  // Without clock_video and clock_audio, the runtime sends each frame immediately instead of pacing them.
  ndi_send_settings settings = {.name = name, .groups = *groups ? groups : NULL};
  sender self = {.instance = ndi.send_create(&settings), .connections = -1};
  if (!self.instance) return report_failure("create");
  int pipe = start_child(ffmpeg, false);
  if (pipe < 0) return report_failure("ffmpeg");
  block_reader reader = {.pipe = pipe, .should_continue = report_sending, .handle_block = send_block, .context = &self};
  bool is_valid = read_blocks(&reader);
  stop_child(pipe);
  int status = is_valid ? 0 : report_failure("format");
  // Notifies the receivers that the source has ended.
  call_with_deadline(ndi.send_destroy, self.instance);
  free(self.planar_audio);
  return status;
}
