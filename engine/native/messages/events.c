#include "events.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
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

// Appends a JSON string. Returns the position after it, or NULL if it does not fit before `limit`.
static char *append_string(char *out, const char *limit, const char *text) {
  if (out == NULL || limit - out < 2) return NULL;
  *out++ = '"';
  for (; *text; text++) {
    unsigned char byte = (unsigned char)*text;
    // The longest escape sequence has six characters and the closing quote one.
    if (limit - out < 8) return NULL;
    if (byte == '"' || byte == '\\') *out++ = '\\', *out++ = (char)byte;
    else if (byte < ' ' || byte == 127) out += sprintf(out, "\\u%04x", byte);
    else *out++ = (char)byte;
  }
  *out++ = '"';
  return out;
}

void write_text_event(const char *key, const char *text, const char *url) {
  char line[EVENT_MAX_BYTES], *out = line;
  const char *limit = line + sizeof line - 16;
  *out++ = '{';
  out = append_string(out, limit, key);
  if (out) *out++ = ':';
  out = append_string(out, limit, text);
  if (out && url && limit - out > 8) {
    memcpy(out, ",\"url\":", 7);
    out = append_string(out + 7, limit, url);
  }
  if (!out) return;
  *out++ = '}';
  *out++ = '\n';
  write_event_line(line, (size_t)(out - line));
}

void write_numbered_text_event(const char *key, const char *text, const char *number_key, int number) {
  char line[EVENT_MAX_BYTES], *out = line;
  const char *limit = line + sizeof line - 64;
  *out++ = '{';
  out = append_string(out, limit, key);
  if (out) *out++ = ':';
  out = append_string(out, limit, text);
  if (!out) return;
  out += snprintf(out, 64, ",\"%s\":%d}\n", number_key, number);
  write_event_line(line, (size_t)(out - line));
}

int report_failure(const char *code) {
  write_event("{\"failed\":\"%s\"}", code);
  return 1;
}
