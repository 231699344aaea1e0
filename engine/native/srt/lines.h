// Commands of the hub: a line each, of fields between tabs.
#ifndef LINES_H
#define LINES_H

enum { FIELDS_MAX = 12, LINE_MAX_BYTES = 4096 };

// Cuts a line at its tabs, in place. Returns how many fields there are; more than FIELDS_MAX are left in the last one.
int split(char *line, char *fields[FIELDS_MAX]);

// Reads what has come on a descriptor and hands on each whole line. Returns 0 at its end.
int read_lines(int descriptor, void (*take)(char *line));

#endif
