#include "port-commands.h"

#include <stdlib.h>
#include <string.h>

#include "../messages/events.h"
#include "../messages/line-reader.h"
#include "blocklist.h"
#include "keys.h"
#include "session.h"

void handle_port_command(char *line) {
  char *fields[FIELDS_MAX];
  int count = split_fields(line, fields);
  if (count > 1 && strcmp(fields[0], "key") == 0) {
    if (!set_key(fields + 1, count - 1)) write_event("{\"fault\":\"key\"}");
  } else if (count == 2 && strcmp(fields[0], "gone") == 0) {
    if (remove_key(fields[1])) close_sessions(0, fields[1]);
  } else if (count == 3 && strcmp(fields[0], "bar") == 0) {
    if (!block_address(fields[1], now_ms() + atoi(fields[2]))) write_event("{\"fault\":\"bar\"}");
  } else if (count == 2 && strcmp(fields[0], "drop") == 0) {
    int id = atoi(fields[1]);
    if (id > 0) close_sessions(id, NULL);
  } else if (count == 4 && strcmp(fields[0], "link") == 0) {
    link_session(atoi(fields[1]), fields[2], fields[3]);
  } else {
    write_event("{\"fault\":\"command\"}");
  }
}
