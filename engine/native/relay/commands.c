#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "../messages/line-reader.h"
#include "clock.h"
#include "event-queue.h"
#include "source.h"
#include "stream/stream.h"
#include "subscriber.h"
#include "target.h"

// datagrams <number> <address> <port> <interface> <sender> <is RTP>
static void open_datagrams(char *fields[]) {
  struct datagram_source settings = {
      .address = fields[2], .port = atoi(fields[3]), .interface = fields[4], .sender = fields[5], .is_rtp = fields[6][0] == '1'};
  queue_event("{\"opened\":[%d,%d]}", atoi(fields[1]), open_datagram_source(atoi(fields[1]), &settings));
}

// target <id> <address> <port> <payload bytes> <is RTP> <TTL> <interface>
static void open_target(char *fields[]) {
  struct target_settings settings = {.address = fields[2],
                                     .port = atoi(fields[3]),
                                     .payload_bytes = atoi(fields[4]),
                                     .is_rtp = fields[5][0] == '1',
                                     .ttl = atoi(fields[6]),
                                     .interface = fields[7]};
  queue_event("{\"added\":[%d,%d]}", atoi(fields[1]), add_target(atoi(fields[1]), &settings, now_us()));
}

// move <id> <path> <greeting>: hands a subscriber over to another relay. move-target: hands a target over.
static void move(char *fields[], void (*plan)(int id, const char *path, const char *greeting)) {
  plan(atoi(fields[1]), fields[2], fields[3]);
}

// move-source <number> <path> <greeting>: hands the port over.
static void hand_source_over(char *fields[]) {
  queue_event("{\"moved\":[%d,%d]}", atoi(fields[1]), move_source(fields[2], fields[3], now_us()));
}

void handle_command(char *line) {
  char *fields[FIELDS_MAX];
  int count = split_fields(line, fields), number = count > 1 ? atoi(fields[1]) : 0;
  const char *name = fields[0];
  if (count == 7 && strcmp(name, "datagrams") == 0) open_datagrams(fields);
  else if (count == 2 && strcmp(name, "feed") == 0) await_feed(number);
  else if (count == 2 && strcmp(name, "close") == 0) close_source(number);
  else if (count == 2 && strcmp(name, "program") == 0) change_program(number);
  else if (count == 8 && strcmp(name, "target") == 0) open_target(fields);
  else if (count == 2 && strcmp(name, "untarget") == 0) remove_target(number);
  else if (count == 2 && strcmp(name, "unsubscribe") == 0) remove_subscriber(number);
  else if (count == 4 && strcmp(name, "move") == 0) move(fields, move_subscriber);
  else if (count == 4 && strcmp(name, "move-target") == 0) move(fields, move_target);
  else if (count == 4 && strcmp(name, "move-source") == 0) hand_source_over(fields);
  else if (count == 2 && strcmp(name, "null") == 0) send_null_packets(number);
  else queue_event("{\"fault\":\"command\"}");
}
