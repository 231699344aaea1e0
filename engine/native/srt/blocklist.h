// Addresses that the hub has blocked for a while because too many wrong stream keys came from them.
#ifndef BLOCKLIST_H
#define BLOCKLIST_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

// Blocks an IPv4 address, or the /64 network of an IPv6 address, until a time in ms (CLOCK_MONOTONIC). When the list is
// full, the entry that expires first is replaced. Returns false if the text is not an address.
bool block_address(const char *address, int64_t until);

// Returns whether the address of a peer is blocked at the time `now` in ms.
bool is_blocked(const struct sockaddr *peer, int64_t now);

#endif
