#include "stream.h"

#include <string.h>

#include "../clock.h"
#include "format.h"
#include "packet-log.h"
#include "start-points.h"
#include "table-watch.h"
#include "tables.h"
#include "transport.h"

// FRAMES_WITHOUT_KEY: video frames without a start point after which every frame counts as one, because an encoder with
// intra refresh sends no key frames.
// VIDEO_LOST_US: time without video after which the frames of other streams are start points, because a receiver would
// otherwise wait for a key frame that does not come.
enum { FRAMES_WITHOUT_KEY = 600, SILENCE_US = MICROSECONDS, VIDEO_LOST_US = 2 * MICROSECONDS };
// A clock reference that goes back, or forward by more than the time that has passed, belongs to a restarted source. In
// 1/90,000 s.
enum { CLOCK_RATE = 90000, JUMP_BACK = CLOCK_RATE / 4, JUMP_FORWARD = 2 * CLOCK_RATE };
static const int64_t CLOCK_WRAP = (int64_t)1 << 33;

static struct pid_state {
  // Continuity counters of the last packet received and sent; -1 before the first.
  int8_t received, sent;
  // Added to the received counter.
  uint8_t shift;
  // Whether the next packet follows a seam, and whether the next clock reference does.
  bool has_seam, has_clock_seam;
  // When the last packet with a payload arrived; 0: none since the stream began.
  int64_t payload_at;
} pids[TS_PIDS] = {[0 ... TS_PIDS - 1] = {-1, -1, 0, false, false, 0}};

static struct stream_counters counters;
// Whether packets pass to the log.
static bool is_open;
// The stream whose frames are start points.
static int start_pid = -1;
// When it was chosen.
static int64_t start_pid_at;
static enum codec start_codec;
static int frames_without_key;
// The newest clock reference of the lead program, and when it arrived; -1: none.
static int64_t clock_reference = -1, clock_at;
static int64_t last_packet_at;

const struct stream_counters *stream_counters(void) { return &counters; }

bool is_carrying(int64_t now) { return lead_program() && last_packet_at > 0 && now - last_packet_at <= SILENCE_US; }

int64_t last_payload_at(int pid) { return pids[pid].payload_at; }

// Copies table packets with consecutive continuity counters that end with a given one.
static size_t copy_table(uint8_t *target, const uint8_t (*packets)[TS_PACKET_BYTES], int count, int last) {
  int first = last - (count - 1);
  for (int index = 0; index < count; index++, target += TS_PACKET_BYTES) {
    memcpy(target, packets[index], TS_PACKET_BYTES);
    target[3] = (uint8_t)((target[3] & 0xf0) | ((first + index) & 15));
  }
  return (size_t)count * TS_PACKET_BYTES;
}

size_t copy_tables(uint8_t *tables, const struct start *start) {
  const struct program *lead = lead_program();
  if (!lead) return 0;
  const uint8_t(*pat)[TS_PACKET_BYTES];
  int pat_count = pat_packets(&pat);
  size_t length = copy_table(tables, pat, pat_count, start->pat_counter);
  return length + copy_table(tables + length, (const uint8_t(*)[TS_PACKET_BYTES])lead->packets, lead->packet_count,
                             start->pmt_counter);
}

static void write_start(int64_t now) {
  counters.starts++;
  add_start(now, pids[0].sent, pids[lead_program()->pmt_pid].sent);
}

// Appends a packet to the log. After a seam its counter continues the previous one, and the indicator is set: in the
// packet itself if it has an adaptation field, otherwise in an additional packet. Tables need no indicator.
static void send_packet(const uint8_t *packet, int pid, bool is_start, int64_t now) {
  struct pid_state *state = &pids[pid];
  bool is_first = state->has_seam && state->sent >= 0;
  if (is_first) {
    state->shift = (uint8_t)((state->sent + (ts_has_payload(packet) ? 1 : 0) - ts_counter(packet)) & 15);
    state->has_clock_seam = true;
    if (!ts_has_flags(packet) && pid != 0 && !is_pmt_pid(pid)) {
      uint8_t *mark = append_packet();
      if (mark) ts_write_discontinuity(mark, pid, state->sent);
    }
  }
  state->has_seam = false;
  if (is_start) write_start(now);
  uint8_t *sent = append_packet();
  if (!sent) return;
  memcpy(sent, packet, TS_PACKET_BYTES);
  state->sent = (int8_t)((ts_counter(packet) + state->shift) & 15);
  sent[3] = (uint8_t)((packet[3] & 0xf0) | state->sent);
  if (is_first && ts_has_flags(packet)) sent[5] |= 0x80;
  if (state->has_clock_seam && ts_pcr(packet) >= 0) {
    sent[5] |= 0x80;
    state->has_clock_seam = false;
  }
}

// Appends the packets of a table, with the next continuity counters. The first ones have those of the source, so that a
// receiver that is handed over finds the same counters at both relays.
static void send_table(const uint8_t (*packets)[TS_PACKET_BYTES], int count, int pid) {
  if (pids[pid].sent < 0 && pids[pid].received >= 0) pids[pid].sent = (int8_t)((pids[pid].received - count) & 15);
  for (int index = 0; index < count; index++) {
    uint8_t *sent = append_packet();
    if (!sent) return;
    memcpy(sent, packets[index], TS_PACKET_BYTES);
    pids[pid].sent = (int8_t)((pids[pid].sent + 1) & 15);
    sent[3] = (uint8_t)((sent[3] & 0xf0) | pids[pid].sent);
  }
}

// Begins a stream with its tables. The counters of the source's next tables continue those.
static void open_stream(void) {
  const struct program *lead = lead_program();
  const uint8_t(*pat)[TS_PACKET_BYTES];
  int pat_count = pat_packets(&pat);
  is_open = true;
  send_table(pat, pat_count, 0);
  send_table((const uint8_t(*)[TS_PACKET_BYTES])lead->packets, lead->packet_count, lead->pmt_pid);
  pids[0].has_seam = pids[lead->pmt_pid].has_seam = true;
}

// Closes the stream until its next start point. `is_end`: what follows has another layout or is of another source.
static void close_stream(bool is_end) {
  if (is_open && is_end) add_end();
  is_open = false;
  clear_starts();
  for (int pid = 0; pid < TS_NULL_PID; pid++) pids[pid].has_seam = true;
}

void mark_seam(void) {
  counters.seams++;
  clock_reference = -1;
  for (int pid = 0; pid < TS_NULL_PID; pid++) {
    pids[pid].has_seam = true;
    pids[pid].received = -1;
  }
}

// Chooses the stream that has the start points: the first video, otherwise the first stream.
static void choose_start_stream(void) {
  const struct program *lead = lead_program();
  start_pid = -1;
  start_pid_at = now_us();
  frames_without_key = 0;
  reset_format(lead, -1);
  if (!lead || lead->stream_count == 0) return;
  start_pid = lead->streams[0].pid;
  start_codec = CODEC_AUDIO;
  for (int index = 0; index < lead->stream_count; index++) {
    enum codec codec = video_codec(lead->streams[index].type);
    if (codec == CODEC_NONE) continue;
    start_pid = lead->streams[index].pid;
    start_codec = codec;
    reset_format(lead, start_pid);
    return;
  }
}

static void change_layout(void) {
  counters.layouts++;
  close_stream(true);
  start_pid = -1;
  clock_reference = -1;
  reset_transport_clock();
}

// Ends the stream and forgets its tables.
static void drop_stream(void) {
  close_stream(true);
  mark_seam();
  reset_tables();
  reset_format(NULL, -1);
  reset_transport_clock();
  start_pid = -1;
  last_packet_at = 0;
  for (int pid = 0; pid < TS_NULL_PID; pid++) pids[pid].payload_at = 0;
}

void end_stream(void) {
  drop_stream();
  reset_table_watch();
}

void change_program(int number) {
  select_program(number);
  change_layout();
  choose_start_stream();
}

// Whether a decoder can start at the first packet of a frame.
static bool is_start_point(const uint8_t *packet) {
  int payload = ts_payload_offset(packet);
  if (payload < 0 || !ts_is_unit_start(packet)) return false;
  if (start_codec == CODEC_AUDIO) return true;
  if (is_key_frame(packet, payload, start_codec)) {
    frames_without_key = 0;
    return true;
  }
  return ++frames_without_key > FRAMES_WITHOUT_KEY;
}

// Whether the stream that should have the start points has had no packet for some time, and the packet is the first one
// of a frame of another stream.
static bool is_substitute_start(const uint8_t *packet, int64_t now) {
  int64_t last = start_pid < 0 ? now : pids[start_pid].payload_at;
  if (now - (last > start_pid_at ? last : start_pid_at) <= VIDEO_LOST_US) return false;
  int offset = ts_payload_offset(packet);
  const uint8_t *payload = packet + offset;
  return ts_is_unit_start(packet) && offset >= 0 && offset + 3 <= TS_PACKET_BYTES && payload[0] == 0 && payload[1] == 0 && payload[2] == 1;
}

// Whether packets are missing before this one: packets without payload do not count, and a packet may be repeated.
static bool has_gap(const uint8_t *packet, int last) {
  int counter = ts_counter(packet);
  return ts_has_payload(packet) && last >= 0 && counter != last && counter != ((last + 1) & 15) && !ts_has_discontinuity(packet);
}

static void take_table(const uint8_t *packet, int pid, int64_t now) {
  unsigned damaged = damaged_table_count();
  watch_table_packet(packet, pid, now);
  if (read_table_packet(packet, pid)) change_layout();
  count_transport_errors(CRC_ERROR, damaged_table_count() - damaged, now);
  if (start_pid < 0) choose_start_stream();
  if (!is_open || (is_program_selected() && pid != 0 && !is_selected_pid(pid))) return;
  if (pid != 0 || !is_program_selected()) return send_packet(packet, pid, false, now);
  const uint8_t(*pat)[TS_PACKET_BYTES];
  int count = pat_packets(&pat);
  if (ts_is_unit_start(packet)) send_table(pat, count, 0);
}

static void take_packet(const uint8_t *packet, int64_t now) {
  int pid = ts_pid(packet);
  const struct program *lead = lead_program();
  if (lead) counters.bytes += TS_PACKET_BYTES, counters.packets++;
  if (pid == TS_NULL_PID) {
    if (is_open && !is_program_selected()) send_packet(packet, pid, false, now);
    return;
  }
  if (are_tables_missing(pid, now)) {
    counters.invalid_bytes += TS_PACKET_BYTES;
    if (lead) drop_stream();
    lead = NULL;
  }
  last_packet_at = now;
  if (ts_has_transport_error(packet)) count_transport_errors(TRANSPORT_ERROR, 1, now);
  struct pid_state *state = &pids[pid];
  if (lead && has_gap(packet, state->received)) {
    counters.gaps++;
    count_transport_errors(CONTINUITY_ERROR, 1, now);
  }
  if (ts_has_payload(packet)) state->received = (int8_t)ts_counter(packet), state->payload_at = now;
  if (pid == 0 || is_pmt_pid(pid)) return take_table(packet, pid, now);
  if (!lead || (is_program_selected() && !is_selected_pid(pid))) return;
  int64_t reference = pid == lead->pcr_pid ? ts_pcr(packet) : -1;
  if (reference >= 0) {
    clock_reference = reference, clock_at = now;
    watch_clock_reference(packet, reference, now);
  }
  if (ts_is_unit_start(packet)) watch_frame(packet, pid);
  bool is_start = pid == start_pid ? is_start_point(packet) : is_selected_pid(pid) && is_substitute_start(packet, now);
  sample_packet(packet, pid, is_start, now);
  if (is_start && !is_open) open_stream();
  if (is_open) send_packet(packet, pid, is_start, now);
}

// Whether a clock reference does not follow the previous one, `elapsed` units of 1/90,000 s later.
static bool is_clock_jump(int64_t reference, int64_t previous, int64_t elapsed) {
  if (previous < 0) return false;
  int64_t step = (reference - previous) & (CLOCK_WRAP - 1);
  if (step >= CLOCK_WRAP / 2) step -= CLOCK_WRAP;
  return step < -JUMP_BACK || (step > JUMP_FORWARD && step > elapsed + JUMP_FORWARD);
}

// Index of the first packet with a gap in its continuity counters, or `count`.
static size_t find_gap(const uint8_t *packets, size_t count) {
  int8_t received[TS_PIDS];
  for (int pid = 0; pid < TS_PIDS; pid++) received[pid] = pids[pid].received;
  for (size_t index = 0; index < count; index++) {
    const uint8_t *packet = packets + index * TS_PACKET_BYTES;
    int pid = ts_pid(packet);
    if (pid == TS_NULL_PID) continue;
    if (has_gap(packet, received[pid])) return index;
    if (ts_has_payload(packet)) received[pid] = (int8_t)ts_counter(packet);
  }
  return count;
}

// Index of the first packet of a restarted source, or `count`. The tables and frames before its first clock reference
// belong to it too.
static size_t find_seam(const uint8_t *packets, size_t count, int64_t now) {
  const struct program *lead = lead_program();
  int64_t previous = clock_reference, elapsed = (now - clock_at) * 9 / 100;
  bool is_after_silence = last_packet_at > 0 && now - last_packet_at > SILENCE_US;
  for (size_t index = 0; lead && index < count; index++) {
    const uint8_t *packet = packets + index * TS_PACKET_BYTES;
    int64_t reference = ts_pid(packet) == lead->pcr_pid ? ts_pcr(packet) : -1;
    if (reference < 0) continue;
    if (is_clock_jump(reference, previous, elapsed)) return find_gap(packets, index);
    previous = reference;
    elapsed = 0;
    is_after_silence = false;
  }
  return is_after_silence ? find_gap(packets, count) : count;
}

void take_packets(const uint8_t *packets, size_t count, int64_t now) {
  if (count == 0) return;
  while (count > 0) {
    size_t seam = find_seam(packets, count, now);
    for (size_t index = 0; index < seam; index++) take_packet(packets + index * TS_PACKET_BYTES, now);
    packets += seam * TS_PACKET_BYTES;
    count -= seam;
    if (count > 0) mark_seam();
  }
  watch_arrival(now);
}
