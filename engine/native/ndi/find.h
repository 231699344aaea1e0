#ifndef FIND_H
#define FIND_H

// Tells which sources there are in the network as they come (`found`, once more when the address is another one) and go (`gone`), until it
// is asked to end. `groups` and `addresses` of other networks' machines are lists with commas, or empty.
int find_sources(const char *groups, const char *addresses);

#endif
