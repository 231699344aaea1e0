#include "lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int split(char *line, char *fields[FIELDS_MAX]) {
  int count = 0;
  for (char *rest = line; rest && count < FIELDS_MAX; count++) {
    fields[count] = rest;
    if (count == FIELDS_MAX - 1) return FIELDS_MAX;
    rest = strchr(rest, '\t');
    if (rest) *rest++ = '\0';
  }
  return count;
}

int read_lines(int descriptor, void (*take)(char *line)) {
  static char kept[LINE_MAX_BYTES];
  static size_t size;
  ssize_t got = read(descriptor, kept + size, sizeof kept - 1 - size);
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return 0;
  size += (size_t)got;
  kept[size] = '\0';
  char *begin = kept;
  for (char *end; (end = memchr(begin, '\n', size - (size_t)(begin - kept))); begin = end + 1) {
    *end = '\0';
    take(begin);
  }
  size -= (size_t)(begin - kept);
  memmove(kept, begin, size);
  // A line that is too long is none of ours.
  return size < sizeof kept - 1;
}
