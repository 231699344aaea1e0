// Observes the TCP connection of an output. ffmpeg counts bytes as written when the system has taken them, although a
// target that has stopped accepts nothing, and the system's send buffer holds up to 4 MB. This module limits the data
// in that buffer that is not on its way, and reports four times a second, as a line `unacknowledged=<bytes>`, how much
// the other end has not taken: bytes that its system has not acknowledged, and bytes that fill its receive window,
// because its program does not read them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "records.h"

/** Bytes. The data on its way is not limited, so a long connection keeps its throughput. */
#define UNSENT_MAX_BYTES (128 << 10)
#define REPORT_INTERVAL_US 250000
#define LINE_MAX_BYTES 64

/** The newest TCP connection; -1 if there is none. */
static atomic_int connection = -1;

/**
 * Bytes that wait in the receive buffer of the other end, at least: twice what its window is smaller than it has been,
 * because a system that enlarges its buffer meanwhile closes the window more slowly than data arrive. 0 on a system
 * that does not report the window.
 */
static uint32_t unread_bytes(int tcp) {
  static int measured = -1;
  static uint32_t largest;
  struct tcp_info info;
  socklen_t size = sizeof info;
  if (getsockopt(tcp, IPPROTO_TCP, TCP_INFO, &info, &size) < 0) return 0;
  if (size < offsetof(struct tcp_info, tcpi_snd_wnd) + sizeof info.tcpi_snd_wnd) return 0;
  if (measured != tcp) largest = 0;
  measured = tcp;
  if (info.tcpi_snd_wnd > largest) largest = info.tcpi_snd_wnd;
  return 2 * (largest - info.tcpi_snd_wnd);
}

static void *report(void *record) {
  int descriptor = atoi(record);
  for (;; usleep(REPORT_INTERVAL_US)) {
    int tcp = atomic_load(&connection), unacknowledged;
    char line[LINE_MAX_BYTES];
    if (ioctl(tcp, SIOCOUTQ, &unacknowledged) < 0) continue;
    int length = snprintf(line, sizeof line, "unacknowledged=%" PRId64 "\n", (int64_t)unacknowledged + unread_bytes(tcp));
    // One call for each line, so that it does not mix with the progress reports of ffmpeg.
    if (write(descriptor, line, (size_t)length) < 0 && errno != EINTR && errno != EAGAIN) return NULL;
  }
}

static void start_reports(char *record) {
  static atomic_flag started = ATOMIC_FLAG_INIT;
  if (atomic_flag_test_and_set(&started)) return;
  // Signals are for ffmpeg's own threads.
  sigset_t all, previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  pthread_t thread;
  if (pthread_create(&thread, NULL, report, record) == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
}

/** Replaces connect of the C library. */
int connect(int descriptor, const struct sockaddr *address, socklen_t size) {
  int (*original)(int, const struct sockaddr *, socklen_t) = NULL;
  *(void **)&original = dlsym(RTLD_NEXT, "connect");
  if (!original) {
    errno = ENOSYS;
    return -1;
  }
  char *record = find_record('u', 1);
  int type = 0;
  socklen_t type_size = sizeof type;
  if (record && (address->sa_family == AF_INET || address->sa_family == AF_INET6) &&
      getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &type_size) == 0 && type == SOCK_STREAM) {
    int limit = UNSENT_MAX_BYTES;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &limit, sizeof limit);
    atomic_store(&connection, descriptor);
    start_reports(record);
  }
  return original(descriptor, address, size);
}
