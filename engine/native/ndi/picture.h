// Receives the preview of an NDI source, and passes some of its frames to an ffmpeg that encodes pictures.
#ifndef PICTURE_H
#define PICTURE_H

// `interval` is the distance of the frames in milliseconds.
int receive_pictures(const char *name, const char *url, int interval, char *const ffmpeg[]);

#endif
