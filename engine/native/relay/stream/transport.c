#include "transport.h"

#include "../clock.h"
#include "start-points.h"
#include "tables.h"

// Limits of ETSI TR 101 290 in 1/90,000 s; PCR_LIMIT is that of ISO/IEC 13818-1 (2.7.2). ARRIVAL_TOLERANCE: a clock
// reference that is further ahead of its arrival has jumped. CHECK_INTERVAL: how often the other limits are checked, by
// which an error is found later.
enum { CLOCK_RATE = 90000, TABLE_LIMIT = CLOCK_RATE / 2, PID_LIMIT = 5 * CLOCK_RATE, PCR_LIMIT = CLOCK_RATE / 10 };
enum { PTS_LIMIT = CLOCK_RATE * 7 / 10, ARRIVAL_TOLERANCE = CLOCK_RATE / 2, CHECK_INTERVAL = CLOCK_RATE / 10 };
enum { JITTER_WINDOW_US = MICROSECONDS, ARRIVAL_STEP_US = MICROSECONDS };
enum { STUFFING_TABLE = 0xff, PES_FLAGS = 7, HAS_PTS = 0x80 };
static const int64_t CLOCK_WRAP = (int64_t)1 << 33;

// Something that has to be repeated within a limit: its occurrences at the last check, and the stream's time of the
// last check that found a new one.
struct interval {
  uint64_t occurrences;
  int64_t seen_at;
};

static struct transport_error_count counts[TRANSPORT_ERROR_COUNT];
static unsigned revision;

// Time of the stream, in 1/90,000 s, and that of the last check.
static int64_t stream_time, checked_at;
// The newest clock reference, and when it arrived; -1: none since the stream began.
static int64_t last_reference = -1, reference_at;
// When packets last arrived, and when time was last taken from arrival or from a clock reference.
static int64_t arrived_at, timed_at;

// Delays of the clock references of the current window, in microseconds; and the result of the last one.
static int64_t window_at, delay_min, delay_max;
static int64_t jitter = -1, jitter_at;

static struct interval pat_interval, pmt_intervals[PROGRAMS_MAX];
// The video and audio streams of the lead program.
static struct watched_stream {
  int pid;
  uint64_t frames, timestamps;
  struct interval frame_interval, pts_interval;
} streams[STREAMS_MAX];
static int stream_count;
// Revision of the tables from which the intervals are.
static unsigned watched_revision;

const struct transport_error_count *transport_error_counts(void) { return counts; }

unsigned transport_error_revision(void) { return revision; }

int64_t pcr_arrival_jitter(int64_t now) { return now - jitter_at <= 2 * JITTER_WINDOW_US ? jitter : -1; }

void count_transport_errors(enum transport_error error, unsigned count, int64_t now) {
  if (count == 0) return;
  counts[error].count += count;
  counts[error].at = now;
  revision++;
}

void watch_table_packet(const uint8_t *packet, int pid, int64_t now) {
  enum transport_error error = pid == 0 ? PAT_ERROR : PMT_ERROR;
  if (ts_is_scrambled(packet)) return count_transport_errors(error, 1, now);
  int payload = ts_payload_offset(packet);
  // A PMT may share its PID with other tables.
  if (pid != 0 || payload < 0 || !ts_is_unit_start(packet)) return;
  int section = payload + 1 + packet[payload];
  if (section < TS_PACKET_BYTES && packet[section] != 0 && packet[section] != STUFFING_TABLE) count_transport_errors(error, 1, now);
}

void watch_frame(const uint8_t *packet, int pid) {
  int flags = ts_payload_offset(packet) + PES_FLAGS;
  bool has_pts = flags >= PES_FLAGS && flags < TS_PACKET_BYTES && (packet[flags] & HAS_PTS);
  for (int index = 0; index < stream_count; index++) {
    if (streams[index].pid != pid) continue;
    streams[index].frames++;
    streams[index].timestamps += has_pts;
  }
}

// Whether a stream has to have time stamps: subtitles and data are sent when there are any.
static bool is_media(int stream_type) {
  // MPEG-1 and MPEG-2 audio, AAC in ADTS and in LATM, AC-3 and E-AC-3 of ATSC.
  static const int audio_types[] = {0x03, 0x04, 0x0f, 0x11, 0x81, 0x87};
  for (size_t index = 0; index < sizeof audio_types / sizeof *audio_types; index++)
    if (audio_types[index] == stream_type) return true;
  return video_codec(stream_type) != CODEC_NONE;
}

// The tables have changed: all intervals but that of the PAT begin again.
static void restart_intervals(void) {
  watched_revision = table_revision();
  for (int index = 0; index < program_count(); index++) pmt_intervals[index] = (struct interval){program_at(index)->pmts, stream_time};
  const struct program *lead = lead_program();
  stream_count = 0;
  for (int index = 0; lead && index < lead->stream_count; index++) {
    if (!is_media(lead->streams[index].type)) continue;
    streams[stream_count++] = (struct watched_stream){.pid = lead->streams[index].pid, .frame_interval.seen_at = stream_time};
  }
}

// Counts an error if nothing has occurred within the limit, and again each time the limit has passed.
static void check_interval(struct interval *interval, uint64_t occurrences, int64_t limit, enum transport_error error, int64_t now) {
  bool is_late = occurrences == interval->occurrences && stream_time - interval->seen_at > limit;
  if (is_late) count_transport_errors(error, 1, now);
  if (is_late || occurrences != interval->occurrences) *interval = (struct interval){occurrences, stream_time};
}

static void check_intervals(int64_t now) {
  checked_at = stream_time;
  check_interval(&pat_interval, pat_count(), TABLE_LIMIT, PAT_ERROR, now);
  if (watched_revision != table_revision()) return restart_intervals();
  for (int index = 0; index < program_count(); index++)
    check_interval(&pmt_intervals[index], program_at(index)->pmts, TABLE_LIMIT, PMT_ERROR, now);
  for (struct watched_stream *stream = streams; stream < streams + stream_count; stream++) {
    check_interval(&stream->frame_interval, stream->frames, PID_LIMIT, PID_ERROR, now);
    if (stream->timestamps > 0) check_interval(&stream->pts_interval, stream->timestamps, PTS_LIMIT, PTS_ERROR, now);
  }
}

static void pass_time(int64_t ticks, int64_t now) {
  timed_at = now;
  stream_time += ticks;
  if (stream_time - checked_at >= CHECK_INTERVAL) check_intervals(now);
}

static void start_jitter_window(int64_t now) {
  window_at = now;
  delay_min = INT64_MAX;
  delay_max = INT64_MIN;
}

// Takes the delay of the newest clock reference, against that of the others of its window.
static void measure_jitter(int64_t now) {
  if (now - window_at >= JITTER_WINDOW_US) {
    if (now - window_at < 2 * JITTER_WINDOW_US && delay_min < delay_max) {
      jitter = delay_max - delay_min;
      jitter_at = now;
    }
    start_jitter_window(now);
  }
  int64_t delay = now - stream_time * 100 / 9;
  if (delay < delay_min) delay_min = delay;
  if (delay > delay_max) delay_max = delay;
}

void reset_transport_clock(void) {
  last_reference = -1;
  pat_interval.seen_at = stream_time;
}

void watch_clock_reference(const uint8_t *packet, int64_t reference, int64_t now) {
  bool is_first = last_reference < 0;
  int64_t step = (reference - last_reference) & (CLOCK_WRAP - 1), passed = (now - reference_at) * 9 / 100;
  last_reference = reference;
  reference_at = now;
  bool is_jump = step >= CLOCK_WRAP / 2 || (step > PCR_LIMIT && step > passed + ARRIVAL_TOLERANCE);
  if (is_first || is_jump || ts_has_discontinuity(packet)) {
    if (!is_first && !ts_has_discontinuity(packet)) count_transport_errors(PCR_DISCONTINUITY, 1, now);
    timed_at = now;
    return start_jitter_window(now);
  }
  if (step > PCR_LIMIT) count_transport_errors(PCR_REPETITION_ERROR, 1, now);
  pass_time(step, now);
  measure_jitter(now);
}

void watch_arrival(int64_t now) {
  // A stream begins or goes on after a pause.
  if (now - arrived_at > ARRIVAL_STEP_US) timed_at = now;
  arrived_at = now;
  if (now - timed_at < ARRIVAL_STEP_US) return;
  if (lead_program()) count_transport_errors(PCR_REPETITION_ERROR, 1, now);
  pass_time((now - timed_at) * 9 / 100, now);
  // Its distance from the next one would add the same time again.
  last_reference = -1;
}
