// SRT for the hub, based on libsrt. Either one port shared by many connections
// (`port <address> <port> <key length> [<longest latency>]`), or one outgoing connection (`call`). Stream keys and
// passphrases arrive on descriptors because arguments are visible in the process list.
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <srt/srt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "caller.h"
#include "port.h"

static void discard_log(void *unused, int level, const char *file, int line, const char *area, const char *message) {
  (void)unused, (void)level, (void)file, (void)line, (void)area, (void)message;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN);
  // Returns the memory of closed connections to the system: one heap for all threads, with large buffers outside it.
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 64 << 10);
  mallopt(M_TRIM_THRESHOLD, 256 << 10);
  srt_startup();
  // The log of libsrt contains stream IDs, which are secrets.
  srt_setloghandler(NULL, discard_log);
  int status = 2;
  if ((argc == 5 || argc == 6) && strcmp(argv[1], "port") == 0)
    status = serve_port(argv[2], atoi(argv[3]), atoi(argv[4]), argc == 6 ? atoi(argv[5]) : 0);
  else if (argc == 2 && strcmp(argv[1], "call") == 0) status = run_caller();
  else if (argc == 2 && strcmp(argv[1], "version") == 0) status = printf("%s\n", SRT_VERSION_STRING) < 0;
  else fprintf(stderr, "usage: %s port <address> <port> <key length> [<longest latency>] | call | version\n", argv[0]);
  fflush(stdout);
  // Ends threads that still wait for a peer.
  _exit(status);
}
