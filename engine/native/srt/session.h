// SRT sessions. Each connection has a thread that copies media between SRT and a descriptor until either side closes.
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <stdint.h>
#include <srt/srt.h>

struct session {
  int id;
  // Token of the key that the client presented; empty for an outgoing connection.
  char token[33];
  // Whether the remote end sends media to us.
  bool publishes;
  SRTSOCKET srt;
  // Receives the media of a publisher, or supplies the media for a player.
  int descriptor;
  // Set by the thread when it ends, together with the reason code.
  volatile bool finished;
  const char *volatile reason;
  // Whether a publisher has sent media, and when it last did; before that, when it connected. Monotonic milliseconds.
  volatile bool has_received;
  volatile int64_t active_at;
  // The last statistics that libsrt returned, and whether they still have to be reported.
  SRT_TRACEBSTATS stats;
  bool has_unreported_stats;
  struct session *next;
};

// Sizes the buffers of a socket for a latency in ms at 40 Mbit/s, because the defaults of libsrt hold only two seconds at that bitrate.
// libsrt allocates the memory as needed. Must be called before bind or connect. Returns false if libsrt refuses an option.
bool size_buffers(SRTSOCKET srt, int latency_ms);

// Limits the send rate of a socket to the input bitrate plus a percentage for retransmissions. With 0 it changes nothing: libsrt has no
// limit by default. Returns false if libsrt refuses an option.
bool limit_bandwidth(SRTSOCKET srt, int overhead_percent);

// Returns an ID that no session has used.
int next_session_id(void);

// Writes an `open` event and starts the session's thread. The session closes the socket and the descriptor when it ends. Returns false
// without an event if there is no memory or no thread.
bool start_session(int id, const char *token, const char *peer, bool publishes, SRTSOCKET srt, int descriptor);

// Closes the sessions that match an ID and a token. ID 0 matches all sessions, and so does the token NULL.
void close_sessions(int id, const char *token);

// Returns the monotonic clock in milliseconds.
int64_t now_ms(void);

// Returns whether a publisher with a token has sent media within the given time. One that has just connected counts as sending for
// START_TIME_MS.
bool is_sending(const char *token, int silence_ms);

// Returns the number of active sessions with a token.
int count_sessions(const char *token);

// Writes a `close` event for each finished session and frees it. Must be called several times a second. Returns the number of sessions
// left.
int reap_sessions(void);

// Reads the statistics of all sessions. libsrt returns none after the end of a connection, so `reap_sessions` reports the last sample.
void sample_sessions(void);

// Reads the statistics of all sessions and writes a `stats` event for each.
void report_sessions(void);

// Returns the event code for a reason that `srt_getrejectreason` returned.
const char *reject_code(int reason);

#endif
