// The functions of libasound that the project calls, in the library that is loaded when the first device is opened. Nothing of
// libasound is needed to compile or to start a program.
#ifndef CALSA_H
#define CALSA_H

#include "calsa_functions.h"

// The file that is loaded: the same one on Debian 12 (1.2.8, package libasound2) and 13 (1.2.14, libasound2t64).
#define CALSA_LIBRARY "libasound.so.2"

// Loads the library, finds its functions, and has it print nothing on standard error; on any thread. 0, or -ENOENT where it is
// missing or lacks a function; the next call looks again. Calls `dlopen`.
int calsa_load(void);

// Its functions. Called only after calsa_load has returned 0.
extern struct calsa_functions calsa;

// Under their own names, but not as symbols: libasound would call those of the program in place of its own.
#define CALSA_WRAP(result, name, parameters, arguments) \
  static inline result name parameters { return calsa.name arguments; }
CALSA_FUNCTIONS(CALSA_WRAP)
#undef CALSA_WRAP

#endif
