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

// Milliseconds that are waited for a frame.
enum { TURN = 100 };
// NDI's units of time (100 ns) of a second, and of one that is written.
enum { SECOND = 10000000, UNIT = 1000 };
// For so long it is waited for sound beside the picture, or a picture beside the sound; and for a source that is gone.
enum { PROBING = SECOND, ABSENCE = 2 * SECOND };
// The bounds of what is believed of a picture and of sound. AAC has eight channels: of more the first ones are taken.
enum { SIDE_MAX = 16384, CHANNELS_MAX = 8, SAMPLES_MAX = 1 << 20 };

typedef struct {
  void *instance;
  int connections;
  media tracks;
  int pipe;
  int64_t began, first, newest;
  // What is taken from the times of the source, and whether that is known.
  int64_t offset;
  bool based;
  uint64_t last[3];
  uint8_t *scratch;
  size_t room;
} receiver;

static int64_t now_units(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * SECOND + now.tv_nsec / 100;
}

static bool make_room(receiver *mine, size_t size) {
  if (size <= mine->room) return true;
  free(mine->scratch);
  mine->scratch = malloc(size);
  mine->room = mine->scratch ? size : 0;
  return mine->scratch != NULL;
}

// The time of a frame since the beginning: by the source's clock, which knows best what belongs together, for as long as that goes as ours
// does. It only grows.
static uint64_t time_of(receiver *mine, int track, int64_t timestamp) {
  int64_t passed = now_units() - mine->began, time = passed;
  if (timestamp != TIME_UNKNOWN && timestamp > 0) {
    int64_t apart = timestamp - mine->offset - passed;
    if (!mine->based || apart > SECOND || apart < -SECOND) mine->offset = timestamp - passed, mine->based = true;
    time = timestamp - mine->offset;
  }
  uint64_t units = time > 0 ? (uint64_t)time / UNIT : 0;
  if (units <= mine->last[track]) units = mine->last[track] + 1;
  return mine->last[track] = units;
}

static uint64_t duration_of(const ndi_video *video) {
  return video->rate_n > 0 && video->rate_d > 0 ? (uint64_t)llround(1e9 * video->rate_d / video->rate_n) : 0;
}

static bool is_known(const ndi_video *video) {
  bool size = video->width > 0 && video->width <= SIDE_MAX && video->height > 0 && video->height <= SIDE_MAX;
  return size && video->data && (video->fourcc == UYVY || video->fourcc == BGRA);
}

static bool is_sound(const ndi_audio *audio) {
  bool size = audio->samples > 0 && audio->samples <= SAMPLES_MAX && audio->channels > 0;
  return size && audio->data && audio->rate > 0 && audio->fourcc == FLTP;
}

static void note_video(media *tracks, const ndi_video *video) {
  tracks->width = video->width;
  tracks->height = video->height;
  tracks->fourcc = video->fourcc;
  tracks->duration = duration_of(video);
  if (video->aspect > 0) {
    tracks->shown_width = (int)lround((double)video->aspect * video->height);
    tracks->shown_height = video->height;
  }
}

static void note_audio(media *tracks, const ndi_audio *audio) {
  tracks->rate = audio->rate;
  tracks->channels = audio->channels < CHANNELS_MAX ? audio->channels : CHANNELS_MAX;
}

static bool same(const media *one, const media *other) {
  bool picture = one->width == other->width && one->height == other->height && one->fourcc == other->fourcc;
  bool shown = one->shown_width == other->shown_width && one->shown_height == other->shown_height;
  return picture && shown && one->duration == other->duration && one->rate == other->rate && one->channels == other->channels;
}

static bool write_video(receiver *mine, const ndi_video *video) {
  size_t row = (size_t)video->width * (video->fourcc == UYVY ? 2 : 4), stride = video->stride > 0 ? (size_t)video->stride : row;
  uint8_t *data = video->data;
  if (stride < row) return true;
  if (stride != row) {
    if (!make_room(mine, row * (size_t)video->height)) return false;
    for (int at = 0; at < video->height; at++) memcpy(mine->scratch + (size_t)at * row, data + (size_t)at * stride, row);
    data = mine->scratch;
  }
  struct iovec parts[2] = {{0}, {data, row * (size_t)video->height}};
  return write_block(mine->pipe, TRACK_VIDEO, time_of(mine, TRACK_VIDEO, video->timestamp), parts, 2);
}

static bool write_audio(receiver *mine, const ndi_audio *audio) {
  size_t samples = (size_t)audio->samples, channels = (size_t)mine->tracks.channels, plane = samples * sizeof(float);
  size_t stride = audio->stride > 0 ? (size_t)audio->stride : plane;
  if (stride < plane) return true;
  if (!make_room(mine, plane * channels)) return false;
  for (size_t channel = 0; channel < channels; channel++)
    for (size_t at = 0; at < samples; at++)
      memcpy(mine->scratch + (at * channels + channel) * sizeof(float), audio->data + channel * stride + at * sizeof(float), sizeof(float));
  struct iovec parts[2] = {{0}, {mine->scratch, plane * channels}};
  return write_block(mine->pipe, TRACK_AUDIO, time_of(mine, TRACK_AUDIO, audio->timestamp), parts, 2);
}

// Takes what the source sends, by the first of each kind. Returns a word for why it ends; NULL when it goes on.
static const char *take(receiver *mine, int type, const ndi_video *video, const ndi_audio *audio, char *const ffmpeg[]) {
  media next = mine->tracks;
  int64_t now = now_units();
  if (type == FRAME_VIDEO && !is_known(video)) return "format";
  if (type == FRAME_AUDIO && !is_sound(audio)) return NULL;
  if (type == FRAME_VIDEO) note_video(&next, video);
  else note_audio(&next, audio);
  mine->newest = now;
  if (mine->first == 0) mine->first = now;
  if (mine->pipe < 0) {
    mine->tracks = next;
    if ((next.width == 0 || next.channels == 0) && now - mine->first < PROBING) return NULL;
    mine->pipe = start_child(ffmpeg, true);
    if (mine->pipe < 0 || !write_header(mine->pipe, &mine->tracks)) return "ffmpeg";
    mine->began = now;
    tell("{\"open\":1}");
  } else if (!same(&next, &mine->tracks)) return "changed";
  bool written = type == FRAME_VIDEO ? write_video(mine, video) : write_audio(mine, audio);
  // Its own words say why it ended.
  return written || ended ? NULL : "ffmpeg";
}

int receive_source(const char *name, const char *url, char *const ffmpeg[]) {
  ndi_receive_settings settings = {
      .source = {name, *url ? url : NULL}, .color = COLOR_UYVY_BGRA, .bandwidth = BANDWIDTH_HIGHEST, .name = "Headend"};
  receiver mine = {.instance = ndi.receive_create(&settings), .connections = -1, .pipe = -1};
  if (!mine.instance) return fail("create");
  const char *why = NULL;
  while (!ended && !why) {
    ndi_video video = {0};
    ndi_audio audio = {0};
    int type = ndi.receive_capture(mine.instance, &video, &audio, NULL, TURN);
    if (type == FRAME_VIDEO || type == FRAME_AUDIO) why = take(&mine, type, &video, &audio, ffmpeg);
    if (type == FRAME_VIDEO) ndi.receive_free_video(mine.instance, &video);
    if (type == FRAME_AUDIO) ndi.receive_free_audio(mine.instance, &audio);
    int connections = ndi.receive_connections(mine.instance);
    if (connections != mine.connections) tell("{\"connections\":%d}", connections);
    mine.connections = connections;
    if (!why && mine.pipe >= 0 && connections == 0 && now_units() - mine.newest > ABSENCE) why = "gone";
  }
  if (why) fail(why);
  if (mine.pipe >= 0) end_child(mine.pipe);
  ndi.receive_destroy(mine.instance);
  free(mine.scratch);
  return why != NULL;
}
