#include "format.h"

#include "../clock.h"
#include "ts-packet.h"

// A sample of each stream at most once in this time.
enum { STREAMS_SAMPLED = 9, SAMPLE_INTERVAL_US = MICROSECONDS / 2 };
enum { PES_HEADER_BYTES = 9, TIMESTAMP_BYTES = 5, NO_STREAM = 0 };
static const int64_t TIME_WRAP = (int64_t)1 << 33;

static struct sampled_stream {
  struct frame_sample sample;
  bool is_collecting, is_complete;
  int64_t next_sample;
} streams[STREAMS_SAMPLED];
static int stream_count;
// By PID: one more than the index of its stream; 0: the PID is not sampled.
static uint8_t stream_of[TS_PIDS];
static int video = -1;

static struct picture_group group;
// The group that is being received: its frames so far, and its first time; -1: none.
static int frames;
static int64_t group_start = -1;

struct picture_group take_picture_group(void) {
  struct picture_group newest = group;
  group.frames = 0;
  return newest;
}

void reset_format(const struct program *program, int video_pid) {
  memset(stream_of, NO_STREAM, sizeof stream_of);
  memset(streams, 0, sizeof streams);
  stream_count = 0;
  video = video_pid;
  group = (struct picture_group){0, 0};
  frames = 0;
  group_start = -1;
  for (int index = 0; program && index < program->stream_count && stream_count < STREAMS_SAMPLED; index++) {
    int pid = program->streams[index].pid;
    if (stream_of[pid] != NO_STREAM) continue;
    streams[stream_count++].sample.pid = pid;
    stream_of[pid] = (uint8_t)stream_count;
  }
}

// Reads a timestamp of a PES header (ISO/IEC 13818-1, 2.4.3.6).
static int64_t read_timestamp(const uint8_t *bytes) {
  return (int64_t)(bytes[0] >> 1 & 7) << 30 | bytes[1] << 22 | (bytes[2] >> 1) << 15 | bytes[3] << 7 | bytes[4] >> 1;
}

// The decoding time of the frame that starts in a payload, or -1.
static int64_t decoding_time(const uint8_t *payload, int length) {
  if (length < PES_HEADER_BYTES + TIMESTAMP_BYTES) return -1;
  int flags = payload[7] >> 6;
  if (flags == 3 && length >= PES_HEADER_BYTES + 2 * TIMESTAMP_BYTES) return read_timestamp(payload + PES_HEADER_BYTES + TIMESTAMP_BYTES);
  return flags >= 2 ? read_timestamp(payload + PES_HEADER_BYTES) : -1;
}

static void count_frame(const uint8_t *payload, int length, bool is_start) {
  int64_t time = decoding_time(payload, length);
  if (is_start) {
    if (time >= 0 && group_start >= 0 && frames > 0) group = (struct picture_group){frames, (time - group_start) & (TIME_WRAP - 1)};
    group_start = time;
    frames = 0;
  }
  frames++;
}

static void append(struct sampled_stream *stream, const uint8_t *bytes, int length) {
  struct frame_sample *sample = &stream->sample;
  size_t space = sizeof sample->bytes - sample->length;
  size_t taken = length < 0 ? 0 : (size_t)length < space ? (size_t)length : space;
  memcpy(sample->bytes + sample->length, bytes, taken);
  sample->length += taken;
}

// Whether a payload begins with a header of a PES packet.
static bool is_pes(const uint8_t *payload, int length) {
  return length >= PES_HEADER_BYTES && payload[0] == 0 && payload[1] == 0 && payload[2] == 1;
}

void sample_packet(const uint8_t *packet, int pid, bool is_start, int64_t now) {
  if (stream_of[pid] == NO_STREAM) return;
  int offset = ts_payload_offset(packet);
  if (offset < 0) return;
  struct sampled_stream *stream = &streams[stream_of[pid] - 1];
  const uint8_t *payload = packet + offset;
  int length = TS_PACKET_BYTES - offset;
  if (!ts_is_unit_start(packet)) {
    if (stream->is_collecting) append(stream, payload, length);
    return;
  }
  if (stream->is_collecting) stream->is_complete = true;
  stream->is_collecting = false;
  if (!is_pes(payload, length)) return;
  if (pid == video) count_frame(payload, length, is_start);
  if ((pid == video && !is_start) || stream->is_complete || now < stream->next_sample) return;
  int header = PES_HEADER_BYTES + payload[8];
  stream->next_sample = now + SAMPLE_INTERVAL_US;
  stream->sample.length = 0;
  stream->is_collecting = true;
  if (header < length) append(stream, payload + header, length - header);
}

const struct frame_sample *take_sample(void) {
  for (int index = 0; index < stream_count; index++) {
    struct sampled_stream *stream = &streams[index];
    if (!stream->is_complete) continue;
    stream->is_complete = false;
    return &stream->sample;
  }
  return NULL;
}
