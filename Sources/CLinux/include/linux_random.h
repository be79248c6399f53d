// getrandom(2): this header of Linux is in no module that Swift comes with.
#ifndef CLINUX_RANDOM_H
#define CLINUX_RANDOM_H

#include <sys/random.h>

#endif
