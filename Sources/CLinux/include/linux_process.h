// A process that may do little: the constants of its calls are types in Swift that differ between compilers.
#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

#include <stddef.h>
#include <stdint.h>

// Confines this process: the kernel kills it when the thread that started it ends, and before others when memory is short; it has so much
// memory and processor time, and leaves that to others; it writes no file. Ends it now if `parent` is not its parent any more.
// Calls prctl(2) with PR_SET_PDEATHSIG, setrlimit(2), setpriority(2).
void clinux_confine(int32_t parent, size_t memory, unsigned seconds);

#endif
