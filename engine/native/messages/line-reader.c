#include "line-reader.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

int split_fields(char *line, char *fields[FIELDS_MAX]) {
  int count = 0;
  for (char *rest = line; rest && count < FIELDS_MAX; count++) {
    fields[count] = rest;
    if (count == FIELDS_MAX - 1) return FIELDS_MAX;
    rest = strchr(rest, '\t');
    if (rest) *rest++ = '\0';
  }
  return count;
}

int read_lines(int descriptor, void (*handle_line)(char *line)) {
  static char buffer[LINE_MAX_BYTES];
  static size_t size;
  ssize_t count = read(descriptor, buffer + size, sizeof buffer - 1 - size);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  if (count == 0) {
    size = 0;
    return 0;
  }
  size += (size_t)count;
  buffer[size] = '\0';
  char *begin = buffer;
  for (char *end; (end = memchr(begin, '\n', size - (size_t)(begin - buffer))); begin = end + 1) {
    *end = '\0';
    handle_line(begin);
  }
  size -= (size_t)(begin - buffer);
  memmove(buffer, begin, size);
  // A full buffer without a line feed: the hub never sends such a line.
  bool is_too_long = size == sizeof buffer - 1;
  if (is_too_long) size = 0;
  return !is_too_long;
}
