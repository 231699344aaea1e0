#ifndef RECEIVE_H
#define RECEIVE_H

// Gives what a source sends to an ffmpeg as Matroska, whose stdout is ours. Says whether there is a connection, `open` when the ffmpeg is
// started, and fails with `changed` when the source's pictures or sound became others, with `gone` when the source did.
// `url` is where the source is, or empty.
int receive_source(const char *name, const char *url, char *const ffmpeg[]);

#endif
