// Finds out which generation of libgpiod is installed: only the header of the first one has GPIOD_LINE_BULK_MAX_LINES.
#ifndef CGPIO_GENERATION_H
#define CGPIO_GENERATION_H

#include <errno.h>

#include "cgpio.h"

#if defined(__has_include) && !defined(CGPIO_WITHOUT_LIBGPIOD)
#if __has_include(<gpiod.h>)
#include <gpiod.h>
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define CGPIO_GENERATION 1
#else
#define CGPIO_GENERATION 2
#endif
#endif
#endif

#ifndef CGPIO_GENERATION
#define CGPIO_GENERATION 0
#endif

// Returns -errno for a call that has just failed, and stores its name in *failed.
static inline int cgpio_failure(const char **failed, const char *function) {
  *failed = function;
  return errno > 0 ? -errno : -EIO;
}

// Copies a name that may be NULL, or too long and is cut then.
static inline void cgpio_copy_name(char *to, const char *from) {
  unsigned length = 0;
  while (from && from[length] && length < CGPIO_NAME_SIZE - 1) {
    to[length] = from[length];
    length++;
  }
  to[length] = 0;
}

#endif
