// Counts allocations of the whole process: the functions of this module replace those of the C library.
#ifndef MALLOC_COUNT_H
#define MALLOC_COUNT_H

// Calls of malloc, calloc, realloc, memalign and their like since the process began.
unsigned long malloc_count(void);

#endif
