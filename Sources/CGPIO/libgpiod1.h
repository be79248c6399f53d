// The parts of a request with libgpiod 1.6.
#ifndef CGPIO_LIBGPIOD1_H
#define CGPIO_LIBGPIOD1_H

#include "libgpiod1_functions.h"
#include "library.h"

// The functions of the library, after it was loaded.
extern struct gpiod1 gpiod1;

// The maximum number of edges of a line that the kernel stores, and that libgpiod reads in one call.
#define QUEUE_DEPTH 16

struct cgpio_chip {
  struct gpiod_chip *chip;
  char *path;
};

// Lines in one kernel request: outputs, or inputs without edges, all with the same settings.
struct handle {
  struct gpiod_line_bulk lines;
  unsigned places[CGPIO_MAX_LINES];
  uint64_t mask;
  int direction;
  int flags;
};

// An input with edges, which is a separate kernel request, with the edges that were read from the kernel but not yet
// returned by cgpio_read_edges. They are kept when the line gets another configuration.
struct queue {
  struct gpiod_line *line;
  int descriptor;  // -1 if the line is not requested as an input with edges
  int direction;
  int flags;
  unsigned head;
  unsigned count;
  unsigned settled;  // the number of events that were read before the clock was last read
  bool readable;
  struct gpiod_line_event events[2 * QUEUE_DEPTH];
};

struct cgpio_request {
  struct cgpio_chip *chip;
  char consumer[CGPIO_NAME_SIZE];
  unsigned count;
  struct gpiod_line *lines[CGPIO_MAX_LINES];
  unsigned handle_count;
  struct handle *handles[CGPIO_MAX_LINES];
  // Indexed by the line's place in the request. NULL for a line that never was an input with edges.
  struct queue *queues[CGPIO_MAX_LINES];
  uint64_t values;  // last values of all outputs: the kernel sets all lines of a handle or none
  // The lines that a failed reconfiguration has left released, and that failure.
  uint64_t released;
  int failure;
  const char *failed;
  // The descriptor to poll: that of the only input with edges; an epoll descriptor for several such inputs; or, if no
  // line reports edges, a second descriptor of the chip. The last two belong to the request (owns_descriptor) and are
  // closed with it.
  int descriptor;
  bool owns_descriptor;
};

// libgpiod1_requests.c: requests the lines in `places` from the kernel, with the settings in `lines`.
int cgpio_request_places(struct cgpio_request *request, const struct cgpio_line *lines, uint64_t places, const char **failed);
// Releases the kernel requests that contain any of these lines.
void cgpio_release_places(struct cgpio_request *request, uint64_t places);
// Makes one descriptor that is readable when any line has edges.
int cgpio_make_poll_descriptor(struct cgpio_request *request, const char **failed);

// Writes the bits of `values` into an array, in the order of the handle's lines.
void cgpio_unpack_values(const struct handle *handle, uint64_t values, int *result);

// libgpiod1_edges.c: reads an input's queued edges from the kernel, before its descriptor is closed.
void cgpio_save_edges(struct queue *queue);

// The implementations of cgpio_reconfigure and cgpio_read_edges with libgpiod 1.6.
int cgpio_libgpiod1_reconfigure(struct cgpio_request *request, const struct cgpio_line *lines, const char **failed);
int cgpio_libgpiod1_read_edges(
    struct cgpio_request *request, struct cgpio_edge *edges, unsigned capacity, const char **failed);

#endif
