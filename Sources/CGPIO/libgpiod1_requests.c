// libgpiod 1.6: one kernel request for each input with edges, and one for all other lines with the same settings.
#include "libgpiod1.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

static int direction_of(const struct cgpio_line *line) {
  static const int inputs[] = {
      [CGPIO_EDGES_NONE] = GPIOD_LINE_REQUEST_DIRECTION_INPUT,
      [CGPIO_EDGES_RISING] = GPIOD_LINE_REQUEST_EVENT_RISING_EDGE,
      [CGPIO_EDGES_FALLING] = GPIOD_LINE_REQUEST_EVENT_FALLING_EDGE,
      [CGPIO_EDGES_BOTH] = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
  };
  return line->output ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT : inputs[line->edges];
}

static bool has_edges(const struct cgpio_line *line) { return !line->output && line->edges != CGPIO_EDGES_NONE; }

static int flags_of(const struct cgpio_line *line) {
  static const int biases[] = {
      [CGPIO_BIAS_AS_IS] = 0,
      [CGPIO_BIAS_DISABLED] = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE,
      [CGPIO_BIAS_PULL_UP] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
      [CGPIO_BIAS_PULL_DOWN] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN,
  };
  static const int drives[] = {
      [CGPIO_DRIVE_PUSH_PULL] = 0,
      [CGPIO_DRIVE_OPEN_DRAIN] = GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN,
      [CGPIO_DRIVE_OPEN_SOURCE] = GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE,
  };
  return biases[line->bias] | (line->output ? drives[line->drive] : 0) |
         (line->active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0);
}

static uint64_t bit(unsigned place) { return UINT64_C(1) << place; }

// Returns the outputs' values, with those in `lines` for the lines in `places`.
static uint64_t values_with(const struct cgpio_request *request, const struct cgpio_line *lines, uint64_t places) {
  uint64_t values = request->values;
  for (unsigned place = 0; place < request->count; place++) {
    if (!(places & bit(place))) continue;
    values &= ~bit(place);
    if (lines[place].output && lines[place].value) values |= bit(place);
  }
  return values;
}

void cgpio_unpack_values(const struct handle *handle, uint64_t values, int *result) {
  for (unsigned index = 0; index < handle->lines.num_lines; index++)
    result[index] = (int)(values >> handle->places[index] & 1);
}

// Requests all lines in `places` that have the same direction and settings as the line at `first`, in one kernel
// request.
static int hold_together(
    struct cgpio_request *request, const struct cgpio_line *lines, uint64_t places, unsigned first, uint64_t *held,
    const char **failed) {
  struct handle *handle = calloc(1, sizeof *handle);
  if (!handle) return cgpio_failure(failed, "calloc");
  handle->direction = direction_of(&lines[first]);
  handle->flags = flags_of(&lines[first]);
  for (unsigned place = first; place < request->count; place++) {
    if (!(places & bit(place)) || direction_of(&lines[place]) != handle->direction) continue;
    if (flags_of(&lines[place]) != handle->flags) continue;
    handle->places[handle->lines.num_lines] = place;
    handle->lines.lines[handle->lines.num_lines++] = request->lines[place];
    handle->mask |= bit(place);
  }
  struct gpiod_line_request_config config = {
      .consumer = request->consumer, .request_type = handle->direction, .flags = handle->flags};
  uint64_t wanted = values_with(request, lines, handle->mask);
  int values[CGPIO_MAX_LINES];
  cgpio_unpack_values(handle, wanted, values);
  if (gpiod1.line_request_bulk(&handle->lines, &config, values)) {
    int error = cgpio_failure(failed, "gpiod_line_request_bulk");
    free(handle);
    return error;
  }
  request->handles[request->handle_count++] = handle;
  request->values = wanted;
  *held = handle->mask;
  return 0;
}

static int hold_input(
    struct cgpio_request *request, const struct cgpio_line *lines, unsigned place, const char **failed) {
  struct queue *queue = request->queues[place];
  if (!queue) {
    queue = request->queues[place] = calloc(1, sizeof *queue);
    if (!queue) return cgpio_failure(failed, "calloc");
    queue->descriptor = -1;
    queue->line = request->lines[place];
  }
  queue->direction = direction_of(&lines[place]);
  queue->flags = flags_of(&lines[place]);
  struct gpiod_line_request_config config = {
      .consumer = request->consumer, .request_type = queue->direction, .flags = queue->flags};
  if (gpiod1.line_request(queue->line, &config, 0)) return cgpio_failure(failed, "gpiod_line_request");
  queue->descriptor = gpiod1.line_event_get_fd(queue->line);
  int flags = fcntl(queue->descriptor, F_GETFL);
  if (flags < 0 || fcntl(queue->descriptor, F_SETFL, flags | O_NONBLOCK) < 0) {
    int error = cgpio_failure(failed, "fcntl");
    queue->descriptor = -1;
    gpiod1.line_release(queue->line);
    return error;
  }
  return 0;
}

int cgpio_request_places(struct cgpio_request *request, const struct cgpio_line *lines, uint64_t places, const char **failed) {
  int error = 0;
  // Outputs first: they get their values as early as possible.
  for (unsigned turn = 0; turn < 2; turn++)
    for (unsigned place = 0; place < request->count && !error; place++) {
      uint64_t held = bit(place);
      if (!(places & held) || has_edges(&lines[place]) != (turn == 1)) continue;
      error = turn == 1 ? hold_input(request, lines, place, failed)
                        : hold_together(request, lines, places, place, &held, failed);
      if (!error) places &= ~held;
    }
  request->released = places;
  if (error) {
    request->failure = error;
    request->failed = *failed;
  }
  return error;
}

void cgpio_release_places(struct cgpio_request *request, uint64_t places) {
  for (unsigned place = 0; place < request->count; place++) {
    struct queue *queue = request->queues[place];
    if (!(places & bit(place)) || !queue || queue->descriptor < 0) continue;
    cgpio_save_edges(queue);
    queue->descriptor = -1;
    gpiod1.line_release(queue->line);
  }
  unsigned kept = 0;
  for (unsigned index = 0; index < request->handle_count; index++) {
    struct handle *handle = request->handles[index];
    if (places & handle->mask) {
      gpiod1.line_release_bulk(&handle->lines);
      free(handle);
    } else {
      request->handles[kept++] = handle;
    }
  }
  request->handle_count = kept;
}

int cgpio_make_poll_descriptor(struct cgpio_request *request, const char **failed) {
  if (request->owns_descriptor) close(request->descriptor);
  request->owns_descriptor = false;
  request->descriptor = -1;
  unsigned count = 0;
  for (unsigned place = 0; place < request->count; place++)
    if (request->queues[place] && request->queues[place]->descriptor >= 0) {
      request->descriptor = request->queues[place]->descriptor;
      count++;
    }
  if (count == 1) return 0;
  request->descriptor =
      count == 0 ? open(request->chip->path, O_RDWR | O_CLOEXEC | O_NONBLOCK) : epoll_create1(EPOLL_CLOEXEC);
  if (request->descriptor < 0) return cgpio_failure(failed, count == 0 ? "open" : "epoll_create1");
  request->owns_descriptor = true;
  for (unsigned place = 0; place < request->count && count > 0; place++) {
    struct queue *queue = request->queues[place];
    if (!queue || queue->descriptor < 0) continue;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = place};
    if (epoll_ctl(request->descriptor, EPOLL_CTL_ADD, queue->descriptor, &event))
      return cgpio_failure(failed, "epoll_ctl");
  }
  return 0;
}

// Returns whether all lines of a handle get the same settings, and none becomes an input with edges.
static bool stays_together(const struct handle *handle, const struct cgpio_line *lines) {
  const struct cgpio_line *first = &lines[handle->places[0]];
  for (unsigned index = 0; index < handle->lines.num_lines; index++) {
    const struct cgpio_line *line = &lines[handle->places[index]];
    if (has_edges(line) || direction_of(line) != direction_of(first) || flags_of(line) != flags_of(first)) return false;
  }
  return true;
}

// Sets the settings and values of all lines of a handle, in one system call if there is a change.
static int change(
    struct cgpio_request *request, struct handle *handle, const struct cgpio_line *lines, const char **failed) {
  const struct cgpio_line *first = &lines[handle->places[0]];
  int direction = direction_of(first);
  int flags = flags_of(first);
  uint64_t wanted = values_with(request, lines, handle->mask);
  int values[CGPIO_MAX_LINES];
  cgpio_unpack_values(handle, wanted, values);
  if (direction != handle->direction || flags != handle->flags) {
    if (gpiod1.line_set_config_bulk(&handle->lines, direction, flags, values))
      return cgpio_failure(failed, "gpiod_line_set_config_bulk");
  } else if (wanted != request->values) {
    if (gpiod1.line_set_value_bulk(&handle->lines, values)) return cgpio_failure(failed, "gpiod_line_set_value_bulk");
  }
  handle->direction = direction;
  handle->flags = flags;
  request->values = wanted;
  return 0;
}

int cgpio_libgpiod1_reconfigure(struct cgpio_request *request, const struct cgpio_line *lines, const char **failed) {
  uint64_t anew = request->released;
  bool gathers = request->descriptor < 0;
  for (unsigned place = 0; place < request->count; place++) {
    struct queue *queue = request->queues[place];
    bool has = queue && queue->descriptor >= 0;
    if (has && (direction_of(&lines[place]) != queue->direction || flags_of(&lines[place]) != queue->flags))
      anew |= bit(place);
    gathers |= has_edges(&lines[place]) ? !has || (anew & bit(place)) : has;
  }
  for (unsigned index = 0; index < request->handle_count; index++) {
    struct handle *handle = request->handles[index];
    if (!stays_together(handle, lines)) {
      anew |= handle->mask;
      continue;
    }
    int error = change(request, handle, lines, failed);
    if (error) return error;
  }
  cgpio_release_places(request, anew);
  int error = cgpio_request_places(request, lines, anew, failed);
  if (!gathers) return error;
  const char *other;
  int unwatched = cgpio_make_poll_descriptor(request, error ? &other : failed);
  return error ? error : unwatched;
}
