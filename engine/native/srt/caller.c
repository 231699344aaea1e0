#include "caller.h"

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

#include "../messages/events.h"
#include "../messages/line-reader.h"
#include "session.h"
#include "socket-options.h"

// Statistics are sampled every 100 ms and reported twice a second.
enum { SAMPLE_INTERVAL_MS = 100, REPORT_INTERVAL_MS = 500 };
enum { CALL_DESCRIPTOR = 4, CALL_FIELDS = 10, PAYLOAD_BYTES = 1316 };

static char call_line[LINE_MAX_BYTES];
static void store_call_line(char *line) { strncpy(call_line, line, sizeof call_line - 1); }

// Before the connection is up, SIGTERM ends the process at once. Afterwards the main loop closes the connection first.
static volatile sig_atomic_t connected, stop_requested;
static void on_sigterm(int signal) {
  (void)signal;
  if (!connected) _exit(0);
  stop_requested = 1;
  // Ends the program if it cannot close the connection.
  alarm(1);
}

static bool set_option(SRTSOCKET srt, SRT_SOCKOPT option, int value) {
  return srt_setsockflag(srt, option, &value, sizeof value) >= 0;
}

// Leaves the option at its default if the text is empty.
static bool set_text_option(SRTSOCKET srt, SRT_SOCKOPT option, const char *text) {
  return text[0] == '\0' || srt_setsockflag(srt, option, text, (int)strlen(text)) >= 0;
}

// Returns the code for a failed connection attempt. Adds the codes "refused" and "network" to those of `reject_code`.
static const char *connect_failure_code(SRTSOCKET srt) {
  switch (srt_getrejectreason(srt)) {
    case SRT_REJ_PEER:
    case SRT_REJ_RESOURCE:
    case SRT_REJ_BACKLOG:
    case SRT_REJ_CLOSE:
      return "refused";
    case SRT_REJ_UNKNOWN:
      return "network";
    default:
      return reject_code(srt_getrejectreason(srt));
  }
}

// Sets the options of the socket from the fields of the call line. Returns false if libsrt refuses one.
static bool configure_socket(SRTSOCKET srt, char *fields[]) {
  const char *stream_id = fields[3], *passphrase = fields[4];
  int key_length = atoi(fields[5]), latency_ms = atoi(fields[6]), overhead_percent = atoi(fields[7]), timeout_ms = atoi(fields[8]);
  return set_option(srt, SRTO_PAYLOADSIZE, PAYLOAD_BYTES) && set_option(srt, SRTO_LATENCY, latency_ms) &&
         size_buffers(srt, latency_ms) && set_option(srt, SRTO_CONNTIMEO, timeout_ms) && limit_bandwidth(srt, overhead_percent) &&
         set_text_option(srt, SRTO_STREAMID, stream_id) &&
         (!passphrase[0] || key_length == 0 || set_option(srt, SRTO_PBKEYLEN, key_length)) &&
         set_text_option(srt, SRTO_PASSPHRASE, passphrase);
}

// Lets both ends call at the same time, each from a port of its own. Returns false on failure.
static bool prepare_rendezvous(SRTSOCKET srt, int family, const char *port) {
  struct addrinfo hints = {.ai_family = family, .ai_socktype = SOCK_DGRAM, .ai_flags = AI_PASSIVE}, *local = NULL;
  if (!set_option(srt, SRTO_RENDEZVOUS, 1) || getaddrinfo(NULL, port, &hints, &local) != 0) return false;
  bool bound = srt_bind(srt, local->ai_addr, (int)local->ai_addrlen) >= 0;
  freeaddrinfo(local);
  return bound;
}

static int session_id;

static void handle_command(char *line) {
  char *fields[FIELDS_MAX];
  if (split_fields(line, fields) == 3 && strcmp(fields[0], "link") == 0) link_session(session_id, fields[1], fields[2]);
  else write_event("{\"fault\":\"command\"}");
}

// Handles commands and reports statistics until the session ends. Returns the exit status of the program.
static int watch_session(SRTSOCKET srt) {
  // Multiples of the intervals, so that all programs of the engine report at the same time.
  int64_t sample = now_ms() / SAMPLE_INTERVAL_MS, report = now_ms() / REPORT_INTERVAL_MS;
  for (struct pollfd commands = {.fd = STDIN_FILENO, .events = POLLIN}; reap_sessions() > 0;) {
    int timeout = SAMPLE_INTERVAL_MS - (int)(now_ms() % SAMPLE_INTERVAL_MS);
    bool has_ended = poll(&commands, 1, timeout) > 0 && !read_lines(STDIN_FILENO, handle_command);
    if (stop_requested || has_ended) {
      // Tells the remote end, so that it accepts the next caller at once.
      srt_close(srt);
      _exit(0);
    }
    int64_t now = now_ms();
    if (now / SAMPLE_INTERVAL_MS == sample) continue;
    sample = now / SAMPLE_INTERVAL_MS;
    sample_sessions();
    if (now / REPORT_INTERVAL_MS == report) continue;
    report = now / REPORT_INTERVAL_MS;
    report_sessions();
  }
  return 0;
}

int run_caller(void) {
  signal(SIGTERM, on_sigterm);
  set_event_descriptor(EVENT_DESCRIPTOR);
  char *fields[FIELDS_MAX];
  while (!call_line[0])
    if (!read_lines(CALL_DESCRIPTOR, store_call_line)) break;
  close(CALL_DESCRIPTOR);
  if (split_fields(call_line, fields) != CALL_FIELDS) return report_failure("order");
  bool publishes = fields[0][0] == 's';
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM}, *address = NULL;
  if (getaddrinfo(fields[1], fields[2], &hints, &address) != 0) return report_failure("name");
  SRTSOCKET srt = srt_create_socket();
  bool configured = configure_socket(srt, fields);
  bool bound = atoi(fields[9]) == 0 || prepare_rendezvous(srt, address->ai_family, fields[9]);
  // The passphrase is not needed in memory any longer.
  memset(call_line, 0, sizeof call_line);
  if (!configured) return report_failure("order");
  if (!bound) return report_failure("port");
  if (srt_connect(srt, address->ai_addr, (int)address->ai_addrlen) < 0) return report_failure(connect_failure_code(srt));
  connected = 1;
  freeaddrinfo(address);
  session_id = next_session_id();
  if (!start_session(session_id, "", "", publishes, srt)) return report_failure("memory");
  return watch_session(srt);
}
