// What the program says to the hub: a line of JSON each, on descriptor 3.
#ifndef EVENTS_H
#define EVENTS_H

enum { EVENTS = 3 };

// Writes an event, whole or not at all. Only words and numbers may be given: nothing is escaped.
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

// {"<key>":"<name>","url":"<url>"}, escaped. Without the URL where it is NULL.
void tell_source(const char *key, const char *name, const char *url);

// {"failed":"<why>"}. Returns 1, to end with.
int fail(const char *why);

#endif
