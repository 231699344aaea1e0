// The programs of the source: its PAT, and the PMT of each program (ISO/IEC 13818-1, 2.4.4).
#ifndef TABLES_H
#define TABLES_H

#include "section.h"

enum { PROGRAMS_MAX = 64, STREAMS_MAX = 32, TABLES_MAX_BYTES = 2 * SECTION_MAX_PACKETS * TS_PACKET_BYTES };

struct program {
  int number;
  int pmt_pid;
  // Number of its whole PMTs so far.
  unsigned pmts;
  struct section_collector collector;
  // The newest PMT: its packets and its section. A length of 0 means that none was received.
  int packet_count;
  uint8_t packets[SECTION_MAX_PACKETS][TS_PACKET_BYTES];
  size_t length;
  uint8_t section[SECTION_MAX_BYTES];
  int pcr_pid;
  int stream_count;
  struct {
    int pid;
    int type;
  } streams[STREAMS_MAX];
};

// Forgets all tables, because another source begins.
void reset_tables(void);

// Restricts the stream to a program; 0: all programs.
void select_program(int number);
bool is_program_selected(void);

// Takes a packet with PID 0 or of a PMT. Returns whether the layout of the lead program changed: its clock PID, or its
// streams.
bool read_table_packet(const uint8_t *packet, int pid);

// Whether a PID carries PMTs.
bool is_pmt_pid(int pid);

// The selected program, or the first one; NULL until its PMT was received.
const struct program *lead_program(void);

// Whether packets of a PID belong to the selected program. PID 0 and the null PID do not.
bool is_selected_pid(int pid);

// Whether the tables list a PID: that of a PMT, a stream or a clock of any program, or one that is reserved for tables.
bool is_listed_pid(int pid);

// Number of whole PATs so far, and of whole PMTs of all programs.
unsigned pat_count(void);
unsigned pmt_count(void);

// Number of PATs and PMTs with a wrong checksum so far.
unsigned damaged_table_count(void);

// The packets of the PAT, which names only the selected program if one is selected.
int pat_packets(const uint8_t (**packets)[TS_PACKET_BYTES]);

// All programs of the PAT.
int program_count(void);
const struct program *program_at(int index);

// Number of changes of the PAT, and of PMTs of all programs.
unsigned table_revision(void);

#endif
