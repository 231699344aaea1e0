// The Unix socket at which processes and the engine connect for media. The first line of a connection says what it is
// for: `feed <number>`, `process <id> <from cache> <ends with stream>` or `tap <id> <from cache> <batch in ms>`. A
// receiver that another relay hands over is a descriptor that comes with the line, which then also has the time of the
// start point: `process … <time>`, `tap … <time>` or `target <id> <payload bytes> <is RTP> <sequence> <timestamp
// offset> <source> <time>`.
#ifndef MEDIA_SOCKET_H
#define MEDIA_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

// Creates the socket, which only this user can open. Returns false if the path cannot be used.
bool open_media_socket(const char *path);

// Closes connections without a first line.
void expire_connections(int64_t now);

#endif
