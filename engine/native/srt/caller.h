// An SRT caller: one outgoing SRT connection. Its media passes through a socket of the hub's relay, events go to
// descriptor 3.
#ifndef CALLER_H
#define CALLER_H

// Reads one line from descriptor 4 with these fields, separated by tabs: 's' (the remote end sends) or 't' (the remote
// end receives), host, port, stream ID, passphrase, key length in bytes, latency in ms, bandwidth overhead in percent,
// connect timeout in ms, own port of a rendezvous or 0. Then reads commands from stdin. Runs until the connection or
// stdin ends, or SIGTERM arrives. Returns the exit status of the program.
int run_caller(void);

#endif
