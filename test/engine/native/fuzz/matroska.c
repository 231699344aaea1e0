// The output of a decoder that has read media of a stranger: raw pictures and sound in Matroska, as far as the NDI
// runtime, which here reads all of each frame.
#define _GNU_SOURCE
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "messages/events.h"
#include "ndi/api.h"
#include "ndi/child.h"
#include "ndi/send-clock.h"
#include "ndi/send.h"
#include "ndi/socket-counters.h"
#include "input.h"

static int media = -1;
static volatile uint8_t sum;

static void read_all(const uint8_t *bytes, size_t size) {
  for (size_t index = 0; index < size; index++) sum += bytes[index];
}

static void *create(const ndi_send_settings *settings) { return (void *)settings; }
static void destroy(void *instance) { (void)instance; }
static int count_connections(void *instance, uint32_t milliseconds) { return instance && milliseconds; }

static void send_picture(void *instance, const ndi_video *video) {
  (void)instance;
  if (video->width <= 0 || video->height <= 0 || video->rate_n <= 0 || video->rate_d <= 0) abort();
  for (int row = 0; row < video->height; row++) read_all(video->data + (size_t)row * (size_t)video->stride, (size_t)video->width * 2);
}

static void send_sound(void *instance, const ndi_audio *audio) {
  (void)instance;
  if (audio->samples <= 0 || audio->channels <= 0 || audio->rate <= 0) abort();
  for (int channel = 0; channel < audio->channels; channel++)
    read_all(audio->data + (size_t)channel * (size_t)audio->stride, (size_t)audio->samples * sizeof(float));
}

ndi_api ndi = {.send_create = create,
               .send_destroy = destroy,
               .send_connections = count_connections,
               .send_video = send_picture,
               .send_audio = send_sound};
void call_with_deadline(void (*function)(void *), void *argument) { function(argument); }
volatile sig_atomic_t stop_requested;
int start_child(char *const argv[], bool pipe_to_stdin) {
  (void)argv, (void)pipe_to_stdin;
  return media;
}
void stop_child(int pipe) { (void)pipe; }
bool wait_for_time(send_clock *self, int64_t stream_time) { return self->offset <= stream_time; }
void end_block(send_clock *self) { (void)self; }
int count_silent_peers(void) { return 0; }
uint64_t count_sent_bytes(void) { return 0; }

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  set_event_descriptor(-1);
  if (media < 0) media = memfd_create("media", MFD_CLOEXEC);
  if (ftruncate(media, 0) < 0 || pwrite(media, bytes, size, 0) < 0 || lseek(media, 0, SEEK_SET) < 0) abort();
  send_source("name", "", (char *[]){"ffmpeg", NULL});
  return 0;
}
