#include "call.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <srt/srt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../events/events.h"
#include "lines.h"
#include "session.h"

// Milliseconds, and turns between two reports: half a second, so that each second has one.
enum { TURN = 100, REPORTS = 5 };
enum { ORDER = 4 };

static char order[LINE_MAX_BYTES];
static void keep(char *line) { strncpy(order, line, sizeof order - 1); }

// Whether the other end has to be told of our end, and whether it is time.
static volatile sig_atomic_t connected, ended;
static void end(int signal) {
  (void)signal;
  if (!connected) _exit(0);
  ended = 1;
}

static bool set(SRTSOCKET srt, SRT_SOCKOPT option, int value) {
  return srt_setsockflag(srt, option, &value, sizeof value) >= 0;
}

static bool set_text(SRTSOCKET srt, SRT_SOCKOPT option, const char *text) {
  return text[0] == '\0' || srt_setsockflag(srt, option, text, (int)strlen(text)) >= 0;
}

// Why nobody took the call, beyond what is said to those who come to a port.
static const char *refusal(SRTSOCKET srt) {
  switch (srt_getrejectreason(srt)) {
    case SRT_REJ_PEER:
    case SRT_REJ_RESOURCE:
    case SRT_REJ_BACKLOG:
    case SRT_REJ_CLOSE:
      return "refused";
    case SRT_REJ_UNKNOWN:
      return "network";
    default:
      return reject_word(srt_getrejectreason(srt));
  }
}

int make_call(void) {
  signal(SIGTERM, end);
  tell_to(EVENTS);
  char *fields[FIELDS_MAX];
  while (!order[0])
    if (!read_lines(ORDER, keep)) break;
  close(ORDER);
  if (split(order, fields) != 9) return fail("order");
  bool publishes = fields[0][0] == 's';
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_DGRAM}, *found = NULL;
  if (getaddrinfo(fields[1], fields[2], &hints, &found) != 0) return fail("name");
  SRTSOCKET srt = srt_create_socket();
  int length = atoi(fields[5]);
  bool good = set(srt, SRTO_PAYLOADSIZE, 1316) && set(srt, SRTO_LATENCY, atoi(fields[6])) && make_room(srt, atoi(fields[6])) &&
              set(srt, SRTO_CONNTIMEO, atoi(fields[8])) && pace(srt, atoi(fields[7])) && set_text(srt, SRTO_STREAMID, fields[3]) &&
              (!fields[4][0] || length == 0 || set(srt, SRTO_PBKEYLEN, length)) && set_text(srt, SRTO_PASSPHRASE, fields[4]);
  memset(order, 0, sizeof order);
  if (!good) return fail("order");
  if (srt_connect(srt, found->ai_addr, (int)found->ai_addrlen) < 0) return fail(refusal(srt));
  connected = 1;
  freeaddrinfo(found);
  int id = new_id();
  if (!begin_session(id, "", "", publishes, srt, publishes ? 1 : 0)) return fail("memory");
  for (int turn = 1; reap_sessions() > 0; turn++) {
    poll(NULL, 0, TURN);
    look_at_sessions();
    if (ended) {
      // Says goodbye, so that the other end lets the next one in at once.
      srt_close(srt);
      _exit(0);
    }
    if (turn % REPORTS == 0) report_sessions();
    // A pipe cannot be woken as a socket can: nobody waits for it any more.
    if (srt_getsockstate(srt) >= SRTS_BROKEN) {
      report_sessions();
      tell("{\"close\":%d,\"why\":\"peer\"}", id);
      _exit(0);
    }
  }
  return 0;
}
