// Counts the errors of the received MPEG-TS that ETSI TR 101 290 names with priority 1 and 2 (5.2.1, 5.2.2).
//
// Intervals are measured by the clock references (PCR) of the lead program, so a burst or a pause of the network is no
// error of the stream. Where no clock reference arrives for a second, they are measured by arrival.
#ifndef TRANSPORT_H
#define TRANSPORT_H

#include <stdbool.h>
#include <stdint.h>

// In the order of a report (`TRANSPORT_ERRORS` of contract/stream/transport.ts).
enum transport_error {
  // More than one packet start was missing, or packets went on at another place.
  SYNC_LOSS,
  // A packet did not begin with a sync byte.
  SYNC_BYTE_ERROR,
  // No whole PAT for 0.5 s; another table at its PID, or it is scrambled.
  PAT_ERROR,
  // No whole PMT of a program of the PAT for 0.5 s, or it is scrambled.
  PMT_ERROR,
  // A gap in the continuity counters.
  CONTINUITY_ERROR,
  // No frame of a video or audio stream of the lead program for 5 s.
  PID_ERROR,
  // The sender of the packet marked it as damaged.
  TRANSPORT_ERROR,
  // A PAT or PMT with a wrong checksum.
  CRC_ERROR,
  // More than 100 ms between two clock references.
  PCR_REPETITION_ERROR,
  // The clock reference goes back, or forward by more than the time that has passed, without a discontinuity indicator.
  PCR_DISCONTINUITY,
  // No time stamp (PTS) in a video or audio stream of the lead program for 0.7 s.
  PTS_ERROR,
  TRANSPORT_ERROR_COUNT
};

struct transport_error_count {
  uint64_t count;
  // When the last one arrived.
  int64_t at;
};

// Counts since the start of the program, by error.
const struct transport_error_count *transport_error_counts(void);

// Largest difference, in microseconds, between the delays with which the clock references of the last whole second
// arrived; -1: not known. It includes the delays of the network and of the batches in which the relay receives.
int64_t pcr_arrival_jitter(int64_t now);

// Changes with the counts.
unsigned transport_error_revision(void);

void count_transport_errors(enum transport_error error, unsigned count, int64_t now);

// Takes the header of a packet of the PAT or a PMT.
void watch_table_packet(const uint8_t *packet, int pid, int64_t now);

// Takes a clock reference of the lead program, in 1/90,000 s, and its packet.
void watch_clock_reference(const uint8_t *packet, int64_t reference, int64_t now);

// Takes the first packet of a frame.
void watch_frame(const uint8_t *packet, int pid);

// Measures time by arrival where there are no clock references. Must be called after each batch of packets.
void watch_arrival(int64_t now);

// Another stream begins: its first clock reference does not follow the previous one, and its PAT is still to come.
void reset_transport_clock(void);

#endif
