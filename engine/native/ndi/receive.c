#include "receive.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../events/events.h"
#include "api.h"
#include "child.h"
#include "matroska.h"

enum { CAPTURE_TIMEOUT_MS = 100 };
// In NDI time units (100 ns): one second, and the time unit of `write_block` (100 µs).
enum { SECOND = 10000000, BLOCK_TIME_UNIT = 1000 };
// In NDI time units: how long to wait for the second track (audio or video) before ffmpeg starts, and how long a source may be
// disconnected.
enum { PROBE_DURATION = SECOND, SOURCE_GONE_AFTER = 2 * SECOND };
// Frames beyond these limits are refused. AAC has at most eight channels, so further channels are dropped.
enum { SIDE_MAX_PIXELS = 16384, CHANNELS_MAX = 8, SAMPLES_MAX = 1 << 20 };

typedef struct {
  void *instance;
  int connections;
  media_format format;
  int pipe;
  int64_t opened_at, first_frame_at, last_frame_at;
  // Subtracted from the timestamps of the source.
  int64_t offset;
  bool has_offset;
  uint64_t last_times[3];
  uint8_t *scratch;
  size_t scratch_size;
} receiver;

static int64_t now_100ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * SECOND + now.tv_nsec / 100;
}

static bool reserve_scratch(receiver *self, size_t size) {
  if (size <= self->scratch_size) return true;
  free(self->scratch);
  self->scratch = malloc(size);
  self->scratch_size = self->scratch ? size : 0;
  return self->scratch != NULL;
}

// Returns the time of a frame since the start of ffmpeg, in units of 100 µs. It follows the source's timestamps, which keep audio and
// video in sync, and resynchronizes when they differ from the local clock by more than a second. The times of a track strictly
// increase.
static uint64_t block_time(receiver *self, int track, int64_t timestamp) {
  int64_t elapsed = now_100ns() - self->opened_at, time = elapsed;
  if (timestamp != TIME_UNKNOWN && timestamp > 0) {
    int64_t drift = timestamp - self->offset - elapsed;
    if (!self->has_offset || drift > SECOND || drift < -SECOND) self->offset = timestamp - elapsed, self->has_offset = true;
    time = timestamp - self->offset;
  }
  uint64_t units = time > 0 ? (uint64_t)time / BLOCK_TIME_UNIT : 0;
  if (units <= self->last_times[track]) units = self->last_times[track] + 1;
  return self->last_times[track] = units;
}

static uint64_t duration_ns(const ndi_video *video) {
  return video->rate_n > 0 && video->rate_d > 0 ? (uint64_t)llround(1e9 * video->rate_d / video->rate_n) : 0;
}

static bool is_valid_video(const ndi_video *video) {
  bool has_valid_size = video->width > 0 && video->width <= SIDE_MAX_PIXELS && video->height > 0 && video->height <= SIDE_MAX_PIXELS;
  return has_valid_size && video->data && (video->fourcc == UYVY || video->fourcc == BGRA);
}

static bool is_valid_audio(const ndi_audio *audio) {
  bool has_valid_size = audio->samples > 0 && audio->samples <= SAMPLES_MAX && audio->channels > 0;
  return has_valid_size && audio->data && audio->rate > 0 && audio->fourcc == FLTP;
}

static void set_video_format(media_format *format, const ndi_video *video) {
  format->width = video->width;
  format->height = video->height;
  format->fourcc = video->fourcc;
  format->frame_duration = duration_ns(video);
  if (video->aspect > 0) {
    format->display_width = (int)lround((double)video->aspect * video->height);
    format->display_height = video->height;
  }
}

static void set_audio_format(media_format *format, const ndi_audio *audio) {
  format->sample_rate = audio->rate;
  format->channels = audio->channels < CHANNELS_MAX ? audio->channels : CHANNELS_MAX;
}

static bool formats_equal(const media_format *a, const media_format *b) {
  bool same_picture = a->width == b->width && a->height == b->height && a->fourcc == b->fourcc;
  bool same_display = a->display_width == b->display_width && a->display_height == b->display_height;
  bool same_audio = a->sample_rate == b->sample_rate && a->channels == b->channels;
  return same_picture && same_display && same_audio && a->frame_duration == b->frame_duration;
}

// Writes a video frame without the padding of its rows.
static bool write_video(receiver *self, const ndi_video *video) {
  size_t row_bytes = (size_t)video->width * (video->fourcc == UYVY ? 2 : 4);
  size_t stride = video->stride > 0 ? (size_t)video->stride : row_bytes;
  uint8_t *data = video->data;
  if (stride < row_bytes) return true;
  if (stride != row_bytes) {
    if (!reserve_scratch(self, row_bytes * (size_t)video->height)) return false;
    for (int row = 0; row < video->height; row++)
      memcpy(self->scratch + (size_t)row * row_bytes, data + (size_t)row * stride, row_bytes);
    data = self->scratch;
  }
  struct iovec parts[2] = {{0}, {data, row_bytes * (size_t)video->height}};
  return write_block(self->pipe, TRACK_VIDEO, block_time(self, TRACK_VIDEO, video->timestamp), parts, 2);
}

// Writes an audio frame with interleaved channels.
static bool write_audio(receiver *self, const ndi_audio *audio) {
  size_t samples = (size_t)audio->samples, channels = (size_t)self->format.channels, plane_bytes = samples * sizeof(float);
  size_t stride = audio->stride > 0 ? (size_t)audio->stride : plane_bytes;
  if (stride < plane_bytes) return true;
  if (!reserve_scratch(self, plane_bytes * channels)) return false;
  for (size_t channel = 0; channel < channels; channel++)
    for (size_t sample = 0; sample < samples; sample++)
      memcpy(self->scratch + (sample * channels + channel) * sizeof(float), audio->data + channel * stride + sample * sizeof(float),
             sizeof(float));
  struct iovec parts[2] = {{0}, {self->scratch, plane_bytes * channels}};
  return write_block(self->pipe, TRACK_AUDIO, block_time(self, TRACK_AUDIO, audio->timestamp), parts, 2);
}

// Starts ffmpeg when the formats of both tracks are known, then writes each frame to it. Returns a failure code, or NULL to continue.
static const char *handle_frame(receiver *self, int type, const ndi_video *video, const ndi_audio *audio, char *const ffmpeg[]) {
  media_format next = self->format;
  int64_t now = now_100ns();
  if (type == FRAME_VIDEO && !is_valid_video(video)) return "format";
  if (type == FRAME_AUDIO && !is_valid_audio(audio)) return NULL;
  if (type == FRAME_VIDEO) set_video_format(&next, video);
  else set_audio_format(&next, audio);
  self->last_frame_at = now;
  if (self->first_frame_at == 0) self->first_frame_at = now;
  if (self->pipe < 0) {
    self->format = next;
    if ((next.width == 0 || next.channels == 0) && now - self->first_frame_at < PROBE_DURATION) return NULL;
    self->pipe = start_child(ffmpeg, true);
    if (self->pipe < 0 || !write_header(self->pipe, &self->format)) return "ffmpeg";
    self->opened_at = now;
    write_event("{\"open\":1}");
  } else if (!formats_equal(&next, &self->format)) return "changed";
  bool written = type == FRAME_VIDEO ? write_video(self, video) : write_audio(self, audio);
  // The hub reads the cause from the stderr of ffmpeg.
  return written || stop_requested ? NULL : "ffmpeg";
}

int receive_source(const char *name, const char *url, char *const ffmpeg[]) {
  ndi_receive_settings settings = {
      .source = {name, *url ? url : NULL}, .color = COLOR_UYVY_BGRA, .bandwidth = BANDWIDTH_HIGHEST, .name = "Headend"};
  receiver self = {.instance = ndi.receive_create(&settings), .connections = -1, .pipe = -1};
  if (!self.instance) return report_failure("create");
  const char *failure = NULL;
  while (!stop_requested && !failure) {
    ndi_video video = {0};
    ndi_audio audio = {0};
    int type = ndi.receive_capture(self.instance, &video, &audio, NULL, CAPTURE_TIMEOUT_MS);
    if (type == FRAME_VIDEO || type == FRAME_AUDIO) failure = handle_frame(&self, type, &video, &audio, ffmpeg);
    if (type == FRAME_VIDEO) ndi.receive_free_video(self.instance, &video);
    if (type == FRAME_AUDIO) ndi.receive_free_audio(self.instance, &audio);
    int connections = ndi.receive_connections(self.instance);
    if (connections != self.connections) write_event("{\"connections\":%d}", connections);
    self.connections = connections;
    if (!failure && self.pipe >= 0 && connections == 0 && now_100ns() - self.last_frame_at > SOURCE_GONE_AFTER) failure = "gone";
  }
  if (failure) report_failure(failure);
  if (self.pipe >= 0) stop_child(self.pipe);
  ndi.receive_destroy(self.instance);
  free(self.scratch);
  return failure != NULL;
}
