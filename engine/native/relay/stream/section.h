// Collects the packets of one PSI table until its section is complete, and builds sections (ISO/IEC 13818-1, 2.4.4).
#ifndef SECTION_H
#define SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ts-packet.h"

// A PAT or PMT section has at most 1024 bytes, which may begin late in the first packet.
enum { SECTION_MAX_BYTES = 1024, SECTION_MAX_PACKETS = 7 };

struct section_collector {
  uint8_t table_id;
  // The packets of the section so far; 0: the start of a section is awaited.
  int packet_count;
  uint8_t packets[SECTION_MAX_PACKETS][TS_PACKET_BYTES];
  size_t length;
  // Whether the last packet completed a section with this table ID and a wrong checksum.
  bool is_damaged;
  uint8_t bytes[SECTION_MAX_PACKETS * TS_PACKET_BYTES];
};

// Adds a packet of the table's PID. Returns the length of the section, which is then in `bytes`, if this packet
// completes a section with this table ID and a correct checksum; otherwise 0. `packets` stays until the next call.
size_t collect_section(struct section_collector *collector, const uint8_t *packet);

// Writes the checksum into the last four bytes of a section.
void finish_section(uint8_t *section, size_t length);

#endif
