#ifndef FIND_H
#define FIND_H

// Watches the NDI sources of the network until SIGTERM. Writes a `found` event for each new source and each source whose address changes,
// and a `gone` event for each source that disappears. `groups` and `addresses` (hosts in other networks) are comma-separated lists, or
// empty. Returns the exit status of the program.
int watch_sources(const char *groups, const char *addresses);

#endif
