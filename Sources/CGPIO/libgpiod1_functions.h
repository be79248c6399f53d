// The types, constants and functions of libgpiod 1.6 that are used, as its <gpiod.h> declares them. With them, the
// program is compiled without that header, or with the header of another generation. libgpiod1_header.c compares them
// with the header.
#ifndef CGPIO_LIBGPIOD1_FUNCTIONS_H
#define CGPIO_LIBGPIOD1_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct gpiod_chip;
struct gpiod_line;

// If the header has been included, its types are used.
#ifndef CGPIO_HAS_HEADER
#define GPIOD_LINE_BULK_MAX_LINES 64

enum { GPIOD_LINE_DIRECTION_INPUT = 1, GPIOD_LINE_DIRECTION_OUTPUT };

enum {
  GPIOD_LINE_REQUEST_DIRECTION_AS_IS = 1,
  GPIOD_LINE_REQUEST_DIRECTION_INPUT,
  GPIOD_LINE_REQUEST_DIRECTION_OUTPUT,
  GPIOD_LINE_REQUEST_EVENT_FALLING_EDGE,
  GPIOD_LINE_REQUEST_EVENT_RISING_EDGE,
  GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
};

enum {
  GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN = 1 << 0,
  GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE = 1 << 1,
  GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW = 1 << 2,
  GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE = 1 << 3,
  GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN = 1 << 4,
  GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP = 1 << 5,
};

enum { GPIOD_LINE_EVENT_RISING_EDGE = 1, GPIOD_LINE_EVENT_FALLING_EDGE };

struct gpiod_line_bulk {
  struct gpiod_line *lines[GPIOD_LINE_BULK_MAX_LINES];
  unsigned num_lines;
};

struct gpiod_line_request_config {
  const char *consumer;
  int request_type;
  int flags;
};

struct gpiod_line_event {
  struct timespec ts;
  int event_type;
};
#endif

_Static_assert(GPIOD_LINE_BULK_MAX_LINES == 64, "lines");
_Static_assert(GPIOD_LINE_DIRECTION_OUTPUT == 2, "directions");
_Static_assert(
    GPIOD_LINE_REQUEST_DIRECTION_INPUT == 2 && GPIOD_LINE_REQUEST_DIRECTION_OUTPUT == 3 &&
        GPIOD_LINE_REQUEST_EVENT_FALLING_EDGE == 4 && GPIOD_LINE_REQUEST_EVENT_RISING_EDGE == 5 &&
        GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES == 6,
    "requests");
_Static_assert(
    GPIOD_LINE_REQUEST_FLAG_OPEN_DRAIN == 1 && GPIOD_LINE_REQUEST_FLAG_OPEN_SOURCE == 2 &&
        GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW == 4 && GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE == 8 &&
        GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN == 16 && GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP == 32,
    "flags");
_Static_assert(GPIOD_LINE_EVENT_RISING_EDGE == 1, "types of edges");
_Static_assert(
    offsetof(struct gpiod_line_bulk, num_lines) == 64 * sizeof(void *) &&
        sizeof(struct gpiod_line_bulk) == 65 * sizeof(void *),
    "sets of lines");
_Static_assert(
    offsetof(struct gpiod_line_request_config, request_type) == sizeof(void *) &&
        offsetof(struct gpiod_line_request_config, flags) == sizeof(void *) + sizeof(int) &&
        sizeof(struct gpiod_line_request_config) == sizeof(void *) + 2 * sizeof(int),
    "settings of requests");
_Static_assert(
    offsetof(struct gpiod_line_event, event_type) == sizeof(struct timespec) &&
        sizeof(struct gpiod_line_event) == sizeof(struct { struct timespec time; int type; }),
    "edges");

// RESULT, NAME without its "gpiod_", (PARAMETERS).
#define GPIOD1_FUNCTIONS(of)                                                                                     \
  of(struct gpiod_chip *, chip_open, (const char *path))                                                        \
  of(void, chip_close, (struct gpiod_chip *chip))                                                               \
  of(const char *, chip_name, (struct gpiod_chip *chip))                                                        \
  of(const char *, chip_label, (struct gpiod_chip *chip))                                                       \
  of(unsigned, chip_num_lines, (struct gpiod_chip *chip))                                                       \
  of(struct gpiod_line *, chip_get_line, (struct gpiod_chip *chip, unsigned offset))                            \
  of(int, line_update, (struct gpiod_line *line))                                                               \
  of(const char *, line_name, (struct gpiod_line *line))                                                        \
  of(const char *, line_consumer, (struct gpiod_line *line))                                                    \
  of(bool, line_is_used, (struct gpiod_line *line))                                                             \
  of(int, line_direction, (struct gpiod_line *line))                                                            \
  of(int, line_request, (struct gpiod_line *line, const struct gpiod_line_request_config *config, int value))   \
  of(int, line_request_bulk,                                                                                    \
     (struct gpiod_line_bulk *lines, const struct gpiod_line_request_config *config, const int *values))        \
  of(void, line_release, (struct gpiod_line *line))                                                             \
  of(void, line_release_bulk, (struct gpiod_line_bulk *lines))                                                  \
  of(int, line_get_value, (struct gpiod_line *line))                                                            \
  of(int, line_get_value_bulk, (struct gpiod_line_bulk *lines, int *values))                                    \
  of(int, line_set_value_bulk, (struct gpiod_line_bulk *lines, const int *values))                              \
  of(int, line_set_config_bulk, (struct gpiod_line_bulk *lines, int direction, int flags, const int *values))   \
  of(int, line_event_get_fd, (struct gpiod_line *line))                                                         \
  of(int, line_event_read_fd_multiple, (int descriptor, struct gpiod_line_event *events, unsigned most))

struct gpiod1 {
#define DECLARE(result, name, parameters) result(*name) parameters;
  GPIOD1_FUNCTIONS(DECLARE)
#undef DECLARE
};

#endif
