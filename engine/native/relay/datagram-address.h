// Addresses of datagram sources and targets, of IPv4 and IPv6.
#ifndef DATAGRAM_ADDRESS_H
#define DATAGRAM_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <sys/socket.h>

struct datagram_address {
  union {
    struct sockaddr_storage any;
    struct sockaddr_in ipv4;
    struct sockaddr_in6 ipv6;
  };
};

// Parses an address. A multicast group of IPv6 gets the index of the interface, whose name is `interface`; if that is
// empty, the system chooses. Returns 0 or a system error code.
int parse_datagram_address(struct datagram_address *address, const char *text, int port, const char *interface);

// The length of the address for system calls.
socklen_t address_length(const struct datagram_address *address);

bool is_multicast_address(const struct datagram_address *address);

#endif
