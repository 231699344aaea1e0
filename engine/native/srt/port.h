// One SRT port for many: whoever comes with a known stream id is let in, and its bytes go through a socket of the hub.
#ifndef PORT_H
#define PORT_H

// Serves until the commands end. `hub` is the path of the hub's socket: each connection dials it and says its number first.
// `latency` in ms is the longest that one of its keys has; 0 is a usual one. Returns the status of the process.
int serve_port(const char *host, int port, int key_length, const char *hub, int latency);

#endif
