#include "events.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER;
static int teller = 1;

void tell_to(int descriptor) { teller = descriptor; }

void tell_line(const char *line, size_t length) {
  pthread_mutex_lock(&telling);
  for (size_t done = 0; done < length;) {
    ssize_t written = write(teller, line + done, length - done);
    if (written < 0 && errno == EINTR) continue;
    // Nobody listens any more: a program that is to end is told so in another way.
    if (written <= 0) break;
    done += (size_t)written;
  }
  pthread_mutex_unlock(&telling);
}

void tell(const char *format, ...) {
  char line[EVENT_MAX_BYTES];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line - 1, format, values);
  va_end(values);
  if (length < 0 || length >= (int)sizeof line - 1) return;
  line[length++] = '\n';
  tell_line(line, (size_t)length);
}

int fail(const char *why) {
  tell("{\"failed\":\"%s\"}", why);
  return 1;
}
