// headend-recorder FOLDER SECONDS BYTES FREE GROUP: records one stream as segments of MPEG-TS. It receives the frames
// of a relay, to which commands on stdin connect it (tabs between fields):
//   connect <path> <greeting>   connects to the media socket of a relay
//   disconnect                  ends the connection; what follows is another stream
// A segment begins at a key frame once the last one is SECONDS long or has BYTES bytes, with the tables of the stream,
// so that each plays alone. Less free space on the disk than FREE bytes ends the recording. GROUP is 1 if members of
// the group may delete segments. Events on descriptor 3 are JSON lines:
//   {"segment":[<start>,<end>,<bytes>]}   a segment is complete; times in milliseconds since the epoch
//   {"open":[<start>,<bytes>]}            once a second: the segment that is being written; 0: none is
//   {"failed":"<error code>"}             the recording has failed, and the program ends
// It waits for a slow disk and for nothing else; the relay skips what it cannot take, so no channel waits for it. The
// end of stdin completes the last segment and ends the program.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../messages/events.h"
#include "../messages/line-reader.h"
#include "frames.h"
#include "segment.h"

enum { PACKET = 188, CONTINUITY_OFFSET = 3, READ_BYTES = 256 << 10, TABLES_BYTES = 64 << 10 };
// A stream without a key frame is cut after so many times the length or size of a segment.
enum { OVERLONG = 4 };
// Milliseconds without media after which a segment is completed.
enum { IDLE_TIME = 5000 };
// Difference in milliseconds from which the clock of the machine counts as set.
enum { CLOCK_STEP = 500 };
enum { REPORT_TIME = 1000 };

static int64_t length_ms, length_bytes, free_min;
static int media = -1;
static uint8_t tables[TABLES_BYTES];
static size_t tables_size;
// Bytes of the current packet that were written.
static size_t packet_bytes;
// When the segment began, in milliseconds of the monotonic clock and since the epoch.
static int64_t began_at, start_time;
static int64_t last_media_at;
// When the segment before ended, since the epoch, if the next one continues it.
static int64_t next_start = -1;

static int64_t read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int64_t monotonic_now(void) { return read_clock(CLOCK_MONOTONIC); }

static void fail(int error) {
  drop_segment();
  finish_segments();
  if (!has_segment_failed()) report_failure(strerrorname_np(error));
  _exit(1);
}

// @param continues whether the next segment follows without a gap
static void finish_current(bool continues) {
  if (!is_segment_open()) return;
  // A segment that is idle ended with its last media.
  int64_t until = continues ? monotonic_now() : last_media_at;
  int64_t end = start_time + (until > began_at ? until - began_at : 0);
  end_segment(end > start_time ? end : start_time + 1);
  next_start = continues ? end : -1;
}

static void begin(void) {
  int64_t now = read_clock(CLOCK_REALTIME);
  bool is_continued = next_start >= 0 && llabs(now - next_start) < CLOCK_STEP;
  start_time = is_continued ? next_start : now;
  began_at = monotonic_now() - (is_continued ? now - next_start : 0);
  int64_t free = free_bytes();
  if (free >= 0 && free < free_min) fail(ENOSPC);
  if (!begin_segment(start_time) || !write_segment(tables, tables_size)) fail(errno);
}

// Whether tables are those of the segment. Their continuity counters differ each time.
static bool are_same_tables(const uint8_t *data, size_t size) {
  if (size != tables_size) return false;
  for (size_t i = 0; i < size; i++) {
    uint8_t mask = i % PACKET == CONTINUITY_OFFSET ? 0xf0 : 0xff;
    if ((tables[i] & mask) != (data[i] & mask)) return false;
  }
  return true;
}

static void handle_tables(const uint8_t *data, size_t size) {
  if (are_same_tables(data, size)) return;
  // Another layout is another segment, so that each has one.
  finish_current(true);
  memcpy(tables, data, size);
  tables_size = size;
}

// Whether a segment ends before media at which a decoder can start, or cannot.
static bool is_complete(bool is_start) {
  if (!is_segment_open() || packet_bytes > 0) return false;
  int factor = is_start ? 1 : OVERLONG;
  return monotonic_now() - began_at >= length_ms * factor || segment_bytes() >= length_bytes * factor;
}

static void write_media(const uint8_t *data, size_t size) {
  if (size == 0) return;
  if (!is_segment_open()) begin();
  if (!write_segment(data, size)) fail(errno);
  packet_bytes = (packet_bytes + size) % PACKET;
}

static void handle_media(const uint8_t *data, size_t size, const uint32_t *starts, int count) {
  size_t done = 0;
  if (is_complete(false)) finish_current(true);
  for (int i = 0; i < count; i++) {
    write_media(data + done, starts[i] - done);
    done = starts[i];
    if (is_complete(true)) finish_current(true);
  }
  write_media(data + done, size - done);
  last_media_at = monotonic_now();
}

static void handle_end(void) {
  finish_current(false);
  tables_size = 0;
  packet_bytes = 0;
}

static const struct frame_handlers HANDLERS = {handle_tables, handle_media, handle_end};

static void disconnect(void) {
  if (media >= 0) close(media);
  media = -1;
  reset_frames();
  handle_end();
}

static void connect_relay(const char *path, const char *greeting) {
  disconnect();
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return;
  strcpy(address.sun_path, path);
  media = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  // The relay may have ended: the engine connects to the next one.
  if (media < 0 || connect(media, (struct sockaddr *)&address, sizeof address) < 0) return disconnect();
  if (dprintf(media, "%s\n", greeting) < 0) disconnect();
}

static void handle_line(char *line) {
  char *fields[FIELDS_MAX];
  int count = split_fields(line, fields);
  if (count == 3 && strcmp(fields[0], "connect") == 0) connect_relay(fields[1], fields[2]);
  else if (count == 1 && strcmp(fields[0], "disconnect") == 0) disconnect();
}

static void read_media(void) {
  static uint8_t buffer[READ_BYTES];
  ssize_t count = read(media, buffer, sizeof buffer);
  if (count < 0 && errno == EINTR) return;
  if (count <= 0 || !read_frames(buffer, (size_t)count, &HANDLERS)) disconnect();
}

static void report(void) {
  if (has_segment_failed()) fail(EIO);
  int64_t free = free_bytes();
  if (is_segment_open() && free >= 0 && free < free_min) {
    // What was recorded stays: the segment takes no more space.
    finish_current(false);
    fail(ENOSPC);
  }
  if (is_segment_open() && monotonic_now() - last_media_at >= IDLE_TIME) finish_current(false);
  write_event("{\"open\":[%" PRId64 ",%" PRId64 "]}", is_segment_open() ? start_time : 0,
              is_segment_open() ? segment_bytes() : 0);
}

static volatile sig_atomic_t is_terminated;
static void handle_termination(int number) {
  (void)number;
  is_terminated = 1;
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "usage: %s <folder> <seconds> <bytes> <free bytes> <is group writable>\n", argv[0]);
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  struct sigaction termination = {.sa_handler = handle_termination};
  sigaction(SIGTERM, &termination, NULL);
  set_event_descriptor(EVENT_DESCRIPTOR);
  length_ms = (int64_t)atoi(argv[2]) * 1000;
  length_bytes = atoll(argv[3]);
  free_min = atoll(argv[4]);
  if (!open_recording_folder(argv[1], atoi(argv[5]) == 1)) return report_failure(strerrorname_np(errno));
  int64_t free = free_bytes();
  if (free >= 0 && free < free_min) return report_failure("ENOSPC");
  int64_t reported_at = monotonic_now();
  report();
  while (!is_terminated) {
    struct pollfd ready[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = media, .events = POLLIN}};
    int64_t wait = reported_at + REPORT_TIME - monotonic_now();
    if (poll(ready, 2, wait > 0 ? (int)wait : 0) < 0) continue;
    if (ready[0].revents && !read_lines(STDIN_FILENO, handle_line)) break;
    // The descriptor of a connection that a command has replaced is not read before it was polled.
    else if (ready[1].revents && ready[1].fd == media) read_media();
    if (monotonic_now() - reported_at >= REPORT_TIME) {
      reported_at = monotonic_now();
      report();
    }
  }
  finish_current(false);
  return finish_segments() ? 0 : 1;
}
