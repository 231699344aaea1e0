#include "find.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../messages/events.h"
#include "api.h"
#include "child.h"

enum { WAIT_MS = 500, SOURCES_MAX = 1000 };

typedef struct {
  char *name, *url;
} known_source;

static char *copy_text(const char *text) {
  char *copy = strdup(text ? text : "");
  if (!copy) abort();
  return copy;
}

static bool is_known(const known_source *known, uint32_t count, const char *name, const char *url) {
  for (uint32_t index = 0; index < count; index++)
    if (strcmp(known[index].name, name) == 0 && strcmp(known[index].url, url) == 0) return true;
  return false;
}

static bool is_announced(const ndi_source *sources, uint32_t count, const known_source *known) {
  for (uint32_t index = 0; index < count; index++)
    if (sources[index].name && strcmp(sources[index].name, known->name) == 0) return true;
  return false;
}

// Writes the events for the differences between the known and the announced sources.
static void report_changes(const known_source *known, uint32_t known_count, const ndi_source *sources, uint32_t count) {
  for (uint32_t index = 0; index < known_count; index++)
    if (!is_announced(sources, count, &known[index])) write_text_event("gone", known[index].name, NULL);
  for (uint32_t index = 0; index < count; index++) {
    const char *name = sources[index].name ? sources[index].name : "", *url = sources[index].url ? sources[index].url : "";
    if (*name && !is_known(known, known_count, name, url)) write_text_event("found", name, url);
  }
}

void *start_finder(const char *groups, const char *addresses) {
  ndi_find_settings settings = {.local = true, .groups = *groups ? groups : NULL, .addresses = *addresses ? addresses : NULL};
  return ndi.find_create(&settings);
}

void report_sources(void *finder) {
  static known_source known[SOURCES_MAX];
  static uint32_t known_count;
  uint32_t count = 0;
  const ndi_source *sources = ndi.find_sources(finder, &count);
  if (count > SOURCES_MAX) count = SOURCES_MAX;
  report_changes(known, known_count, sources, count);
  for (uint32_t index = 0; index < known_count; index++) free(known[index].name), free(known[index].url);
  for (uint32_t index = 0; index < count; index++)
    known[index] = (known_source){copy_text(sources[index].name), copy_text(sources[index].url)};
  known_count = count;
}

int watch_sources(const char *groups, const char *addresses) {
  void *finder = start_finder(groups, addresses);
  if (!finder) return report_failure("create");
  while (!stop_requested) {
    ndi.find_wait(finder, WAIT_MS);
    report_sources(finder);
  }
  ndi.find_destroy(finder);
  return 0;
}
