#ifndef FIND_H
#define FIND_H

// Watches the NDI sources of the network until SIGTERM. Writes a `found` event for each new source and each source
// whose address changes, and a `gone` event for each source that disappears. `groups` and `addresses` (hosts in other
// networks) are comma-separated lists, or empty. Returns the exit status of the program.
int watch_sources(const char *groups, const char *addresses);

// Creates a finder; NULL if that fails.
void *start_finder(const char *groups, const char *addresses);

// Writes the events of `watch_sources` for the changes since the last call. The program has one finder at most.
void report_sources(void *finder);

#endif
