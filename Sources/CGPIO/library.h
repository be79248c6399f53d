// The interface between cgpio.h and the generations of libgpiod, and functions that all of them use.
#ifndef CGPIO_LIBRARY_H
#define CGPIO_LIBRARY_H

#include <errno.h>

#include "cgpio.h"

// One generation: each member implements the function cgpio_NAME of cgpio.h.
struct cgpio_library {
  int generation;
  const char *file;
  // Finds all functions of the library that was opened; returns false if one is missing.
  bool (*resolve)(void *opened);
  int (*chip_open)(const char *path, struct cgpio_chip **chip, const char **failed);
  void (*chip_close)(struct cgpio_chip *chip);
  int (*chip_info)(struct cgpio_chip *chip, struct cgpio_chip_info *info, const char **failed);
  int (*line_info)(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line_info *info, const char **failed);
  int (*request_lines)(
      struct cgpio_chip *chip, const struct cgpio_line *lines, unsigned count, const char *consumer,
      struct cgpio_request **request, const char **failed);
  void (*request_release)(struct cgpio_request *request);
  int (*reconfigure)(struct cgpio_request *request, const struct cgpio_line *lines, const char **failed);
  int (*request_descriptor)(struct cgpio_request *request);
  int (*get_values)(struct cgpio_request *request, uint64_t *values, const char **failed);
  int (*set_values)(struct cgpio_request *request, uint64_t values, uint64_t mask, const char **failed);
  int (*read_edges)(struct cgpio_request *request, struct cgpio_edge *edges, unsigned capacity, const char **failed);
};

extern const struct cgpio_library cgpio_libgpiod1, cgpio_libgpiod2;

// Returns -errno for a call that has just failed, and stores its name in *failed.
static inline int cgpio_failure(const char **failed, const char *function) {
  *failed = function;
  return errno > 0 ? -errno : -EIO;
}

// Copies a name, which may be NULL; cuts it if it is too long.
static inline void cgpio_copy_name(char *to, const char *from) {
  unsigned length = 0;
  while (from && from[length] && length < CGPIO_NAME_SIZE - 1) {
    to[length] = from[length];
    length++;
  }
  to[length] = 0;
}

#endif
