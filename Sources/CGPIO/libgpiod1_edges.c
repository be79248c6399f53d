// libgpiod 1.6: each input has its own queue in the kernel. The queues are merged here in the order of their
// timestamps.
//
// The queues are read one after the other, so an input whose queue was already read can change before another queue is
// read. The clock is therefore read before the first queue, and only edges up to that moment are returned. All queues
// are read again before later edges are returned.
#include "libgpiod1.h"

#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

// The maximum number of times that one call reads the clock. If edges arrive faster than they are read, the last turn
// returns all that were read, in the known order.
enum { MOST_TURNS = 4 };

// Counts the inputs that are requested with edges, and finds the last of them.
static unsigned live(struct cgpio_request *request, struct queue **last) {
  unsigned count = 0;
  for (unsigned place = 0; place < request->count; place++) {
    if (!request->queues[place] || request->queues[place]->descriptor < 0) continue;
    *last = request->queues[place];
    count++;
  }
  return count;
}

// Marks the inputs whose descriptors are readable, because they have edges or the chip was removed.
static int find_readable(struct cgpio_request *request, const char **failed) {
  struct queue *last = NULL;
  unsigned live_count = live(request, &last);
  if (live_count == 1) {
    last->readable = true;
    return 0;
  }
  if (live_count == 0) {
    struct pollfd chip = {.fd = request->descriptor, .events = POLLIN};
    if (poll(&chip, 1, 0) < 0 && errno != EINTR) return cgpio_failure(failed, "poll");
    if (!(chip.revents & (POLLERR | POLLHUP | POLLNVAL))) return 0;
    errno = ENODEV;
    return cgpio_failure(failed, "poll");
  }
  struct epoll_event events[CGPIO_MAX_LINES];
  int count = epoll_wait(request->descriptor, events, CGPIO_MAX_LINES, 0);
  if (count < 0 && errno != EINTR) return cgpio_failure(failed, "epoll_wait");
  for (int index = 0; index < count; index++) request->queues[events[index].data.u32]->readable = true;
  return 0;
}

// Reads an input's edges from the kernel, if all edges that were read before have been returned.
static int refill(struct queue *queue, const char **failed) {
  if (queue->descriptor < 0 || !queue->readable || queue->head < queue->count) return 0;
  queue->head = queue->count = queue->settled = 0;
  queue->readable = false;
  int count = gpiod1.line_event_read_fd_multiple(queue->descriptor, queue->events, QUEUE_DEPTH);
  if (count < 0)
    return errno == EAGAIN || errno == EINTR ? 0 : cgpio_failure(failed, "gpiod_line_event_read_fd_multiple");
  queue->count = (unsigned)count;
  queue->readable = count == QUEUE_DEPTH;
  return 0;
}

void cgpio_save_edges(struct queue *queue) {
  memmove(queue->events, queue->events + queue->head, (queue->count - queue->head) * sizeof queue->events[0]);
  queue->count -= queue->head;
  queue->head = 0;
  queue->readable = false;
  // As in the kernel: if the queue is full, the newest edges are dropped.
  if (queue->count > QUEUE_DEPTH) return;
  int count = gpiod1.line_event_read_fd_multiple(queue->descriptor, queue->events + queue->count, QUEUE_DEPTH);
  if (count > 0) queue->count += (unsigned)count;
}

static uint64_t nanoseconds(const struct gpiod_line_event *event) {
  return (uint64_t)event->ts.tv_sec * UINT64_C(1000000000) + (uint64_t)event->ts.tv_nsec;
}

static struct cgpio_edge edge_of(const struct gpiod_line_event *event, unsigned place) {
  return (struct cgpio_edge){
      .nanoseconds = nanoseconds(event),
      .line = place,
      .rising = event->event_type == GPIOD_LINE_EVENT_RISING_EDGE,
  };
}

// Reads the edges of a request with one line, which need no merging.
static int read_only_line(struct queue *queue, struct cgpio_edge *edges, unsigned capacity, const char **failed) {
  int error = 0;
  unsigned total = 0;
  queue->readable = true;
  while (total < capacity && !error) {
    error = refill(queue, failed);
    if (queue->head == queue->count) break;
    while (total < capacity && queue->head < queue->count) edges[total++] = edge_of(&queue->events[queue->head++], 0);
    if (!queue->readable) break;
  }
  return total > 0 ? (int)total : error;
}

// Begins a turn: marks the edges that are in the queues now as read before the returned moment.
static uint64_t begin_turn(struct cgpio_request *request, unsigned turn) {
  for (unsigned place = 0; place < request->count; place++)
    if (request->queues[place]) request->queues[place]->settled = request->queues[place]->count;
  if (turn == MOST_TURNS) return UINT64_MAX;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

// Returns the queue with the oldest edge, or NULL. Sets `others` if another queue also has an edge.
static struct queue *find_oldest(
    struct cgpio_request *request, unsigned *oldest_place, bool *others, int *error, const char **failed) {
  struct queue *oldest = NULL;
  *others = false;
  for (unsigned place = 0; place < request->count; place++) {
    struct queue *queue = request->queues[place];
    if (!queue) continue;
    int refused = refill(queue, failed);
    if (refused) *error = refused;
    if (queue->head == queue->count) continue;
    if (oldest) *others = true;
    if (oldest && nanoseconds(&queue->events[queue->head]) >= nanoseconds(&oldest->events[oldest->head])) continue;
    oldest = queue;
    *oldest_place = place;
  }
  return oldest;
}

int cgpio_libgpiod1_read_edges(
    struct cgpio_request *request, struct cgpio_edge *edges, unsigned capacity, const char **failed) {
  if (request->released) {
    *failed = request->failed;
    return request->failure;
  }
  if (request->count == 1 && request->queues[0] && request->queues[0]->descriptor >= 0)
    return read_only_line(request->queues[0], edges, capacity, failed);
  int error = 0;
  unsigned total = 0;
  bool is_held_back = true;
  for (unsigned turn = 1; turn <= MOST_TURNS && is_held_back && total < capacity; turn++) {
    uint64_t bound = begin_turn(request, turn);
    int refused = find_readable(request, failed);
    if (refused) error = refused;
    is_held_back = false;
    while (total < capacity) {
      unsigned place = 0;
      bool others;
      struct queue *oldest = find_oldest(request, &place, &others, &error, failed);
      if (!oldest) break;
      is_held_back = oldest->head >= oldest->settled && nanoseconds(&oldest->events[oldest->head]) > bound;
      if (is_held_back) break;
      edges[total++] = edge_of(&oldest->events[oldest->head++], place);
      // No other input has an edge, and this queue is empty: stop here.
      if (!others && oldest->head == oldest->count && !oldest->readable) break;
    }
  }
  return total > 0 ? (int)total : error;
}
