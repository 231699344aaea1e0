#include "send-clock.h"

#include <time.h>

// In NDI time units (100 ns): one second, and the length of a unit in ns.
enum { SECOND = 10000000, TIME_UNIT_NS = 100 };
// Timecodes that are wrong by more are replaced; the longest time for which a block is held.
enum { LAG_MAX = SECOND, DELAY_MAX = SECOND * 12 / 100 };
// How early a block must come to belong to the backlog of the decoder, how long after such a block the backlog is over,
// and how long after the start there may be one.
enum { BACKLOG_MIN = SECOND * 3 / 1000, BACKLOG_PAUSE = SECOND / 10, BACKLOG_TIME = 2 * SECOND };
// A block that was waited for this long was not in the pipe before. Without such a block for STARVE_TIME the pipe is
// filling up, because the clock of the stream is faster: the timecodes then move by SKEW.
enum { STARVE_MIN = SECOND * 2 / 1000, STARVE_TIME = 5 * SECOND, SKEW = SECOND / 1000 };
// The fraction of the delay that is removed per second, that of the passed time by which timecodes follow a slower
// stream, and that of the time by which a block comes early.
static const double DELAY_DECAY = 0.01, LAG_RATE = 0.0002, EARLY_GAIN = 0.05;

static int64_t now_100ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * SECOND + now.tv_nsec / TIME_UNIT_NS;
}

// Follows the backlog until no block has come early for a while. Returns whether it is over.
static bool skip_backlog(send_clock *self, int64_t now, int64_t stream_time) {
  if (self->started_at == 0) self->started_at = self->early_at = now, self->offset = now - stream_time;
  int64_t lag = now - stream_time - self->offset;
  if (lag < 0) self->offset += lag;
  if (lag < -BACKLOG_MIN) self->early_at = now;
  self->is_live = now - self->early_at > BACKLOG_PAUSE || now - self->started_at > BACKLOG_TIME;
  self->corrected_at = self->sent_at = self->starved_at = now;
  return self->is_live;
}

static void correct(send_clock *self, int64_t now, int64_t lag) {
  double passed = (double)(now - self->corrected_at);
  self->corrected_at = now;
  if (lag < -LAG_MAX || lag > LAG_MAX) {
    self->offset += lag;
    return;
  }
  if (lag < 0) self->offset += (int64_t)((double)lag * EARLY_GAIN);
  self->delay -= self->delay * DELAY_DECAY * passed / SECOND;
  if ((double)lag > self->delay) self->delay = lag < DELAY_MAX ? (double)lag : DELAY_MAX;
  if (lag > DELAY_MAX) self->offset += (int64_t)(passed * LAG_RATE);
  if (now - self->sent_at > STARVE_MIN) self->starved_at = now;
  if (now - self->starved_at > STARVE_TIME) self->offset -= SKEW, self->starved_at = now;
}

bool wait_for_time(send_clock *self, int64_t stream_time) {
  int64_t now = now_100ns();
  if (!self->is_live && !skip_backlog(self, now, stream_time)) return false;
  correct(self, now, now - stream_time - self->offset);
  int64_t rest = self->offset + stream_time + (int64_t)self->delay - now;
  if (rest > DELAY_MAX) rest = DELAY_MAX;
  struct timespec pause = {.tv_nsec = rest * TIME_UNIT_NS};
  if (rest > 0) nanosleep(&pause, NULL);
  return true;
}

void end_block(send_clock *self) { self->sent_at = now_100ns(); }
