// Reports of the measured values, every 250 ms and when the state changes.
#ifndef REPORT_H
#define REPORT_H

#include <stdint.h>

// Queues a report if one is due. Returns the milliseconds until the next one.
int report_when_due(int64_t now);

#endif
