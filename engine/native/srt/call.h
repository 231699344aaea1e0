// One SRT connection that we dial: its bytes come out on 1 or go in on 0, its events on 3.
#ifndef CALL_H
#define CALL_H

// Reads one line from 4: 's' (the other end sends) or 't', host, port, stream id, passphrase, key length, latency in ms, bandwidth
// overhead in percent, time to connect in ms. Returns the status of the process.
int make_call(void);

#endif
