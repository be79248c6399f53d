// One small interface for both generations of libgpiod, 1.6 and 2.x. When the first chip is opened, the newest
// installed generation is loaded, and its functions are found once. Neither compiling nor starting a program needs
// libgpiod.
//
// A function that can fail returns 0 or a count on success, and -errno on failure. `*failed` is then the name of the
// failed function of libgpiod or of the system, as a static string. Nothing is held after a failure. Every descriptor
// is closed on exec. A handle is used on one thread at a time.
#ifndef CGPIO_H
#define CGPIO_H

#include <stdbool.h>
#include <stdint.h>

// The files to load, in this order: from Debian's packages libgpiod3 and libgpiod2.
#define CGPIO_LIBRARY_2 "libgpiod.so.3"
#define CGPIO_LIBRARY_1 "libgpiod.so.2"

// The maximum number of lines in one request.
#define CGPIO_MAX_LINES 64
// The size in bytes of a kernel name, including the final NUL.
#define CGPIO_NAME_SIZE 33

enum cgpio_bias { CGPIO_BIAS_AS_IS, CGPIO_BIAS_DISABLED, CGPIO_BIAS_PULL_UP, CGPIO_BIAS_PULL_DOWN };
enum cgpio_edges { CGPIO_EDGES_NONE, CGPIO_EDGES_RISING, CGPIO_EDGES_FALLING, CGPIO_EDGES_BOTH };
enum cgpio_drive { CGPIO_DRIVE_PUSH_PULL, CGPIO_DRIVE_OPEN_DRAIN, CGPIO_DRIVE_OPEN_SOURCE };

struct cgpio_chip;
struct cgpio_request;

struct cgpio_chip_info {
  char name[CGPIO_NAME_SIZE];
  char label[CGPIO_NAME_SIZE];
  uint32_t line_count;
};

struct cgpio_line_info {
  char name[CGPIO_NAME_SIZE];      // empty if the line has none
  char consumer[CGPIO_NAME_SIZE];  // empty if the user is unknown
  bool used;
  bool output;
};

struct cgpio_line {
  uint32_t offset;
  uint32_t debounce_microseconds;  // inputs; 0: none; generation 1 ignores it
  uint8_t bias;                    // enum cgpio_bias
  uint8_t drive;                   // outputs: enum cgpio_drive
  uint8_t edges;                   // inputs: enum cgpio_edges, of the logical value
  bool output;
  bool value;                      // outputs: the logical value from the first instant
  bool active_low;
};

struct cgpio_edge {
  uint64_t nanoseconds;  // CLOCK_MONOTONIC
  uint32_t line;         // its place in the request
  uint32_t sequence;     // the number of the edge on this line, from 1; generation 1: 0
  bool rising;           // the logical value became active
};

// Returns the installed generation of libgpiod: 1, 2, or 0 for none. With 0, cgpio_chip_open fails with ENOSYS, and the
// next call searches again. May be called on any thread. The first call loads the library (calls `dlopen`).
int cgpio_generation(void);

int cgpio_chip_open(const char *path, struct cgpio_chip **chip, const char **failed);
void cgpio_chip_close(struct cgpio_chip *chip);
int cgpio_chip_info(struct cgpio_chip *chip, struct cgpio_chip_info *info, const char **failed);
int cgpio_line_info(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line_info *info, const char **failed);

// Requests all lines together. `count` is 1 to CGPIO_MAX_LINES. On success the chip belongs to the request, on failure
// to the caller.
int cgpio_request_lines(
    struct cgpio_chip *chip, const struct cgpio_line *lines, unsigned count, const char *consumer,
    struct cgpio_request **request, const char **failed);
void cgpio_request_release(struct cgpio_request *request);

// Changes the settings of the lines: the same number of lines as requested, with the same offsets in the same order.
// Edges that were queued before are kept and read first.
//
// Generation 2 changes all lines with one system call, and keeps them. Generation 1 changes a kernel request in place
// (GPIOHANDLE_SET_CONFIG, Linux 5.5) if all its lines get the same settings, and no edges are reported before or after.
// If not, it releases the lines and requests them again. Between the two, another program can request them, and the
// chip determines the level of a released output. A line that was changed separately has its own kernel request from
// then on, and the next change is made in place.
//
// After a failure, some lines may have their new settings and others their old ones. The next call requests the lines
// that generation 1 has released and could not request again. Until a call succeeds, every other call fails with the
// same error.
int cgpio_reconfigure(struct cgpio_request *request, const struct cgpio_line *lines, const char **failed);

// Returns the descriptor to poll: readable when there are edges, broken when the chip was removed. It belongs to the
// request. With generation 1, cgpio_reconfigure closes it and makes another one if the set of lines with edges, or the
// settings of such lines, change.
int cgpio_request_descriptor(struct cgpio_request *request);

// Bit n is line n of the request.
int cgpio_get_values(struct cgpio_request *request, uint64_t *values, const char **failed);
// `mask` contains bits of outputs only. One system call; generation 1 needs one for each combination of drive and
// polarity.
int cgpio_set_values(struct cgpio_request *request, uint64_t values, uint64_t mask, const char **failed);

// Reads edges without waiting, oldest first. Returns their number, which is less than `capacity` if no more are queued.
// After the chip was removed, edges that were already read are returned first; the next call returns the failure
// (ENODEV).
int cgpio_read_edges(
    struct cgpio_request *request, struct cgpio_edge *edges, unsigned capacity, const char **failed);

#endif
