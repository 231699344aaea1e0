// Addresses of clients. An IPv4 address is kept as its IPv4-mapped IPv6 address, as a port for both families reports
// it.
#ifndef ADDRESSES_H
#define ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// MAPPED_BITS: what comes before the IPv4 address in a mapped one. NETWORK_BITS: the network of one IPv6 client.
enum { ADDRESS_BYTES = 16, ADDRESS_BITS = 128, MAPPED_BITS = 96, NETWORK_BITS = 64, PEER_MAX_BYTES = 64 };

struct address {
  uint8_t bytes[ADDRESS_BYTES];
};

// Parses an IPv4 or IPv6 address. Returns false if the text is neither.
bool parse_address(const char *text, struct address *address);

// Stores the address of a peer. Returns false for other address families.
bool get_peer_address(const struct sockaddr *peer, struct address *address);

bool is_ipv4_address(const struct address *address);

// Whether two addresses are of the same family and their first bits are equal.
bool has_prefix_in_common(const struct address *one, const struct address *other, int bits);

// Formats the address of a peer as `<IPv4 address>:<port>` or `[<IPv6 address>]:<port>`; the address is empty for other
// address families.
void format_peer(const struct sockaddr *peer, char text[PEER_MAX_BYTES]);

#endif
