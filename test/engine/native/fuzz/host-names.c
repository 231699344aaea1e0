// Names that ffmpeg looks up, which a server can choose with a redirect, and the records of the engine that allow some.
// The first line is the name, the second one the port; the records follow, one on each line.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdbool.h>

#define getaddrinfo checked_getaddrinfo
#define dlsym find_replacement

static void *find_replacement(void *library, const char *name);

#include "hide-args/hide-args.c"
#include "input.h"

static const char *looked_up;

static int look_up(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  (void)service, (void)hints;
  if (name && strlen(name) >= RECORDS_MAX_BYTES) abort();
  looked_up = name;
  *result = NULL;
  return 0;
}

static void *find_replacement(void *library, const char *name) {
  (void)library, (void)name;
  return (void *)look_up;
}

// Whether a record names an address with the text of `address`.
static bool is_address_of_record(const char *address) {
  const char *record;
  for (long number = 1; (record = find_record('n', number)); number++)
    if (strstr(record, address)) return true;
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  struct input input = {bytes, size};
  size_t length;
  char *name = take_line(&input, &length), *service = take_line(&input, &length);
  length = input.size;
  records_begin = (char *)take_copy(&input, &length, 1);
  records_end = records_begin + length + 1;
  for (char *byte = records_begin; byte < records_end; byte++)
    if (*byte == '\n') *byte = '\0';
  struct addrinfo hints = {.ai_flags = *service & 1 ? AI_NUMERICHOST : 0}, *result;
  looked_up = NULL;
  int error = checked_getaddrinfo(name, *service ? service : NULL, &hints, &result);
  bool is_restricted = find_record('n', 1) && !is_multicast(name) && (*service || !(hints.ai_flags & AI_NUMERICHOST));
  if (error == 0 && is_restricted && !is_address_of_record(looked_up)) abort();
  free(name), free(service), free(records_begin);
  records_begin = records_end = NULL;
  return 0;
}
