// Addresses that have to wait, because too many wrong keys came from them: the hub says which.
#ifndef BARS_H
#define BARS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

// Bars an address of IPv4 until a time; the one that would be over first goes for it when there are too many. False when it is none.
bool bar(const char *address, int64_t until);

bool is_barred(const struct sockaddr *peer, int64_t now);

#endif
