#ifndef RECEIVE_H
#define RECEIVE_H

#include <stdbool.h>

// Receives an NDI source and writes it as Matroska to the stdin of an ffmpeg, whose stdout is ours. `url` is the address of the source, or
// empty. With `is_low` the preview is received, which has a low resolution. Writes a `connections` event when the connection changes, and an
// `open` event when ffmpeg has started. Fails with `changed` when the video or audio format changes, and with `gone` when the source has
// disappeared. Returns the exit status of the program.
int receive_source(const char *name, const char *url, bool is_low, char *const ffmpeg[]);

#endif
