// Reads the commands of the hub: one command per line, with fields separated by tabs.
#ifndef LINE_READER_H
#define LINE_READER_H

enum { FIELDS_MAX = 12, LINE_MAX_BYTES = 4096 };

// Splits a line at its tabs, in place. Returns the number of fields; the last of FIELDS_MAX fields holds the rest of
// the line.
int split_fields(char *line, char *fields[FIELDS_MAX]);

// Reads available bytes from a descriptor and calls `handle_line` for each complete line. Keeps an incomplete line for
// the next call, so a program can read only one descriptor. Returns 0 at the end of the input, after a read error, or
// when a line is longer than LINE_MAX_BYTES.
int read_lines(int descriptor, void (*handle_line)(char *line));

#endif
