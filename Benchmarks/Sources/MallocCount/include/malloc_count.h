// Counts allocations of the whole process by standing before the C library's own functions.
#ifndef MALLOC_COUNT_H
#define MALLOC_COUNT_H

// Calls of malloc, calloc, realloc, memalign and their like since the process began.
unsigned long malloc_count(void);

#endif
