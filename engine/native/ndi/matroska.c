#include "matroska.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  EBML = 0x1a45dfa3,
  EBML_VERSION = 0x4286,
  EBML_READ_VERSION = 0x42f7,
  EBML_ID_LENGTH = 0x42f2,
  EBML_SIZE_LENGTH = 0x42f3,
  DOC_TYPE = 0x4282,
  DOC_VERSION = 0x4287,
  DOC_READ_VERSION = 0x4285,
  SEGMENT = 0x18538067,
  INFO = 0x1549a966,
  TIMESTAMP_SCALE = 0x2ad7b1,
  MUXING_APP = 0x4d80,
  WRITING_APP = 0x5741,
  TRACKS = 0x1654ae6b,
  TRACK_ENTRY = 0xae,
  TRACK_NUMBER = 0xd7,
  TRACK_UID = 0x73c5,
  TRACK_TYPE = 0x83,
  FLAG_LACING = 0x9c,
  LANGUAGE = 0x22b59c,
  CODEC_ID = 0x86,
  DEFAULT_DURATION = 0x23e383,
  VIDEO = 0xe0,
  PIXEL_WIDTH = 0xb0,
  PIXEL_HEIGHT = 0xba,
  DISPLAY_WIDTH = 0x54b0,
  DISPLAY_HEIGHT = 0x54ba,
  COLOR_SPACE = 0x2eb524,
  AUDIO = 0xe1,
  SAMPLING_FREQUENCY = 0xb5,
  CHANNELS = 0x9f,
  BIT_DEPTH = 0x6264,
  CLUSTER = 0x1f43b675,
  CLUSTER_TIMESTAMP = 0xe7,
  BLOCK_GROUP = 0xa0,
  BLOCK = 0xa1,
  SIMPLE_BLOCK = 0xa3
};

// Length of a time unit in ns: of `write_header`, and the default of Matroska.
enum { WRITTEN_TIMESTAMP_SCALE = 100000, DEFAULT_TIMESTAMP_SCALE = 1000000 };
// An 8K frame has 66 MB.
enum { HEADER_MAX_BYTES = 1024, BLOCK_MAX_BYTES = 256 << 20, INPUT_BUFFER_BYTES = 1 << 16, TRACKS_MAX = 8, SAMPLE_RATE_MAX = 10000000 };
// A block starts with the track number, a relative time in 16 bits and flags. Elements with one-byte IDs start with the
// ID and the size.
enum { BLOCK_HEADER_BYTES = 4, ELEMENT_HEADER_BYTES = 1 + 8, TIMESTAMP_ELEMENT_BYTES = ELEMENT_HEADER_BYTES + 8 };
enum { POLL_TIMEOUT_MS = 250 };

// Holds the elements to be written. Callers write less than HEADER_MAX_BYTES, so nothing checks for overflow.
typedef struct {
  uint8_t bytes[HEADER_MAX_BYTES];
  size_t size;
} element_buffer;

static void put_bytes(element_buffer *out, const void *bytes, size_t size) {
  memcpy(out->bytes + out->size, bytes, size);
  out->size += size;
}

static void put_number(element_buffer *out, uint64_t value, int bytes) {
  for (int index = bytes - 1; index >= 0; index--) out->bytes[out->size++] = (uint8_t)(value >> (8 * index));
}

// An element ID contains its own length in the first bits.
static void put_id(element_buffer *out, uint32_t id) { put_number(out, id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1); }

// Always uses the 8-byte form of a size, so that `close_master` can overwrite it.
static void put_size(element_buffer *out, uint64_t size) { put_number(out, 0x0100000000000000 | size, 8); }

static void put_data(element_buffer *out, uint32_t id, const void *data, size_t size) {
  put_id(out, id);
  put_size(out, size);
  put_bytes(out, data, size);
}

static void put_string(element_buffer *out, uint32_t id, const char *text) { put_data(out, id, text, strlen(text)); }

static void put_unsigned(element_buffer *out, uint32_t id, uint64_t value) {
  put_id(out, id);
  put_size(out, 8);
  put_number(out, value, 8);
}

// Starts a master element, which contains other elements. Returns the position that `close_master` needs to fill in its
// size.
static size_t open_master(element_buffer *out, uint32_t id) {
  put_id(out, id);
  put_size(out, 0);
  return out->size;
}

static void close_master(element_buffer *out, size_t start) {
  element_buffer size = {.size = 0};
  put_size(&size, out->size - start);
  memcpy(out->bytes + start - 8, size.bytes, 8);
}

static bool write_all(int pipe, struct iovec *parts, int count) {
  while (count > 0) {
    ssize_t written = writev(pipe, parts, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    while (count > 0 && (size_t)written >= parts->iov_len) written -= (ssize_t)parts->iov_len, parts++, count--;
    if (count == 0) break;
    parts->iov_base = (uint8_t *)parts->iov_base + written;
    parts->iov_len -= (size_t)written;
  }
  return true;
}

static void put_track(element_buffer *out, int number, const char *codec) {
  put_unsigned(out, TRACK_NUMBER, (uint64_t)number);
  put_unsigned(out, TRACK_UID, (uint64_t)number);
  put_unsigned(out, TRACK_TYPE, (uint64_t)number);
  put_unsigned(out, FLAG_LACING, 0);
  // The default of Matroska is English.
  put_string(out, LANGUAGE, "und");
  put_string(out, CODEC_ID, codec);
}

static void put_ebml_header(element_buffer *out) {
  size_t header = open_master(out, EBML);
  put_unsigned(out, EBML_VERSION, 1);
  put_unsigned(out, EBML_READ_VERSION, 1);
  put_unsigned(out, EBML_ID_LENGTH, 4);
  put_unsigned(out, EBML_SIZE_LENGTH, 8);
  put_string(out, DOC_TYPE, "matroska");
  put_unsigned(out, DOC_VERSION, 4);
  put_unsigned(out, DOC_READ_VERSION, 2);
  close_master(out, header);
}

static void put_info(element_buffer *out) {
  size_t info = open_master(out, INFO);
  put_unsigned(out, TIMESTAMP_SCALE, WRITTEN_TIMESTAMP_SCALE);
  put_string(out, MUXING_APP, "headend");
  put_string(out, WRITING_APP, "headend");
  close_master(out, info);
}

static void put_video_track(element_buffer *out, const media_format *format) {
  size_t entry = open_master(out, TRACK_ENTRY);
  put_track(out, TRACK_VIDEO, "V_UNCOMPRESSED");
  if (format->frame_duration > 0) put_unsigned(out, DEFAULT_DURATION, format->frame_duration);
  size_t video = open_master(out, VIDEO);
  put_unsigned(out, PIXEL_WIDTH, (uint64_t)format->width);
  put_unsigned(out, PIXEL_HEIGHT, (uint64_t)format->height);
  if (format->display_width > 0) {
    put_unsigned(out, DISPLAY_WIDTH, (uint64_t)format->display_width);
    put_unsigned(out, DISPLAY_HEIGHT, (uint64_t)format->display_height);
  }
  uint8_t fourcc[4] = {format->fourcc & 255, format->fourcc >> 8 & 255, format->fourcc >> 16 & 255, format->fourcc >> 24};
  put_data(out, COLOR_SPACE, fourcc, sizeof fourcc);
  close_master(out, video);
  close_master(out, entry);
}

static void put_audio_track(element_buffer *out, const media_format *format) {
  size_t entry = open_master(out, TRACK_ENTRY);
  put_track(out, TRACK_AUDIO, "A_PCM/FLOAT/IEEE");
  size_t audio = open_master(out, AUDIO);
  double rate = format->sample_rate;
  uint64_t bits;
  memcpy(&bits, &rate, sizeof bits);
  put_unsigned(out, SAMPLING_FREQUENCY, bits);
  put_unsigned(out, CHANNELS, (uint64_t)format->channels);
  put_unsigned(out, BIT_DEPTH, 32);
  close_master(out, audio);
  close_master(out, entry);
}

bool write_header(int pipe, const media_format *format) {
  element_buffer out = {.size = 0};
  put_ebml_header(&out);
  put_id(&out, SEGMENT);
  // Unknown size: the segment ends with the stream.
  put_number(&out, 0x01ffffffffffffff, 8);
  put_info(&out);
  size_t tracks = open_master(&out, TRACKS);
  if (format->width > 0) put_video_track(&out, format);
  if (format->channels > 0) put_audio_track(&out, format);
  close_master(&out, tracks);
  struct iovec header = {out.bytes, out.size};
  return write_all(pipe, &header, 1);
}

bool write_block(int pipe, int track, uint64_t time, struct iovec *parts, int count) {
  // Each block is in a separate cluster, so its time relative to the cluster is 0.
  uint64_t size = BLOCK_HEADER_BYTES;
  for (int index = 1; index < count; index++) size += parts[index].iov_len;
  element_buffer out = {.size = 0};
  put_id(&out, CLUSTER);
  put_size(&out, size + TIMESTAMP_ELEMENT_BYTES + ELEMENT_HEADER_BYTES);
  put_unsigned(&out, CLUSTER_TIMESTAMP, time);
  put_id(&out, SIMPLE_BLOCK);
  put_size(&out, size);
  put_number(&out, 0x80 | (uint64_t)track, 1);
  put_number(&out, 0, 2);
  // Marks each block as a key frame.
  put_number(&out, 0x80, 1);
  parts[0] = (struct iovec){out.bytes, out.size};
  return write_all(pipe, parts, count);
}

typedef struct {
  const block_reader *reader;
  uint8_t buffer[INPUT_BUFFER_BYTES];
  size_t position, end;
} input;

// Reads up to `size` bytes, without waiting for all of them. Without `target` the bytes are skipped. Returns the number
// of bytes read, 0 at the end of the input.
static size_t read_some(input *in, uint8_t *target, size_t size) {
  while (in->position == in->end) {
    struct pollfd ready = {.fd = in->reader->pipe, .events = POLLIN};
    int polled = poll(&ready, 1, POLL_TIMEOUT_MS);
    if (!in->reader->should_continue(in->reader->context)) return 0;
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    if (polled < 0) return 0;
    // Long data is not copied through the buffer.
    bool direct = target != NULL && size >= INPUT_BUFFER_BYTES;
    ssize_t count = read(in->reader->pipe, direct ? target : in->buffer, direct ? size : INPUT_BUFFER_BYTES);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 0;
    if (direct) return (size_t)count;
    in->position = 0;
    in->end = (size_t)count;
  }
  size_t part = in->end - in->position < size ? in->end - in->position : size;
  if (target) memcpy(target, in->buffer + in->position, part);
  in->position += part;
  return part;
}

// Reads exactly `size` bytes. Without `target` they are skipped. Returns false at the end of the input.
static bool read_exactly(input *in, void *target, size_t size) {
  for (size_t done = 0, part; done < size; done += part) {
    part = read_some(in, target ? (uint8_t *)target + done : NULL, size - done);
    if (part == 0) return false;
  }
  return true;
}

// Reads an EBML variable-size integer (RFC 8794), whose first byte encodes its length. Element IDs keep the length
// marker in their value. Returns the length in bytes, 0 at the end of the input, or -1 if it is longer than
// `max_length`.
static int read_vint(input *in, int max_length, bool keep_marker, uint64_t *value) {
  uint8_t first;
  if (!read_exactly(in, &first, 1)) return 0;
  int length = first == 0 ? 9 : __builtin_clz(first) - 23;
  if (length > max_length) return -1;
  *value = keep_marker ? first : first & (0xff >> length);
  for (int index = 1; index < length; index++) {
    uint8_t next;
    if (!read_exactly(in, &next, 1)) return 0;
    *value = *value << 8 | next;
  }
  return length;
}

static uint64_t decode_unsigned(const uint8_t *bytes, size_t size) {
  uint64_t value = 0;
  for (size_t index = 0; index < size; index++) value = value << 8 | bytes[index];
  return value;
}

static double decode_float(const uint8_t *bytes, size_t size) {
  uint64_t bits = decode_unsigned(bytes, size);
  uint32_t single_bits = (uint32_t)bits;
  double value = 0;
  float single = 0;
  if (size == 8) memcpy(&value, &bits, 8);
  if (size == 4) memcpy(&single, &single_bits, 4), value = single;
  return value;
}

// A sampling frequency in Hz; 0 if it is none that sound can have.
static int decode_rate(const uint8_t *bytes, size_t size) {
  double rate = decode_float(bytes, size);
  return rate >= 1 && rate <= SAMPLE_RATE_MAX ? (int)rate : 0;
}

typedef struct {
  input in;
  media_format format;
  // The number and type of the track entry that is being read.
  int track_number, track_type;
  // The type of each track, by track number; 0: unknown track.
  int track_types[TRACKS_MAX];
  uint64_t timestamp_scale, cluster_timestamp;
  uint8_t *block;
  size_t block_capacity;
} parser;

typedef enum { CONTINUE, END, INVALID } read_result;

// Returns whether an element contains other elements. The parser enters those and reads their contents next.
static bool is_master(uint64_t id) {
  switch (id) {
    case SEGMENT:
    case INFO:
    case TRACKS:
    case TRACK_ENTRY:
    case VIDEO:
    case AUDIO:
    case CLUSTER:
    case BLOCK_GROUP:
      return true;
    default:
      return false;
  }
}

static void set_value(parser *self, uint64_t id, const uint8_t *bytes, size_t size) {
  uint64_t value = decode_unsigned(bytes, size);
  media_format *format = &self->format;
  switch (id) {
    case TIMESTAMP_SCALE: self->timestamp_scale = value; break;
    case TRACK_NUMBER: self->track_number = value < TRACKS_MAX ? (int)value : 0; break;
    case TRACK_TYPE: self->track_type = (int)value; break;
    case PIXEL_WIDTH: format->width = (int)value; break;
    case PIXEL_HEIGHT: format->height = (int)value; break;
    case DISPLAY_WIDTH: format->display_width = (int)value; break;
    case DISPLAY_HEIGHT: format->display_height = (int)value; break;
    case DEFAULT_DURATION: if (self->track_type != TRACK_AUDIO) format->frame_duration = value; break;
    case SAMPLING_FREQUENCY: format->sample_rate = decode_rate(bytes, size); break;
    case CHANNELS: format->channels = (int)value; break;
    case CLUSTER_TIMESTAMP: self->cluster_timestamp = value; break;
  }
  if (self->track_number > 0 && self->track_type > 0) self->track_types[self->track_number] = self->track_type;
}

// Reads an element with a value. Values longer than 8 bytes are skipped.
static read_result read_value(parser *self, uint64_t id, size_t size) {
  uint8_t bytes[8];
  bool is_skipped = size > sizeof bytes;
  if (!read_exactly(&self->in, is_skipped ? NULL : bytes, size)) return END;
  if (!is_skipped) set_value(self, id, bytes, size);
  return CONTINUE;
}

static read_result read_block(parser *self, size_t size) {
  if (size > self->block_capacity) {
    free(self->block);
    self->block_capacity = size;
    self->block = malloc(size);
    if (!self->block) return INVALID;
  }
  uint8_t *data = self->block;
  if (size < BLOCK_HEADER_BYTES || !read_exactly(&self->in, data, size)) return END;
  int track = data[0] & 0x7f;
  int relative = (int16_t)(data[1] << 8 | data[2]);
  // A time before 0 becomes 0.
  uint64_t time = relative < 0 && self->cluster_timestamp < (uint64_t)-relative ? 0 : self->cluster_timestamp + (uint64_t)relative;
  // Blocks of unknown tracks are skipped, and so are track numbers of more than one byte.
  if ((data[0] & 0x80) == 0 || track >= TRACKS_MAX || self->track_types[track] == 0) return CONTINUE;
  const block_reader *reader = self->in.reader;
  uint64_t time_ns = time * self->timestamp_scale;
  bool should_continue = reader->handle_block(reader->context, &self->format, self->track_types[track], time_ns,
                                              data + BLOCK_HEADER_BYTES, size - BLOCK_HEADER_BYTES);
  return should_continue ? CONTINUE : END;
}

static read_result read_element(parser *self) {
  uint64_t id, size;
  int length = read_vint(&self->in, 4, true, &id);
  if (length > 0) length = read_vint(&self->in, 8, false, &size);
  if (length <= 0) return length == 0 ? END : INVALID;
  if (id == TRACK_ENTRY) self->track_number = self->track_type = 0;
  if (is_master(id)) return CONTINUE;
  if (size > BLOCK_MAX_BYTES) return INVALID;
  return id == BLOCK || id == SIMPLE_BLOCK ? read_block(self, size) : read_value(self, id, size);
}

bool read_blocks(const block_reader *reader) {
  static parser self;
  self = (parser){.in = {.reader = reader}, .timestamp_scale = DEFAULT_TIMESTAMP_SCALE};
  read_result result = CONTINUE;
  while (result == CONTINUE) result = read_element(&self);
  free(self.block);
  return result == END;
}
