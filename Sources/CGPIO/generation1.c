// libgpiod 1.6: one kernel request for each input, one for all outputs of the same drive and polarity.
#include "generation1.h"

#if CGPIO_GENERATION == 1

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

int cgpio_generation(void) { return 1; }

int cgpio_chip_open(const char *path, struct cgpio_chip **result, const char **failed) {
  struct cgpio_chip *chip = calloc(1, sizeof *chip);
  if (!chip) return cgpio_failure(failed, "calloc");
  chip->path = strdup(path);
  if (!chip->path) {
    int error = cgpio_failure(failed, "strdup");
    free(chip);
    return error;
  }
  chip->chip = gpiod_chip_open(path);
  if (!chip->chip) {
    int error = cgpio_failure(failed, "gpiod_chip_open");
    free(chip->path);
    free(chip);
    return error;
  }
  *result = chip;
  return 0;
}

void cgpio_chip_close(struct cgpio_chip *chip) {
  gpiod_chip_close(chip->chip);
  free(chip->path);
  free(chip);
}

int cgpio_chip_info(struct cgpio_chip *chip, struct cgpio_chip_info *result, const char **failed) {
  (void)failed;  // all of it was read when the chip was opened
  cgpio_copy_name(result->name, gpiod_chip_name(chip->chip));
  cgpio_copy_name(result->label, gpiod_chip_label(chip->chip));
  result->line_count = gpiod_chip_num_lines(chip->chip);
  return 0;
}

int cgpio_line_info(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line_info *result, const char **failed) {
  struct gpiod_line *line = gpiod_chip_get_line(chip->chip, offset);
  if (!line) return cgpio_failure(failed, "gpiod_chip_get_line");
  // A line that was looked at before is not looked at again by itself, and its user may have changed.
  if (gpiod_line_update(line)) return cgpio_failure(failed, "gpiod_line_update");
  cgpio_copy_name(result->name, gpiod_line_name(line));
  cgpio_copy_name(result->consumer, gpiod_line_consumer(line));
  result->used = gpiod_line_is_used(line);
  result->output = gpiod_line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
  return 0;
}

static int input_flags(const struct cgpio_line *line) {
  static const int biases[] = {
      [CGPIO_BIAS_AS_IS] = 0,
      [CGPIO_BIAS_DISABLED] = GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE,
      [CGPIO_BIAS_PULL_UP] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
      [CGPIO_BIAS_PULL_DOWN] = GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN,
  };
  return biases[line->bias] | (line->active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0);
}

static int output_flags(const struct cgpio_line *line) {
  static const int drives[] = {
      [CGPIO_DRIVE_PUSH_PULL] = 0,
      [CGPIO_DRIVE_OPEN_DRAIN] = GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN,
      [CGPIO_DRIVE_OPEN_SOURCE] = GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE,
  };
  return drives[line->drive] | (line->active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0);
}

// Puts an output into the group of its flags.
static void add_output(
    struct cgpio_request *request, struct group *groups, unsigned *count, struct gpiod_line *line, unsigned place,
    const struct cgpio_line *wanted) {
  int flags = output_flags(wanted);
  unsigned index = 0;
  while (index < *count && groups[index].flags != flags) index++;
  if (index == *count) {
    gpiod_line_bulk_init(&groups[index].lines);
    groups[index].flags = flags;
    (*count)++;
  }
  struct group *group = &groups[index];
  group->places[gpiod_line_bulk_num_lines(&group->lines)] = place;
  gpiod_line_bulk_add(&group->lines, line);
  group->mask |= UINT64_C(1) << place;
  if (wanted->value) request->values |= UINT64_C(1) << place;
}

// The values of a group's lines in its own order.
static void spread(const struct group *group, uint64_t values, int *result) {
  for (unsigned index = 0; index < group->lines.num_lines; index++)
    result[index] = (int)(values >> group->places[index] & 1);
}

static int take_outputs(
    struct cgpio_request *request, unsigned count, const char *consumer, const char **failed) {
  while (request->group_count < count) {
    struct group *group = &request->groups[request->group_count];
    struct gpiod_line_request_config config = {
        .consumer = consumer, .request_type = GPIOD_LINE_REQUEST_DIRECTION_OUTPUT, .flags = group->flags};
    int values[CGPIO_MAX_LINES];
    spread(group, request->values, values);
    if (gpiod_line_request_bulk(&group->lines, &config, values))
      return cgpio_failure(failed, "gpiod_line_request_bulk");
    request->group_count++;
  }
  return 0;
}

static int take_input(
    struct cgpio_request *request, struct gpiod_line *line, unsigned place, const struct cgpio_line *wanted,
    const char *consumer, const char **failed) {
  struct gpiod_line_request_config config = {
      .consumer = consumer,
      .request_type = GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
      .flags = input_flags(wanted)};
  if (gpiod_line_request(line, &config, 0)) return cgpio_failure(failed, "gpiod_line_request");
  struct queue *queue = &request->queues[request->queue_count++];
  queue->line = line;
  queue->place = place;
  queue->descriptor = gpiod_line_event_get_fd(line);
  if (queue->descriptor < 0) return cgpio_failure(failed, "gpiod_line_event_get_fd");
  int flags = fcntl(queue->descriptor, F_GETFL);
  if (flags < 0 || fcntl(queue->descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return cgpio_failure(failed, "fcntl");
  return 0;
}

// Makes the one descriptor that tells of everything.
static int gather(struct cgpio_request *request, const char **failed) {
  if (request->queue_count == 1) {
    request->descriptor = request->queues[0].descriptor;
    return 0;
  }
  if (request->queue_count == 0) {
    request->descriptor = open(request->chip->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (request->descriptor < 0) return cgpio_failure(failed, "open");
    request->owns_descriptor = true;
    return 0;
  }
  request->descriptor = epoll_create1(EPOLL_CLOEXEC);
  if (request->descriptor < 0) return cgpio_failure(failed, "epoll_create1");
  request->owns_descriptor = true;
  for (unsigned index = 0; index < request->queue_count; index++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
    if (epoll_ctl(request->descriptor, EPOLL_CTL_ADD, request->queues[index].descriptor, &event))
      return cgpio_failure(failed, "epoll_ctl");
  }
  return 0;
}

static int take(
    struct cgpio_request *request, const struct cgpio_line *lines, unsigned count, const char *consumer,
    const char **failed) {
  unsigned group_count = 0;
  struct gpiod_line *handles[CGPIO_MAX_LINES];
  for (unsigned index = 0; index < count; index++) {
    handles[index] = gpiod_chip_get_line(request->chip->chip, lines[index].offset);
    if (!handles[index]) return cgpio_failure(failed, "gpiod_chip_get_line");
    if (lines[index].output)
      add_output(request, request->groups, &group_count, handles[index], index, &lines[index]);
  }
  int error = take_outputs(request, group_count, consumer, failed);
  for (unsigned index = 0; index < count && !error; index++)
    if (!lines[index].output) error = take_input(request, handles[index], index, &lines[index], consumer, failed);
  return error ? error : gather(request, failed);
}

// Gives back what was taken so far; the chip stays open.
static void discard(struct cgpio_request *request) {
  if (request->owns_descriptor) close(request->descriptor);
  for (unsigned index = 0; index < request->queue_count; index++) gpiod_line_release(request->queues[index].line);
  for (unsigned index = 0; index < request->group_count; index++)
    gpiod_line_release_bulk(&request->groups[index].lines);
  free(request);
}

int cgpio_request_lines(
    struct cgpio_chip *chip, const struct cgpio_line *lines, unsigned count, const char *consumer,
    struct cgpio_request **result, const char **failed) {
  unsigned input_count = 0;
  for (unsigned index = 0; index < count; index++) input_count += !lines[index].output;
  struct cgpio_request *request = calloc(1, sizeof *request + input_count * sizeof request->queues[0]);
  if (!request) return cgpio_failure(failed, "calloc");
  request->chip = chip;
  request->descriptor = -1;
  int error = take(request, lines, count, consumer, failed);
  if (error) {
    discard(request);
    return error;
  }
  *result = request;
  return 0;
}

void cgpio_request_release(struct cgpio_request *request) {
  struct cgpio_chip *chip = request->chip;
  discard(request);
  cgpio_chip_close(chip);
}

int cgpio_request_descriptor(struct cgpio_request *request) { return request->descriptor; }

int cgpio_get_values(struct cgpio_request *request, uint64_t *result, const char **failed) {
  uint64_t all = 0;
  for (unsigned index = 0; index < request->queue_count; index++) {
    int value = gpiod_line_get_value(request->queues[index].line);
    if (value < 0) return cgpio_failure(failed, "gpiod_line_get_value");
    if (value) all |= UINT64_C(1) << request->queues[index].place;
  }
  for (unsigned index = 0; index < request->group_count; index++) {
    struct group *group = &request->groups[index];
    int values[CGPIO_MAX_LINES];
    if (gpiod_line_get_value_bulk(&group->lines, values)) return cgpio_failure(failed, "gpiod_line_get_value_bulk");
    for (unsigned place = 0; place < group->lines.num_lines; place++)
      if (values[place]) all |= UINT64_C(1) << group->places[place];
  }
  *result = all;
  return 0;
}

int cgpio_set_values(struct cgpio_request *request, uint64_t values, uint64_t mask, const char **failed) {
  for (unsigned index = 0; index < request->group_count; index++) {
    struct group *group = &request->groups[index];
    uint64_t changed = group->mask & mask;
    if (!changed) continue;
    uint64_t wanted = (request->values & ~changed) | (values & changed);
    int ordered[CGPIO_MAX_LINES];
    spread(group, wanted, ordered);
    if (gpiod_line_set_value_bulk(&group->lines, ordered)) return cgpio_failure(failed, "gpiod_line_set_value_bulk");
    request->values = wanted;
  }
  return 0;
}

#else
typedef int cgpio_not_generation_1;  // ISO C wants something in every file
#endif
