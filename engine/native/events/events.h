// What a program says to the hub: a line of JSON each. Threads may speak at the same time.
#ifndef EVENTS_H
#define EVENTS_H

#include <stddef.h>

// EVENTS is the descriptor of a program that says something else on stdout. EVENT_MAX_BYTES is how long a line may be, with its end.
enum { EVENTS = 3, EVENT_MAX_BYTES = 4096 };

// Where events go; 1 unless set.
void tell_to(int descriptor);

// Writes an event, whole or not at all. Only words, numbers and addresses may be given: nothing is escaped.
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Writes an event as it is given, with the end of its line.
void tell_line(const char *line, size_t length);

// {"failed":"<why>"}. Returns 1, to end with.
int fail(const char *why);

#endif
