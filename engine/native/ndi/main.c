// NDI for the hub, by the runtime that is installed at a path:
//   probe <library>                                     which version it is
//   find <library> <groups> <addresses>                 the sources of the network
//   receive <library> <name> <address> <ffmpeg> …       one of them, for an ffmpeg that codes it
//   send <library> <name> <groups> <folder> <ffmpeg> …  what an ffmpeg decodes; <folder> holds the runtime's configuration, or is empty
// What happens is told on descriptor 3, a line of JSON each. What is not set is an empty word.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../events/events.h"
#include "api.h"
#include "child.h"
#include "find.h"
#include "receive.h"
#include "send.h"
#include "tell-source.h"

// What the runtime calls itself, without what may not stand in a line of JSON.
static int tell_version(void) {
  tell_source("version", ndi.version(), NULL);
  return 0;
}

int main(int count, char **words) {
  const char *mode = count > 2 ? words[1] : "";
  bool probes = count == 3 && strcmp(mode, "probe") == 0, finds = count == 5 && strcmp(mode, "find") == 0;
  bool receives = count > 5 && strcmp(mode, "receive") == 0, sends = count > 6 && strcmp(mode, "send") == 0;
  if (!probes && !finds && !receives && !sends) {
    fprintf(stderr, "usage: %s probe|find|receive|send <library> …\n", words[0]);
    return 2;
  }
  // We end with the hub, however it dies.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  fcntl(EVENTS, F_SETFD, FD_CLOEXEC);
  tell_to(EVENTS);
  catch_signals();
  if (receives) keep_stdout();
  if (sends && words[5][0]) setenv("NDI_CONFIG_DIR", words[5], 1);
  const char *why = load_ndi(words[2]);
  if (why) return fail(why);
  int status = probes     ? tell_version()
               : finds    ? find_sources(words[3], words[4])
               : receives ? receive_source(words[3], words[4], words + 5)
                          : send_source(words[3], words[4], words + 6);
  ndi.destroy();
  return status;
}
