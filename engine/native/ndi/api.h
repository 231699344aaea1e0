// The part of the NDI runtime's C interface that this program uses. The interface is public and stable
// (docs.ndi.video). The licence of the runtime does not allow shipping it, so this program builds without the NDI SDK:
// the structures and functions are declared here, and the library is loaded at run time.
#ifndef API_H
#define API_H

#include <stdbool.h>
#include <stdint.h>

enum { FRAME_VIDEO = 1, FRAME_AUDIO = 2, FRAME_ERROR = 4 };
enum { SCAN_PROGRESSIVE = 1, SCAN_FIELD_0 = 2, SCAN_FIELD_1 = 3 };
// COLOR_UYVY_BGRA: the runtime returns UYVY, or BGRA for sources with an alpha channel. COLOR_FASTEST: UYVY, or UYVA
// for those sources, and separate fields.
enum { COLOR_UYVY_BGRA = 1, COLOR_FASTEST = 100, BANDWIDTH_LOWEST = 0, BANDWIDTH_HIGHEST = 100 };

#define FOURCC(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define UYVY FOURCC('U', 'Y', 'V', 'Y')
// UYVY, followed by the plane of the alpha channel.
#define UYVA FOURCC('U', 'Y', 'V', 'A')
#define BGRA FOURCC('B', 'G', 'R', 'A')
// 32-bit floating point, planar: one channel after the other.
#define FLTP FOURCC('F', 'L', 'T', 'p')

// The value of a missing timestamp.
#define TIME_UNKNOWN INT64_MAX

typedef struct {
  const char *name;
  const char *url;
} ndi_source;

// Times are in units of 100 ns.
typedef struct {
  int width, height;
  uint32_t fourcc;
  int rate_n, rate_d;
  // Aspect ratio of the picture; 0 means square pixels.
  float aspect;
  int scan;
  int64_t timecode;
  uint8_t *data;
  int stride;
  const char *metadata;
  int64_t timestamp;
} ndi_video;

typedef struct {
  int rate, channels, samples;
  int64_t timecode;
  uint32_t fourcc;
  uint8_t *data;
  int stride;
  const char *metadata;
  int64_t timestamp;
} ndi_audio;

typedef struct {
  bool local;
  const char *groups;
  const char *addresses;
} ndi_find_settings;

typedef struct {
  ndi_source source;
  int color, bandwidth;
  bool fields;
  const char *name;
} ndi_receive_settings;

typedef struct {
  const char *name;
  const char *groups;
  bool clock_video, clock_audio;
} ndi_send_settings;

typedef struct {
  const char *name;
  const char *groups;
} ndi_route_settings;

typedef struct {
  bool (*initialize)(void);
  void (*destroy)(void);
  const char *(*version)(void);
  void *(*find_create)(const ndi_find_settings *);
  void (*find_destroy)(void *);
  bool (*find_wait)(void *, uint32_t milliseconds);
  const ndi_source *(*find_sources)(void *, uint32_t *count);
  void *(*receive_create)(const ndi_receive_settings *);
  void (*receive_destroy)(void *);
  int (*receive_capture)(void *, ndi_video *, ndi_audio *, void *metadata, uint32_t milliseconds);
  void (*receive_free_video)(void *, const ndi_video *);
  void (*receive_free_audio)(void *, const ndi_audio *);
  int (*receive_connections)(void *);
  void *(*send_create)(const ndi_send_settings *);
  void (*send_destroy)(void *);
  void (*send_video)(void *, const ndi_video *);
  void (*send_audio)(void *, const ndi_audio *);
  int (*send_connections)(void *, uint32_t milliseconds);
  // The functions for routing are all NULL if the runtime has none.
  void *(*route_create)(const ndi_route_settings *);
  void (*route_destroy)(void *);
  bool (*route_change)(void *, const ndi_source *);
  bool (*route_clear)(void *);
  int (*route_connections)(void *, uint32_t milliseconds);
  const ndi_source *(*route_name)(void *);
} ndi_api;

extern ndi_api ndi;

// Loads and initializes the NDI library at a path. Returns NULL, or a failure code: "load" (cannot be loaded), "symbol"
// (not an NDI library, or too old), "processor" (the CPU is not supported). Writes details to stderr.
const char *load_ndi(const char *path);

// Ends of NDI objects: the runtime waits up to 14 s for a receiver or sender whose other end was killed, with no way to
// interrupt it. Calls `function` in a thread and waits at most 400 ms for its end. The thread continues after that, so
// the process should exit soon.
void call_with_deadline(void (*function)(void *), void *argument);

#endif
