#ifndef SEND_H
#define SEND_H

// Sends what an ffmpeg makes of our stdin, which is to be Matroska with UYVY and 32-bit floating point, as a source of this name. Says `open`
// with the first picture or sound, and how many take it whenever that changes.
int send_source(const char *name, const char *groups, char *const ffmpeg[]);

#endif
