// An event with a name, which may hold anything: it is escaped.
#ifndef TELL_SOURCE_H
#define TELL_SOURCE_H

// {"<key>":"<name>","url":"<url>"}. Without the URL where it is NULL.
void tell_source(const char *key, const char *name, const char *url);

#endif
