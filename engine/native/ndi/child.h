// The ffmpeg process that encodes or decodes. This program starts it instead of the hub, so that raw video goes
// straight from one process to the other: one second of 1080p is 250 MB.
#ifndef CHILD_H
#define CHILD_H

#include <signal.h>
#include <stdbool.h>

// Set when SIGTERM has arrived.
extern volatile sig_atomic_t stop_requested;

// Installs a handler for SIGTERM that kills the child and sets `stop_requested`. Ignores SIGPIPE.
void install_signal_handlers(void);

// Reserves stdout for the child. Output that the NDI library prints to stdout goes to stderr.
void reserve_stdout(void);

// Starts a program with a pipe. With `pipe_to_stdin` the returned descriptor writes to the child's stdin and the child
// inherits our stdout. Otherwise the returned descriptor reads the child's stdout and the child inherits our stdin. The
// inherited descriptor is closed in this process. Returns -1 if the program cannot be started.
int start_child(char *const argv[], bool pipe_to_stdin);

// Closes the pipe and waits until the child has ended, for at most one second before it is killed.
void stop_child(int pipe);

#endif
