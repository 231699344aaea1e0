// The Unix socket at which processes and the engine connect for media. The first line of a connection says what it is
// for (greeting.h).
#ifndef MEDIA_SOCKET_H
#define MEDIA_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

// Creates the socket, which only this user can open. Returns false if the path cannot be used. The function carries out
// the commands of the engine that have arrived; it is called before a connection is used.
bool open_media_socket(const char *path, void (*take_arrived_commands)(void));

// Takes the connections, and their first lines, that have arrived until now.
void take_waiting_connections(void);

// Closes connections without a first line.
void expire_connections(int64_t now);

#endif
