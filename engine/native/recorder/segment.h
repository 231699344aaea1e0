// The segments of a recording: each is written under a temporary name, and gets its own name once it is on disk.
#ifndef SEGMENT_H
#define SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Prepares the folder of a recording: creates it, and removes segments that an earlier program has not completed.
// Members of the group may read and delete its files if `is_group_writable`. Returns false with `errno`.
bool open_recording_folder(const char *path, bool is_group_writable);

// Begins a segment. `start` is in milliseconds since the epoch. Returns false with `errno`.
bool begin_segment(int64_t start);

bool is_segment_open(void);
int64_t segment_bytes(void);

// Appends to the segment. Returns false with `errno`.
bool write_segment(const void *data, size_t size);

// Completes the segment in another thread: writes it to disk, then names it <start>-<end>.ts. Waits while earlier
// segments have not been completed, because the disk is slow.
void end_segment(int64_t end);

// Removes the segment that is open.
void drop_segment(void);

// Waits until all segments are on disk. Returns false if one could not be completed; it has then been reported.
bool finish_segments(void);

// Whether a segment could not be completed; it has then been reported.
bool has_segment_failed(void);

// Free bytes of the file system for users without privileges; -1: unknown.
int64_t free_bytes(void);

#endif
