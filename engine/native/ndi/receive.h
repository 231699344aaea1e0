#ifndef RECEIVE_H
#define RECEIVE_H

#include <stdbool.h>

// Receives an NDI source and writes it as Matroska to the stdin of an ffmpeg, whose stdout is ours. `url` is the
// address of the source, or empty. With `is_low` the preview is received, which has a low resolution. Writes a
// `connections` event when the connection changes, and an `open` event when ffmpeg has started. Fails with `changed`
// when the video or audio format changes, and with `gone` when the source has disappeared, after an event `lost-port`
// with the UDP port at which its media arrived, if any. The next processes should avoid that port: after the cable was
// out, the runtime of the source tries its old connection to that port at intervals that double, but connects to
// another port at once. Returns the exit status of the program.
int receive_source(const char *name, const char *url, bool is_low, const char *avoided_ports, char *const ffmpeg[]);

#endif
