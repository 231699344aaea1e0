#define _GNU_SOURCE
#include "ports.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// MEDIA_PORT: the first UDP port for media. DESCRIPTORS_MAX: above those of 64 destinations.
enum { MEDIA_PORT = 5960, AVOIDED_MAX = 8, DESCRIPTORS_MAX = 4096 };

// The owner of each port from FIRST_PORT on, plus 1; 0: the port was never used.
static int owners[PORTS];
// Sockets that block ports.
static int blockers[PORTS];
static int blocker_count;
static bool was_listening[PORTS];

static bool is_source_port(int port) { return port >= FIRST_PORT && port < FIRST_PORT + PORTS; }

void reserve_port(int destination, int port) {
  if (is_source_port(port)) owners[port - FIRST_PORT] = destination + 1;
}

// Marks the ports where this process listens.
static void find_listening(bool is_listening[PORTS]) {
  memset(is_listening, 0, PORTS * sizeof *is_listening);
  for (int descriptor = 0; descriptor < DESCRIPTORS_MAX; descriptor++) {
    int listens = 0;
    socklen_t size = sizeof listens;
    if (getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens) continue;
    struct sockaddr_in address = {0};
    size = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0 || address.sin_family != AF_INET) continue;
    int port = ntohs(address.sin_port);
    if (is_source_port(port)) is_listening[port - FIRST_PORT] = true;
  }
}

static void block(int port) {
  int blocker = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  if (blocker < 0) return;
  // A port that cannot be bound here is not free for the runtime either.
  if (bind(blocker, (struct sockaddr *)&address, sizeof address) == 0) blockers[blocker_count++] = blocker;
  else close(blocker);
}

void block_ports(int destination) {
  find_listening(was_listening);
  for (int index = 0; index < PORTS; index++)
    if (owners[index] && owners[index] != destination + 1) block(FIRST_PORT + index);
}

int unblock_ports(int destination) {
  while (blocker_count > 0) close(blockers[--blocker_count]);
  static bool is_listening[PORTS];
  find_listening(is_listening);
  for (int index = 0; index < PORTS; index++)
    if (is_listening[index] && !was_listening[index]) {
      reserve_port(destination, FIRST_PORT + index);
      return FIRST_PORT + index;
    }
  return 0;
}

// Sockets that occupy the ports to avoid.
static int avoiding[AVOIDED_MAX];
static int avoiding_count;

static bool is_avoiding(int descriptor) {
  for (int index = 0; index < avoiding_count; index++)
    if (avoiding[index] == descriptor) return true;
  return false;
}

int find_media_port(void) {
  for (int descriptor = 0; descriptor < DESCRIPTORS_MAX; descriptor++) {
    int type = 0;
    socklen_t size = sizeof type;
    if (is_avoiding(descriptor) || getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_DGRAM) continue;
    // The port is at the same place in an IPv4 address.
    struct sockaddr_in6 address = {0};
    size = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &size) != 0) continue;
    int port = ntohs(address.sin6_port);
    bool is_internet = address.sin6_family == AF_INET || address.sin6_family == AF_INET6;
    if (is_internet && (port == MEDIA_PORT || is_source_port(port))) return port;
  }
  return 0;
}

void avoid_media_ports(const char *ports) {
  for (const char *text = ports; text && *text && avoiding_count < AVOIDED_MAX;) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(text))};
    int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor >= 0 && bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) avoiding[avoiding_count++] = descriptor;
    else if (descriptor >= 0) close(descriptor);
    text = strchr(text, ',');
    if (text) text++;
  }
}
