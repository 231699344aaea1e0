// Events that a C program writes for the hub: one JSON object per line. All functions are thread-safe.
#ifndef EVENTS_H
#define EVENTS_H

#include <stddef.h>

// EVENT_DESCRIPTOR: the descriptor for events in programs that need stdout for media.
// EVENT_MAX_BYTES: the maximum length of an event, including the line feed.
enum { EVENT_DESCRIPTOR = 3, EVENT_MAX_BYTES = 4096 };

// Sets the descriptor that events are written to. The default is stdout.
void set_event_descriptor(int descriptor);

// Writes one event, without the line feed in `format`. An event that is too long is dropped. Nothing is escaped:
// arguments must be numbers, addresses or known words.
void write_event(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Writes a complete event line, including its line feed.
void write_event_line(const char *line, size_t length);

// Writes {"<key>":"<text>","url":"<url>"} with escaped texts, without the URL if it is NULL. An event that is too long
// is dropped.
void write_text_event(const char *key, const char *text, const char *url);

// Writes {"<key>":"<text>","<number_key>":<number>} with an escaped text. An event that is too long is dropped.
void write_numbered_text_event(const char *key, const char *text, const char *number_key, int number);

// Writes {"failed":"<code>"}. Returns 1, the exit status of the program.
int report_failure(const char *code);

#endif
