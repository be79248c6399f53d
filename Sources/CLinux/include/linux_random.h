// getrandom(2): Swift's modules don't contain this header of Linux.
#ifndef CLINUX_RANDOM_H
#define CLINUX_RANDOM_H

#include <sys/random.h>

#endif
