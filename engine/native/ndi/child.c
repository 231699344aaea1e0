#define _GNU_SOURCE
#include "child.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../messages/events.h"

// The largest pipe that Linux allows without privileges holds several rows of a picture.
enum { PIPE_BYTES = 1 << 20 };
enum { KILL_AFTER_MS = 1000, POLL_INTERVAL_MS = 10 };
// Descriptors up to this number are closed in the child, because the NDI library may have opened some.
enum { DESCRIPTORS_MAX = 1024 };

volatile sig_atomic_t stop_requested;
static volatile sig_atomic_t child;
static int reserved_stdout = STDOUT_FILENO;

static void on_sigterm(int signal) {
  (void)signal;
  stop_requested = 1;
  if (child > 0) kill(child, SIGKILL);
}

void install_signal_handlers(void) {
  struct sigaction action = {.sa_handler = on_sigterm};
  sigaction(SIGTERM, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
}

void reserve_stdout(void) {
  int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, EVENT_DESCRIPTOR + 1);
  if (copy < 0) return;
  reserved_stdout = copy;
  dup2(STDERR_FILENO, STDOUT_FILENO);
}

// Runs in the child process after fork. `pipe_end` becomes its stdin or stdout. Does not return.
static void run_program(char *const argv[], bool pipe_to_stdin, int pipe_end, pid_t parent) {
  // The kernel kills the child when its parent ends. The parent may have ended before prctl was called.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  signal(SIGPIPE, SIG_DFL);
  dup2(pipe_end, pipe_to_stdin ? STDIN_FILENO : STDOUT_FILENO);
  if (pipe_to_stdin) dup2(reserved_stdout, STDOUT_FILENO);
  for (int descriptor = STDERR_FILENO + 1; descriptor < DESCRIPTORS_MAX; descriptor++) close(descriptor);
  execvp(argv[0], argv);
  perror(argv[0]);
  _exit(127);
}

int start_child(char *const argv[], bool pipe_to_stdin) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return -1;
  fcntl(ends[1], F_SETPIPE_SZ, PIPE_BYTES);
  int child_end = ends[pipe_to_stdin ? 0 : 1], own_end = ends[pipe_to_stdin ? 1 : 0];
  pid_t parent = getpid(), pid = fork();
  if (pid < 0) {
    close(child_end), close(own_end);
    return -1;
  }
  if (pid == 0) run_program(argv, pipe_to_stdin, child_end, parent);
  child = pid;
  // SIGTERM may have arrived during fork.
  if (stop_requested) kill(pid, SIGKILL);
  close(child_end);
  close(pipe_to_stdin ? reserved_stdout : STDIN_FILENO);
  return own_end;
}

void stop_child(int pipe) {
  close(pipe);
  if (child <= 0) return;
  for (int waited_ms = 0; waitpid(child, NULL, WNOHANG) == 0; waited_ms += POLL_INTERVAL_MS) {
    if (waited_ms >= KILL_AFTER_MS) kill(child, SIGKILL);
    poll(NULL, 0, POLL_INTERVAL_MS);
  }
  child = 0;
}
