// libgpiod 1.6: chips, values, and whole requests.
#include "libgpiod1.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct gpiod1 gpiod1;

static int chip_open(const char *path, struct cgpio_chip **result, const char **failed) {
  struct cgpio_chip *chip = calloc(1, sizeof *chip);
  if (!chip) return cgpio_failure(failed, "calloc");
  chip->path = strdup(path);
  if (!chip->path) {
    int error = cgpio_failure(failed, "strdup");
    free(chip);
    return error;
  }
  chip->chip = gpiod1.chip_open(path);
  if (!chip->chip) {
    int error = cgpio_failure(failed, "gpiod_chip_open");
    free(chip->path);
    free(chip);
    return error;
  }
  *result = chip;
  return 0;
}

static void chip_close(struct cgpio_chip *chip) {
  gpiod1.chip_close(chip->chip);
  free(chip->path);
  free(chip);
}

static int chip_info(struct cgpio_chip *chip, struct cgpio_chip_info *result, const char **failed) {
  (void)failed;  // all of it was read when the chip was opened
  cgpio_copy_name(result->name, gpiod1.chip_name(chip->chip));
  cgpio_copy_name(result->label, gpiod1.chip_label(chip->chip));
  result->line_count = gpiod1.chip_num_lines(chip->chip);
  return 0;
}

static int line_info(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line_info *result, const char **failed) {
  struct gpiod_line *line = gpiod1.chip_get_line(chip->chip, offset);
  if (!line) return cgpio_failure(failed, "gpiod_chip_get_line");
  // libgpiod stores the information that it read first. The user of the line may have changed since then.
  if (gpiod1.line_update(line)) return cgpio_failure(failed, "gpiod_line_update");
  cgpio_copy_name(result->name, gpiod1.line_name(line));
  cgpio_copy_name(result->consumer, gpiod1.line_consumer(line));
  result->used = gpiod1.line_is_used(line);
  result->output = gpiod1.line_direction(line) == GPIOD_LINE_DIRECTION_OUTPUT;
  return 0;
}

// Releases everything except the chip, which stays open.
static void discard(struct cgpio_request *request) {
  cgpio_release_places(request, UINT64_MAX);
  if (request->owns_descriptor) close(request->descriptor);
  for (unsigned place = 0; place < request->count; place++) free(request->queues[place]);
  free(request);
}

static int request_lines(
    struct cgpio_chip *chip, const struct cgpio_line *lines, unsigned count, const char *consumer,
    struct cgpio_request **result, const char **failed) {
  struct cgpio_request *request = calloc(1, sizeof *request);
  if (!request) return cgpio_failure(failed, "calloc");
  request->chip = chip;
  request->count = count;
  request->descriptor = -1;
  cgpio_copy_name(request->consumer, consumer);
  int error = 0;
  for (unsigned place = 0; place < count && !error; place++) {
    request->lines[place] = gpiod1.chip_get_line(chip->chip, lines[place].offset);
    if (!request->lines[place]) error = cgpio_failure(failed, "gpiod_chip_get_line");
  }
  if (!error) error = cgpio_request_places(request, lines, count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX, failed);
  if (!error) error = cgpio_make_poll_descriptor(request, failed);
  if (error) {
    discard(request);
    return error;
  }
  *result = request;
  return 0;
}

static void request_release(struct cgpio_request *request) {
  struct cgpio_chip *chip = request->chip;
  discard(request);
  chip_close(chip);
}

static int request_descriptor(struct cgpio_request *request) { return request->descriptor; }

// Returns the failure of a reconfiguration that has left lines released, or 0. All calls fail until the lines are
// requested again.
static int check(const struct cgpio_request *request, const char **failed) {
  if (request->released) *failed = request->failed;
  return request->released ? request->failure : 0;
}

static int get_values(struct cgpio_request *request, uint64_t *result, const char **failed) {
  int error = check(request, failed);
  if (error) return error;
  uint64_t all = 0;
  for (unsigned place = 0; place < request->count; place++) {
    struct queue *queue = request->queues[place];
    if (!queue || queue->descriptor < 0) continue;
    int value = gpiod1.line_get_value(queue->line);
    if (value < 0) return cgpio_failure(failed, "gpiod_line_get_value");
    if (value) all |= UINT64_C(1) << place;
  }
  for (unsigned index = 0; index < request->handle_count; index++) {
    struct handle *handle = request->handles[index];
    int values[CGPIO_MAX_LINES];
    if (gpiod1.line_get_value_bulk(&handle->lines, values)) return cgpio_failure(failed, "gpiod_line_get_value_bulk");
    for (unsigned line = 0; line < handle->lines.num_lines; line++)
      if (values[line]) all |= UINT64_C(1) << handle->places[line];
  }
  *result = all;
  return 0;
}

static int set_values(struct cgpio_request *request, uint64_t values, uint64_t mask, const char **failed) {
  int error = check(request, failed);
  if (error) return error;
  for (unsigned index = 0; index < request->handle_count; index++) {
    struct handle *handle = request->handles[index];
    uint64_t changed = handle->mask & mask;
    if (!changed || handle->direction != GPIOD_LINE_REQUEST_DIRECTION_OUTPUT) continue;
    uint64_t wanted = (request->values & ~changed) | (values & changed);
    int ordered[CGPIO_MAX_LINES];
    cgpio_unpack_values(handle, wanted, ordered);
    if (gpiod1.line_set_value_bulk(&handle->lines, ordered)) return cgpio_failure(failed, "gpiod_line_set_value_bulk");
    request->values = wanted;
  }
  return 0;
}

static bool resolve(void *opened) {
#define FIND(result, name, parameters)                                \
  gpiod1.name = (result(*) parameters)dlsym(opened, "gpiod_" #name); \
  if (!gpiod1.name) return false;
  GPIOD1_FUNCTIONS(FIND)
#undef FIND
  return true;
}

const struct cgpio_library cgpio_libgpiod1 = {
    .generation = 1,
    .file = CGPIO_LIBRARY_1,
    .resolve = resolve,
    .chip_open = chip_open,
    .chip_close = chip_close,
    .chip_info = chip_info,
    .line_info = line_info,
    .request_lines = request_lines,
    .request_release = request_release,
    .reconfigure = cgpio_libgpiod1_reconfigure,
    .request_descriptor = request_descriptor,
    .get_values = get_values,
    .set_values = set_values,
    .read_edges = cgpio_libgpiod1_read_edges,
};
