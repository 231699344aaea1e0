#include "frames.h"

#include <string.h>

enum { HEADER = 8, OFFSET = 4, TABLES_MAX = 64 << 10 };

static uint8_t head[HEADER + OFFSET * STARTS_MAX];
static size_t head_bytes;
static uint8_t tables[TABLES_MAX];
// Bytes of the body that have been handled.
static uint32_t body_bytes;

static uint32_t read_number(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int count_starts(void) { return head[2] << 8 | head[3]; }
static uint32_t body_length(void) { return read_number(head + 4); }

void reset_frames(void) {
  head_bytes = 0;
  body_bytes = 0;
}

static bool is_head_valid(void) {
  if (head[0] != 'T' && head[0] != 'M' && head[0] != 'E') return false;
  return count_starts() <= STARTS_MAX && (head[0] != 'T' || body_length() <= TABLES_MAX);
}

// Handles a part of the media, with the start points in it.
static void handle_media(const uint8_t *data, size_t size, const struct frame_handlers *handlers) {
  uint32_t starts[STARTS_MAX];
  int count = 0;
  for (int i = 0; i < count_starts(); i++) {
    uint32_t start = read_number(head + HEADER + OFFSET * i);
    if (start >= body_bytes && start - body_bytes < size) starts[count++] = start - body_bytes;
  }
  handlers->media(data, size, starts, count);
}

// Takes bytes of the body. Returns their number.
static size_t take_body(const uint8_t *data, size_t size, const struct frame_handlers *handlers) {
  size_t rest = body_length() - body_bytes;
  size_t part = rest < size ? rest : size;
  if (head[0] == 'T') memcpy(tables + body_bytes, data, part);
  else if (head[0] == 'M' && part > 0) handle_media(data, part, handlers);
  body_bytes += (uint32_t)part;
  return part;
}

bool read_frames(const uint8_t *data, size_t size, const struct frame_handlers *handlers) {
  for (;;) {
    size_t head_length = head_bytes < HEADER ? HEADER : HEADER + OFFSET * (size_t)count_starts();
    if (head_bytes < head_length) {
      if (size == 0) return true;
      size_t part = head_length - head_bytes < size ? head_length - head_bytes : size;
      memcpy(head + head_bytes, data, part);
      head_bytes += part;
      data += part;
      size -= part;
      if (head_bytes == HEADER && !is_head_valid()) return false;
      continue;
    }
    size_t part = take_body(data, size, handlers);
    data += part;
    size -= part;
    if (body_bytes < body_length()) return true;
    if (head[0] == 'T') handlers->tables(tables, body_bytes);
    if (head[0] == 'E') handlers->end();
    reset_frames();
  }
}
