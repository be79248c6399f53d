// The kernel's input devices, Documentation/input/input-programming. Swift's modules don't contain these headers, and
// the layout of their events depends on the size of time_t.
#ifndef CLINUX_INPUT_H
#define CLINUX_INPUT_H

#include <stdbool.h>
#include <stdint.h>

// An event with its time stamp in nanoseconds.
struct clinux_input_event {
  int64_t nanoseconds;
  uint16_t type;
  uint16_t code;
  int32_t value;
};

// The number of bytes of an event in the kernel's layout.
unsigned clinux_input_event_size(void);
// Each function below returns 0 or a count on success, and -errno on failure.

// EVIOCSCLOCKID: stamps events with CLOCK_MONOTONIC.
int clinux_input_set_clock(int descriptor);
// EVIOCGRAB: takes the device for this program alone. EBUSY: another program has it.
int clinux_input_grab(int descriptor);
// EVIOCGKEY: sets bit n of the bytes if the key n is down.
int clinux_input_keys(int descriptor, uint8_t *bits, unsigned size);
// read(2): at most 64 events. Returns their number; 0 at the end of a file.
int clinux_input_read(int descriptor, struct clinux_input_event *events, unsigned count);

#endif
