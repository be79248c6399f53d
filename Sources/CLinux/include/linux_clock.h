// The state of the kernel's clock, adjtimex(2). Swift's modules don't contain this header.
#ifndef CLINUX_CLOCK_H
#define CLINUX_CLOCK_H

// Returns 1 if the clock is synchronised, 0 if it is not, and -errno on failure.
int clinux_clock_is_synchronized(void);

#endif
