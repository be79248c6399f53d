// What a request consists of with libgpiod 1.6.
#ifndef CGPIO_GENERATION1_H
#define CGPIO_GENERATION1_H

#include "generation.h"

#if CGPIO_GENERATION == 1

// The kernel keeps this many edges of a line, and libgpiod reads no more at once.
#define QUEUE_DEPTH 16
// Two polarities, three drives.
#define MAX_GROUPS 6

struct cgpio_chip {
  struct gpiod_chip *chip;
  char *path;
};

// The outputs that one kernel request holds.
struct group {
  struct gpiod_line_bulk lines;
  unsigned places[CGPIO_MAX_LINES];
  uint64_t mask;
  int flags;
};

// Edges of one input that have been read from the kernel and not been handed out yet.
struct queue {
  struct gpiod_line *line;
  int descriptor;
  unsigned place;
  unsigned head;
  unsigned count;
  bool readable;
  struct gpiod_line_event events[QUEUE_DEPTH];
};

struct cgpio_request {
  struct cgpio_chip *chip;
  unsigned group_count;
  unsigned queue_count;
  // What to poll: an input's own descriptor; or, closed with the request, an epoll of several; or a second one of the
  // chip for outputs alone, which have nothing to poll.
  int descriptor;
  bool owns_descriptor;
  uint64_t values;  // of the outputs: the kernel sets all lines of a group or none
  struct group groups[MAX_GROUPS];
  struct queue queues[];
};

#endif
#endif
