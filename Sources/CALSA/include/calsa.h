// The functions of libasound that the project calls. The library is loaded when the first device is opened. Neither
// compiling nor starting a program needs libasound.
#ifndef CALSA_H
#define CALSA_H

#include "calsa_functions.h"

// The file to load: the same on Debian 12 (1.2.8, package libasound2) and 13 (1.2.14, libasound2t64).
#define CALSA_LIBRARY "libasound.so.2"

// Loads the library, finds its functions, and stops its output on standard error. May be called on any thread. Returns
// 0, or -ENOENT if the library or a function is missing; the next call searches again. Calls `dlopen`.
int calsa_load(void);

// The functions of the library. Call them only after calsa_load has returned 0.
extern struct calsa_functions calsa;

// Functions with the original names, but not exported: libasound would call exported ones instead of its own.
#define CALSA_WRAP(result, name, parameters, arguments) \
  static inline result name parameters { return calsa.name arguments; }
CALSA_FUNCTIONS(CALSA_WRAP)
#undef CALSA_WRAP

#endif
