#include "transfer.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// An SRT payload carries seven MPEG-TS packets.
enum { TS_PACKET_BYTES = 188, PAYLOAD_BYTES = 7 * TS_PACKET_BYTES };
// A batch of received messages, and how long it is collected.
enum { MESSAGE_MAX_BYTES = 1500, BATCH_BYTES = 64 * MESSAGE_MAX_BYTES, BATCH_NS = 5000000 };

// Writes all bytes to the hub. Returns false if the hub has closed the descriptor.
static bool write_to_hub(int descriptor, const char *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t written = write(descriptor, bytes + done, size - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    done += (size_t)written;
  }
  return true;
}

// Whether another message can be received without waiting. A receive call that finds none costs more than several that
// find one.
static bool has_message(SRTSOCKET srt) {
  int32_t events = 0;
  int size = sizeof events;
  return srt_getsockflag(srt, SRTO_EVENT, &events, &size) == 0 && (events & SRT_EPOLL_IN);
}

// Copies media from SRT to the descriptor, several messages at once: the thread sleeps between its batches, which takes
// a fraction of the wake-ups.
bool receive_from_srt(struct session *session) {
  char data[BATCH_BYTES];
  for (;;) {
    size_t filled = 0;
    do {
      int size = srt_recvmsg(session->srt, data + filled, MESSAGE_MAX_BYTES);
      if (size <= 0) {
        write_to_hub(session->descriptor, data, filled);
        return false;
      }
      filled += (size_t)size;
    } while (sizeof data - filled >= MESSAGE_MAX_BYTES && has_message(session->srt));
    notice_arrivals(session);
    if (!write_to_hub(session->descriptor, data, filled)) return true;
    nanosleep(&(struct timespec){.tv_nsec = BATCH_NS}, NULL);
  }
}

// Copies media from the descriptor to SRT. Sends whole MPEG-TS packets, and sends fewer than seven rather than wait for
// more.
bool send_to_srt(struct session *session) {
  char data[16 * PAYLOAD_BYTES];
  size_t buffered = 0;
  for (;;) {
    ssize_t count = read(session->descriptor, data + buffered, sizeof data - buffered);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    buffered += (size_t)count;
    size_t done = 0;
    while (buffered - done >= TS_PACKET_BYTES) {
      size_t size = buffered - done < PAYLOAD_BYTES ? (buffered - done) / TS_PACKET_BYTES * TS_PACKET_BYTES : PAYLOAD_BYTES;
      if (srt_sendmsg(session->srt, data + done, (int)size, -1, 1) < 0) return false;
      done += size;
    }
    buffered -= done;
    memmove(data, data + done, buffered);
  }
}
