#ifndef SEND_H
#define SEND_H

// Starts an ffmpeg that reads our stdin and writes Matroska with UYVY video and 32-bit floating point audio, and sends
// its output as an NDI source with this name. Writes an `open` event with the first frame, and a `connections` event
// when the number of receivers changes. Returns the exit status of the program.
int send_source(const char *name, const char *groups, char *const ffmpeg[]);

#endif
