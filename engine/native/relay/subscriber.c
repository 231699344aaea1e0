#define _GNU_SOURCE
#include "subscriber.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "clock.h"
#include "event-queue.h"
#include "hand-over.h"
#include "loop.h"
#include "stream/packet-log.h"
#include "receiver.h"
#include "stream/stream.h"
#include "stream/tables.h"
#include "stream/ts-packet.h"

enum { SUBSCRIBERS_MAX = 512, VECTORS = 8, NULL_PACKETS = 7 };
// FRAME_STARTS, FRAME_BYTES: start points in one frame, and bytes of media. A frame fits into a prefix.
enum { FRAME_HEADER_BYTES = 8, FRAME_STARTS = 64, FRAME_BYTES = 700 * TS_PACKET_BYTES };
// How long media for a process is collected.
enum { PROCESS_BATCH_MS = 10 };

struct subscriber {
  struct watch watch;
  struct receiver receiver;
  struct subscriber_settings settings;
  // Number of the next end of a stream that it has not reached.
  unsigned next_end;
  // End of the bytes that can be sent after the prefix.
  uint64_t sendable_end;
  bool is_blocked, has_ended, is_closed;
  struct hand_over plan;
  // Whether it has reached the place of its hand-over.
  bool is_leaving;
  // When it receives the next batch, at a multiple of the time for which one is collected.
  int64_t next_batch;
  uint64_t sent, null_packet_bytes;
};

static struct subscriber *subscribers[SUBSCRIBERS_MAX];
static int count;

static void handle_socket(struct watch *watch, uint32_t events) {
  struct subscriber *subscriber = (struct subscriber *)watch;
  if (events & (EPOLLHUP | EPOLLRDHUP | EPOLLERR)) subscriber->is_closed = true;
  if (!(events & EPOLLOUT)) return;
  subscriber->is_blocked = false;
  change_watch(watch, EPOLLRDHUP);
}

static int find_subscriber(int id) {
  for (int index = 0; index < count; index++)
    if (subscribers[index]->settings.id == id) return index;
  return -1;
}

// Lets the log hold packets for as long as one of the subscribers demands.
static void update_hold(void) {
  int longest = 0;
  for (int index = 0; index < count; index++)
    if (subscribers[index]->settings.hold_ms > longest) longest = subscribers[index]->settings.hold_ms;
  hold_packets((int64_t)longest * 1000);
}

static void remove_at(int index) {
  close_watch(&subscribers[index]->watch);
  free(subscribers[index]);
  subscribers[index] = subscribers[--count];
  update_hold();
}

void remove_subscriber(int id) {
  int index = find_subscriber(id);
  if (index >= 0) remove_at(index);
}

bool add_subscriber(const struct subscriber_settings *settings, int descriptor, int64_t now) {
  remove_subscriber(settings->id);
  struct subscriber *subscriber = count < SUBSCRIBERS_MAX ? calloc(1, sizeof *subscriber) : NULL;
  if (!subscriber) return false;
  subscriber->watch = (struct watch){.descriptor = descriptor, .handle = handle_socket};
  subscriber->settings = *settings;
  if (!settings->is_tap) subscriber->settings.batch_ms = PROCESS_BATCH_MS;
  subscriber->next_end = end_count();
  // A tap receives the tables in a frame.
  if (settings->place.time >= 0) begin_receiver_at(&subscriber->receiver, settings->id, &settings->place, !settings->is_tap, now);
  else if (settings->age_ms >= 0) begin_receiver_before(&subscriber->receiver, settings->id, now - (int64_t)settings->age_ms * 1000, now);
  else begin_receiver(&subscriber->receiver, settings->id, settings->from_cache, !settings->is_tap, now);
  subscriber->sendable_end = subscriber->receiver.position;
  if (!watch_descriptor(&subscriber->watch, EPOLLRDHUP)) {
    free(subscriber);
    return false;
  }
  find_early_plan(settings->id, &subscriber->plan);
  subscribers[count++] = subscriber;
  update_hold();
  return true;
}

void move_subscriber(int id, const char *path, const char *greeting) {
  int index = find_subscriber(id);
  if (index >= 0) plan_hand_over(&subscribers[index]->plan, path, greeting);
  else keep_early_plan(id, path, greeting);
}

static void write_number(uint8_t *target, uint32_t value, int bytes) {
  for (int index = 0; index < bytes; index++) target[index] = (uint8_t)(value >> 8 * (bytes - 1 - index));
}

static void add_frame_header(struct receiver *receiver, char type, int number, size_t length) {
  uint8_t header[FRAME_HEADER_BYTES] = {(uint8_t)type};
  write_number(header + 2, (uint32_t)number, 2);
  write_number(header + 4, (uint32_t)length, 4);
  add_prefix(receiver, header, sizeof header);
}

static void add_tables_frame(struct receiver *receiver, const struct start *start) {
  uint8_t tables[TABLES_MAX_BYTES];
  size_t length = copy_tables(tables, start);
  add_frame_header(receiver, 'T', 0, length);
  add_prefix(receiver, tables, length);
}

// Adds the header of a media frame up to `end`, or less if there are many start points. Returns the end of the frame.
static uint64_t add_media_header(struct receiver *receiver, uint64_t end) {
  uint8_t offsets[FRAME_STARTS * 4];
  if (end - receiver->position > FRAME_BYTES) end = receiver->position + FRAME_BYTES;
  int starts = 0;
  struct start start;
  for (uint64_t position = receiver->position; find_start(position, &start) && start.position < end; position = start.position + 1) {
    if (starts == FRAME_STARTS) {
      end = start.position;
      break;
    }
    if (starts == 0) add_tables_frame(receiver, &start);
    write_number(offsets + 4 * starts++, (uint32_t)(start.position - receiver->position), 4);
  }
  add_frame_header(receiver, 'M', starts, (size_t)(end - receiver->position));
  add_prefix(receiver, offsets, (size_t)starts * 4);
  return end;
}

// Handles the ends of streams that the subscriber has reached. Stores the position of the next end in `end`, if that is
// earlier.
static void pass_ends(struct subscriber *subscriber, uint64_t *end) {
  struct receiver *receiver = &subscriber->receiver;
  for (uint64_t position; end_position(subscriber->next_end, &position); subscriber->next_end++) {
    if (!receiver->is_seeking && position > receiver->position) {
      if (position < *end) *end = position;
      return;
    }
    if (subscriber->plan.is_planned) {
      subscriber->is_leaving = true;
      return;
    }
    // One that has received nothing of the ended stream does not notice its end.
    bool had_stream = subscriber->sent > subscriber->null_packet_bytes;
    if (subscriber->settings.is_tap && had_stream) add_frame_header(receiver, 'E', 0, 0);
    if (subscriber->settings.ends_with_stream && had_stream) {
      subscriber->has_ended = true;
      return;
    }
  }
}

// Prepares the next bytes. Returns false if there is nothing.
static bool prepare_more(struct subscriber *subscriber, int64_t now) {
  struct receiver *receiver = &subscriber->receiver;
  // One that is to be handed over waits for no batch, because the other relay has the start point soon.
  if (subscriber->has_ended || (now < subscriber->next_batch && !subscriber->plan.is_planned)) return false;
  uint64_t end = log_end();
  if (is_hand_over_due(&subscriber->plan, receiver, &end, now)) subscriber->is_leaving = true;
  else pass_ends(subscriber, &end);
  if (subscriber->is_leaving) return false;
  if (subscriber->has_ended) {
    shutdown(subscriber->watch.descriptor, SHUT_WR);
    return false;
  }
  if (!seek_start(receiver)) return has_prefix(receiver);
  if (receiver->position == end) return has_prefix(receiver);
  if (subscriber->settings.is_tap) end = add_media_header(receiver, end);
  if (end == log_end()) subscriber->next_batch = next_multiple(now, (int64_t)subscriber->settings.batch_ms * 1000);
  subscriber->sendable_end = end;
  return true;
}

// Fills vectors with the prefix and the bytes of the log that can be sent.
static int fill_vectors(const struct subscriber *subscriber, struct iovec *vectors) {
  const struct receiver *receiver = &subscriber->receiver;
  int used = 0;
  if (has_prefix(receiver))
    vectors[used++] = (struct iovec){(void *)(receiver->prefix + receiver->prefix_done), receiver->prefix_length - receiver->prefix_done};
  for (uint64_t position = receiver->position; used < VECTORS && position < subscriber->sendable_end;) {
    const uint8_t *bytes;
    size_t length = log_bytes(position, &bytes);
    if (length == 0) break;
    if (length > subscriber->sendable_end - position) length = (size_t)(subscriber->sendable_end - position);
    vectors[used++] = (struct iovec){(void *)bytes, length};
    position += length;
  }
  return used;
}

static void wait_until_writable(struct subscriber *subscriber) {
  subscriber->is_blocked = true;
  change_watch(&subscriber->watch, EPOLLRDHUP | EPOLLOUT);
}

static void send_more(struct subscriber *subscriber, int64_t now) {
  struct receiver *receiver = &subscriber->receiver;
  struct iovec vectors[VECTORS];
  while (!subscriber->is_blocked && !subscriber->is_closed && !subscriber->is_leaving) {
    int used = fill_vectors(subscriber, vectors);
    if (used == 0) {
      if (!prepare_more(subscriber, now)) return;
      continue;
    }
    struct msghdr message = {.msg_iov = vectors, .msg_iovlen = (size_t)used};
    ssize_t sent = sendmsg(subscriber->watch.descriptor, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return wait_until_writable(subscriber);
    if (sent < 0) {
      subscriber->is_closed = true;
      return;
    }
    size_t left = receiver->prefix_length - receiver->prefix_done;
    size_t from_prefix = (size_t)sent < left ? (size_t)sent : left;
    receiver->prefix_done += from_prefix;
    receiver->position += (uint64_t)sent - from_prefix;
    subscriber->sent += (uint64_t)sent;
  }
}

// Drops the backlog of a subscriber that is too slow, but sends the packet or frame that it has begun.
static void limit_subscriber(struct subscriber *subscriber) {
  struct receiver *receiver = &subscriber->receiver;
  uint64_t packet_end = (receiver->position + TS_PACKET_BYTES - 1) / TS_PACKET_BYTES * TS_PACKET_BYTES;
  if (limit_backlog(receiver, subscriber->settings.is_tap ? subscriber->sendable_end : packet_end))
    subscriber->sendable_end = receiver->position;
}

void send_to_subscribers(int64_t now) {
  for (int index = count - 1; index >= 0; index--) {
    struct subscriber *subscriber = subscribers[index];
    send_more(subscriber, now);
    limit_subscriber(subscriber);
    int error = subscriber->is_leaving ? hand_over(&subscriber->plan, &subscriber->receiver, "", subscriber->watch.descriptor) : EAGAIN;
    if (error == 0) {
      remove_at(index);
      continue;
    }
    if (!subscriber->is_closed && error == EAGAIN) continue;
    queue_event("{\"closed\":%d}", subscriber->settings.id);
    remove_at(index);
  }
}

void send_null_packets(int id) {
  int index = find_subscriber(id);
  if (index < 0) return;
  struct subscriber *subscriber = subscribers[index];
  struct receiver *receiver = &subscriber->receiver;
  bool is_idle = !has_prefix(receiver) && (receiver->is_seeking || receiver->position == log_end());
  if (!is_idle || subscriber->is_blocked || subscriber->has_ended || subscriber->settings.is_tap) return;
  uint8_t packet[TS_PACKET_BYTES];
  ts_write_null_packet(packet);
  for (int number = 0; number < NULL_PACKETS; number++) add_prefix(receiver, packet, sizeof packet);
  subscriber->null_packet_bytes += NULL_PACKETS * TS_PACKET_BYTES;
}

int subscriber_timeout(int64_t now) {
  int64_t next = -1;
  for (int index = 0; index < count; index++) {
    const struct subscriber *subscriber = subscribers[index];
    if (subscriber->is_blocked || backlog(&subscriber->receiver) == 0) continue;
    int64_t left = subscriber->next_batch > now ? subscriber->next_batch - now : 0;
    if (next < 0 || left < next) next = left;
  }
  return next < 0 ? -1 : (int)((next + 999) / 1000);
}

uint64_t oldest_subscriber_position(void) {
  uint64_t oldest = log_end();
  for (int index = 0; index < count; index++) {
    const struct receiver *receiver = &subscribers[index]->receiver;
    if (!receiver->is_seeking && receiver->position < oldest) oldest = receiver->position;
  }
  return oldest;
}

void report_subscribers(void) {
  for (int index = 0; index < count; index++) {
    const struct subscriber *subscriber = subscribers[index];
    uint64_t sent = subscriber->sent - subscriber->null_packet_bytes;
    queue_event("{\"subscriber\":[%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]}", subscriber->settings.id, sent,
                backlog(&subscriber->receiver), dropped_bytes(&subscriber->receiver), subscriber->null_packet_bytes);
  }
}
