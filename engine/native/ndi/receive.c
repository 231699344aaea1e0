#include "receive.h"

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
#include "ports.h"
#include "media-clock.h"

enum { CAPTURE_TIMEOUT_MS = 100 };
// In NDI time units (100 ns).
enum { SECOND = 10000000, NDI_TIME_UNIT_NS = 100 };
// In NDI time units: how long to wait for the second track (audio or video) before ffmpeg starts, and how long a source
// may send no frame, once it has sent one and before. The number of connections does not tell: it stays 1 while the
// cable is out or the source hangs.
static const int64_t PROBE_DURATION = SECOND, SOURCE_GONE_AFTER = 2 * (int64_t)SECOND, SOURCE_SILENT_AFTER = 10 * (int64_t)SECOND;
// Frames beyond these limits are refused. AAC has at most eight channels, so further channels are dropped.
enum { SIDE_MAX_PIXELS = 16384, CHANNELS_MAX = 8, SAMPLES_MAX = 1 << 20 };

typedef struct {
  ndi_source source;
  void *instance;
  int color, bandwidth, connections;
  media_format format;
  int pipe;
  int64_t connected_at, first_frame_at, last_frame_at;
  media_clock clock;
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

static bool is_field(const ndi_video *video) { return video->scan == SCAN_FIELD_0 || video->scan == SCAN_FIELD_1; }

static uint64_t duration_ns(const ndi_video *video) {
  return video->rate_n > 0 && video->rate_d > 0 ? (uint64_t)llround(1e9 * video->rate_d / video->rate_n) : 0;
}

static bool is_valid_video(const ndi_video *video) {
  bool has_valid_size = video->width > 0 && video->width <= SIDE_MAX_PIXELS && video->height > 0 && video->height <= SIDE_MAX_PIXELS;
  return has_valid_size && video->data && (video->fourcc == UYVY || video->fourcc == UYVA);
}

static bool is_valid_audio(const ndi_audio *audio) {
  bool has_valid_size = audio->samples > 0 && audio->samples <= SAMPLES_MAX && audio->channels > 0;
  return has_valid_size && audio->data && audio->rate > 0 && audio->fourcc == FLTP;
}

static void set_video_format(media_format *format, const ndi_video *video) {
  format->width = video->width;
  format->height = is_field(video) ? video->height * 2 : video->height;
  // The alpha channel follows the picture, and is dropped.
  format->fourcc = UYVY;
  format->frame_duration = duration_ns(video);
  if (video->aspect > 0) {
    format->display_width = (int)lround((double)video->aspect * format->height);
    format->display_height = format->height;
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

// Writes a video frame without the padding of its rows. A field is written as a frame, each row twice.
static bool write_video(receiver *self, const ndi_video *video) {
  size_t row_bytes = (size_t)video->width * 2, rows = (size_t)self->format.height, rows_per_line = is_field(video) ? 2 : 1;
  size_t stride = video->stride > 0 ? (size_t)video->stride : row_bytes;
  uint8_t *data = video->data;
  if (stride < row_bytes) return true;
  if (stride != row_bytes || is_field(video)) {
    if (!reserve_scratch(self, row_bytes * rows)) return false;
    for (size_t row = 0; row < rows; row++) memcpy(self->scratch + row * row_bytes, data + row / rows_per_line * stride, row_bytes);
    data = self->scratch;
  }
  struct iovec parts[2] = {{0}, {data, row_bytes * rows}};
  double duration = (double)self->format.frame_duration / NDI_TIME_UNIT_NS;
  uint64_t time = video_time(&self->clock, TRACK_VIDEO, video->timestamp, now_100ns(), duration);
  return write_block(self->pipe, TRACK_VIDEO, time, parts, 2);
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
  double duration = (double)samples * SECOND / audio->rate;
  uint64_t time = audio_time(&self->clock, TRACK_AUDIO, audio->timestamp, now_100ns(), duration);
  return write_block(self->pipe, TRACK_AUDIO, time, parts, 2);
}

// Starts ffmpeg when the formats of both tracks are known, then writes each frame to it. Returns a failure code, or
// NULL to continue.
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
    self->clock.started_at = now;
    write_event("{\"open\":1}");
  } else if (!formats_equal(&next, &self->format)) return "changed";
  bool written = type == FRAME_VIDEO ? write_video(self, video) : write_audio(self, audio);
  // The hub reads the cause from the stderr of ffmpeg.
  return written || stop_requested ? NULL : "ffmpeg";
}

// Creates the receiver. The runtime converts UYVY to BGRA for a source with an alpha channel, and back would change its
// colors: for such a source, the receiver is created again with COLOR_FASTEST, which keeps UYVA but delivers fields.
static bool create_receiver(receiver *self, int color) {
  ndi_receive_settings settings = {.source = self->source, .color = color, .bandwidth = self->bandwidth, .name = "Headend"};
  if (self->instance) ndi.receive_destroy(self->instance);
  self->instance = ndi.receive_create(&settings);
  self->color = color;
  return self->instance != NULL;
}

// Receives one frame and passes it on. Returns a failure code, or NULL to continue.
static const char *receive_frame(receiver *self, char *const ffmpeg[]) {
  const char *failure = NULL;
  ndi_video video = {0};
  ndi_audio audio = {0};
  int type = ndi.receive_capture(self->instance, &video, &audio, NULL, CAPTURE_TIMEOUT_MS);
  bool has_alpha = type == FRAME_VIDEO && video.fourcc == BGRA && self->color != COLOR_FASTEST;
  // The second field of a frame is dropped.
  bool is_used = type == FRAME_AUDIO || (type == FRAME_VIDEO && !has_alpha && video.scan != SCAN_FIELD_1);
  if (is_used) failure = handle_frame(self, type, &video, &audio, ffmpeg);
  if (type == FRAME_VIDEO) ndi.receive_free_video(self->instance, &video);
  if (type == FRAME_AUDIO) ndi.receive_free_audio(self->instance, &audio);
  if (has_alpha && !create_receiver(self, COLOR_FASTEST)) return "create";
  return failure;
}

// Writes an event when the number of connections has changed. Returns whether the source is gone.
static bool check_connection(receiver *self) {
  int connections = ndi.receive_connections(self->instance);
  int64_t now = now_100ns();
  if (connections != self->connections) {
    write_event("{\"connections\":%d}", connections);
    self->connected_at = now;
  }
  self->connections = connections;
  if (self->pipe >= 0) return now - self->last_frame_at > SOURCE_GONE_AFTER;
  return connections > 0 && self->last_frame_at == 0 && now - self->connected_at > SOURCE_SILENT_AFTER;
}

int receive_source(const char *name, const char *url, bool is_low, const char *avoided_ports, char *const ffmpeg[]) {
  avoid_media_ports(avoided_ports);
  receiver self = {.source = {name, *url ? url : NULL}, .connections = -1, .pipe = -1};
  self.bandwidth = is_low ? BANDWIDTH_LOWEST : BANDWIDTH_HIGHEST;
  if (!create_receiver(&self, COLOR_UYVY_BGRA)) return report_failure("create");
  const char *failure = NULL;
  bool is_gone = false;
  while (!stop_requested && !failure) {
    failure = receive_frame(&self, ffmpeg);
    is_gone = !failure && check_connection(&self);
    if (is_gone) failure = "gone";
  }
  int lost_port = is_gone ? find_media_port() : 0;
  if (lost_port) write_event("{\"lost-port\":%d}", lost_port);
  if (failure) report_failure(failure);
  if (self.pipe >= 0) stop_child(self.pipe);
  // The runtime would wait for the source, and so delay the next process, which has to find it.
  if (is_gone) _exit(1);
  call_with_deadline(ndi.receive_destroy, self.instance);
  free(self.scratch);
  return failure != NULL;
}
