// An SRT caller: one outgoing SRT connection. Received media goes to stdout, media to send comes from stdin, events go to descriptor 3.
#ifndef CALLER_H
#define CALLER_H

// Reads one line from descriptor 4 with these fields, separated by tabs: 's' (the remote end sends) or 't' (the remote end receives),
// host, port, stream ID, passphrase, key length in bytes, latency in ms, bandwidth overhead in percent, connect timeout in ms. Runs until
// the connection ends or SIGTERM arrives. Returns the exit status of the program.
int run_caller(void);

#endif
