// Options of SRT sockets, and the reasons of refusals.
#ifndef SOCKET_OPTIONS_H
#define SOCKET_OPTIONS_H

#include <srt/srt.h>
#include <stdbool.h>

// Sizes the buffers of a socket for a latency in ms at 40 Mbit/s, because the defaults of libsrt hold only two seconds
// at that bitrate. libsrt allocates the memory as needed. Must be called before bind or connect. Returns false if
// libsrt refuses an option.
bool size_buffers(SRTSOCKET srt, int latency_ms);

// Limits the send rate of a socket to the input bitrate plus a percentage for retransmissions. With 0 it changes
// nothing: libsrt has no limit by default. Returns false if libsrt refuses an option.
bool limit_bandwidth(SRTSOCKET srt, int overhead_percent);

// Returns the event code for a reason that `srt_getrejectreason` returned.
const char *reject_code(int reason);

#endif
