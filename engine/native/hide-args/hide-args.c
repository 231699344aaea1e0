// Preloaded into ffmpeg (LD_PRELOAD). It does five things:
//   - It replaces arguments of the form `hidden:<n>` before main runs. ffmpeg accepts URLs with logins and keys only as
//     arguments, and every user of the machine can read those in the process list.
//   - It restricts name resolution to the addresses that the hub has allowed, even if DNS changes later or a server
//     redirects.
//   - It kills ffmpeg when the hub ends.
//   - It checks the certificates of TLS servers (certificates.c).
//   - It bounds the data that waits to be sent, and reports what the other end has not acknowledged (connection.c).
//
// HIDE_ARGS_FD=<descriptor> names a descriptor with records. Each record ends with a zero byte, and its first character
// is its type:
//   p<process id>        process ID of the hub
//   a<text>              a hidden argument; the first one replaces hidden:1
//   n<name> <address>[ <port>]  an allowed name and its address. If there is at least one such record, every other name, and with
//                        <port> every other port, is refused.
//   t<name>              certificates of TLS servers are checked. <name> is that of the target, which a server without a name
//                        of its own must have. Without such a record, any certificate is accepted.
//   c<PEM>               the trusted certificates, instead of those of the system
//   u<descriptor>        where unacknowledged bytes are reported
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

#include "records.h"

#define RECORDS_MAX_BYTES (64 << 10)
#define ADDRESS_MAX_BYTES 256
#define PLACEHOLDER "hidden:"
#define PROGRAM "ffmpeg"

/** First and last byte of all records. They stay in memory because the arguments of ffmpeg point into them. */
static char *records_begin, *records_end;

static void exit_with_error(const char *message) {
  fprintf(stderr, "headend-hide-args: %s\n", message);
  _exit(127);
}

static void read_records(int descriptor) {
  size_t size = 0;
  records_begin = malloc(RECORDS_MAX_BYTES);
  if (!records_begin) exit_with_error("Out of memory");
  for (;;) {
    ssize_t count = read(descriptor, records_begin + size, RECORDS_MAX_BYTES - size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    size += (size_t)count;
  }
  close(descriptor);
  if (size == 0 || size == RECORDS_MAX_BYTES || records_begin[size - 1] != '\0')
    exit_with_error("The hidden arguments are missing, incomplete or longer than 64 KiB");
  records_end = records_begin + size;
}

char *find_record(char type, long number) {
  for (char *record = records_begin; record && record < records_end; record += strlen(record) + 1)
    if (*record == type && --number == 0) return record + 1;
  return NULL;
}

/** Runs before main. The C library passes argc and argv to the constructors of preloaded libraries. */
__attribute__((constructor)) static void restore_arguments(int argc, char **argv) {
  const char *descriptor = getenv("HIDE_ARGS_FD");
  // A wrapper script instead of ffmpeg would pass the real arguments on visibly. The records are left for the ffmpeg
  // that it starts.
  if (!descriptor || strncmp(program_invocation_short_name, PROGRAM, strlen(PROGRAM)) != 0) return;
  read_records(atoi(descriptor));
  unsetenv("HIDE_ARGS_FD");
  unsetenv("LD_PRELOAD");
  const char *parent = find_record('p', 1);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The hub may have died before prctl was called.
  if (parent && getppid() != (pid_t)atol(parent)) exit_with_error("The hub has exited");
  for (int index = 1; index < argc; index++) {
    if (strncmp(argv[index], PLACEHOLDER, strlen(PLACEHOLDER)) != 0) continue;
    argv[index] = find_record('a', atol(argv[index] + strlen(PLACEHOLDER)));
    if (!argv[index]) exit_with_error("A hidden argument is missing");
  }
}

/** Returns whether a name is a multicast address (224.0.0.0/4, ff00::/8), which belongs to no host. */
static int is_multicast(const char *name) {
  if (strchr(name, ':')) return strncasecmp(name, "ff", 2) == 0 && strspn(name, "0123456789abcdefABCDEF:.") == strlen(name) && strcspn(name, ":") == 4;
  char *end;
  long octet = strtol(name, &end, 10);
  return *end == '.' && octet >= 224 && octet < 240 && strspn(name, "0123456789.") == strlen(name);
}

/**
 * Returns whether a name record allows this name and port.
 * @param record `<name> <address>[ <port>]`
 * @param address receives the address of the record; valid until the next call
 */
static int record_allows(const char *record, const char *name, const char *service, const char **address) {
  const char *name_end = strchr(record, ' ');
  if (!name_end || (size_t)(name_end - record) >= ADDRESS_MAX_BYTES) return 0;
  const char *port = strchr(name_end + 1, ' ');
  if (port && (!service || strcmp(service, port + 1) != 0)) return 0;
  size_t name_length = (size_t)(name_end - record);
  static _Thread_local char allowed_address[ADDRESS_MAX_BYTES];
  size_t size = port ? (size_t)(port - name_end - 1) : strlen(name_end + 1);
  if (size >= sizeof allowed_address) return 0;
  memcpy(allowed_address, name_end + 1, size);
  allowed_address[size] = '\0';
  *address = allowed_address;
  return strcmp(name, allowed_address) == 0 || (strlen(name) == name_length && strncasecmp(name, record, name_length) == 0);
}

/**
 * Replaces getaddrinfo of the C library. ffmpeg calls it for every address that it connects to, including numeric ones.
 */
int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  int (*original)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = NULL;
  *(void **)&original = dlsym(RTLD_NEXT, "getaddrinfo");
  if (!original) return EAI_SYSTEM;
  // Without a name the result is a local address to listen on.
  if (!name || is_multicast(name) || !find_record('n', 1)) return original(name, service, hints, result);
  // A check of whether the name is a numeric address. Without a port nothing connects to the result.
  if (!service && hints && (hints->ai_flags & AI_NUMERICHOST)) return original(name, service, hints, result);
  const char *record, *address;
  for (long number = 1; (record = find_record('n', number)); number++)
    if (record_allows(record, name, service, &address)) return original(address, service, hints, result);
  // The name is not printed because another server may have chosen it.
  fprintf(stderr, "headend-hide-args: Blocked a connection to an address that the hub has not allowed\n");
  return EAI_FAIL;
}
