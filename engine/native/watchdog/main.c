// headend-watchdog ENGINE: watches the engine, whose process ID is the argument and which is its parent. The engine
// writes a byte to stdin twice a second. An engine that a signal has stopped is continued, and one that still gives no
// sign of life is killed, so that its supervisor starts the next one. Ends with the engine.
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

// Milliseconds between two looks. Looks are counted and not the time, because the whole machine may have been paused.
enum { INTERVAL = 500 };
// Looks in a row at which a stopped engine is continued, and without a sign of life until the engine is killed: 10 s
// and 20 s. An engine that waits for a processor is not stopped, and gets one earlier.
enum { STOPPED_LOOKS = 20, SILENT_LOOKS = 40 };

// Whether a signal has stopped a process (proc_pid_stat(5), state T).
static bool is_stopped(pid_t pid) {
  char path[32];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  char stat[512];
  size_t size = fread(stat, 1, sizeof stat - 1, file);
  fclose(file);
  stat[size] = '\0';
  // The name before it may have any character.
  const char *name_end = strrchr(stat, ')');
  return name_end && strncmp(name_end, ") T", 3) == 0;
}

int main(int argc, char **argv) {
  pid_t engine = argc == 2 ? (pid_t)atoi(argv[1]) : 0;
  int silent_looks = 0;
  int stopped_looks = 0;
  // Another parent: the engine has ended.
  while (engine > 1 && getppid() == engine) {
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&input, 1, INTERVAL) > 0) {
      char bytes[64];
      if (read(STDIN_FILENO, bytes, sizeof bytes) <= 0) return 0;
      silent_looks = stopped_looks = 0;
      continue;
    }
    silent_looks++;
    stopped_looks = is_stopped(engine) ? stopped_looks + 1 : 0;
    if (silent_looks >= SILENT_LOOKS) {
      fputs("The engine gave no sign of life for 20 s and was killed.\n", stderr);
      kill(engine, SIGKILL);
      return 0;
    }
    if (stopped_looks >= STOPPED_LOOKS) {
      fputs("The engine was stopped by a signal for 10 s and was continued.\n", stderr);
      kill(engine, SIGCONT);
      stopped_looks = 0;
    }
  }
  return 0;
}
