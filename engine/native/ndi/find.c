#include "find.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../events/events.h"
#include "api.h"
#include "child.h"
#include "tell-source.h"

// Milliseconds; and sources that are told of at most.
enum { TURN = 500, SOURCES_MAX = 1000 };

typedef struct {
  char *name, *url;
} known;

static char *copy_of(const char *text) {
  char *copy = strdup(text ? text : "");
  if (!copy) abort();
  return copy;
}

static bool holds(const known *list, uint32_t count, const char *name, const char *url) {
  for (uint32_t at = 0; at < count; at++)
    if (strcmp(list[at].name, name) == 0 && strcmp(list[at].url, url) == 0) return true;
  return false;
}

static bool offers(const ndi_source *list, uint32_t count, const known *one) {
  for (uint32_t at = 0; at < count; at++)
    if (list[at].name && strcmp(list[at].name, one->name) == 0) return true;
  return false;
}

int find_sources(const char *groups, const char *addresses) {
  static known list[SOURCES_MAX];
  uint32_t had = 0;
  ndi_find_settings settings = {.local = true, .groups = *groups ? groups : NULL, .addresses = *addresses ? addresses : NULL};
  void *finder = ndi.find_create(&settings);
  if (!finder) return fail("create");
  while (!ended) {
    ndi.find_wait(finder, TURN);
    uint32_t count = 0;
    const ndi_source *sources = ndi.find_sources(finder, &count);
    if (count > SOURCES_MAX) count = SOURCES_MAX;
    for (uint32_t at = 0; at < had; at++)
      if (!offers(sources, count, &list[at])) tell_source("gone", list[at].name, NULL);
    for (uint32_t at = 0; at < count; at++) {
      const char *name = sources[at].name ? sources[at].name : "", *url = sources[at].url ? sources[at].url : "";
      if (*name && !holds(list, had, name, url)) tell_source("found", name, url);
    }
    for (uint32_t at = 0; at < had; at++) free(list[at].name), free(list[at].url);
    for (uint32_t at = 0; at < count; at++) list[at] = (known){copy_of(sources[at].name), copy_of(sources[at].url)};
    had = count;
  }
  ndi.find_destroy(finder);
  return 0;
}
