// Limits a process. In C, because the constants of these calls have types in Swift that differ between compilers.
#ifndef CLINUX_PROCESS_H
#define CLINUX_PROCESS_H

#include <stddef.h>
#include <stdint.h>

// Limits this process. The kernel kills it when the thread that started it ends, and before other processes if memory
// is short. Its memory, in bytes, and its processor time are limited, its priority is low, and it can't write files.
// Exits immediately if its parent is not `parent` any more. Calls prctl(2) with PR_SET_PDEATHSIG, setrlimit(2),
// setpriority(2).
void clinux_confine(int32_t parent, size_t memory, unsigned seconds);

#endif
