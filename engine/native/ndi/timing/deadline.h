// Ends of NDI objects: the runtime waits up to 14 s for a receiver or sender whose other end was killed, with no way to interrupt it.
#ifndef DEADLINE_H
#define DEADLINE_H

// Calls `function` in a thread and waits at most 400 ms for its end. The thread continues after that, so the process should exit soon.
void call_with_deadline(void (*function)(void *), void *argument);

#endif
