#include "text-event.h"

#include <stdio.h>
#include <string.h>

#include "../events/events.h"

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
