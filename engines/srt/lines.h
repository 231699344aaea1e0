// Commands in, events out: a line each. Commands are fields between tabs; events are JSON.
#ifndef LINES_H
#define LINES_H

#include <stddef.h>

enum { FIELDS_MAX = 12, LINE_MAX_BYTES = 4096 };

// Cuts a line at its tabs, in place. Returns how many fields there are; more than FIELDS_MAX are left in the last one.
int split(char *line, char *fields[FIELDS_MAX]);

// Writes an event, whole or not at all. Only words, numbers and addresses may be given: nothing is escaped.
void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Where events go; 1 unless set.
void tell_to(int descriptor);

// Reads what has come on a descriptor and hands on each whole line. Returns 0 at its end.
int read_lines(int descriptor, void (*take)(char *line));

#endif
