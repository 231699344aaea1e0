// Connections to the media socket of a relay, and receivers that it hands over, here to itself. Each line is an
// operation (see `operate`) with its text.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "messages/events.h"
#include "relay/clock.h"
#include "relay/event-queue.h"
#include "relay/loop.h"
#include "relay/media-socket.h"
#include "relay/report.h"
#include "relay/source.h"
#include "relay/stream/framer.h"
#include "relay/stream/packet-log.h"
#include "relay/stream/section.h"
#include "relay/subscriber.h"
#include "relay/target.h"
#include "input.h"
#include "receivers.h"

enum { PEERS_MAX = 32, OPERATIONS_MAX = 64, STEP_US = 40000, TURNS = 4, PMT_PID = 0x100, VIDEO_PID = 0x101, LATER_US = 60000000 };

static char path[64];
// The other ends of the connections of an input.
static int peers[PEERS_MAX];
static int peer_count;
static int64_t now;
// A counter of all packets, which is also the time stamp of the frames.
static uint8_t counter;

void queue_event(const char *format, ...) {
  char text[EVENT_MAX_BYTES];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
}
bool are_events_written(void) { return true; }

static void add_peer(int descriptor) {
  fcntl(descriptor, F_SETFL, O_NONBLOCK);
  if (peer_count == PEERS_MAX) close(descriptor);
  else peers[peer_count++] = descriptor;
}

// Connects, and writes a line; with a descriptor that is one end of a pair of sockets.
static void connect_with(const char *line, bool has_descriptor, int type) {
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), pair[2] = {-1, -1};
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strcpy(address.sun_path, path);
  if (connection < 0 || connect(connection, (struct sockaddr *)&address, sizeof address) < 0) abort();
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
  } control = {0};
  struct iovec parts[] = {{(void *)line, strlen(line)}, {"\n", 1}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  if (has_descriptor && socketpair(AF_UNIX, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) == 0) {
    message.msg_control = control.bytes, message.msg_controllen = sizeof control.bytes;
    control.header = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
    memcpy(CMSG_DATA(&control.header), &pair[0], sizeof(int));
  }
  if (sendmsg(connection, &message, MSG_NOSIGNAL) < 0) abort();
  add_peer(connection);
  if (pair[0] >= 0) close(pair[0]), add_peer(pair[1]);
}

static void write_packet(uint8_t *packet, int pid, const uint8_t *content, size_t length) {
  memset(packet, 0xff, TS_PACKET_BYTES);
  packet[0] = TS_SYNC_BYTE, packet[1] = (uint8_t)(0x40 | pid >> 8), packet[2] = (uint8_t)pid, packet[3] = 0x10 | (counter & 15);
  memcpy(packet + 4, content, length);
}

// Receives tables and a key frame.
static void receive_frame(void) {
  uint8_t packets[3 * TS_PACKET_BYTES];
  uint8_t pat[] = {0, 0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xe0 | PMT_PID >> 8, PMT_PID & 255, 0, 0, 0, 0};
  uint8_t pmt[] = {0, 2, 0xb0, 18, 0, 1, 0xc1, 0, 0, 0xe1, 1, 0xf0, 0, 0x1b, 0xe0 | VIDEO_PID >> 8, VIDEO_PID & 255, 0xf0, 0, 0, 0, 0, 0};
  uint8_t frame[] = {0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1, 0, 0, 1, 0x65};
  finish_section(pat + 1, sizeof pat - 1);
  finish_section(pmt + 1, sizeof pmt - 1);
  frame[12] = counter;
  write_packet(packets, 0, pat, sizeof pat);
  write_packet(packets + TS_PACKET_BYTES, PMT_PID, pmt, sizeof pmt);
  write_packet(packets + 2 * TS_PACKET_BYTES, VIDEO_PID, frame, sizeof frame);
  counter++;
  take_datagram(packets, sizeof packets, now);
  pass_packets(now);
}

static void operate(char operation, const char *text) {
  char buffer[4096];
  switch (operation) {
    // A connection with this line, alone, with a stream or with a socket for datagrams.
    case 'c': connect_with(text, false, 0); break;
    case 's': connect_with(text, true, SOCK_STREAM); break;
    case 'd': connect_with(text, true, SOCK_DGRAM); break;
    // Hands a subscriber or a target over, with this line.
    case 'm': move_subscriber(atoi(text), path, text); break;
    case 't': move_target(atoi(text), path, text); break;
    // Hands the port over.
    case 'p': move_source(path, text, now); break;
    case 'f': await_feed(atoi(text)); break;
    // Writes to the newest connection.
    case 'w': if (peer_count > 0) (void)!write(peers[peer_count - 1], text, strlen(text)); break;
    case 'x': remove_subscriber(atoi(text)), remove_target(atoi(text)); break;
    case 'n': send_null_packets(atoi(text)); break;
    case 'l': now += MICROSECONDS; break;
    case 'r': for (int index = 0; index < peer_count; index++) while (read(peers[index], buffer, sizeof buffer) > 0) continue; break;
    default: receive_frame();
  }
}

static void turn(void) {
  for (int count = 0; count < TURNS; count++) {
    run_loop_once(0);
    update_source(now);
    send_to_targets(now);
    send_to_subscribers(now);
  }
  subscriber_timeout(now);
  uint64_t targets = oldest_target_position(), subscribers = oldest_subscriber_position();
  trim_log(targets < subscribers ? targets : subscribers, now);
  report_when_due(now);
  now += STEP_US;
}

static void take_no_commands(void) {}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  (void)argc, (void)argv;
  signal(SIGPIPE, SIG_IGN);
  snprintf(path, sizeof path, "/tmp/headend-fuzz-%d", getpid());
  if (!open_loop() || !open_media_socket(path, take_no_commands)) abort();
  return 0;
}

// Removes the targets that the lines of an input may have opened.
static void remove_targets(const uint8_t *bytes, size_t size) {
  struct input input = {bytes, size};
  while (input.size > 0) {
    size_t length;
    char *line = take_line(&input, &length);
    for (char *number = line; (number = strstr(number, "target ")); number++) remove_target(atoi(number + strlen("target ")));
    free(line);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct input input = {bytes, size};
  now = now_us();
  for (int count = 0; input.size > 0 && count < OPERATIONS_MAX; count++) {
    size_t length;
    char *line = take_line(&input, &length);
    operate(line[0], line[0] ? line + 1 : line);
    free(line);
    turn();
  }
  while (peer_count > 0) close(peers[--peer_count]);
  turn();
  remove_targets(bytes, size);
  await_feed(-1);
  expire_connections(now_us() + LATER_US);
  turn();
  reset_stream(now);
  return 0;
}
