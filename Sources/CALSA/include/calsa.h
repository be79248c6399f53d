#ifndef CALSA_H
#define CALSA_H

// The functions of libasound that the project calls; where its header is missing, functions of the same names that fail
// with ENOSYS.
#if __has_include(<alsa/asoundlib.h>)

#include <alsa/asoundlib.h>

static inline void calsa_ignore_error(const char *file, int line, const char *function, int code, const char *format, ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)code;
  (void)format;
}

/* The handler takes variable arguments, which Swift functions can't. */
static inline int calsa_silence_errors(void) { return snd_lib_error_set_handler(calsa_ignore_error); }

#else
#include "calsa_without.h"
#endif

#endif
