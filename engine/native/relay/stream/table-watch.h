// Recognizes packets that are no stream: no PMT arrives, and no table lists most of their PIDs.
#ifndef TABLE_WATCH_H
#define TABLE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

// Takes the PID of a packet that is not a null packet. Returns whether the packets of the last seconds are no stream.
// Tables that arrive rarely do not matter as long as most packets have the PIDs that the last tables list.
bool are_tables_missing(int pid, int64_t now);

// Another source begins.
void reset_table_watch(void);

#endif
