// The ffmpeg that codes and decodes. It is started here, not by the hub, so that pictures go from one process to the other without a detour:
// a second of 1080p is 250 MB.
#ifndef CHILD_H
#define CHILD_H

#include <signal.h>
#include <stdbool.h>

// Somebody asked us to end.
extern volatile sig_atomic_t ended;

// SIGTERM ends the child at once and sets `ended`; nobody is killed for writing where nobody reads.
void catch_signals(void);

// Keeps our stdout for the child alone: what a library has to say goes to stderr.
void keep_stdout(void);

// Starts a program. `reads`: what is written to the descriptor that is returned is its stdin, and our stdout its own. Else our stdin is its
// own, and its stdout is read there. What of ours it was given is closed here. Returns -1 when it cannot be started.
int start_child(char *const words[], bool reads);

// Closes its pipe and waits until it has ended, for a second; then it is killed.
void end_child(int pipe);

#endif
