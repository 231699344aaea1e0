#include "picture.h"

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

enum { CAPTURE_TIMEOUT_MS = 100 };
enum { SIDE_MAX_PIXELS = 16384 };
// A frame that comes this much before its time is taken, because the distances of frames vary.
enum { TOLERANCE_MS = 40 };

typedef struct {
  media_format format;
  int pipe;
  uint64_t opened_at, taken_at;
  uint8_t *scratch;
} painter;

static uint64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool is_valid(const ndi_video *video) {
  bool has_valid_size = video->width > 0 && video->width <= SIDE_MAX_PIXELS && video->height > 0 && video->height <= SIDE_MAX_PIXELS;
  size_t row_bytes = (size_t)video->width * (video->fourcc == UYVY ? 2 : 4);
  bool has_rows = video->stride == 0 || (video->stride > 0 && (size_t)video->stride >= row_bytes);
  return has_valid_size && has_rows && video->data && (video->fourcc == UYVY || video->fourcc == BGRA);
}

static media_format format_of(const ndi_video *video) {
  media_format format = {.width = video->width, .height = video->height, .fourcc = video->fourcc};
  if (video->aspect > 0) {
    format.display_width = (int)lround((double)video->aspect * video->height);
    format.display_height = video->height;
  }
  return format;
}

static bool formats_equal(const media_format *a, const media_format *b) {
  bool same_picture = a->width == b->width && a->height == b->height && a->fourcc == b->fourcc;
  return same_picture && a->display_width == b->display_width && a->display_height == b->display_height;
}

// Starts ffmpeg at the first frame. Returns a failure code, or NULL.
static const char *open_pipe(painter *self, const media_format *format, char *const ffmpeg[]) {
  self->format = *format;
  self->scratch = malloc((size_t)format->width * (size_t)format->height * 4);
  self->pipe = self->scratch ? start_child(ffmpeg, true) : -1;
  self->opened_at = now_ms();
  return self->pipe >= 0 && write_header(self->pipe, format) ? NULL : "ffmpeg";
}

// Writes a frame without the padding of its rows.
static bool write_frame(painter *self, const ndi_video *video) {
  size_t row_bytes = (size_t)video->width * (video->fourcc == UYVY ? 2 : 4);
  size_t stride = video->stride > 0 ? (size_t)video->stride : row_bytes;
  for (int row = 0; row < video->height; row++)
    memcpy(self->scratch + (size_t)row * row_bytes, video->data + (size_t)row * stride, row_bytes);
  struct iovec parts[2] = {{0}, {self->scratch, row_bytes * (size_t)video->height}};
  return write_block(self->pipe, TRACK_VIDEO, (now_ms() - self->opened_at) * 10, parts, 2);
}

// Returns a failure code, or NULL.
static const char *handle_frame(painter *self, const ndi_video *video, uint64_t interval, char *const ffmpeg[]) {
  uint64_t now = now_ms();
  if (!is_valid(video)) return "format";
  if (self->taken_at != 0 && now - self->taken_at + TOLERANCE_MS < interval) return NULL;
  media_format format = format_of(video);
  if (self->pipe < 0) {
    const char *failure = open_pipe(self, &format, ffmpeg);
    if (failure) return failure;
  } else if (!formats_equal(&format, &self->format)) return "changed";
  self->taken_at = now;
  return write_frame(self, video) ? NULL : "ffmpeg";
}

int receive_pictures(const char *name, const char *url, int interval, char *const ffmpeg[]) {
  ndi_receive_settings settings = {
      .source = {name, *url ? url : NULL}, .color = COLOR_UYVY_BGRA, .bandwidth = BANDWIDTH_LOWEST, .name = "Headend preview"};
  painter self = {.pipe = -1};
  void *instance = ndi.receive_create(&settings);
  if (!instance) return report_failure("create");
  const char *failure = NULL;
  while (!stop_requested && !failure) {
    ndi_video video = {0};
    // Sound and metadata are dropped.
    if (ndi.receive_capture(instance, &video, NULL, NULL, CAPTURE_TIMEOUT_MS) != FRAME_VIDEO) continue;
    failure = handle_frame(&self, &video, (uint64_t)interval, ffmpeg);
    ndi.receive_free_video(instance, &video);
  }
  if (failure) report_failure(failure);
  if (self.pipe >= 0) stop_child(self.pipe);
  // Without `receive_destroy`, which can take many seconds when the source has disappeared without a farewell.
  _exit(failure != NULL);
}
