// Events for the engine: one JSON object per line, in a bounded queue, because the program must not wait for the
// engine.
#ifndef EVENT_QUEUE_H
#define EVENT_QUEUE_H

#include <stdbool.h>

// Begins to write to the event descriptor.
bool open_events(void);

// Queues one event, without the line feed in `format`. Nothing is escaped: arguments must be numbers or known words. An
// event is dropped if the queue is full.
void queue_event(const char *format, ...) __attribute__((format(printf, 1, 2)));

// Writes as much of the queue as the pipe takes.
void flush_events(void);

// Whether all events were written. Reports wait until then, because the next one contains all that a dropped one would.
bool are_events_written(void);

#endif
