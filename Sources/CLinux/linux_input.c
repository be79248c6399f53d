#include "linux_input.h"

#include <errno.h>
#include <linux/input.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static int result_of(int result) { return result < 0 ? -errno : result; }

unsigned clinux_input_event_size(void) { return sizeof(struct input_event); }

int clinux_input_set_clock(int descriptor) {
  int clock = CLOCK_MONOTONIC;
  return result_of(ioctl(descriptor, EVIOCSCLOCKID, &clock));
}

int clinux_input_grab(int descriptor) { return result_of(ioctl(descriptor, EVIOCGRAB, 1)); }

int clinux_input_keys(int descriptor, uint8_t *bits, unsigned size) {
  return result_of(ioctl(descriptor, EVIOCGKEY(size), bits));
}

int clinux_input_read(int descriptor, struct clinux_input_event *events, unsigned count) {
  struct input_event read_events[64];
  if (count > 64) count = 64;
  ssize_t size = read(descriptor, read_events, count * sizeof(struct input_event));
  if (size < 0) return -errno;
  unsigned number = (unsigned)size / sizeof(struct input_event);
  for (unsigned place = 0; place < number; place++) {
    const struct input_event *event = &read_events[place];
    events[place].nanoseconds =
        (int64_t)event->input_event_sec * 1000000000 + (int64_t)event->input_event_usec * 1000;
    events[place].type = event->type;
    events[place].code = event->code;
    events[place].value = event->value;
  }
  return (int)number;
}
