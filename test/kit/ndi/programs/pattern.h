// The test pattern that ndi-source sends and ndi-receiver reads: nine rows, from the top
//   0     a counter of 16 bits, one cell per bit, white for 1
//   1     cells 0-3: number of the source; cells 12-15: white while the sound beeps
//   2-8   eight bars of known luma
// Each row has 16 cells. Also loads the NDI runtime.
#ifndef PATTERN_H
#define PATTERN_H

#include <dlfcn.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#define NDILIB_CPP_DEFAULT_CONSTRUCTORS 0
#include "Processing.NDI.Lib.h"

enum { CELLS = 16, ROWS = 9, BARS = 8, BLACK = 16, WHITE = 235, GREY = 128, THRESHOLD = 120 };
enum { COUNTER_BITS = 16, ID_BITS = 4, FLASH_CELL = 14, BEEP_INTERVAL = 25, SAMPLE_RATE = 48000, CHANNELS = 2 };

// Y, U and V of the bars.
static const uint8_t BAR_COLORS[BARS][3] = {{180, 128, 128}, {162, 44, 142}, {131, 156, 44},  {112, 72, 58},
                                            {84, 184, 198},  {65, 100, 212}, {35, 212, 114}, {16, 128, 128}};

static const NDIlib_v5 *ndi;
static volatile sig_atomic_t is_over;

static void on_signal(int signal) {
  (void)signal;
  is_over = 1;
}

static void load_runtime(void) {
  const char *folder = getenv("NDI_RUNTIME_DIR_V5");
  char path[4096];
  snprintf(path, sizeof path, "%s/libndi.so.5", folder ? folder : ".");
  void *library = dlopen(path, RTLD_NOW);
  const NDIlib_v5 *(*load)(void) = NULL;
  if (library) *(void **)&load = dlsym(library, "NDIlib_v5_load");
  ndi = load ? load() : NULL;
  if (!ndi || !ndi->initialize()) {
    fprintf(stderr, "%s cannot be loaded: %s\n", path, dlerror());
    exit(1);
  }
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  setvbuf(stdout, NULL, _IOLBF, 0);
}

static inline double read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
