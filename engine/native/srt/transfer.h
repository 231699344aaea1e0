// Copies media between an SRT connection and the descriptor of the hub.
#ifndef TRANSFER_H
#define TRANSFER_H

#include <stdbool.h>

#include "session.h"

// Both return whether the hub closed the descriptor, and not the remote end.
bool receive_from_srt(struct session *session);
bool send_to_srt(struct session *session);

#endif
