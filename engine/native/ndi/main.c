// NDI for the hub, through the NDI runtime that is installed at the path <library>:
//   probe <library>                                     writes the version of the runtime
//   find <library> <groups> <addresses>                 watches the sources of the network
//   receive <library> <name> <address> <bandwidth> <ports> <ffmpeg> …
//                                                       receives a source and passes it to an ffmpeg that encodes it. <bandwidth>
//                                                       is `low` for the preview, with a low resolution. <ports> are UDP ports to avoid
//   picture <library> <name> <address> <interval> <ffmpeg> …
//                                                       receives the preview of a source, and passes a frame every <interval>
//                                                       milliseconds to an ffmpeg that encodes pictures
//   send <library> <name> <groups> <ffmpeg> …           sends the output of an ffmpeg that decodes
//   route <library> <groups> <addresses>                announces the destinations of a matrix and routes sources to them (route.h)
// The environment variable NDI_CONFIG_DIR names the folder with the configuration of the runtime. Events are written to
// descriptor 3, one JSON object per line. An unset argument is an empty string.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "../messages/events.h"
#include "api.h"
#include "child.h"
#include "find.h"
#include "picture.h"
#include "receive.h"
#include "route.h"
#include "send.h"

static void destroy_runtime(void *unused) {
  (void)unused;
  ndi.destroy();
}

static int write_version(void) {
  if (ndi.route_create) write_event("{\"routing\":1}");
  write_text_event("version", ndi.version(), NULL);
  return 0;
}

int main(int argc, char **argv) {
  const char *mode = argc > 2 ? argv[1] : "";
  bool is_probe = argc == 3 && strcmp(mode, "probe") == 0, is_find = argc == 5 && strcmp(mode, "find") == 0;
  bool is_receive = argc > 7 && strcmp(mode, "receive") == 0, is_send = argc > 5 && strcmp(mode, "send") == 0;
  bool is_picture = argc > 6 && strcmp(mode, "picture") == 0;
  bool is_route = argc == 5 && strcmp(mode, "route") == 0;
  if (!is_picture && !is_probe && !is_find && !is_receive && !is_send && !is_route) {
    fprintf(stderr, "usage: %s probe|find|receive|picture|send|route <library> …\n", argv[0]);
    return 2;
  }
  // The kernel kills this process when the hub ends, even if the hub cannot clean up.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  fcntl(EVENT_DESCRIPTOR, F_SETFD, FD_CLOEXEC);
  set_event_descriptor(EVENT_DESCRIPTOR);
  install_signal_handlers();
  if (is_receive || is_picture) reserve_stdout();
  const char *failure = load_ndi(argv[2]);
  if (failure) return report_failure(failure);
  int status = is_probe     ? write_version()
               : is_find    ? watch_sources(argv[3], argv[4])
               : is_route   ? route_sources(argv[3], argv[4])
               : is_receive ? receive_source(argv[3], argv[4], strcmp(argv[5], "low") == 0, argv[6], argv + 7)
               : is_picture ? receive_pictures(argv[3], argv[4], atoi(argv[5]), argv + 6)
                            : send_source(argv[3], argv[4], argv + 5);
  call_with_deadline(destroy_runtime, NULL);
  // Threads of the runtime may still run.
  _exit(status);
}
