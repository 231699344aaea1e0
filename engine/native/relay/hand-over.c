#define _GNU_SOURCE
#include "hand-over.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "stream/packet-log.h"
#include "stream/stream.h"
#include "stream/ts-packet.h"

// The newest plans are kept.
enum { EARLY_PLANS = 16 };
enum { PES_FLAGS = 7, PES_TIME = 9, PES_TIME_END = 14 };

bool plan_hand_over(struct hand_over *plan, const char *path, const char *greeting) {
  if (strlen(path) >= sizeof plan->path || strlen(greeting) >= sizeof plan->greeting) return false;
  *plan = (struct hand_over){.is_planned = true, .from = log_end()};
  strcpy(plan->path, path);
  strcpy(plan->greeting, greeting);
  return true;
}

static struct {
  int id;
  struct hand_over plan;
} early_plans[EARLY_PLANS];
static unsigned early_plan_count;

void keep_early_plan(int id, const char *path, const char *greeting) {
  unsigned slot = early_plan_count++ % EARLY_PLANS;
  early_plans[slot].id = id;
  plan_hand_over(&early_plans[slot].plan, path, greeting);
}

void find_early_plan(int id, struct hand_over *plan) {
  for (int index = 0; index < EARLY_PLANS; index++)
    if (early_plans[index].plan.is_planned && early_plans[index].id == id) *plan = early_plans[index].plan;
}

bool is_hand_over_due(const struct hand_over *plan, const struct receiver *receiver, uint64_t *end, int64_t now) {
  if (!plan->is_planned) return false;
  if (receiver->is_seeking) return !has_prefix(receiver);
  struct start start;
  uint64_t place;
  if (find_start(plan->from, &start)) place = start.position;
  else if (!is_carrying(now)) place = log_end();
  else return false;
  if (place < *end) *end = place;
  return receiver->position >= place && !has_prefix(receiver);
}

// The presentation time of the frame that begins at a position, in 1/90,000 s; -1 if it has none.
static int64_t frame_time(uint64_t position) {
  const uint8_t *packet;
  if (log_bytes(position, &packet) < TS_PACKET_BYTES) return -1;
  int offset = ts_payload_offset(packet);
  if (offset < 0 || offset + PES_TIME_END > TS_PACKET_BYTES) return -1;
  const uint8_t *header = packet + offset, *time = header + PES_TIME;
  if (header[0] != 0 || header[1] != 0 || header[2] != 1 || !(header[PES_FLAGS] & 0x80)) return -1;
  return (int64_t)(time[0] >> 1 & 7) << 30 | time[1] << 22 | (time[2] >> 1) << 15 | time[3] << 7 | time[4] >> 1;
}

// The presentation time of the last start point before a position; -1: unknown.
static int64_t time_before(uint64_t end) {
  struct start start;
  int64_t time = -1;
  for (uint64_t position = log_start(); find_start(position, &start) && start.position < end; position = start.position + 1)
    time = frame_time(start.position);
  return time;
}

int hand_over(const struct hand_over *plan, const struct receiver *receiver, const char *details, int descriptor) {
  char line[2 * HAND_OVER_LINE_BYTES];
  int64_t time = receiver->is_seeking ? -1 : frame_time(receiver->position), before = time_before(receiver->position);
  int length = snprintf(line, sizeof line, "%s%s %" PRId64 " %" PRId64 "\n", plan->greeting, details, time, before);
  return length < (int)sizeof line ? pass_descriptor(plan->path, line, (size_t)length, descriptor) : EMSGSIZE;
}

int pass_descriptor(const char *path, const char *line, size_t length, int descriptor) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) return ENAMETOOLONG;
  strcpy(address.sun_path, path);
  int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (connection < 0) return errno;
  struct iovec vector = {(void *)line, length};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
  } control = {0};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(rights), &descriptor, sizeof descriptor);
  int error = connect(connection, (struct sockaddr *)&address, sizeof address) < 0 ? errno : 0;
  if (error == 0 && sendmsg(connection, &message, MSG_NOSIGNAL) != (ssize_t)length) error = EPIPE;
  close(connection);
  return error;
}

bool receive_descriptor(int connection, void *bytes, size_t length, int *descriptor) {
  struct iovec vector = {bytes, length};
  union {
    char bytes[CMSG_SPACE(sizeof(int))];
    struct cmsghdr header;
  } control = {0};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  *descriptor = -1;
  if (recvmsg(connection, &message, MSG_CMSG_CLOEXEC) <= 0) return false;
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  if (rights && rights->cmsg_level == SOL_SOCKET && rights->cmsg_type == SCM_RIGHTS) memcpy(descriptor, CMSG_DATA(rights), sizeof *descriptor);
  return true;
}

void begin_receiver_at(struct receiver *receiver, int id, const struct place *place, bool needs_tables, int64_t now) {
  begin_receiver(receiver, id, false, needs_tables, now);
  if (place->time < 0) return;
  struct start start;
  bool has_before = place->before < 0;
  for (uint64_t position = log_start(); find_start(position, &start); position = start.position + 1) {
    int64_t time = frame_time(start.position);
    if (time == place->before) has_before = true;
    if (time != place->time) continue;
    // It has the tables already.
    receiver->position = start.position;
    receiver->is_seeking = false;
    return;
  }
  if (has_before) receiver->has_tables = place->before >= 0;
  else begin_receiver(receiver, id, true, needs_tables, now);
}
