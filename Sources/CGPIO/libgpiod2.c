// libgpiod 2: one kernel request for all lines, whatever their settings.
#include "libgpiod2_functions.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>

#include "library.h"

// The functions of the library, after it was loaded.
static struct gpiod2 gpiod2;

// The maximum number of edges that the kernel buffers.
#define QUEUE_DEPTH 1024
// The maximum number of edges read with one system call.
#define READ_DEPTH 64

struct cgpio_chip {
  struct gpiod_chip *chip;
};

struct cgpio_request {
  struct gpiod_line_request *request;
  struct gpiod_edge_event_buffer *buffer;
  unsigned count;
  unsigned offsets[CGPIO_MAX_LINES];
};

static int chip_open(const char *path, struct cgpio_chip **result, const char **failed) {
  struct cgpio_chip *chip = calloc(1, sizeof *chip);
  if (!chip) return cgpio_failure(failed, "calloc");
  chip->chip = gpiod2.chip_open(path);
  if (!chip->chip) {
    int error = cgpio_failure(failed, "gpiod_chip_open");
    free(chip);
    return error;
  }
  *result = chip;
  return 0;
}

static void chip_close(struct cgpio_chip *chip) {
  gpiod2.chip_close(chip->chip);
  free(chip);
}

static int chip_info(struct cgpio_chip *chip, struct cgpio_chip_info *result, const char **failed) {
  struct gpiod_chip_info *info = gpiod2.chip_get_info(chip->chip);
  if (!info) return cgpio_failure(failed, "gpiod_chip_get_info");
  cgpio_copy_name(result->name, gpiod2.chip_info_get_name(info));
  cgpio_copy_name(result->label, gpiod2.chip_info_get_label(info));
  result->line_count = (uint32_t)gpiod2.chip_info_get_num_lines(info);
  gpiod2.chip_info_free(info);
  return 0;
}

static int line_info(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line_info *result, const char **failed) {
  struct gpiod_line_info *info = gpiod2.chip_get_line_info(chip->chip, offset);
  if (!info) return cgpio_failure(failed, "gpiod_chip_get_line_info");
  cgpio_copy_name(result->name, gpiod2.line_info_get_name(info));
  cgpio_copy_name(result->consumer, gpiod2.line_info_get_consumer(info));
  result->used = gpiod2.line_info_is_used(info);
  result->output = gpiod2.line_info_get_direction(info) == GPIOD_LINE_DIRECTION_OUTPUT;
  gpiod2.line_info_free(info);
  return 0;
}

// Fills in the settings of one line. Returns the name of the function that rejected a value, or NULL.
static const char *configure(struct gpiod_line_settings *settings, const struct cgpio_line *line) {
  static const enum gpiod_line_bias biases[] = {
      [CGPIO_BIAS_AS_IS] = GPIOD_LINE_BIAS_AS_IS,
      [CGPIO_BIAS_DISABLED] = GPIOD_LINE_BIAS_DISABLED,
      [CGPIO_BIAS_PULL_UP] = GPIOD_LINE_BIAS_PULL_UP,
      [CGPIO_BIAS_PULL_DOWN] = GPIOD_LINE_BIAS_PULL_DOWN,
  };
  static const enum gpiod_line_drive drives[] = {
      [CGPIO_DRIVE_PUSH_PULL] = GPIOD_LINE_DRIVE_PUSH_PULL,
      [CGPIO_DRIVE_OPEN_DRAIN] = GPIOD_LINE_DRIVE_OPEN_DRAIN,
      [CGPIO_DRIVE_OPEN_SOURCE] = GPIOD_LINE_DRIVE_OPEN_SOURCE,
  };
  static const enum gpiod_line_edge edges[] = {
      [CGPIO_EDGES_NONE] = GPIOD_LINE_EDGE_NONE,
      [CGPIO_EDGES_RISING] = GPIOD_LINE_EDGE_RISING,
      [CGPIO_EDGES_FALLING] = GPIOD_LINE_EDGE_FALLING,
      [CGPIO_EDGES_BOTH] = GPIOD_LINE_EDGE_BOTH,
  };
  gpiod2.line_settings_reset(settings);
  gpiod2.line_settings_set_active_low(settings, line->active_low);
  if (gpiod2.line_settings_set_bias(settings, biases[line->bias])) return "gpiod_line_settings_set_bias";
  if (line->output) {
    if (gpiod2.line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT))
      return "gpiod_line_settings_set_direction";
    if (gpiod2.line_settings_set_drive(settings, drives[line->drive])) return "gpiod_line_settings_set_drive";
    if (gpiod2.line_settings_set_output_value(
            settings, line->value ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE))
      return "gpiod_line_settings_set_output_value";
    return NULL;
  }
  if (gpiod2.line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT))
    return "gpiod_line_settings_set_direction";
  if (line->edges == CGPIO_EDGES_NONE) return NULL;
  if (gpiod2.line_settings_set_edge_detection(settings, edges[line->edges]))
    return "gpiod_line_settings_set_edge_detection";
  gpiod2.line_settings_set_debounce_period_us(settings, line->debounce_microseconds);
  return NULL;
}

// The settings for one request or reconfiguration, as objects of libgpiod.
struct wish {
  struct gpiod_line_settings *settings;
  struct gpiod_line_config *lines;
};

static void forget(struct wish *wish) {
  if (wish->lines) gpiod2.line_config_free(wish->lines);
  if (wish->settings) gpiod2.line_settings_free(wish->settings);
}

static int describe(
    struct wish *wish, const struct cgpio_request *request, const struct cgpio_line *lines, const char **failed) {
  wish->settings = gpiod2.line_settings_new();
  if (!wish->settings) return cgpio_failure(failed, "gpiod_line_settings_new");
  wish->lines = gpiod2.line_config_new();
  if (!wish->lines) return cgpio_failure(failed, "gpiod_line_config_new");
  for (unsigned index = 0; index < request->count; index++) {
    const char *refused = configure(wish->settings, &lines[index]);
    if (refused) return cgpio_failure(failed, refused);
    if (gpiod2.line_config_add_line_settings(wish->lines, &request->offsets[index], 1, wish->settings))
      return cgpio_failure(failed, "gpiod_line_config_add_line_settings");
  }
  return 0;
}

// Requests the lines, and makes the descriptor non-blocking.
static int take(
    struct cgpio_chip *chip, struct cgpio_request *request, const struct wish *wish, const char *consumer,
    const char **failed) {
  struct gpiod_request_config *config = gpiod2.request_config_new();
  if (!config) return cgpio_failure(failed, "gpiod_request_config_new");
  gpiod2.request_config_set_consumer(config, consumer);
  gpiod2.request_config_set_event_buffer_size(config, QUEUE_DEPTH);
  request->request = gpiod2.chip_request_lines(chip->chip, config, wish->lines);
  int error = request->request ? 0 : cgpio_failure(failed, "gpiod_chip_request_lines");
  gpiod2.request_config_free(config);
  if (error) return error;
  int descriptor = gpiod2.line_request_get_fd(request->request);
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return cgpio_failure(failed, "fcntl");
  return 0;
}

static void discard(struct cgpio_request *request) {
  if (request->request) gpiod2.line_request_release(request->request);
  if (request->buffer) gpiod2.edge_event_buffer_free(request->buffer);
  free(request);
}

static int request_lines(
    struct cgpio_chip *chip, const struct cgpio_line *lines, unsigned count, const char *consumer,
    struct cgpio_request **result, const char **failed) {
  struct cgpio_request *request = calloc(1, sizeof *request);
  if (!request) return cgpio_failure(failed, "calloc");
  request->count = count;
  for (unsigned index = 0; index < count; index++) request->offsets[index] = lines[index].offset;
  struct wish wish = {0};
  request->buffer = gpiod2.edge_event_buffer_new(READ_DEPTH);
  int error = request->buffer ? 0 : cgpio_failure(failed, "gpiod_edge_event_buffer_new");
  if (!error) error = describe(&wish, request, lines, failed);
  if (!error) error = take(chip, request, &wish, consumer, failed);
  forget(&wish);
  if (error) {
    discard(request);
    return error;
  }
  chip_close(chip);  // the request doesn't need it
  *result = request;
  return 0;
}

static void request_release(struct cgpio_request *request) { discard(request); }

static int reconfigure(struct cgpio_request *request, const struct cgpio_line *lines, const char **failed) {
  struct wish wish = {0};
  int error = describe(&wish, request, lines, failed);
  if (!error && gpiod2.line_request_reconfigure_lines(request->request, wish.lines))
    error = cgpio_failure(failed, "gpiod_line_request_reconfigure_lines");
  forget(&wish);
  return error;
}

static int request_descriptor(struct cgpio_request *request) { return gpiod2.line_request_get_fd(request->request); }

static int get_values(struct cgpio_request *request, uint64_t *result, const char **failed) {
  enum gpiod_line_value values[CGPIO_MAX_LINES];
  if (gpiod2.line_request_get_values_subset(request->request, request->count, request->offsets, values))
    return cgpio_failure(failed, "gpiod_line_request_get_values_subset");
  *result = 0;
  for (unsigned index = 0; index < request->count; index++)
    if (values[index] == GPIOD_LINE_VALUE_ACTIVE) *result |= UINT64_C(1) << index;
  return 0;
}

static int set_values(struct cgpio_request *request, uint64_t values, uint64_t mask, const char **failed) {
  unsigned offsets[CGPIO_MAX_LINES];
  enum gpiod_line_value wanted[CGPIO_MAX_LINES];
  unsigned count = 0;
  for (unsigned index = 0; index < request->count; index++) {
    if (!(mask >> index & 1)) continue;
    offsets[count] = request->offsets[index];
    wanted[count++] = values >> index & 1 ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
  }
  if (count == 0) return 0;
  if (gpiod2.line_request_set_values_subset(request->request, count, offsets, wanted))
    return cgpio_failure(failed, "gpiod_line_request_set_values_subset");
  return 0;
}

static unsigned place_of(const struct cgpio_request *request, unsigned offset) {
  unsigned index = 0;
  while (index < request->count && request->offsets[index] != offset) index++;
  return index;
}

static int read_edges(
    struct cgpio_request *request, struct cgpio_edge *edges, unsigned capacity, const char **failed) {
  unsigned total = 0;
  while (total < capacity) {
    unsigned wanted = capacity - total < READ_DEPTH ? capacity - total : READ_DEPTH;
    int count = gpiod2.line_request_read_edge_events(request->request, request->buffer, wanted);
    if (count < 0) {
      if (errno == EAGAIN || errno == EINTR || total > 0) break;
      return cgpio_failure(failed, "gpiod_line_request_read_edge_events");
    }
    for (int index = 0; index < count; index++) {
      struct gpiod_edge_event *event = gpiod2.edge_event_buffer_get_event(request->buffer, (unsigned long)index);
      edges[total++] = (struct cgpio_edge){
          .nanoseconds = gpiod2.edge_event_get_timestamp_ns(event),
          .line = place_of(request, gpiod2.edge_event_get_line_offset(event)),
          .sequence = (uint32_t)gpiod2.edge_event_get_line_seqno(event),
          .rising = gpiod2.edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
      };
    }
    if ((unsigned)count < wanted) break;
  }
  return (int)total;
}

static bool resolve(void *opened) {
#define FIND(result, name, parameters)                                \
  gpiod2.name = (result(*) parameters)dlsym(opened, "gpiod_" #name); \
  if (!gpiod2.name) return false;
  GPIOD2_FUNCTIONS(FIND)
#undef FIND
  return true;
}

const struct cgpio_library cgpio_libgpiod2 = {
    .generation = 2,
    .file = CGPIO_LIBRARY_2,
    .resolve = resolve,
    .chip_open = chip_open,
    .chip_close = chip_close,
    .chip_info = chip_info,
    .line_info = line_info,
    .request_lines = request_lines,
    .request_release = request_release,
    .reconfigure = reconfigure,
    .request_descriptor = request_descriptor,
    .get_values = get_values,
    .set_values = set_values,
    .read_edges = read_edges,
};
