// The sender and the receivers of the stream benchmarks, cheap enough to leave the processor to the measured programs.
//   stream-peer copy PORT TARGET_PORT...   sends each datagram that arrives at PORT to all targets
//   stream-peer smooth KBPS PORT TARGET_PORT...   the same, at a constant rate
//   stream-peer count PORT...   receives, and writes a JSON line for each line on stdin: for each port the bytes and packets of MPEG-TS and
//     the gaps in the continuity counters, and for the first port a histogram of the times between datagrams, in units of 10 us
// All ports are on the loopback interface. Each program ends with stdin.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 64, DATAGRAM_BYTES = 2048, PACKET = 188, PORTS_MAX = 512, PIDS = 8192, NULL_PID = 8191, RTP_HEADER = 12 };
enum { BUFFER = 8 << 20, WAIT_NS = 5000000, STEPS = 20000, STEP_NS = 10000, QUEUE = 16384, SMOOTH_DELAY = 200 };

static uint8_t data[BATCH][DATAGRAM_BYTES];
static char control[BATCH][128];
static struct iovec vectors[BATCH];
static struct mmsghdr messages[BATCH];

static struct port {
  int descriptor;
  uint64_t bytes, packets, gaps;
  int8_t counters[PIDS];
} *ports[PORTS_MAX];
static int port_count;
static uint64_t steps[STEPS];
static int64_t last_arrival;

static struct sockaddr_in loopback(int port) {
  return (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int open_port(int number) {
  struct sockaddr_in address = loopback(number);
  int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), size = BUFFER, on = 1;
  if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) < 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) perror("bind"), exit(1);
  return descriptor;
}

static int receive(int descriptor) {
  for (int index = 0; index < BATCH; index++) {
    vectors[index] = (struct iovec){data[index], DATAGRAM_BYTES};
    messages[index].msg_hdr = (struct msghdr){
        .msg_iov = &vectors[index], .msg_iovlen = 1, .msg_control = control[index], .msg_controllen = sizeof control[index]};
  }
  return recvmmsg(descriptor, messages, BATCH, MSG_DONTWAIT, NULL);
}

static void count_packet(struct port *port, const uint8_t *packet) {
  int pid = (packet[1] & 31) << 8 | packet[2], counter = packet[3] & 15;
  port->packets++;
  if (pid == NULL_PID || !(packet[3] & 16)) {
    // An announced discontinuity.
    if (pid != NULL_PID && (packet[3] & 32) && packet[4] > 0 && (packet[5] & 128)) port->counters[pid] = -1;
    return;
  }
  int last = port->counters[pid];
  int announced = (packet[3] & 32) && packet[4] > 0 && (packet[5] & 128);
  if (last >= 0 && counter != ((last + 1) & 15) && counter != last && !announced) port->gaps++;
  port->counters[pid] = (int8_t)counter;
}

// The time at which the kernel received a datagram, so that the pauses of this program do not count.
static int64_t arrival_of(struct msghdr *header) {
  for (struct cmsghdr *each = CMSG_FIRSTHDR(header); each; each = CMSG_NXTHDR(header, each)) {
    struct timespec time;
    if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_TIMESTAMPNS) continue;
    memcpy(&time, CMSG_DATA(each), sizeof time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
  }
  return 0;
}

static void count_datagrams(int index) {
  struct port *port = ports[index];
  for (int count; (count = receive(port->descriptor)) > 0;) {
    for (int number = 0; number < count; number++) {
      int start = messages[number].msg_len % PACKET == RTP_HEADER ? RTP_HEADER : 0, length = (int)messages[number].msg_len;
      for (int offset = start; offset + PACKET <= length; offset += PACKET) count_packet(port, data[number] + offset);
      port->bytes += (uint64_t)(length - start);
      if (index > 0) continue;
      int64_t arrival = arrival_of(&messages[number].msg_hdr), step = (arrival - last_arrival) / STEP_NS;
      if (last_arrival > 0) steps[step < 0 ? 0 : step < STEPS ? step : STEPS - 1]++;
      last_arrival = arrival;
    }
  }
}

static void report(void) {
  printf("{\"ports\":[");
  for (int index = 0; index < port_count; index++)
    printf("%s[%lu,%lu,%lu]", index ? "," : "", ports[index]->bytes, ports[index]->packets, ports[index]->gaps);
  printf("],\"steps\":{");
  int first = 1;
  for (int step = 0; step < STEPS; step++) {
    if (!steps[step]) continue;
    printf("%s\"%d\":%lu", first ? "" : ",", step, steps[step]);
    first = 0;
  }
  printf("}}\n");
  fflush(stdout);
}

// Reads stdin. Returns the number of lines.
static int read_requests(void) {
  static char text[256];
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  if (poll(&input, 1, 0) <= 0) return 0;
  ssize_t size = read(STDIN_FILENO, text, sizeof text);
  if (size <= 0) exit(0);
  int lines = 0;
  for (ssize_t index = 0; index < size; index++) lines += text[index] == '\n';
  return lines;
}

static void pause_ns(int64_t nanoseconds) { nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL); }

static void run_count(int count, char **words) {
  for (port_count = 0; port_count < count; port_count++) {
    ports[port_count] = calloc(1, sizeof(struct port));
    memset(ports[port_count]->counters, -1, PIDS);
    ports[port_count]->descriptor = open_port(atoi(words[port_count]));
  }
  for (;;) {
    for (int index = 0; index < port_count; index++) count_datagrams(index);
    for (int lines = read_requests(); lines > 0; lines--) report();
    pause_ns(WAIT_NS);
  }
}

static int outputs[PORTS_MAX];

static void open_outputs(int count, char **words) {
  for (int index = 0; index < count; index++) {
    struct sockaddr_in target = loopback(atoi(words[index]));
    int size = BUFFER;
    outputs[index] = socket(AF_INET, SOCK_DGRAM, 0);
    setsockopt(outputs[index], SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    connect(outputs[index], (struct sockaddr *)&target, sizeof target);
  }
}

// A datagram to a port at which nobody listens yet fails, and the next one reports it.
static void send_all(int output, int count) {
  for (int done = 0; done < count;) {
    int sent = sendmmsg(outputs[output], messages + done, (unsigned)(count - done), 0);
    done += sent > 0 ? sent : errno == ECONNREFUSED ? 0 : 1;
    if (sent <= 0 && errno == ECONNREFUSED) {
      sent = sendmmsg(outputs[output], messages + done, (unsigned)(count - done), 0);
      done += sent > 0 ? sent : 1;
    }
  }
}

static void run_copy(int input, int count, char **words) {
  open_outputs(count, words);
  for (;;) {
    for (int received; (received = receive(input)) > 0;) {
      for (int index = 0; index < received; index++) {
        vectors[index].iov_len = messages[index].msg_len;
        messages[index].msg_hdr.msg_controllen = 0;
        messages[index].msg_hdr.msg_control = NULL;
      }
      for (int output = 0; output < count; output++) send_all(output, received);
    }
    read_requests();
    pause_ns(WAIT_NS / 5);
  }
}

static void run_smooth(int kbps, int input, int count, char **words) {
  static uint8_t queue[QUEUE][DATAGRAM_BYTES];
  static size_t lengths[QUEUE];
  unsigned first = 0, next = 0;
  struct timespec time;
  open_outputs(count, words);
  clock_gettime(CLOCK_MONOTONIC, &time);
  for (int flowing = 0;;) {
    for (int received; (received = receive(input)) > 0;)
      for (int index = 0; index < received && next - first < QUEUE; index++, next++) {
        memcpy(queue[next % QUEUE], data[index], messages[index].msg_len);
        lengths[next % QUEUE] = messages[index].msg_len;
      }
    flowing = next - first > SMOOTH_DELAY || (flowing && next != first);
    int64_t step = 1316 * 8 * 1000000LL / kbps;
    if (flowing) {
      for (int output = 0; output < count; output++)
        if (send(outputs[output], queue[first % QUEUE], lengths[first % QUEUE], 0) < 0) continue;
      first++;
    }
    read_requests();
    time.tv_nsec += step;
    if (time.tv_nsec >= 1000000000) time.tv_nsec -= 1000000000, time.tv_sec++;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
  }
}

int main(int count, char **words) {
  if (count > 2 && strcmp(words[1], "count") == 0) run_count(count - 2, words + 2);
  if (count > 3 && strcmp(words[1], "copy") == 0) run_copy(open_port(atoi(words[2])), count - 3, words + 3);
  if (count > 4 && strcmp(words[1], "smooth") == 0) run_smooth(atoi(words[2]), open_port(atoi(words[3])), count - 4, words + 4);
  return 2;
}
