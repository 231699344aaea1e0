// SRT sessions. Each connection has a thread that copies media between SRT and a Unix socket of the hub's media relay,
// which the hub names in a command. When the relay closes its end, the session waits for another one, so that a remote
// end stays connected when the hub changes its stream.
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
  // Receives the media of a publisher, or supplies the media for a player; -1 before the first.
  int descriptor;
  // The descriptor that replaces it; -1 if there is none.
  int next_descriptor;
  // Whether the session is to end.
  bool closing;
  // Set by the thread when it ends, together with the reason code.
  volatile bool finished;
  const char *volatile reason;
  // Packets that have arrived from a publisher, and when the last one was noticed; before that, when it connected.
  // Monotonic milliseconds. libsrt hands a packet out only after the latency, so what has been read says too little.
  volatile int64_t arrived_packets;
  volatile int64_t arrived_at;
  // When packets were last counted, and when they were counted before the last one was noticed: it arrived after that.
  volatile int64_t counted_at;
  volatile int64_t arrived_after;
  // The last statistics that libsrt returned, when sending the last ones with a new acknowledgement; the bytes sent
  // since then; and whether they still have to be reported.
  SRT_TRACEBSTATS stats;
  int64_t unacknowledged_bytes;
  bool has_unreported_stats;
  struct session *next;
};

// Returns an ID that no session has used.
int next_session_id(void);

// Writes an `open` event and starts the session's thread, which waits for `link_session`. The session closes the socket
// when it ends. Returns false without an event if there is no memory or no thread.
bool start_session(int id, const char *token, const char *peer, bool publishes, SRTSOCKET srt);

// Connects a session to a Unix socket, to which the greeting is written as the first line, instead of the one before.
// Writes an `unlinked` event if that fails, and later when the other end closes the socket.
void link_session(int id, const char *path, const char *greeting);

// Closes the sessions that match an ID and a token. ID 0 matches all sessions, and so does the token NULL.
void close_sessions(int id, const char *token);

// Returns the monotonic clock in milliseconds.
int64_t now_ms(void);

// Returns how many milliseconds ago the last packet of a publisher with a token arrived; INT64_MAX without such a
// publisher.
int64_t silence_ms(const char *token);

// Returns whether a packet of a publisher with a token has certainly arrived after a time of the monotonic clock in
// milliseconds. A packet that is noticed then may have arrived before, if this program had no processor time.
bool has_arrived_after(const char *token, int64_t time);

// Notices packets that have arrived in the session of a publisher. Called after each batch of media.
void notice_arrivals(struct session *session);

// Notices packets that have arrived from all publishers, also while none of them has media yet because of its latency.
void sample_arrivals(void);

// Returns the number of active sessions with a token.
int count_sessions(const char *token);

// Writes a `close` event for each finished session and frees it. Must be called several times a second. Returns the
// number of sessions left.
int reap_sessions(void);

// Reads the statistics of all sessions. libsrt returns none after the end of a connection, so `reap_sessions` reports
// the last sample.
void sample_sessions(void);

// Reads the statistics of all sessions and writes a `stats` event for each.
void report_sessions(void);

#endif
