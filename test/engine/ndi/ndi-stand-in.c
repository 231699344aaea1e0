// Stands in for the NDI runtime, which is not free to ship: the same names and layouts, and a network that is a folder, its own. There, one
// entry a line, `sources` says what there is (name, tab, address), `takers` how many take what is sent, `sent` gets what was sent.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../../engine/native/ndi/api.h"

enum { WIDTH = 160, HEIGHT = 90, RATE = 25, SOUND = 48000, LIST = 16, WORD = 256 };

static FILE *file(const char *name, const char *how) {
  static char path[4096];
  Dl_info self;
  dladdr((void *)file, &self);
  snprintf(path, sizeof path, "%.*s/%s", (int)(strrchr(self.dli_fname, '/') - self.dli_fname), self.dli_fname, name);
  return fopen(path, how);
}

#define note(...)                    \
  do {                               \
    FILE *sent = file("sent", "ae"); \
    fprintf(sent, __VA_ARGS__);      \
    fputc('\n', sent);               \
    fclose(sent);                    \
  } while (0)

static int number(const char *name, int otherwise) {
  FILE *from = file(name, "re");
  if (!from) return otherwise;
  if (fscanf(from, "%d", &otherwise) != 1) otherwise = 0;
  fclose(from);
  return otherwise;
}

static char names[LIST][WORD], urls[LIST][WORD];
static ndi_source list[LIST];

static uint32_t sources(void) {
  FILE *from = file("sources", "re");
  uint32_t count = 0;
  while (from && count < LIST && fscanf(from, "%255[^\t]\t%255[^\n]\n", names[count], urls[count]) == 2) {
    list[count] = (ndi_source){names[count], urls[count]};
    count++;
  }
  if (from) fclose(from);
  return count;
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool NDIlib_initialize(void) { return number("processor", 1) == 1; }
void NDIlib_destroy(void) { note("destroy"); }
const char *NDIlib_version(void) { return "NDI stand-in 6.0.0"; }

void *NDIlib_find_create_v2(const ndi_find_settings *settings) {
  note("find groups=%s", settings->groups ? settings->groups : "");
  return names;
}
void NDIlib_find_destroy(void *finder) { (void)finder; note("find over"); }
bool NDIlib_find_wait_for_sources(void *finder, uint32_t milliseconds) {
  (void)finder, usleep((milliseconds < 50 ? milliseconds : 50) * 1000);
  return true;
}
const ndi_source *NDIlib_find_get_current_sources(void *finder, uint32_t *count) {
  (void)finder, *count = sources();
  return list;
}

typedef struct {
  char name[WORD];
  int64_t began, pictures, samples;
  bool there;
} receiver;

void *NDIlib_recv_create_v3(const ndi_receive_settings *settings) {
  receiver *made = calloc(1, sizeof *made);
  // As a runtime may, which knows nothing of what its process is for.
  printf("NDI stand-in\n"), fflush(stdout);
  snprintf(made->name, WORD, "%s", settings->source.name);
  note("receive %s at=%s color=%d", made->name, settings->source.url ? settings->source.url : "", settings->color);
  return made;
}
void NDIlib_recv_destroy(void *instance) {
  note("receive over");
  free(instance);
}
int NDIlib_recv_get_no_connections(void *instance) { return ((receiver *)instance)->there; }

int NDIlib_recv_capture_v3(void *instance, ndi_video *video, ndi_audio *audio, void *metadata, uint32_t milliseconds) {
  receiver *mine = instance;
  (void)metadata;
  bool there = false;
  for (uint32_t at = sources(); at-- > 0;) there |= strcmp(names[at], mine->name) == 0;
  mine->there = there;
  if (!there) {
    usleep(milliseconds * 1000);
    return 0;
  }
  if (mine->began == 0) mine->began = now_ns();
  double seconds = (double)(now_ns() - mine->began) / 1e9;
  int wide = number("width", WIDTH);
  if (mine->pictures <= seconds * RATE) {
    // Rows are longer than the picture is wide, as those of a runtime may be.
    int stride = wide * 2 + 64;
    uint8_t *data = malloc((size_t)stride * HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < wide; x++) {
        data[y * stride + x * 2] = 128;
        data[y * stride + x * 2 + 1] = (uint8_t)(16 + (x + y + mine->pictures * 4) % 200);
      }
    *video = (ndi_video){.width = wide, .height = HEIGHT, .fourcc = UYVY, .rate_n = RATE * 1000, .rate_d = 1000, .scan = SCAN_PROGRESSIVE};
    video->data = data;
    video->stride = stride;
    video->timestamp = 1000000000 + mine->pictures++ * (10000000 / RATE);
    return FRAME_VIDEO;
  }
  if (number("silent", 0) == 0 && mine->samples <= seconds * SOUND) {
    int samples = SOUND / RATE;
    float *data = malloc(sizeof(float) * 2 * (size_t)samples);
    for (int at = 0; at < samples * 2; at++) data[at] = (float)(0.5 * sin((double)(mine->samples + at % samples) * 440 * 2 * M_PI / SOUND));
    *audio = (ndi_audio){.rate = SOUND, .channels = 2, .samples = samples, .fourcc = FLTP, .data = (uint8_t *)data};
    audio->stride = samples * (int)sizeof(float);
    audio->timestamp = 1000000000 + mine->samples * 10000000 / SOUND;
    mine->samples += samples;
    return FRAME_AUDIO;
  }
  usleep(5000);
  return 0;
}
void NDIlib_recv_free_video_v2(void *instance, const ndi_video *video) { (void)instance, free(video->data); }
void NDIlib_recv_free_audio_v3(void *instance, const ndi_audio *audio) { (void)instance, free(audio->data); }

void *NDIlib_send_create(const ndi_send_settings *settings) {
  const char *folder = getenv("NDI_CONFIG_DIR");
  char path[4096], text[1024] = "";
  snprintf(path, sizeof path, "%s/ndi-config.v1.json", folder ? folder : "");
  FILE *from = folder ? fopen(path, "re") : NULL;
  if (from) text[fread(text, 1, sizeof text - 1, from)] = '\0', fclose(from);
  note("send %s groups=%s clocked=%d config=%s", settings->name, settings->groups ? settings->groups : "", settings->clock_video, text);
  return names;
}
void NDIlib_send_destroy(void *instance) { (void)instance; note("send over"); }
int NDIlib_send_get_no_connections(void *instance, uint32_t milliseconds) {
  (void)instance, (void)milliseconds;
  return number("takers", 0);
}

static uint32_t mean(const uint8_t *data, int stride, int rows, int bytes) {
  uint64_t sum = 0;
  for (int y = 0; y < rows; y++)
    for (int x = 1; x < bytes; x += 2) sum += data[y * stride + x];
  return (uint32_t)(sum * 2 / (uint64_t)(rows * bytes));
}

void NDIlib_send_send_video_v2(void *instance, const ndi_video *video) {
  (void)instance;
  uint32_t hash = 2166136261;
  for (int at = 0; at < video->stride * video->height; at++) hash = (hash ^ video->data[at]) * 16777619;
  note("video %dx%d rate=%d/%d fourcc=%.4s luma=%u hash=%08x time=%lld", video->width, video->height, video->rate_n, video->rate_d,
       (const char *)&video->fourcc, mean(video->data, video->stride, video->height, video->width * 2), hash, (long long)video->timecode);
}

void NDIlib_send_send_audio_v3(void *instance, const ndi_audio *audio) {
  (void)instance;
  double peak = 0;
  for (int channel = 0; channel < audio->channels; channel++)
    for (int at = 0; at < audio->samples; at++)
      peak = fmax(peak, fabs((double)((const float *)(audio->data + channel * audio->stride))[at]));
  note("audio rate=%d channels=%d samples=%d peak=%.3f time=%lld", audio->rate, audio->channels, audio->samples, peak, (long long)audio->timecode);
}
