// An SRT port shared by many keys: each client with a known stream ID is accepted, and its media passes through a
// socket of the hub's relay.
#ifndef PORT_H
#define PORT_H

// Serves until stdin, which carries the hub's commands, ends. `latency_ms` is the longest latency of all keys, 0 for
// the default. Returns the exit status of the program.
int serve_port(const char *host, int port, int key_length, int latency_ms);

#endif
