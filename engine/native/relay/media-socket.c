#define _GNU_SOURCE
#include "media-socket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "clock.h"
#include "greeting.h"
#include "hand-over.h"
#include "loop.h"

enum { BACKLOG = 64, CONNECTIONS_MAX = 64, LINE_BYTES = 192, LINE_TIMEOUT_US = 2 * MICROSECONDS };

static void (*take_commands)(void);

// Connections whose first line has not arrived.
static struct connection {
  struct watch watch;
  int64_t since;
} connections[CONNECTIONS_MAX];

static void handle_listener(struct watch *watch, uint32_t events);
static struct watch listener = {.descriptor = -1, .handle = handle_listener};

static void handle_connection(struct watch *watch, uint32_t events) {
  (void)events;
  char line[LINE_BYTES];
  ssize_t size = recv(watch->descriptor, line, sizeof line - 1, MSG_PEEK | MSG_DONTWAIT);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  char *end = size > 0 ? memchr(line, '\n', (size_t)size) : NULL;
  if (!end && size > 0 && size < (ssize_t)sizeof line - 1) return;
  if (!end) return close_watch(watch);
  // Media may follow the line.
  int descriptor;
  if (!receive_descriptor(watch->descriptor, line, (size_t)(end - line) + 1, &descriptor)) return close_watch(watch);
  *end = '\0';
  // The loop watches the descriptor for its new purpose, under a number of its own.
  if (descriptor < 0) descriptor = fcntl(watch->descriptor, F_DUPFD_CLOEXEC, 0);
  close_watch(watch);
  // The engine announces a connection before it is made, but this program may notice both at once.
  take_commands();
  if (descriptor >= 0 && !assign_connection(line, descriptor, now_us())) close(descriptor);
}

// Returns false if no connection waits.
static bool accept_connection(void) {
  int descriptor = accept4(listener.descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (descriptor < 0) return false;
  for (int index = 0; index < CONNECTIONS_MAX; index++) {
    struct connection *connection = &connections[index];
    if (connection->watch.handle && connection->watch.descriptor >= 0) continue;
    *connection = (struct connection){.watch = {.descriptor = descriptor, .handle = handle_connection}, .since = now_us()};
    if (watch_descriptor(&connection->watch, EPOLLIN)) return true;
    connection->watch.descriptor = -1;
    break;
  }
  close(descriptor);
  return true;
}

static void handle_listener(struct watch *watch, uint32_t events) {
  (void)watch, (void)events;
  accept_connection();
}

void take_waiting_connections(void) {
  while (accept_connection()) continue;
  for (int index = 0; index < CONNECTIONS_MAX; index++) {
    struct watch *watch = &connections[index].watch;
    if (watch->handle && watch->descriptor >= 0) handle_connection(watch, EPOLLIN);
  }
}

void expire_connections(int64_t now) {
  for (int index = 0; index < CONNECTIONS_MAX; index++)
    if (connections[index].watch.handle && now - connections[index].since > LINE_TIMEOUT_US) close_watch(&connections[index].watch);
}

bool open_media_socket(const char *path, void (*take_arrived_commands)(void)) {
  take_commands = take_arrived_commands;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return false;
  strcpy(address.sun_path, path);
  listener.descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (listener.descriptor < 0) return false;
  umask(0177);
  return bind(listener.descriptor, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener.descriptor, BACKLOG) == 0 &&
         watch_descriptor(&listener, EPOLLIN);
}
