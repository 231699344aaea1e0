// Cuts received bytes into whole MPEG-TS packets.
#ifndef FRAMER_H
#define FRAMER_H

#include <stddef.h>
#include <stdint.h>

// Takes bytes that follow the previous ones, cut at any position. Searches for the sync bytes of five consecutive
// packets if necessary.
void take_bytes(const uint8_t *bytes, size_t length, int64_t now);

// Takes the content of a datagram. One that consists of whole packets does not depend on the previous one, so that a
// lost or foreign datagram costs no others.
void take_datagram(const uint8_t *bytes, size_t length, int64_t now);

// Passes the packets so far to the stream. Must be called after each batch.
void pass_packets(int64_t now);

// Drops the bytes of an incomplete packet.
void reset_framer(void);

// Bytes so far that were not part of a packet.
uint64_t invalid_bytes(void);

#endif
