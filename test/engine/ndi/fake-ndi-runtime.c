// A fake NDI runtime, because the licence of the real one does not allow shipping it. It has the same functions and
// structures, and the folder of the library stands for the network:
//   sources    the announced sources, one per line: name, tab, address
//   receivers  the number of receivers that each sender reports
//   width      the width of the pictures that sources send
//   silent     1: sources send no audio
//   processor  0: the CPU is not supported
//   log        the calls, one per line
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../../../engine/native/ndi/api.h"

enum { WIDTH = 160, HEIGHT = 90, FRAME_RATE = 25, SAMPLE_RATE = 48000, SOURCES_MAX = 16, TEXT_MAX_BYTES = 256 };
// NDI time units (100 ns) per second.
enum { SECOND = 10000000 };

// Opens a file in the folder of this library.
static FILE *open_file(const char *name, const char *mode) {
  static char path[4096];
  Dl_info self;
  dladdr((void *)open_file, &self);
  snprintf(path, sizeof path, "%.*s/%s", (int)(strrchr(self.dli_fname, '/') - self.dli_fname), self.dli_fname, name);
  return fopen(path, mode);
}

#define log_call(...)                        \
  do {                                       \
    FILE *log_file = open_file("log", "ae"); \
    fprintf(log_file, __VA_ARGS__);          \
    fputc('\n', log_file);                   \
    fclose(log_file);                        \
  } while (0)

static int read_number(const char *name, int default_value) {
  FILE *file = open_file(name, "re");
  if (!file) return default_value;
  int value = 0;
  if (fscanf(file, "%d", &value) != 1) value = 0;
  fclose(file);
  return value;
}

static char names[SOURCES_MAX][TEXT_MAX_BYTES], urls[SOURCES_MAX][TEXT_MAX_BYTES];
static ndi_source sources[SOURCES_MAX];

// Fills `names`, `urls` and `sources`. Returns the number of sources.
static uint32_t read_sources(void) {
  FILE *file = open_file("sources", "re");
  uint32_t count = 0;
  while (file && count < SOURCES_MAX && fscanf(file, "%255[^\t]\t%255[^\n]\n", names[count], urls[count]) == 2) {
    sources[count] = (ndi_source){names[count], urls[count]};
    count++;
  }
  if (file) fclose(file);
  return count;
}

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool NDIlib_initialize(void) { return read_number("processor", 1) == 1; }
void NDIlib_destroy(void) { log_call("destroy"); }
const char *NDIlib_version(void) { return "Fake NDI 6.0.0"; }

// Reads the configuration file of the process, as a real runtime does when it starts.
static const char *read_config(void) {
  static char config[1024];
  char path[4096];
  const char *folder = getenv("NDI_CONFIG_DIR");
  snprintf(path, sizeof path, "%s/ndi-config.v1.json", folder ? folder : "");
  FILE *file = folder ? fopen(path, "re") : NULL;
  config[file ? fread(config, 1, sizeof config - 1, file) : 0] = '\0';
  if (file) fclose(file);
  return config;
}

void *NDIlib_find_create_v2(const ndi_find_settings *settings) {
  log_call("find groups=%s", settings->groups ? settings->groups : "");
  return names;
}
void NDIlib_find_destroy(void *finder) { (void)finder; log_call("find end"); }
bool NDIlib_find_wait_for_sources(void *finder, uint32_t milliseconds) {
  (void)finder, usleep((milliseconds < 50 ? milliseconds : 50) * 1000);
  return true;
}
const ndi_source *NDIlib_find_get_current_sources(void *finder, uint32_t *count) {
  (void)finder, *count = read_sources();
  return sources;
}

typedef struct {
  char name[TEXT_MAX_BYTES];
  int64_t started_at, frames, samples;
  bool connected;
} receiver;

void *NDIlib_recv_create_v3(const ndi_receive_settings *settings) {
  receiver *self = calloc(1, sizeof *self);
  // A real runtime may print to stdout, which the program needs for media.
  printf("Fake NDI\n"), fflush(stdout);
  snprintf(self->name, TEXT_MAX_BYTES, "%s", settings->source.name);
  const char *url = settings->source.url ? settings->source.url : "";
  log_call("receive %s at=%s color=%d bandwidth=%d config=%s", self->name, url, settings->color, settings->bandwidth, read_config());
  return self;
}
void NDIlib_recv_destroy(void *instance) {
  log_call("receive end");
  free(instance);
}
int NDIlib_recv_get_no_connections(void *instance) { return ((receiver *)instance)->connected; }

static bool is_announced(const char *name) {
  bool found = false;
  for (uint32_t index = read_sources(); index-- > 0;) found |= strcmp(names[index], name) == 0;
  return found;
}

static void make_video(receiver *self, ndi_video *video) {
  int width = read_number("width", WIDTH);
  // Rows with padding, which real runtimes may return.
  int stride = width * 2 + 64;
  uint8_t *data = malloc((size_t)stride * HEIGHT);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < width; x++) {
      data[y * stride + x * 2] = 128;
      data[y * stride + x * 2 + 1] = (uint8_t)(16 + (x + y + self->frames * 4) % 200);
    }
  *video = (ndi_video){.width = width, .height = HEIGHT, .fourcc = UYVY, .rate_n = FRAME_RATE * 1000, .rate_d = 1000};
  video->scan = SCAN_PROGRESSIVE;
  video->data = data;
  video->stride = stride;
  video->timestamp = 1000000000 + self->frames++ * (SECOND / FRAME_RATE);
}

static void make_audio(receiver *self, ndi_audio *audio) {
  int samples = SAMPLE_RATE / FRAME_RATE;
  float *data = malloc(sizeof(float) * 2 * (size_t)samples);
  for (int index = 0; index < samples * 2; index++)
    data[index] = (float)(0.5 * sin((double)(self->samples + index % samples) * 440 * 2 * M_PI / SAMPLE_RATE));
  *audio = (ndi_audio){.rate = SAMPLE_RATE, .channels = 2, .samples = samples, .fourcc = FLTP, .data = (uint8_t *)data};
  audio->stride = samples * (int)sizeof(float);
  audio->timestamp = 1000000000 + self->samples * SECOND / SAMPLE_RATE;
  self->samples += samples;
}

int NDIlib_recv_capture_v3(void *instance, ndi_video *video, ndi_audio *audio, void *metadata, uint32_t milliseconds) {
  receiver *self = instance;
  (void)metadata;
  self->connected = is_announced(self->name);
  if (!self->connected) {
    usleep(milliseconds * 1000);
    return 0;
  }
  if (self->started_at == 0) self->started_at = now_ns();
  double seconds = (double)(now_ns() - self->started_at) / 1e9;
  if (self->frames <= seconds * FRAME_RATE) {
    make_video(self, video);
    return FRAME_VIDEO;
  }
  if (read_number("silent", 0) == 0 && self->samples <= seconds * SAMPLE_RATE) {
    make_audio(self, audio);
    return FRAME_AUDIO;
  }
  usleep(5000);
  return 0;
}
void NDIlib_recv_free_video_v2(void *instance, const ndi_video *video) { (void)instance, free(video->data); }
void NDIlib_recv_free_audio_v3(void *instance, const ndi_audio *audio) { (void)instance, free(audio->data); }

void *NDIlib_send_create(const ndi_send_settings *settings) {
  const char *groups = settings->groups ? settings->groups : "";
  log_call("send %s groups=%s clocked=%d config=%s", settings->name, groups, settings->clock_video, read_config());
  return names;
}
void NDIlib_send_destroy(void *instance) { (void)instance; log_call("send end"); }
int NDIlib_send_get_no_connections(void *instance, uint32_t milliseconds) {
  (void)instance, (void)milliseconds;
  return read_number("receivers", 0);
}

// Sends bytes to a socket of this process, which the program counts.
static void send_bytes(const uint8_t *data, size_t size) {
  static int socket_of_sender = -1;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t address_size = sizeof address;
  if (socket_of_sender < 0) {
    socket_of_sender = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bind(socket_of_sender, (struct sockaddr *)&address, sizeof address);
    getsockname(socket_of_sender, (struct sockaddr *)&address, &address_size);
    connect(socket_of_sender, (struct sockaddr *)&address, sizeof address);
  }
  send(socket_of_sender, data, size, MSG_DONTWAIT);
}

// Returns the mean of the luma samples of a UYVY picture.
static uint32_t mean_luma(const uint8_t *data, int stride, int rows, int row_bytes) {
  uint64_t sum = 0;
  for (int y = 0; y < rows; y++)
    for (int x = 1; x < row_bytes; x += 2) sum += data[y * stride + x];
  return (uint32_t)(sum * 2 / (uint64_t)(rows * row_bytes));
}

void NDIlib_send_send_video_v2(void *instance, const ndi_video *video) {
  (void)instance;
  // 12.5 kB, 25 times a second: 2500 kbit/s for each receiver.
  for (int receiver = read_number("receivers", 0); receiver > 0; receiver--) send_bytes(video->data, 12500);
  // FNV-1a.
  uint32_t hash = 2166136261;
  for (int index = 0; index < video->stride * video->height; index++) hash = (hash ^ video->data[index]) * 16777619;
  log_call("video %dx%d rate=%d/%d fourcc=%.4s luma=%u hash=%08x time=%lld", video->width, video->height, video->rate_n, video->rate_d,
           (const char *)&video->fourcc, mean_luma(video->data, video->stride, video->height, video->width * 2), hash,
           (long long)video->timecode);
}

void NDIlib_send_send_audio_v3(void *instance, const ndi_audio *audio) {
  (void)instance;
  double peak = 0;
  for (int channel = 0; channel < audio->channels; channel++)
    for (int sample = 0; sample < audio->samples; sample++)
      peak = fmax(peak, fabs((double)((const float *)(audio->data + channel * audio->stride))[sample]));
  log_call("audio rate=%d channels=%d samples=%d peak=%.3f time=%lld", audio->rate, audio->channels, audio->samples, peak,
           (long long)audio->timecode);
}
