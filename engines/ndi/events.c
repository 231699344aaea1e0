#include "events.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 4096 };

static void put(const char *text, size_t length) {
  for (size_t done = 0; done < length;) {
    ssize_t written = write(EVENTS, text + done, length - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    done += (size_t)written;
  }
}

void tell(const char *format, ...) {
  char text[LINE_MAX_BYTES];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(text, sizeof text - 1, format, values);
  va_end(values);
  if (length < 0 || length >= (int)sizeof text - 1) return;
  text[length++] = '\n';
  put(text, (size_t)length);
}

// Writes a JSON string. Returns where it ends; NULL when there is no room.
static char *quote(char *to, const char *end, const char *text) {
  if (to == NULL || end - to < 2) return NULL;
  *to++ = '"';
  for (; *text; text++) {
    unsigned char letter = (unsigned char)*text;
    // The longest form of a letter, the quote behind it and a little more.
    if (end - to < 8) return NULL;
    if (letter == '"' || letter == '\\') *to++ = '\\', *to++ = (char)letter;
    else if (letter < ' ' || letter == 127) to += sprintf(to, "\\u%04x", letter);
    else *to++ = (char)letter;
  }
  *to++ = '"';
  return to;
}

void tell_source(const char *key, const char *name, const char *url) {
  char text[LINE_MAX_BYTES], *to = text;
  const char *end = text + sizeof text - 16;
  *to++ = '{';
  to = quote(to, end, key);
  if (to) *to++ = ':';
  to = quote(to, end, name);
  if (to && url && end - to > 8) {
    memcpy(to, ",\"url\":", 7);
    to = quote(to + 7, end, url);
  }
  if (!to) return;
  *to++ = '}';
  *to++ = '\n';
  put(text, (size_t)(to - text));
}

int fail(const char *why) {
  tell("{\"failed\":\"%s\"}", why);
  return 1;
}
