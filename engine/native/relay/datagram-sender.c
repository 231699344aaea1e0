#define _GNU_SOURCE
#include "datagram-sender.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>

// SEGMENTS_MAX: fewer than the system takes in one call. CALL_MAX_BYTES: the longest datagram before it is separated.
enum { SEGMENTS_MAX = 44, CALL_MAX_BYTES = 65000 };
enum { RTP_HEADER_BYTES = 12, RTP_VERSION = 0x80, MPEG_TS_PAYLOAD_TYPE = 33 };

void begin_datagrams(struct datagram_sender *sender, int descriptor, size_t payload_bytes, bool is_rtp) {
  struct {
    uint32_t source, offset;
    uint16_t sequence;
  } random = {0};
  if (getrandom(&random, sizeof random, 0) < 0) random.source = (uint32_t)descriptor;
  int segments = (int)(CALL_MAX_BYTES / (payload_bytes + RTP_HEADER_BYTES));
  *sender = (struct datagram_sender){.descriptor = descriptor,
                                     .payload_bytes = payload_bytes,
                                     .is_rtp = is_rtp,
                                     .sequence = random.sequence,
                                     .timestamp_offset = random.offset,
                                     .source = random.source,
                                     .segments = segments < SEGMENTS_MAX ? segments : SEGMENTS_MAX};
}

static void write_32(uint8_t *target, uint32_t value) {
  for (int index = 0; index < 4; index++) target[index] = (uint8_t)(value >> (24 - 8 * index));
}

// RTP timestamps are the times of sending, as RFC 2250 requires; the clock of the media is inside MPEG-TS.
static void write_header(const struct datagram_sender *sender, uint8_t *header, int index, int64_t now) {
  uint16_t sequence = (uint16_t)(sender->sequence + index);
  header[0] = RTP_VERSION;
  header[1] = MPEG_TS_PAYLOAD_TYPE;
  header[2] = (uint8_t)(sequence >> 8);
  header[3] = (uint8_t)sequence;
  write_32(header + 4, sender->timestamp_offset + (uint32_t)(now * 9 / 100));
  write_32(header + 8, sender->source);
}

// Sends a message. The system reports a refused datagram when the next one is sent, which is not sent then, so it is
// sent again.
static ssize_t send_message(struct datagram_sender *sender, const struct msghdr *message, int64_t now) {
  ssize_t sent = sendmsg(sender->descriptor, message, 0);
  if (sent >= 0 || errno != ECONNREFUSED) return sent;
  sender->refused_at = now;
  return sendmsg(sender->descriptor, message, 0);
}

// Returns whether the datagrams are skipped; otherwise they are sent again, now or later.
static bool handle_error(struct datagram_sender *sender, int error, int count, int64_t now) {
  if (error == EINTR) return false;
  if (error == EAGAIN || error == ENOBUFS) {
    sender->is_blocked = true;
    return false;
  }
  // The system, or the interface, does not separate datagrams.
  if (count > 1 && (error == EINVAL || error == EIO || error == EMSGSIZE || error == EOPNOTSUPP)) {
    sender->segments = 1;
    return false;
  }
  if (error == ECONNREFUSED) sender->refused_at = now;
  else sender->error = error;
  return true;
}

size_t send_datagrams(struct datagram_sender *sender, const uint8_t *bytes, size_t length, int64_t now) {
  uint8_t headers[SEGMENTS_MAX][RTP_HEADER_BYTES];
  struct iovec vectors[2 * SEGMENTS_MAX];
  size_t done = 0;
  sender->is_blocked = false;
  while (done < length && !sender->is_blocked) {
    int count = 0, parts = 0;
    size_t end = done;
    for (; count < sender->segments && end < length; count++) {
      size_t size = length - end < sender->payload_bytes ? length - end : sender->payload_bytes;
      if (sender->is_rtp) {
        write_header(sender, headers[count], count, now);
        vectors[parts++] = (struct iovec){headers[count], RTP_HEADER_BYTES};
      }
      vectors[parts++] = (struct iovec){(void *)(bytes + end), size};
      end += size;
    }
    char control[CMSG_SPACE(sizeof(uint16_t))] = {0};
    struct msghdr message = {.msg_iov = vectors, .msg_iovlen = (size_t)parts};
    if (count > 1) {
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      struct cmsghdr *segment = CMSG_FIRSTHDR(&message);
      uint16_t size = (uint16_t)(sender->payload_bytes + (sender->is_rtp ? RTP_HEADER_BYTES : 0));
      *segment = (struct cmsghdr){.cmsg_level = IPPROTO_UDP, .cmsg_type = UDP_SEGMENT, .cmsg_len = CMSG_LEN(sizeof size)};
      memcpy(CMSG_DATA(segment), &size, sizeof size);
    }
    if (send_message(sender, &message, now) >= 0) {
      sender->bytes += end - done;
      sender->packets += (uint64_t)count;
    } else if (!handle_error(sender, errno, count, now)) {
      continue;
    }
    sender->sequence = (uint16_t)(sender->sequence + count);
    done = end;
  }
  return done;
}
