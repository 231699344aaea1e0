#include "greeting.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "source.h"
#include "subscriber.h"
#include "target.h"

bool assign_connection(const char *line, int descriptor, int64_t now) {
  int id, from_cache, value;
  if (sscanf(line, "feed %d", &id) == 1) return accept_feed(id, descriptor, now);
  if (sscanf(line, "source %d %d", &id, &value) == 2) return adopt_source(id, value != 0, descriptor);
  if (strncmp(line, "target ", 7) == 0) return adopt_target(line, descriptor, now);
  struct subscriber_settings settings = {.place = {-1, -1}, .age_ms = -1};
  struct place *place = &settings.place;
  if (sscanf(line, "process %d %d %d %" SCNd64 " %" SCNd64, &id, &from_cache, &value, &place->time, &place->before) >= 3)
    settings.ends_with_stream = value != 0;
  else if (sscanf(line, "tap %d %d %d %" SCNd64 " %" SCNd64, &id, &from_cache, &value, &place->time, &place->before) >= 3)
    settings.is_tap = true, settings.batch_ms = value;
  else if (sscanf(line, "hold %d %d %d %d", &id, &value, &settings.hold_ms, &settings.age_ms) == 4)
    settings.is_tap = true, settings.batch_ms = value, from_cache = 0;
  else return false;
  settings.id = id;
  settings.from_cache = from_cache != 0;
  return add_subscriber(&settings, descriptor, now);
}
