// The first line of a connection to the media socket, which says what the connection is for: `feed <number>`,
// `process <id> <from cache> <ends with stream>`, `tap <id> <from cache> <batch in ms>`, or for a tap that lets packets
// be held `hold <id> <batch in ms> <hold in ms> <age in ms>`. A receiver that another relay hands over is a descriptor
// that comes with the line, which then also has the place where it goes on (`struct place`):
// `process … <time> <time before>`, `tap … <time> <time before>` or
// `target <id> <payload bytes> <is RTP> <sequence> <timestamp offset> <source> <time> <time before>`.
// A port that another relay hands over comes with `source <number of the feed> <is RTP>`. Relays of two releases hand
// over to each other, so a change of these lines needs another `ENGINE_PROTOCOL`.
#ifndef GREETING_H
#define GREETING_H

#include <stdbool.h>
#include <stdint.h>

// Hands a descriptor to the purpose that the line says. Returns false, without closing it, if the line is not valid.
bool assign_connection(const char *line, int descriptor, int64_t now);

#endif
