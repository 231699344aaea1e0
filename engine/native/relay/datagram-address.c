#include "datagram-address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <string.h>

int parse_datagram_address(struct datagram_address *address, const char *text, int port, const char *interface) {
  memset(address, 0, sizeof *address);
  if (!strchr(text, ':')) {
    address->ipv4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    return inet_pton(AF_INET, text, &address->ipv4.sin_addr) == 1 ? 0 : EINVAL;
  }
  address->ipv6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
  if (inet_pton(AF_INET6, text, &address->ipv6.sin6_addr) != 1) return EINVAL;
  if (!interface[0] || !is_multicast_address(address)) return 0;
  address->ipv6.sin6_scope_id = if_nametoindex(interface);
  return address->ipv6.sin6_scope_id > 0 ? 0 : ENODEV;
}

socklen_t address_length(const struct datagram_address *address) {
  return address->any.ss_family == AF_INET6 ? sizeof address->ipv6 : sizeof address->ipv4;
}

bool is_multicast_address(const struct datagram_address *address) {
  if (address->any.ss_family == AF_INET6) return IN6_IS_ADDR_MULTICAST(&address->ipv6.sin6_addr);
  return IN_MULTICAST(ntohl(address->ipv4.sin_addr.s_addr));
}
