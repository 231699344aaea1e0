#include "table-watch.h"

#include "../clock.h"
#include "tables.h"

// MISSING_US: time without a PMT; ETSI TR 101 290, 5.2.1, allows 0.5 s. WINDOW_US: time for which listed packets are
// counted. SILENCE_US: time without packets after which both times start again.
enum { MISSING_US = 3 * MICROSECONDS, WINDOW_US = MICROSECONDS, SILENCE_US = MICROSECONDS };

// When the last packet arrived; 0: none.
static int64_t packet_at;
// When the last PMT arrived, or the first packet without one.
static int64_t pmt_at;
static unsigned known_pmts;
// The packets of the current window, with and without an entry in the tables.
static int64_t window_at;
static unsigned listed, unlisted;
// Whether the tables did not list most packets of the last window.
static bool is_mostly_unlisted;

static void start_window(int64_t now) {
  window_at = now;
  listed = unlisted = 0;
}

void reset_table_watch(void) {
  packet_at = 0;
  is_mostly_unlisted = false;
}

bool are_tables_missing(int pid, int64_t now) {
  if (packet_at == 0 || now - packet_at > SILENCE_US) {
    pmt_at = now;
    is_mostly_unlisted = false;
    start_window(now);
  }
  packet_at = now;
  if (pmt_count() != known_pmts) pmt_at = now;
  known_pmts = pmt_count();
  if (is_listed_pid(pid)) listed++;
  else unlisted++;
  if (now - window_at >= WINDOW_US) {
    is_mostly_unlisted = unlisted > listed;
    start_window(now);
  }
  return is_mostly_unlisted && now - pmt_at > MISSING_US;
}
