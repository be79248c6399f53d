// The types, constants and functions of libgpiod 2 that are used, as <gpiod.h> of libgpiod 2.1 and 2.2 declares them.
// With them, the program is compiled without that header, or with the header of another generation. libgpiod2_header.c
// compares them with the header.
#ifndef CGPIO_LIBGPIOD2_FUNCTIONS_H
#define CGPIO_LIBGPIOD2_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// If the header has been included, its types are used.
#ifndef CGPIO_HAS_HEADER
enum gpiod_line_value {
  GPIOD_LINE_VALUE_ERROR = -1,
  GPIOD_LINE_VALUE_INACTIVE,
  GPIOD_LINE_VALUE_ACTIVE,
};
enum gpiod_line_direction {
  GPIOD_LINE_DIRECTION_AS_IS = 1,
  GPIOD_LINE_DIRECTION_INPUT,
  GPIOD_LINE_DIRECTION_OUTPUT,
};
enum gpiod_line_edge {
  GPIOD_LINE_EDGE_NONE = 1,
  GPIOD_LINE_EDGE_RISING,
  GPIOD_LINE_EDGE_FALLING,
  GPIOD_LINE_EDGE_BOTH,
};
enum gpiod_line_bias {
  GPIOD_LINE_BIAS_AS_IS = 1,
  GPIOD_LINE_BIAS_UNKNOWN,
  GPIOD_LINE_BIAS_DISABLED,
  GPIOD_LINE_BIAS_PULL_UP,
  GPIOD_LINE_BIAS_PULL_DOWN,
};
enum gpiod_line_drive {
  GPIOD_LINE_DRIVE_PUSH_PULL = 1,
  GPIOD_LINE_DRIVE_OPEN_DRAIN,
  GPIOD_LINE_DRIVE_OPEN_SOURCE,
};
enum gpiod_edge_event_type {
  GPIOD_EDGE_EVENT_RISING_EDGE = 1,
  GPIOD_EDGE_EVENT_FALLING_EDGE,
};
#endif

struct gpiod_chip;
struct gpiod_chip_info;
struct gpiod_line_info;
struct gpiod_line_settings;
struct gpiod_line_config;
struct gpiod_request_config;
struct gpiod_line_request;
struct gpiod_edge_event;
struct gpiod_edge_event_buffer;

_Static_assert(GPIOD_LINE_VALUE_ERROR == -1 && GPIOD_LINE_VALUE_INACTIVE == 0 && GPIOD_LINE_VALUE_ACTIVE == 1, "values");
_Static_assert(GPIOD_LINE_DIRECTION_INPUT == 2 && GPIOD_LINE_DIRECTION_OUTPUT == 3, "directions");
_Static_assert(GPIOD_LINE_EDGE_RISING == 2 && GPIOD_LINE_EDGE_FALLING == 3 && GPIOD_LINE_EDGE_BOTH == 4, "edges");
_Static_assert(
    GPIOD_LINE_BIAS_AS_IS == 1 && GPIOD_LINE_BIAS_DISABLED == 3 && GPIOD_LINE_BIAS_PULL_UP == 4 &&
        GPIOD_LINE_BIAS_PULL_DOWN == 5,
    "biases");
_Static_assert(
    GPIOD_LINE_DRIVE_PUSH_PULL == 1 && GPIOD_LINE_DRIVE_OPEN_DRAIN == 2 && GPIOD_LINE_DRIVE_OPEN_SOURCE == 3, "drives");
_Static_assert(GPIOD_EDGE_EVENT_RISING_EDGE == 1, "types of edges");

// RESULT, NAME without its "gpiod_", (PARAMETERS).
#define GPIOD2_FUNCTIONS(of)                                                                                            \
  of(struct gpiod_chip *, chip_open, (const char *path))                                                               \
  of(void, chip_close, (struct gpiod_chip *chip))                                                                      \
  of(struct gpiod_chip_info *, chip_get_info, (struct gpiod_chip *chip))                                               \
  of(void, chip_info_free, (struct gpiod_chip_info *info))                                                             \
  of(const char *, chip_info_get_name, (struct gpiod_chip_info *info))                                                 \
  of(const char *, chip_info_get_label, (struct gpiod_chip_info *info))                                                \
  of(size_t, chip_info_get_num_lines, (struct gpiod_chip_info *info))                                                  \
  of(struct gpiod_line_info *, chip_get_line_info, (struct gpiod_chip *chip, unsigned offset))                         \
  of(void, line_info_free, (struct gpiod_line_info *info))                                                             \
  of(const char *, line_info_get_name, (struct gpiod_line_info *info))                                                 \
  of(const char *, line_info_get_consumer, (struct gpiod_line_info *info))                                             \
  of(bool, line_info_is_used, (struct gpiod_line_info *info))                                                          \
  of(enum gpiod_line_direction, line_info_get_direction, (struct gpiod_line_info *info))                               \
  of(struct gpiod_line_settings *, line_settings_new, (void))                                                          \
  of(void, line_settings_free, (struct gpiod_line_settings *settings))                                                 \
  of(void, line_settings_reset, (struct gpiod_line_settings *settings))                                                \
  of(void, line_settings_set_active_low, (struct gpiod_line_settings *settings, bool active_low))                      \
  of(int, line_settings_set_bias, (struct gpiod_line_settings *settings, enum gpiod_line_bias bias))                   \
  of(int, line_settings_set_direction, (struct gpiod_line_settings *settings, enum gpiod_line_direction direction))    \
  of(int, line_settings_set_drive, (struct gpiod_line_settings *settings, enum gpiod_line_drive drive))                \
  of(int, line_settings_set_output_value, (struct gpiod_line_settings *settings, enum gpiod_line_value value))         \
  of(int, line_settings_set_edge_detection, (struct gpiod_line_settings *settings, enum gpiod_line_edge edge))         \
  of(void, line_settings_set_debounce_period_us, (struct gpiod_line_settings *settings, unsigned long period))         \
  of(struct gpiod_line_config *, line_config_new, (void))                                                              \
  of(void, line_config_free, (struct gpiod_line_config *config))                                                       \
  of(int, line_config_add_line_settings,                                                                               \
     (struct gpiod_line_config *config, const unsigned *offsets, size_t count, struct gpiod_line_settings *settings))  \
  of(struct gpiod_request_config *, request_config_new, (void))                                                        \
  of(void, request_config_free, (struct gpiod_request_config *config))                                                 \
  of(void, request_config_set_consumer, (struct gpiod_request_config *config, const char *consumer))                   \
  of(void, request_config_set_event_buffer_size, (struct gpiod_request_config *config, size_t size))                   \
  of(struct gpiod_line_request *, chip_request_lines,                                                                  \
     (struct gpiod_chip *chip, struct gpiod_request_config *request, struct gpiod_line_config *lines))                 \
  of(void, line_request_release, (struct gpiod_line_request *request))                                                 \
  of(int, line_request_get_fd, (struct gpiod_line_request *request))                                                   \
  of(int, line_request_reconfigure_lines, (struct gpiod_line_request *request, struct gpiod_line_config *lines))       \
  of(int, line_request_get_values_subset,                                                                              \
     (struct gpiod_line_request *request, size_t count, const unsigned *offsets, enum gpiod_line_value *values))       \
  of(int, line_request_set_values_subset,                                                                              \
     (struct gpiod_line_request *request, size_t count, const unsigned *offsets, const enum gpiod_line_value *values)) \
  of(int, line_request_read_edge_events,                                                                               \
     (struct gpiod_line_request *request, struct gpiod_edge_event_buffer *buffer, size_t most))                        \
  of(struct gpiod_edge_event_buffer *, edge_event_buffer_new, (size_t capacity))                                       \
  of(void, edge_event_buffer_free, (struct gpiod_edge_event_buffer *buffer))                                           \
  of(struct gpiod_edge_event *, edge_event_buffer_get_event,                                                           \
     (struct gpiod_edge_event_buffer *buffer, unsigned long index))                                                    \
  of(enum gpiod_edge_event_type, edge_event_get_event_type, (struct gpiod_edge_event *event))                          \
  of(uint64_t, edge_event_get_timestamp_ns, (struct gpiod_edge_event *event))                                          \
  of(unsigned, edge_event_get_line_offset, (struct gpiod_edge_event *event))                                           \
  of(unsigned long, edge_event_get_line_seqno, (struct gpiod_edge_event *event))

struct gpiod2 {
#define DECLARE(result, name, parameters) result(*name) parameters;
  GPIOD2_FUNCTIONS(DECLARE)
#undef DECLARE
};

#endif
