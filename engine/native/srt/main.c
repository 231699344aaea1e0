// SRT for the hub: a port that many come to (`port <address> <port> <key length> <hub's socket> [<longest latency>]`), or one call
// (`call`). libsrt does the work.
// What may not be seen in a list of processes comes in on descriptors.
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <srt/srt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "port.h"

static void be_silent(void *unused, int level, const char *file, int line, const char *area, const char *message) {
  (void)unused, (void)level, (void)file, (void)line, (void)area, (void)message;
}

int main(int count, char **words) {
  signal(SIGPIPE, SIG_IGN);
  // What connections that are gone had goes back to the system: one heap for all threads, and none of the large buffers in it.
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 64 << 10);
  mallopt(M_TRIM_THRESHOLD, 256 << 10);
  srt_startup();
  // Its log knows stream ids.
  srt_setloghandler(NULL, be_silent);
  int status = 2;
  if ((count == 6 || count == 7) && strcmp(words[1], "port") == 0)
    status = serve_port(words[2], atoi(words[3]), atoi(words[4]), words[5], count == 7 ? atoi(words[6]) : 0);
  else if (count == 2 && strcmp(words[1], "call") == 0) status = make_call();
  else if (count == 2 && strcmp(words[1], "version") == 0) status = printf("%s\n", SRT_VERSION_STRING) < 0;
  else fprintf(stderr, "usage: %s port <address> <port> <key length> <socket> [<longest latency>] | call | version\n", words[0]);
  fflush(stdout);
  // Threads that still wait for a peer end with the process.
  _exit(status);
}
