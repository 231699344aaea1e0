// Receives MPEG-TS over RTP (RFC 3550, RFC 2250): strips the header, restores the order of packets and drops repeated
// ones.
#ifndef RTP_RECEIVER_H
#define RTP_RECEIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Takes a datagram. A packet that arrives before its predecessor is kept for some milliseconds.
void take_rtp_packet(const uint8_t *datagram, size_t length, int64_t now);

// Passes on the packets whose predecessors did not arrive in time. Must be called at least every 10 ms while packets
// are kept.
void expire_rtp_packets(int64_t now);
bool has_kept_rtp_packets(void);

// Passes on all kept packets now, without the missing ones.
void flush_rtp_packets(int64_t now);

// Forgets the sender. Packets that are kept are dropped.
void reset_rtp(void);

// Packets missing so far, and packets that were repeated, late or no RTP.
uint64_t lost_rtp_packets(void);
uint64_t unused_rtp_packets(void);

#endif
