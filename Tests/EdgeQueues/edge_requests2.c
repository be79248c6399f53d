#include "edge_queues.h"

// CGPIO's own code, under a name of its own.
#define cgpio_libgpiod2 edge_requests_libgpiod2
#include "../../Sources/CGPIO/libgpiod2.c"

static _Thread_local int edge_detection;

static void reset(struct gpiod_line_settings *settings) {
  (void)settings;
  edge_detection = GPIOD_LINE_EDGE_NONE;
}

static void set_active_low(struct gpiod_line_settings *settings, bool active_low) { (void)settings, (void)active_low; }

static int set_bias(struct gpiod_line_settings *settings, enum gpiod_line_bias bias) {
  (void)settings, (void)bias;
  return 0;
}

static int set_direction(struct gpiod_line_settings *settings, enum gpiod_line_direction direction) {
  (void)settings, (void)direction;
  return 0;
}

static int set_edge_detection(struct gpiod_line_settings *settings, enum gpiod_line_edge edge) {
  (void)settings;
  edge_detection = edge;
  return 0;
}

static void set_debounce_period(struct gpiod_line_settings *settings, unsigned long period) {
  (void)settings, (void)period;
}

int edge_requests_second(uint8_t edges) {
  gpiod2 = (struct gpiod2){
      .line_settings_reset = reset,
      .line_settings_set_active_low = set_active_low,
      .line_settings_set_bias = set_bias,
      .line_settings_set_direction = set_direction,
      .line_settings_set_edge_detection = set_edge_detection,
      .line_settings_set_debounce_period_us = set_debounce_period,
  };
  struct cgpio_line line = {.edges = edges};
  return configure(NULL, &line) ? -1 : edge_detection;
}
