#ifndef PORTS_H
#define PORTS_H

// The ports of destinations. The runtime takes the first free one from 5961 on, and a receiver remembers it: a
// destination must not get a port that another one had.

// FIRST_PORT: the first port of sources; below it the runtime listens once for the whole machine.
enum { FIRST_PORT = 5961, PORTS = 4096 };

// Lets only this destination have a port; 0: none.
void reserve_port(int destination, int port);

// Keeps the ports of all other destinations occupied while the runtime chooses one for this destination.
void block_ports(int destination);

// Frees the ports again, and reserves the chosen one. Returns it; 0 if there is none.
int unblock_ports(int destination);

// Returns the UDP port at which the runtime receives media for this process; 0 if it has none.
int find_media_port(void);

// Keeps UDP ports occupied, so that the runtime chooses another one: at most eight, separated by commas.
void avoid_media_ports(const char *ports);

#endif
