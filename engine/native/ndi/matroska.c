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
  TIME_SCALE = 0x2ad7b1,
  MUXING_APP = 0x4d80,
  WRITING_APP = 0x5741,
  TRACKS = 0x1654ae6b,
  TRACK_ENTRY = 0xae,
  TRACK_NUMBER = 0xd7,
  TRACK_UID = 0x73c5,
  TRACK_TYPE = 0x83,
  LACING = 0x9c,
  LANGUAGE = 0x22b59c,
  CODEC = 0x86,
  DURATION = 0x23e383,
  VIDEO = 0xe0,
  WIDTH = 0xb0,
  HEIGHT = 0xba,
  SHOWN_WIDTH = 0x54b0,
  SHOWN_HEIGHT = 0x54ba,
  COLOR_SPACE = 0x2eb524,
  AUDIO = 0xe1,
  RATE = 0xb5,
  CHANNELS = 0x9f,
  BIT_DEPTH = 0x6264,
  CLUSTER = 0x1f43b675,
  CLUSTER_TIME = 0xe7,
  BLOCK_GROUP = 0xa0,
  BLOCK = 0xa1,
  SIMPLE_BLOCK = 0xa3
};

// Nanoseconds of a unit of time that is written.
enum { WRITTEN_SCALE = 100000, USUAL_SCALE = 1000000 };
// Bytes: a picture of 8K is 66 MB.
enum { HEADER_MAX = 1024, BLOCK_MAX = 256 << 20, BUFFER = 1 << 16, TRACKS_MAX = 8 };
// Milliseconds.
enum { PATIENCE = 250 };

// What is written comes together here; all of it is known beforehand to fit.
typedef struct {
  uint8_t bytes[HEADER_MAX];
  size_t size;
} text;

static void put_bytes(text *to, const void *bytes, size_t size) {
  memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
}

static void put_number(text *to, uint64_t value, int bytes) {
  for (int at = bytes - 1; at >= 0; at--) to->bytes[to->size++] = (uint8_t)(value >> (8 * at));
}

// An id is kept with its length in it.
static void put_id(text *to, uint32_t id) { put_number(to, id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1); }

// A size in eight bytes, whatever it is.
static void put_size(text *to, uint64_t size) { put_number(to, 0x0100000000000000 | size, 8); }

static void put_data(text *to, uint32_t id, const void *data, size_t size) {
  put_id(to, id);
  put_size(to, size);
  put_bytes(to, data, size);
}

static void put_string(text *to, uint32_t id, const char *words) { put_data(to, id, words, strlen(words)); }

static void put_unsigned(text *to, uint32_t id, uint64_t value) {
  put_id(to, id);
  put_size(to, 8);
  put_number(to, value, 8);
}

// Begins an element that holds others; `close_master` says how long it became.
static size_t open_master(text *to, uint32_t id) {
  put_id(to, id);
  put_size(to, 0);
  return to->size;
}

static void close_master(text *to, size_t from) {
  text size = {.size = 0};
  put_size(&size, to->size - from);
  memcpy(to->bytes + from - 8, size.bytes, 8);
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

static void put_track(text *to, int number, const char *codec) {
  put_unsigned(to, TRACK_NUMBER, (uint64_t)number);
  put_unsigned(to, TRACK_UID, (uint64_t)number);
  put_unsigned(to, TRACK_TYPE, (uint64_t)number);
  put_unsigned(to, LACING, 0);
  // Without a word of it, it would be English.
  put_string(to, LANGUAGE, "und");
  put_string(to, CODEC, codec);
}

bool write_header(int pipe, const media *tracks) {
  text to = {.size = 0};
  size_t part = open_master(&to, EBML);
  put_unsigned(&to, EBML_VERSION, 1);
  put_unsigned(&to, EBML_READ_VERSION, 1);
  put_unsigned(&to, EBML_ID_LENGTH, 4);
  put_unsigned(&to, EBML_SIZE_LENGTH, 8);
  put_string(&to, DOC_TYPE, "matroska");
  put_unsigned(&to, DOC_VERSION, 4);
  put_unsigned(&to, DOC_READ_VERSION, 2);
  close_master(&to, part);
  put_id(&to, SEGMENT);
  // As long as it will become.
  put_number(&to, 0x01ffffffffffffff, 8);
  part = open_master(&to, INFO);
  put_unsigned(&to, TIME_SCALE, WRITTEN_SCALE);
  put_string(&to, MUXING_APP, "headend");
  put_string(&to, WRITING_APP, "headend");
  close_master(&to, part);
  part = open_master(&to, TRACKS);
  if (tracks->width > 0) {
    size_t entry = open_master(&to, TRACK_ENTRY);
    put_track(&to, TRACK_VIDEO, "V_UNCOMPRESSED");
    if (tracks->duration > 0) put_unsigned(&to, DURATION, tracks->duration);
    size_t video = open_master(&to, VIDEO);
    put_unsigned(&to, WIDTH, (uint64_t)tracks->width);
    put_unsigned(&to, HEIGHT, (uint64_t)tracks->height);
    if (tracks->shown_width > 0) {
      put_unsigned(&to, SHOWN_WIDTH, (uint64_t)tracks->shown_width);
      put_unsigned(&to, SHOWN_HEIGHT, (uint64_t)tracks->shown_height);
    }
    uint8_t fourcc[4] = {tracks->fourcc & 255, tracks->fourcc >> 8 & 255, tracks->fourcc >> 16 & 255, tracks->fourcc >> 24};
    put_data(&to, COLOR_SPACE, fourcc, sizeof fourcc);
    close_master(&to, video);
    close_master(&to, entry);
  }
  if (tracks->channels > 0) {
    size_t entry = open_master(&to, TRACK_ENTRY);
    put_track(&to, TRACK_AUDIO, "A_PCM/FLOAT/IEEE");
    size_t audio = open_master(&to, AUDIO);
    double rate = tracks->rate;
    uint64_t bits;
    memcpy(&bits, &rate, sizeof bits);
    put_unsigned(&to, RATE, bits);
    put_unsigned(&to, CHANNELS, (uint64_t)tracks->channels);
    put_unsigned(&to, BIT_DEPTH, 32);
    close_master(&to, audio);
    close_master(&to, entry);
  }
  close_master(&to, part);
  struct iovec whole = {to.bytes, to.size};
  return write_all(pipe, &whole, 1);
}

bool write_block(int pipe, int track, uint64_t time, struct iovec *parts, int count) {
  // A cluster for each: its time is then the block's own.
  uint64_t size = 4;
  for (int at = 1; at < count; at++) size += parts[at].iov_len;
  text to = {.size = 0};
  put_id(&to, CLUSTER);
  put_size(&to, size + 17 + 9);
  put_unsigned(&to, CLUSTER_TIME, time);
  put_id(&to, SIMPLE_BLOCK);
  put_size(&to, size);
  put_number(&to, 0x80 | (uint64_t)track, 1);
  put_number(&to, 0, 2);
  // Each may be begun with.
  put_number(&to, 0x80, 1);
  parts[0] = (struct iovec){to.bytes, to.size};
  return write_all(pipe, parts, count);
}

typedef struct {
  const reading *from;
  uint8_t buffer[BUFFER];
  size_t at, end;
} source;

// Takes what has come, and at most so much. Returns how much; 0 at the end.
static size_t some(source *in, uint8_t *to, size_t size) {
  while (in->at == in->end) {
    struct pollfd ready = {.fd = in->from->pipe, .events = POLLIN};
    int polled = poll(&ready, 1, PATIENCE);
    if (!in->from->waits(in->from->with)) return 0;
    if (polled == 0 || (polled < 0 && errno == EINTR)) continue;
    if (polled < 0) return 0;
    // What is long goes where it belongs at once.
    bool straight = to != NULL && size >= BUFFER;
    ssize_t got = read(in->from->pipe, straight ? to : in->buffer, straight ? size : BUFFER);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    if (straight) return (size_t)got;
    in->at = 0;
    in->end = (size_t)got;
  }
  size_t part = in->end - in->at < size ? in->end - in->at : size;
  if (to) memcpy(to, in->buffer + in->at, part);
  in->at += part;
  return part;
}

// Reads so much; without `to` it is left out.
static bool take(source *in, void *to, size_t size) {
  for (size_t done = 0, part; done < size; done += part) {
    part = some(in, to ? (uint8_t *)to + done : NULL, size - done);
    if (part == 0) return false;
  }
  return true;
}

// A number that says in its first byte how long it is. Returns its length; 0 at the end, -1 for what is none.
static int take_number(source *in, int longest, bool marked, uint64_t *value) {
  uint8_t first;
  if (!take(in, &first, 1)) return 0;
  int length = first == 0 ? 9 : __builtin_clz(first) - 23;
  if (length > longest) return -1;
  *value = marked ? first : first & (0xff >> length);
  for (int at = 1; at < length; at++) {
    uint8_t next;
    if (!take(in, &next, 1)) return 0;
    *value = *value << 8 | next;
  }
  return length;
}

static uint64_t unsigned_of(const uint8_t *bytes, size_t size) {
  uint64_t value = 0;
  for (size_t at = 0; at < size; at++) value = value << 8 | bytes[at];
  return value;
}

static double float_of(const uint8_t *bytes, size_t size) {
  uint64_t bits = unsigned_of(bytes, size);
  uint32_t half = (uint32_t)bits;
  double value = 0;
  float single = 0;
  if (size == 8) memcpy(&value, &bits, 8);
  if (size == 4) memcpy(&single, &half, 4), value = single;
  return value;
}

bool read_blocks(const reading *from) {
  static source in;
  in = (source){.from = from};
  media tracks = {0};
  // Which kind a track is, by its number.
  int kinds[TRACKS_MAX] = {0}, number = 0, kind = 0;
  uint64_t scale = USUAL_SCALE, cluster = 0;
  uint8_t *data = NULL;
  size_t room = 0;
  bool good = true;
  for (;;) {
    uint64_t id, size;
    int got = take_number(&in, 4, true, &id);
    if (got > 0) got = take_number(&in, 8, false, &size);
    if (got <= 0) {
      good = got == 0;
      break;
    }
    switch (id) {
      // What holds others is entered: what is in it comes next.
      case TRACK_ENTRY:
        number = kind = 0;
        continue;
      case SEGMENT:
      case INFO:
      case TRACKS:
      case VIDEO:
      case AUDIO:
      case CLUSTER:
      case BLOCK_GROUP:
        continue;
    }
    if (size > BLOCK_MAX) {
      good = false;
      break;
    }
    bool is_block = id == BLOCK || id == SIMPLE_BLOCK;
    uint8_t small[8];
    if (!is_block) {
      if (!take(&in, size <= sizeof small ? small : NULL, size)) break;
      if (size > sizeof small) continue;
      uint64_t value = unsigned_of(small, size);
      switch (id) {
        case TIME_SCALE: scale = value; break;
        case TRACK_NUMBER: number = value < TRACKS_MAX ? (int)value : 0; break;
        case TRACK_TYPE: kind = (int)value; break;
        case WIDTH: tracks.width = (int)value; break;
        case HEIGHT: tracks.height = (int)value; break;
        case SHOWN_WIDTH: tracks.shown_width = (int)value; break;
        case SHOWN_HEIGHT: tracks.shown_height = (int)value; break;
        case DURATION: if (kind != TRACK_AUDIO) tracks.duration = value; break;
        case RATE: tracks.rate = (int)float_of(small, size); break;
        case CHANNELS: tracks.channels = (int)value; break;
        case CLUSTER_TIME: cluster = value; break;
      }
      if (number > 0 && kind > 0) kinds[number] = kind;
      continue;
    }
    if (size > room) {
      free(data);
      room = size;
      data = malloc(room);
      if (!data) {
        good = false;
        break;
      }
    }
    if (size < 4 || !take(&in, data, size)) break;
    int track = data[0] & 0x7f;
    int64_t time = (int64_t)cluster + (int16_t)(data[1] << 8 | data[2]);
    // Numbers beyond those of a byte are of none of the two tracks there are.
    if ((data[0] & 0x80) == 0 || track >= TRACKS_MAX || kinds[track] == 0) continue;
    if (!from->block(from->with, &tracks, kinds[track], (uint64_t)(time < 0 ? 0 : time) * scale, data + 4, size - 4)) break;
  }
  free(data);
  return good;
}
