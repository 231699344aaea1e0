// Receivers of the stream in the relay, which check what they get.
#ifndef RECEIVERS_H
#define RECEIVERS_H

#include <stdint.h>

// Begins with new receivers.
void open_receivers(int64_t now);

// Reads what the stream has for the receivers, and ends the program if it is not whole packets.
void serve_receivers(int64_t now);

// Forgets the source and all packets.
void reset_stream(int64_t now);

#endif
