#include "tables.h"

// Offsets in the sections, and the length of the checksum at their end.
// RESERVED_PIDS: the first PIDs are those of tables (ETSI EN 300 468, 5.1.3).
enum { RESERVED_PIDS = 0x20, PAT_ENTRIES = 8, PMT_CONTENT = 8, PMT_PROGRAM_INFO = 12, CHECKSUM_BYTES = 4, SELECTED_PAT_BYTES = 16 };

static struct section_collector pat_collector = {.table_id = 0};
static uint8_t pat_section[SECTION_MAX_BYTES];
static size_t pat_length;
static int pat_packet_count;
static uint8_t pat[SECTION_MAX_PACKETS][TS_PACKET_BYTES];

static struct program programs[PROGRAMS_MAX];
static int count;
static int selected_number;
static unsigned revision, pats, pmts, damaged_tables;
// Whether a PID carries PMTs, belongs to the selected program, and belongs to any program.
static bool pmt_pids[TS_PIDS], selected_pids[TS_PIDS], program_pids[TS_PIDS];

static int read_16(const uint8_t *bytes) { return bytes[0] << 8 | bytes[1]; }
static int read_pid(const uint8_t *bytes) { return read_16(bytes) & 0x1fff; }

static struct program *find_lead(void) {
  for (int index = 0; index < count; index++)
    if (selected_number == 0 || programs[index].number == selected_number) return &programs[index];
  return NULL;
}

const struct program *lead_program(void) {
  const struct program *lead = find_lead();
  return lead && lead->length > 0 ? lead : NULL;
}

bool is_pmt_pid(int pid) { return pmt_pids[pid]; }
bool is_selected_pid(int pid) { return selected_pids[pid]; }
bool is_listed_pid(int pid) { return pid < RESERVED_PIDS || pmt_pids[pid] || program_pids[pid]; }
unsigned pat_count(void) { return pats; }
unsigned pmt_count(void) { return pmts; }
unsigned damaged_table_count(void) { return damaged_tables; }
bool is_program_selected(void) { return selected_number != 0; }
int program_count(void) { return count; }
const struct program *program_at(int index) { return &programs[index]; }
unsigned table_revision(void) { return revision; }

int pat_packets(const uint8_t (**packets)[TS_PACKET_BYTES]) {
  *packets = (const uint8_t(*)[TS_PACKET_BYTES])pat;
  return pat_packet_count;
}

// Writes a PAT with the selected program alone. It keeps the transport stream ID and version of the source.
static void build_selected_pat(void) {
  const struct program *lead = find_lead();
  pat_packet_count = 0;
  if (!lead) return;
  uint8_t *packet = pat[0], *section = packet + 5;
  memset(packet, 0xff, TS_PACKET_BYTES);
  memcpy(packet, (uint8_t[]){TS_SYNC_BYTE, 0x40, 0, 0x10, 0}, 5);
  memcpy(section, pat_section, PAT_ENTRIES);
  section[1] = (uint8_t)(section[1] & 0xf0);
  section[2] = SELECTED_PAT_BYTES - 3;
  section[6] = section[7] = 0;
  const uint8_t entry[] = {(uint8_t)(lead->number >> 8), (uint8_t)lead->number, (uint8_t)(0xe0 | lead->pmt_pid >> 8), (uint8_t)lead->pmt_pid};
  memcpy(section + PAT_ENTRIES, entry, sizeof entry);
  finish_section(section, SELECTED_PAT_BYTES);
  pat_packet_count = 1;
}

static void add_pids(bool *pids, const struct program *program) {
  if (program->length == 0) return;
  pids[program->pcr_pid] = true;
  for (int index = 0; index < program->stream_count; index++) pids[program->streams[index].pid] = true;
}

static void update_pids(void) {
  memset(selected_pids, 0, sizeof selected_pids);
  memset(program_pids, 0, sizeof program_pids);
  for (int index = 0; index < count; index++) add_pids(program_pids, &programs[index]);
  const struct program *lead = find_lead();
  if (!lead) return;
  selected_pids[lead->pmt_pid] = true;
  add_pids(selected_pids, lead);
}

// Updates the derived values after a table or the selection has changed.
static void update_selection(void) {
  if (selected_number != 0) build_selected_pat();
  update_pids();
}

static void copy_pat_packets(void) {
  if (selected_number != 0) return;
  pat_packet_count = pat_collector.packet_count;
  memcpy(pat, pat_collector.packets, sizeof pat);
}

// Replaces the list of programs. A program whose number and PMT PID are the same keeps its PMT.
static void read_pat(size_t length) {
  copy_pat_packets();
  if (length == pat_length && memcmp(pat_section, pat_collector.bytes, length) == 0) return;
  memcpy(pat_section, pat_collector.bytes, length);
  pat_length = length;
  revision++;
  memset(pmt_pids, 0, sizeof pmt_pids);
  int next = 0;
  for (size_t offset = PAT_ENTRIES; offset + 4 <= length - CHECKSUM_BYTES && next < PROGRAMS_MAX; offset += 4) {
    int number = read_16(pat_section + offset), pid = read_pid(pat_section + offset + 2);
    // Program 0 is the network information table.
    if (number == 0 || pid == 0 || pid == TS_NULL_PID) continue;
    struct program *program = &programs[next++];
    pmt_pids[pid] = true;
    if (next <= count && program->number == number && program->pmt_pid == pid) continue;
    memset(program, 0, sizeof *program);
    program->number = number;
    program->pmt_pid = pid;
    program->collector.table_id = 2;
  }
  count = next;
  update_selection();
}

static void read_streams(struct program *program) {
  const uint8_t *section = program->section;
  size_t end = program->length - CHECKSUM_BYTES;
  program->pcr_pid = read_pid(section + PMT_CONTENT);
  program->stream_count = 0;
  for (size_t offset = PMT_PROGRAM_INFO + (size_t)(read_16(section + 10) & 0xfff); offset + 5 <= end && program->stream_count < STREAMS_MAX;
       offset += 5 + (size_t)(read_16(section + offset + 3) & 0xfff)) {
    program->streams[program->stream_count].type = section[offset];
    program->streams[program->stream_count++].pid = read_pid(section + offset + 1);
  }
}

// Stores a complete PMT. Returns whether its content differs from the previous one, besides its version.
static bool read_pmt(struct program *program, size_t length) {
  const uint8_t *section = program->collector.bytes;
  program->packet_count = program->collector.packet_count;
  memcpy(program->packets, program->collector.packets, sizeof program->packets);
  size_t content = length - CHECKSUM_BYTES - PMT_CONTENT;
  if (length == program->length && memcmp(program->section + PMT_CONTENT, section + PMT_CONTENT, content) == 0) return false;
  memcpy(program->section, section, length);
  program->length = length;
  read_streams(program);
  update_selection();
  revision++;
  return true;
}

// The PMT of one program, out of several that can share a PID.
static bool read_pmt_packet(const uint8_t *packet, int pid) {
  bool changed = false, is_damaged = false;
  for (int index = 0; index < count; index++) {
    struct program *program = &programs[index];
    if (program->pmt_pid != pid) continue;
    size_t length = collect_section(&program->collector, packet);
    is_damaged |= program->collector.is_damaged;
    if (length < PMT_PROGRAM_INFO + CHECKSUM_BYTES || read_16(program->collector.bytes + 3) != program->number) continue;
    pmts++;
    program->pmts++;
    bool had_tables = program->length > 0;
    if (read_pmt(program, length) && had_tables && program == find_lead()) changed = true;
  }
  // Programs that share a PID have collected the same section.
  damaged_tables += is_damaged;
  return changed;
}

bool read_table_packet(const uint8_t *packet, int pid) {
  if (pid != 0) return read_pmt_packet(packet, pid);
  const struct program *lead = lead_program();
  int number = lead ? lead->number : 0, pmt_pid = lead ? lead->pmt_pid : 0;
  size_t length = collect_section(&pat_collector, packet);
  pats += length > 0;
  damaged_tables += pat_collector.is_damaged;
  if (length > 0) read_pat(length);
  if (!lead) return false;
  const struct program *next = find_lead();
  return !next || next->number != number || next->pmt_pid != pmt_pid;
}

void select_program(int number) {
  selected_number = number;
  copy_pat_packets();
  update_selection();
}

void reset_tables(void) {
  if (count > 0) revision++;
  pat_collector.packet_count = 0;
  pat_length = 0;
  pat_packet_count = 0;
  count = 0;
  memset(pmt_pids, 0, sizeof pmt_pids);
  update_pids();
}
