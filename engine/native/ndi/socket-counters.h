// Bytes that this process sends over the network, and connections whose other end no longer responds. The NDI runtime
// reports neither: its socket calls pass through the functions of the same names in socket-counters.c, which the linker
// exports.
#ifndef SOCKET_COUNTERS_H
#define SOCKET_COUNTERS_H

#include <stdint.h>

// Returns the bytes that were sent over IPv4 and IPv6 sockets, without the headers of IP, UDP and TCP.
uint64_t count_sent_bytes(void);

// Returns the number of peers that are gone: they have closed the connection, or have not responded for two seconds to
// anything sent. A peer has one TCP connection, and media may have another socket.
int count_silent_peers(void);

// Counts the receivers of routed destinations that have not responded for three seconds, in `silent[n]` those at the
// port `first_port` + n. Nothing is sent to such a receiver between two takes, so the kernel probes it every second.
void count_silent_receivers(int first_port, int ports, int silent[]);

#endif
