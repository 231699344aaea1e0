// Sends the test pattern with a beep: `ndi-source NAME ID WIDTH HEIGHT FPS FORMAT GROUPS`. FORMAT is uyvy or uyva,
// GROUPS may be empty. Writes one JSON object per line: the name under which it is announced, and the number of
// receivers when it changes.
#include "pattern.h"

typedef struct {
  int width, height, id;
  bool has_alpha;
  long count;
  uint8_t *picture;
} pattern;

static void get_color(const pattern *self, int x, int y, uint8_t color[3]) {
  int cell = x * CELLS / self->width, row = y * ROWS / self->height;
  bool is_white = false;
  if (row > 1) {
    memcpy(color, BAR_COLORS[x * BARS / self->width], 3);
    return;
  }
  if (row == 0) is_white = self->count >> (COUNTER_BITS - 1 - cell) & 1;
  else if (cell < ID_BITS) is_white = self->id >> (ID_BITS - 1 - cell) & 1;
  else is_white = cell >= 12 && self->count % BEEP_INTERVAL == 0;
  color[0] = is_white ? WHITE : BLACK;
  color[1] = color[2] = GREY;
}

// Draws the rows from `first` to the row before `end`.
static void draw(pattern *self, int first, int end) {
  uint8_t color[3];
  for (int y = first; y < end; y++)
    for (int x = 0; x < self->width; x++) {
      get_color(self, x, y, color);
      uint8_t *pixel = self->picture + ((size_t)y * (size_t)self->width + (size_t)x) * 2;
      pixel[0] = x & 1 ? color[2] : color[1];
      pixel[1] = color[0];
    }
}

static void send_sound(NDIlib_send_instance_t sender, const pattern *self, float *samples, int count) {
  bool beeps = self->count % BEEP_INTERVAL == 0;
  for (int index = 0; index < count; index++)
    samples[index] = samples[count + index] = beeps ? 0.5f * (float)sin(2 * M_PI * 1000 * index / SAMPLE_RATE) : 0;
  NDIlib_audio_frame_v3_t frame = {
      .sample_rate = SAMPLE_RATE,
      .no_channels = CHANNELS,
      .no_samples = count,
      .timecode = NDIlib_send_timecode_synthesize,
      .FourCC = NDIlib_FourCC_audio_type_FLTP,
      .p_data = (uint8_t *)samples,
      .channel_stride_in_bytes = count * (int)sizeof(float),
  };
  ndi->send_send_audio_v3(sender, &frame);
}

int main(int argc, char **argv) {
  if (argc != 8) return 2;
  load_runtime();
  pattern self = {.width = atoi(argv[3]), .height = atoi(argv[4]), .id = atoi(argv[2]), .has_alpha = strcmp(argv[6], "uyva") == 0};
  int fps = atoi(argv[5]), samples_per_frame = SAMPLE_RATE / fps;
  size_t pixels = (size_t)self.width * (size_t)self.height;
  self.picture = malloc(pixels * 3);
  float *samples = calloc((size_t)samples_per_frame * CHANNELS, sizeof(float));
  // The runtime waits in `send_send_video_v2` for the time of the next frame.
  NDIlib_send_create_t settings = {.p_ndi_name = argv[1], .p_groups = argv[7][0] ? argv[7] : NULL, .clock_video = true};
  NDIlib_send_instance_t sender = ndi->send_create(&settings);
  if (!sender) return 1;
  printf("{\"name\":\"%s\"}\n", ndi->send_get_source_name(sender)->p_ndi_name);
  memset(self.picture + pixels * 2, GREY, pixels);
  draw(&self, 0, self.height);
  for (int connections = -1; !is_over; self.count++) {
    int now = ndi->send_get_no_connections(sender, 0);
    if (now != connections) printf("{\"connections\":%d}\n", connections = now);
    draw(&self, 0, self.height * 2 / ROWS + 1);
    send_sound(sender, &self, samples, samples_per_frame);
    NDIlib_video_frame_v2_t frame = {
        .xres = self.width,
        .yres = self.height,
        .FourCC = self.has_alpha ? NDIlib_FourCC_video_type_UYVA : NDIlib_FourCC_video_type_UYVY,
        .frame_rate_N = fps * 1000,
        .frame_rate_D = 1000,
        .picture_aspect_ratio = (float)self.width / (float)self.height,
        .frame_format_type = NDIlib_frame_format_type_progressive,
        .timecode = NDIlib_send_timecode_synthesize,
        .p_data = self.picture,
        .line_stride_in_bytes = self.width * 2,
    };
    ndi->send_send_video_v2(sender, &frame);
  }
  ndi->send_destroy(sender);
  ndi->destroy();
  return 0;
}
