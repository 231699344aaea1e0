#include "events.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static pthread_mutex_t write_lock = PTHREAD_MUTEX_INITIALIZER;
static int event_descriptor = STDOUT_FILENO;

void set_event_descriptor(int descriptor) { event_descriptor = descriptor; }

void write_event_line(const char *line, size_t length) {
  pthread_mutex_lock(&write_lock);
  for (size_t done = 0; done < length;) {
    ssize_t written = write(event_descriptor, line + done, length - done);
    if (written < 0 && errno == EINTR) continue;
    // The hub closed its end. The program learns about that elsewhere, so the rest of the line is dropped.
    if (written <= 0) break;
    done += (size_t)written;
  }
  pthread_mutex_unlock(&write_lock);
}

void write_event(const char *format, ...) {
  char line[EVENT_MAX_BYTES];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(line, sizeof line - 1, format, values);
  va_end(values);
  if (length < 0 || length >= (int)sizeof line - 1) return;
  line[length++] = '\n';
  write_event_line(line, (size_t)length);
}

int report_failure(const char *code) {
  write_event("{\"failed\":\"%s\"}", code);
  return 1;
}
