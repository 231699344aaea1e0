#include "addresses.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

static const uint8_t MAPPED_PREFIX[MAPPED_BITS / 8] = {[10] = 0xff, [11] = 0xff};

static void store_ipv4(struct address *address, const struct in_addr *ipv4) {
  memcpy(address->bytes, MAPPED_PREFIX, sizeof MAPPED_PREFIX);
  memcpy(address->bytes + sizeof MAPPED_PREFIX, ipv4, sizeof *ipv4);
}

bool parse_address(const char *text, struct address *address) {
  struct in_addr ipv4;
  if (inet_pton(AF_INET, text, &ipv4) != 1) return inet_pton(AF_INET6, text, address->bytes) == 1;
  store_ipv4(address, &ipv4);
  return true;
}

bool get_peer_address(const struct sockaddr *peer, struct address *address) {
  if (peer->sa_family == AF_INET) store_ipv4(address, &((const struct sockaddr_in *)peer)->sin_addr);
  else if (peer->sa_family == AF_INET6) memcpy(address->bytes, &((const struct sockaddr_in6 *)peer)->sin6_addr, ADDRESS_BYTES);
  else return false;
  return true;
}

bool is_ipv4_address(const struct address *address) { return memcmp(address->bytes, MAPPED_PREFIX, sizeof MAPPED_PREFIX) == 0; }

bool has_prefix_in_common(const struct address *one, const struct address *other, int bits) {
  // The mapped addresses are in ::/64, but an IPv4 client is in no network of IPv6.
  if (bits < 0 || bits > ADDRESS_BITS || is_ipv4_address(one) != is_ipv4_address(other)) return false;
  size_t whole = (size_t)bits / 8;
  if (memcmp(one->bytes, other->bytes, whole) != 0) return false;
  return bits % 8 == 0 || (one->bytes[whole] ^ other->bytes[whole]) >> (8 - bits % 8) == 0;
}

void format_peer(const struct sockaddr *peer, char text[PEER_MAX_BYTES]) {
  char name[INET6_ADDRSTRLEN] = "";
  struct address address;
  // The port is at the same place in an address of either family.
  int port = ntohs(((const struct sockaddr_in *)peer)->sin_port);
  bool is_ipv6 = false;
  if (get_peer_address(peer, &address)) {
    is_ipv6 = !is_ipv4_address(&address);
    if (is_ipv6) inet_ntop(AF_INET6, address.bytes, name, sizeof name);
    else inet_ntop(AF_INET, address.bytes + sizeof MAPPED_PREFIX, name, sizeof name);
  }
  snprintf(text, PEER_MAX_BYTES, is_ipv6 ? "[%s]:%d" : "%s:%d", name, port);
}
