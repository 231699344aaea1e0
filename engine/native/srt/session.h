// One connection: a thread carries its bytes between SRT and a descriptor of the hub until either side ends.
#ifndef SESSION_H
#define SESSION_H

#include <stdbool.h>
#include <srt/srt.h>

struct session {
  int id;
  // The key it came with; empty for a call.
  char token[33];
  // It sends to us.
  bool publishes;
  SRTSOCKET srt;
  // Where its bytes go, or come from.
  int descriptor;
  // Set by its thread when it is over, with the reason.
  volatile bool over;
  const char *volatile why;
  // The newest figures, and whether they are yet to be told.
  SRT_TRACEBSTATS seen;
  bool untold;
  struct session *next;
};

// Has a socket hold what a latency in ms holds of 40 Mbps: SRT's own buffers are full after two seconds of that. Memory is taken as it is
// needed. Before it is bound or connected.
bool make_room(SRTSOCKET srt, int latency);

// Has a socket send as fast as the stream comes, and so many percent more for what is sent once more; with 0 as fast as the line carries.
bool pace(SRTSOCKET srt, int overhead);

// A number that no connection has had.
int new_id(void);

// Tells of a connection and begins to carry. Takes the socket and the descriptor over, and closes them at the end. False when there is
// no room, and then nothing is told.
bool begin_session(int id, const char *token, const char *peer, bool publishes, SRTSOCKET srt, int descriptor);

// Ends what matches: by id, or all of a token; id 0 and no token mean all.
void end_sessions(int id, const char *token);

// Connections of a token that are not over.
int count_sessions(const char *token);

// Call a few times a second: tells of those that are over and forgets them. Returns how many are left.
int reap_sessions(void);

// Keeps the figures of each, for when it has ended: what has been kept and not told is told before its end.
void look_at_sessions(void);

// Tells the figures of each.
void report_sessions(void);

// A word for why SRT said no: for `srt_getrejectreason`.
const char *reject_word(int reason);

#endif
