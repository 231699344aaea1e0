// The least that a channel from SRT to SRT has to do: one process receives at a listener and sends to a listener, with
// the socket options of headend-srt. It has no statistics, no commands and no further receivers.
//   srt-floor LISTEN_PORT TARGET_PORT
#include <arpa/inet.h>
#include <netinet/in.h>
#include <srt/srt.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

// As in engine/native/srt: messages are collected for 5 ms, so that the thread sleeps between its batches.
enum { PAYLOAD_BYTES = 1316, MESSAGE_MAX_BYTES = 1500, BATCH = 64, BATCH_NS = 5000000, LATENCY_MS = 120, RETRY_US = 100000 };

static struct sockaddr_in loopback(const char *port) {
  return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static SRTSOCKET create_socket(void) {
  int payload = PAYLOAD_BYTES, latency = LATENCY_MS;
  SRTSOCKET srt = srt_create_socket();
  srt_setsockflag(srt, SRTO_PAYLOADSIZE, &payload, sizeof payload);
  srt_setsockflag(srt, SRTO_LATENCY, &latency, sizeof latency);
  return srt;
}

static SRTSOCKET accept_caller(const char *port) {
  struct sockaddr_in address = loopback(port);
  SRTSOCKET listener = create_socket();
  if (srt_bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || srt_listen(listener, 1) < 0) return SRT_INVALID_SOCK;
  return srt_accept(listener, NULL, NULL);
}

static SRTSOCKET call(const char *port) {
  struct sockaddr_in address = loopback(port);
  for (;; usleep(RETRY_US)) {
    SRTSOCKET srt = create_socket();
    if (srt_connect(srt, (struct sockaddr *)&address, sizeof address) >= 0) return srt;
    srt_close(srt);
  }
}

static int has_message(SRTSOCKET srt) {
  int32_t events = 0;
  int size = sizeof events;
  return srt_getsockflag(srt, SRTO_EVENT, &events, &size) == 0 && (events & SRT_EPOLL_IN);
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s <listen port> <target port>\n", argv[0]);
    return 2;
  }
  srt_startup();
  SRTSOCKET source = accept_caller(argv[1]), target = call(argv[2]);
  for (char data[MESSAGE_MAX_BYTES];;) {
    for (int count = 0; count == 0 || (count < BATCH && has_message(source)); count++) {
      int size = srt_recvmsg(source, data, sizeof data);
      if (size <= 0 || srt_sendmsg(target, data, size, -1, 1) < 0) return 1;
    }
    nanosleep(&(struct timespec){.tv_nsec = BATCH_NS}, NULL);
  }
}
