// Loaded into ffmpeg (LD_PRELOAD), which takes addresses with logins and keys nowhere but among its arguments, where every user of the
// machine can read them: those that read `hidden:<n>` become what stands on a descriptor before main sees them. It also keeps ffmpeg to
// the addresses that the hub has judged, whatever a name means a moment later and wherever another server sends it, and ends it with
// the hub.
//
// VEIL=<descriptor> says where to read: records that each end with a zero byte, the first character telling what one is:
//   p<process id>        of the hub
//   a<text>              an argument: the first stands for hidden:1
//   n<name> <address>[:<port>]  what may be looked up, and its IPv4 address; where there is one, nothing else may, nor another port
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <unistd.h>

#define ROOM (64 << 10)
#define NAME_ROOM 256
#define MARK "hidden:"
#define PROGRAM "ffmpeg"

/** Records from first to last; they stay where they were read. */
static char *first, *last;

static void give_up(const char *why) {
  fprintf(stderr, "headend-hide-args: %s\n", why);
  _exit(127);
}

static void read_records(int descriptor) {
  size_t size = 0;
  first = malloc(ROOM);
  if (!first) give_up("no memory");
  for (;;) {
    ssize_t got = read(descriptor, first + size, ROOM - size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    size += (size_t)got;
  }
  close(descriptor);
  if (size == 0 || size == ROOM || first[size - 1] != '\0') give_up("what it was to be told did not come");
  last = first + size;
}

/** The record of a kind with a number, from 1; NULL when there is none. */
static char *record(char kind, long number) {
  for (char *at = first; at && at < last; at += strlen(at) + 1)
    if (*at == kind && --number == 0) return at + 1;
  return NULL;
}

/** The C library hands its arguments to whatever is loaded, before main has them. */
__attribute__((constructor)) static void unveil(int count, char **words) {
  const char *descriptor = getenv("VEIL");
  // A script in the place of ffmpeg would start it with words that everybody sees: it is left for ffmpeg to read.
  if (!descriptor || strncmp(program_invocation_short_name, PROGRAM, strlen(PROGRAM)) != 0) return;
  read_records(atoi(descriptor));
  unsetenv("VEIL");
  unsetenv("LD_PRELOAD");
  const char *parent = record('p', 1);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have died before it could be heeded.
  if (parent && getppid() != (pid_t)atol(parent)) give_up("the hub is gone");
  for (int at = 1; at < count; at++) {
    if (strncmp(words[at], MARK, strlen(MARK)) != 0) continue;
    words[at] = record('a', atol(words[at] + strlen(MARK)));
    if (!words[at]) give_up("an argument is not there");
  }
}

/** Groups (224.0.0.0/4), which are of nobody's machine. */
static int is_group(const char *name) {
  char *end;
  long octet = strtol(name, &end, 10);
  return *end == '.' && octet >= 224 && octet < 240 && strspn(name, "0123456789.") == strlen(name);
}

/**
 * Whether a record is of this name and port.
 * @param address where the name leads
 */
static int judged(const char *known, const char *name, const char *service, const char **address) {
  const char *end = strchr(known, ' ');
  if (!end || (size_t)(end - known) >= NAME_ROOM) return 0;
  const char *port = strchr(end, ':');
  if (port && (!service || strcmp(service, port + 1) != 0)) return 0;
  size_t length = (size_t)(end - known);
  static _Thread_local char cut[NAME_ROOM];
  size_t size = port ? (size_t)(port - end - 1) : strlen(end + 1);
  if (size >= sizeof cut) return 0;
  memcpy(cut, end + 1, size);
  cut[size] = '\0';
  *address = cut;
  return strcmp(name, cut) == 0 || (strlen(name) == length && strncasecmp(name, known, length) == 0);
}

/** Every address that ffmpeg goes to comes from here, also one in figures. */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
  int (*next)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = NULL;
  *(void **)&next = dlsym(RTLD_NEXT, "getaddrinfo");
  if (!next) return EAI_SYSTEM;
  // No name is an address of this machine, to listen at.
  if (!name || is_group(name) || !record('n', 1)) return next(name, service, hints, found);
  // Only whether it is an address in figures, of which kind: nothing is gone to without a port.
  if (!service && hints && (hints->ai_flags & AI_NUMERICHOST)) return next(name, service, hints, found);
  const char *known, *address;
  for (long number = 1; (known = record('n', number)); number++)
    if (judged(known, name, service, &address)) return next(address, service, hints, found);
  // Not by its name, which another server chose.
  fprintf(stderr, "headend-hide-args: it was led to an address that was not judged\n");
  return EAI_FAIL;
}
