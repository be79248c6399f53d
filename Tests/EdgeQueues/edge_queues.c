#include "edge_queues.h"

#include <fcntl.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static _Thread_local uint64_t now;

static int read_clock(clockid_t clock, struct timespec *time) {
  (void)clock;
  time->tv_sec = (time_t)(now / 1000000000);
  time->tv_nsec = (long)(now % 1000000000);
  return 0;
}

// CGPIO's own code, under names of its own.
#define clock_gettime read_clock
#define gpiod1 edge_queues_gpiod1
#define cgpio_libgpiod1_read_edges edge_queues_read_edges
#define cgpio_save_edges edge_queues_save_edges
#include "../../Sources/CGPIO/libgpiod1_edges.c"

enum { MOST_LINES = 8 };

struct edge_queues {
  struct cgpio_request request;
  struct queue queues[MOST_LINES];
  int writing[MOST_LINES];
};

static _Thread_local struct {
  void (*call)(void *owner);
  void *owner;
} after_reading;

static int read_events(int descriptor, struct gpiod_line_event *events, unsigned count) {
  ssize_t size = read(descriptor, events, count * sizeof *events);
  int result = size < 0 ? -1 : (int)((size_t)size / sizeof *events);
  int number = errno;
  if (after_reading.call) after_reading.call(after_reading.owner);
  errno = number;
  return result;
}

struct gpiod1 edge_queues_gpiod1 = {.line_event_read_fd_multiple = read_events};

struct edge_queues *edge_queues_new(unsigned count) {
  struct edge_queues *made = calloc(1, sizeof *made);
  if (!made || count > MOST_LINES) return NULL;
  made->request.count = count;
  made->request.descriptor = epoll_create1(EPOLL_CLOEXEC);
  for (unsigned line = 0; line < count; line++) {
    int ends[2];
    if (pipe(ends)) return NULL;
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    made->queues[line].descriptor = ends[0];
    made->writing[line] = ends[1];
    made->request.queues[line] = &made->queues[line];
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = line};
    epoll_ctl(made->request.descriptor, EPOLL_CTL_ADD, ends[0], &event);
  }
  return made;
}

void edge_queues_free(struct edge_queues *queues) {
  after_reading.call = NULL;
  for (unsigned line = 0; line < queues->request.count; line++) {
    close(queues->queues[line].descriptor);
    close(queues->writing[line]);
  }
  close(queues->request.descriptor);
  free(queues);
}

void edge_queues_set_clock(uint64_t nanoseconds) { now = nanoseconds; }

void edge_queues_add(struct edge_queues *queues, unsigned line, uint64_t nanoseconds) {
  struct gpiod_line_event event = {
      .ts = {.tv_sec = (time_t)(nanoseconds / 1000000000), .tv_nsec = (long)(nanoseconds % 1000000000)},
      .event_type = GPIOD_LINE_EVENT_RISING_EDGE,
  };
  ssize_t written = write(queues->writing[line], &event, sizeof event);
  (void)written;
}

void edge_queues_on_read(struct edge_queues *queues, void (*read)(void *owner), void *owner) {
  (void)queues;
  after_reading.call = read;
  after_reading.owner = owner;
}

int edge_queues_read(struct edge_queues *queues, uint32_t *lines, uint64_t *stamps, unsigned capacity) {
  struct cgpio_edge edges[64];
  const char *failed;
  int count = edge_queues_read_edges(&queues->request, edges, capacity < 64 ? capacity : 64, &failed);
  for (int place = 0; place < count; place++) {
    lines[place] = edges[place].line;
    stamps[place] = edges[place].nanoseconds;
  }
  return count;
}
