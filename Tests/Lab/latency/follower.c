// The yardstick of a panel that copies an input to an output: as little as libgpiod 1.6 can be asked to do for that.
//   follower CHIP INPUT OUTPUT
#include <gpiod.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
  if (count != 4) return 64;
  struct gpiod_chip *chip = gpiod_chip_open_lookup(arguments[1]);
  if (!chip) return perror("gpiod_chip_open_lookup"), 69;
  struct gpiod_line *input = gpiod_chip_get_line(chip, atoi(arguments[2]));
  struct gpiod_line *output = gpiod_chip_get_line(chip, atoi(arguments[3]));
  if (!input || !output) return perror("gpiod_chip_get_line"), 69;
  if (gpiod_line_request_output(output, "follower", 0)) return perror("gpiod_line_request_output"), 69;
  if (gpiod_line_request_both_edges_events(input, "follower"))
    return perror("gpiod_line_request_both_edges_events"), 69;
  for (;;) {
    struct gpiod_line_event event;
    if (gpiod_line_event_wait(input, NULL) < 0 || gpiod_line_event_read(input, &event)) return 1;
    gpiod_line_set_value(output, event.event_type == GPIOD_LINE_EVENT_RISING_EDGE);
  }
}
