#include "lines.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;
static int teller = 1;

void tell_to(int descriptor) { teller = descriptor; }

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

void tell(const char *format, ...) {
  char text[LINE_MAX_BYTES];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(text, sizeof text - 1, format, values);
  va_end(values);
  if (length < 0 || length >= (int)sizeof text - 1) return;
  text[length++] = '\n';
  pthread_mutex_lock(&telling);
  for (int done = 0; done < length;) {
    ssize_t written = write(teller, text + done, (size_t)(length - done));
    if (written < 0 && errno == EINTR) continue;
    // Nobody listens any more: whoever reads the commands finds their end.
    if (written <= 0) break;
    done += (int)written;
  }
  pthread_mutex_unlock(&telling);
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
