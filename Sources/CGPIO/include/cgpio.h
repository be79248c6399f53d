// One small interface over both generations of libgpiod, 1.6 and 2.x: the newest one that is installed is loaded when the first
// chip is opened, and its functions are found once. Nothing of libgpiod is needed to compile or to start a program.
//
// A function that can fail returns 0 or a count when all went well, otherwise -errno; `*failed` then names the function
// of libgpiod or of the system that failed, as a string that lives for ever. Nothing is held after a failure.
// Every descriptor is closed on exec. A handle is used on one thread at a time.
#ifndef CGPIO_H
#define CGPIO_H

#include <stdbool.h>
#include <stdint.h>

// The files that are loaded, the first of them that is there: of Debian's packages libgpiod3 and libgpiod2.
#define CGPIO_LIBRARY_2 "libgpiod.so.3"
#define CGPIO_LIBRARY_1 "libgpiod.so.2"

// How many lines one request may have.
#define CGPIO_MAX_LINES 64
// The size in bytes of a kernel name, including the final NUL.
#define CGPIO_NAME_SIZE 33

enum cgpio_bias { CGPIO_BIAS_AS_IS, CGPIO_BIAS_DISABLED, CGPIO_BIAS_PULL_UP, CGPIO_BIAS_PULL_DOWN };
enum cgpio_drive { CGPIO_DRIVE_PUSH_PULL, CGPIO_DRIVE_OPEN_DRAIN, CGPIO_DRIVE_OPEN_SOURCE };

struct cgpio_chip;
struct cgpio_request;

struct cgpio_chip_info {
  char name[CGPIO_NAME_SIZE];
  char label[CGPIO_NAME_SIZE];
  uint32_t line_count;
};

struct cgpio_line_info {
  char name[CGPIO_NAME_SIZE];      // empty where the line has none
  char consumer[CGPIO_NAME_SIZE];  // empty where nobody is known
  bool used;
  bool output;
};

struct cgpio_line {
  uint32_t offset;
  uint32_t debounce_microseconds;  // inputs; 0: none; generation 1 ignores it
  uint8_t bias;                    // enum cgpio_bias
  uint8_t drive;                   // outputs: enum cgpio_drive
  bool output;
  bool edges;                      // inputs: both edges are reported
  bool value;                      // outputs: the logical value from the first instant
  bool active_low;
};

struct cgpio_edge {
  uint64_t nanoseconds;  // CLOCK_MONOTONIC
  uint32_t line;         // its place in the request
  uint32_t sequence;     // which edge of this line it is, from 1; generation 1: 0
  bool rising;           // the logical value became active
};

// Which generation of libgpiod is installed: 1, 2, or 0 for none; cgpio_chip_open fails with ENOSYS then, and the next call
// looks again. On any thread; the first call loads the library (calls `dlopen`).
int cgpio_generation(void);

int cgpio_chip_open(const char *path, struct cgpio_chip **chip, const char **failed);
void cgpio_chip_close(struct cgpio_chip *chip);
int cgpio_chip_info(struct cgpio_chip *chip, struct cgpio_chip_info *info, const char **failed);
int cgpio_line_info(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line_info *info, const char **failed);

// Requests all lines together. `count` is 1 to CGPIO_MAX_LINES. The chip belongs to the request when all went well, and
// still to the caller when not.
int cgpio_request_lines(
    struct cgpio_chip *chip, const struct cgpio_line *lines, unsigned count, const char *consumer,
    struct cgpio_request **request, const char **failed);
void cgpio_request_release(struct cgpio_request *request);

// Gives the lines other settings: as many lines as were requested, with the same offsets in the same order. Edges that
// were queued before stay and are read first.
//
// Generation 2 changes all lines with one system call, and keeps them. Generation 1 changes a kernel request in place
// (GPIOHANDLE_SET_CONFIG, Linux 5.5) when all its lines get the same settings and no edges are reported before or
// after. Otherwise it releases the lines and requests them anew: between the two, another program may request them, and
// the level of an output is what the chip makes of a line that nobody holds. A line that has been changed apart from
// others has a kernel request of its own from then on, and the next change is in place.
//
// After a failure some lines may have their new settings and others their old ones. Lines that generation 1 has
// released and could not request again are requested by the next call; until one succeeds, every other call fails as
// this one did.
int cgpio_reconfigure(struct cgpio_request *request, const struct cgpio_line *lines, const char **failed);

// The descriptor to poll: readable when there are edges, broken when the chip is gone. It belongs to the request. With
// generation 1, cgpio_reconfigure closes it and makes another one when it changes which lines report edges, or the
// settings of such lines.
int cgpio_request_descriptor(struct cgpio_request *request);

// Bit n is line n of the request.
int cgpio_get_values(struct cgpio_request *request, uint64_t *values, const char **failed);
// `mask` has bits of outputs only. One system call; generation 1 needs one for each combination of drive and polarity.
int cgpio_set_values(struct cgpio_request *request, uint64_t values, uint64_t mask, const char **failed);

// Reads edges without waiting, oldest first; returns how many, less than `capacity` when no more are queued. Edges that
// were read before the chip went away are returned first, the failure (ENODEV) by the next call.
int cgpio_read_edges(
    struct cgpio_request *request, struct cgpio_edge *edges, unsigned capacity, const char **failed);

#endif
