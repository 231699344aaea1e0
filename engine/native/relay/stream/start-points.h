// Finds packets at which a decoder can start.
#ifndef START_POINTS_H
#define START_POINTS_H

#include <stdbool.h>
#include <stdint.h>

enum codec { CODEC_NONE, CODEC_AUDIO, CODEC_MPEG2, CODEC_H264, CODEC_HEVC, CODEC_OTHER };

// The codec of a video stream type (ISO/IEC 13818-1 table 2-34, and VC-1 of SMPTE); CODEC_NONE if it is not video.
enum codec video_codec(int stream_type);

// Whether the first packet of a video frame shows that it is a key frame. Not every encoder sets the random access
// indicator, but all write the headers that a decoder needs (parameter sets, sequence header) before the picture, so
// they are in the first packet.
bool is_key_frame(const uint8_t *packet, int payload, enum codec codec);

#endif
