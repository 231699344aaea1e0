#include "tell-source.h"

#include <stdio.h>
#include <string.h>

#include "../events/events.h"

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
  char text[EVENT_MAX_BYTES], *to = text;
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
  tell_line(text, (size_t)(to - text));
}
