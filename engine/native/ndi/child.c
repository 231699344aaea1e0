#define _GNU_SOURCE
#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../events/events.h"

// Bytes of the pipe, as much as anybody may ask for: some rows of a picture at once. Milliseconds it may take to end.
// Descriptors that a library may have open: none of the child's business.
enum { PIPE_BYTES = 1 << 20, PARTING = 1000, TURN = 10, DESCRIPTORS = 1024 };

volatile sig_atomic_t ended;
static volatile sig_atomic_t child;
static int output = STDOUT_FILENO;

static void end(int signal) {
  (void)signal;
  ended = 1;
  if (child > 0) kill(child, SIGKILL);
}

void catch_signals(void) {
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
}

void keep_stdout(void) {
  int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, EVENTS + 1);
  if (kept < 0) return;
  output = kept;
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

int start_child(char *const words[], bool reads) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return -1;
  fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
  int theirs = ends[reads ? 0 : 1], ours = ends[reads ? 1 : 0];
  pid_t parent = getpid(), made = fork();
  if (made < 0) {
    close(theirs), close(ours);
    return -1;
  }
  if (made == 0) {
    // It ends with us, however we die; and has not missed it should that have been before.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    signal(SIGPIPE, SIG_DFL);
    dup2(theirs, reads ? STDIN_FILENO : STDOUT_FILENO);
    if (reads) dup2(output, STDOUT_FILENO);
    for (int at = STDERR_FILENO + 1; at < DESCRIPTORS; at++) close(at);
    execvp(words[0], words);
    perror(words[0]);
    _exit(127);
  }
  child = made;
  // Asked to end while it was made.
  if (ended) kill(made, SIGKILL);
  close(theirs);
  close(reads ? output : STDIN_FILENO);
  return ours;
}

void end_child(int pipe) {
  close(pipe);
  if (child <= 0) return;
  for (int waited = 0; waitpid(child, NULL, WNOHANG) == 0; waited += TURN) {
    if (waited >= PARTING) kill(child, SIGKILL);
    poll(NULL, 0, TURN);
  }
  child = 0;
}
