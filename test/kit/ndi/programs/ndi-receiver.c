// Receives a source and measures the test pattern: `ndi-receiver NAME ADDRESS GROUPS`. ADDRESS and GROUPS may be empty.
// Writes one JSON object per line: the number of connections when it changes, each switch to another source, each gap
// between frames above GAP_S, and twice a second all figures since the start or since the last SIGUSR1.
#include "pattern.h"

#include <sched.h>
#include <sys/resource.h>

// REAL_TIME_MAX_US: time for which a thread may run with real-time priority without waiting for anything.
enum { CAPTURE_TIMEOUT_MS = 50, REAL_TIME_MAX_US = 20000 };
static const double GAP_S = 0.25, REPORT_INTERVAL_S = 0.5, NDI_TICKS_PER_S = 1e7;

typedef struct {
  double sum, worst;
  int count;
} average;

typedef struct {
  long frames, audio_samples, lost, repeated, backward;
  double started_at, last_frame_at, max_gap;
  int resets, counter, id, luma[BARS];
  // Differences in ms: beep after flash by the times of arrival, by timestamps and by timecodes; timecode ahead of the
  // wall clock.
  average sync_arrival, sync_timestamp, sync_timecode, timecode_ahead;
  // Times of the last flash and of the last beep in s; 0: none.
  double flash[3], beep[3];
} figures;

static volatile sig_atomic_t must_reset;

static void on_reset(int signal) {
  (void)signal;
  must_reset = 1;
}

static void add(average *self, double value) {
  self->sum += value;
  self->count++;
  if (fabs(value) > fabs(self->worst)) self->worst = value;
}

static const uint8_t *find_luma(const NDIlib_video_frame_v2_t *frame, int cell, int row) {
  int x = (2 * cell + 1) * frame->xres / (2 * CELLS), y = (2 * row + 1) * frame->yres / (2 * ROWS);
  return frame->p_data + (size_t)y * (size_t)frame->line_stride_in_bytes + (size_t)x * 2 + 1;
}

static int read_bits(const NDIlib_video_frame_v2_t *frame, int row, int bits) {
  int value = 0;
  for (int cell = 0; cell < bits; cell++) value = value << 1 | (*find_luma(frame, cell, row) > THRESHOLD);
  return value;
}

static void match_sync(figures *self) {
  if (self->flash[0] == 0 || self->beep[0] == 0 || fabs(self->flash[0] - self->beep[0]) > 0.4) return;
  average *averages[] = {&self->sync_arrival, &self->sync_timestamp, &self->sync_timecode};
  for (int index = 0; index < 3; index++) add(averages[index], (self->beep[index] - self->flash[index]) * 1000);
  self->flash[0] = self->beep[0] = 0;
}

static void handle_video(figures *self, const NDIlib_video_frame_v2_t *frame) {
  double now = read_clock(CLOCK_MONOTONIC), gap = now - self->last_frame_at;
  int counter = read_bits(frame, 0, COUNTER_BITS), id = read_bits(frame, 1, ID_BITS);
  if (self->frames == 0) printf("{\"first\":{\"width\":%d,\"height\":%d,\"at\":%.3f}}\n", frame->xres, frame->yres, now);
  else {
    if (gap > self->max_gap) self->max_gap = gap;
    if (gap > GAP_S) printf("{\"gap\":%.0f}\n", gap * 1000);
    if (id != self->id) printf("{\"switch\":{\"from\":%d,\"to\":%d,\"gap\":%.0f,\"at\":%.3f}}\n", self->id, id, gap * 1000, now);
    else {
      int step = (counter - self->counter) & 0xffff;
      if (step == 0) self->repeated++;
      else if (step > 0x8000) self->backward++;
      else self->lost += step - 1;
    }
  }
  self->frames++;
  self->counter = counter;
  self->id = id;
  self->last_frame_at = now;
  for (int bar = 0; bar < BARS; bar++) self->luma[bar] = *find_luma(frame, bar * 2, 6);
  add(&self->timecode_ahead, ((double)frame->timecode / NDI_TICKS_PER_S - read_clock(CLOCK_REALTIME)) * 1000);
  if (*find_luma(frame, FLASH_CELL, 1) > THRESHOLD) {
    self->flash[0] = now;
    self->flash[1] = (double)frame->timestamp / NDI_TICKS_PER_S;
    self->flash[2] = (double)frame->timecode / NDI_TICKS_PER_S;
    match_sync(self);
  }
}

static void handle_audio(figures *self, const NDIlib_audio_frame_v3_t *frame) {
  double now = read_clock(CLOCK_MONOTONIC);
  const float *samples = (const float *)frame->p_data;
  self->audio_samples += frame->no_samples;
  if (now - self->beep[0] < 0.5 && self->beep[0] > 0) return;
  for (int index = 0; index < frame->no_samples; index++) {
    if (fabsf(samples[index]) <= 0.1f) continue;
    // A beep that began in the previous frame is not counted twice.
    static double last_beep_at;
    if (now - last_beep_at < 0.5) return;
    last_beep_at = now;
    double offset = (double)index / frame->sample_rate;
    self->beep[0] = now - (double)(frame->no_samples - index) / frame->sample_rate;
    self->beep[1] = (double)frame->timestamp / NDI_TICKS_PER_S + offset;
    self->beep[2] = (double)frame->timecode / NDI_TICKS_PER_S + offset;
    match_sync(self);
    return;
  }
}

static void print_average(const char *name, const average *self) {
  printf(",\"%s\":{\"mean\":%.2f,\"worst\":%.2f,\"count\":%d}", name, self->count ? self->sum / self->count : 0, self->worst, self->count);
}

static void report(const figures *self) {
  double now = read_clock(CLOCK_MONOTONIC);
  printf("{\"figures\":{\"seconds\":%.3f,\"resets\":%d,\"frames\":%ld,\"samples\":%ld,\"lost\":%ld,\"repeated\":%ld,\"backward\":%ld",
         now - self->started_at, self->resets, self->frames, self->audio_samples, self->lost, self->repeated, self->backward);
  printf(",\"maxGap\":%.0f,\"silence\":%.0f,\"id\":%d,\"counter\":%d", self->max_gap * 1000,
         self->frames ? (now - self->last_frame_at) * 1000 : -1, self->frames ? self->id : -1, self->counter);
  print_average("syncByArrival", &self->sync_arrival);
  print_average("syncByTimestamp", &self->sync_timestamp);
  print_average("syncByTimecode", &self->sync_timecode);
  print_average("timecodeAhead", &self->timecode_ahead);
  printf(",\"luma\":[");
  for (int bar = 0; bar < BARS; bar++) printf(bar ? ",%d" : "%d", self->luma[bar]);
  printf("]}}\n");
}

// Waits until the source is announced, because an address alone may belong to another source. Returns false after
// SIGTERM.
static bool find_source(const char *name, const char *groups, char *url, size_t size) {
  NDIlib_find_create_t settings = {.show_local_sources = true, .p_groups = *groups ? groups : NULL};
  NDIlib_find_instance_t finder = ndi->find_create_v2(&settings);
  bool is_found = false;
  while (!is_found && !is_over) {
    uint32_t count = 0;
    const NDIlib_source_t *sources = ndi->find_get_current_sources(finder, &count);
    for (uint32_t index = 0; index < count && !is_found; index++) {
      is_found = strcmp(sources[index].p_ndi_name, name) == 0;
      if (is_found) snprintf(url, size, "%s", sources[index].p_url_address);
    }
    if (!is_found) ndi->find_wait_for_sources(finder, 100);
  }
  ndi->find_destroy(finder);
  return is_found;
}

// Ends the real-time priority of the calling thread.
static void on_time_limit(int signal) {
  (void)signal;
  struct sched_param param = {0};
  sched_setscheduler(0, SCHED_OTHER, &param);
}

// While a source is gone, the runtime looks for it in a loop without a pause. With real-time priority this thread would
// keep a processor for 100 ms each time, and with a second receiver nothing else would run meanwhile, neither the
// sources nor the process that announces the source again.
static void limit_real_time(void) {
  struct sigaction action = {.sa_handler = on_time_limit, .sa_flags = SA_RESTART};
  sigaction(SIGXCPU, &action, NULL);
  struct rlimit limit = {.rlim_cur = REAL_TIME_MAX_US, .rlim_max = RLIM_INFINITY};
  setrlimit(RLIMIT_RTTIME, &limit);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  limit_real_time();
  load_runtime();
  struct sigaction action = {.sa_handler = on_reset};
  sigaction(SIGUSR1, &action, NULL);
  char url[256];
  snprintf(url, sizeof url, "%s", argv[2]);
  if (argv[3][0] && !find_source(argv[1], argv[3], url, sizeof url)) return 0;
  NDIlib_recv_create_v3_t settings = {
      .source_to_connect_to = {.p_ndi_name = argv[1], .p_url_address = url[0] ? url : NULL},
      .color_format = NDIlib_recv_color_format_UYVY_RGBA,
      .bandwidth = NDIlib_recv_bandwidth_highest,
      .allow_video_fields = true,
      .p_ndi_recv_name = "receiver",
  };
  NDIlib_recv_instance_t receiver = ndi->recv_create_v3(&settings);
  figures self = {.started_at = read_clock(CLOCK_MONOTONIC)};
  double reported_at = 0;
  for (int connections = -1; !is_over;) {
    NDIlib_video_frame_v2_t video = {0};
    NDIlib_audio_frame_v3_t audio = {0};
    int type = ndi->recv_capture_v3(receiver, &video, &audio, NULL, CAPTURE_TIMEOUT_MS);
    if (type == NDIlib_frame_type_video) handle_video(&self, &video), ndi->recv_free_video_v2(receiver, &video);
    if (type == NDIlib_frame_type_audio) handle_audio(&self, &audio), ndi->recv_free_audio_v3(receiver, &audio);
    int now = ndi->recv_get_no_connections(receiver);
    if (now != connections) printf("{\"connections\":%d}\n", connections = now);
    if (must_reset) must_reset = 0, self = (figures){.started_at = read_clock(CLOCK_MONOTONIC), .resets = self.resets + 1};
    if (read_clock(CLOCK_MONOTONIC) - reported_at < REPORT_INTERVAL_S) continue;
    reported_at = read_clock(CLOCK_MONOTONIC);
    report(&self);
  }
  report(&self);
  ndi->recv_destroy(receiver);
  ndi->destroy();
  return 0;
}
