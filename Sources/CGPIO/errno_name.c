#define _GNU_SOURCE
#include <string.h>

#include "cgpio.h"

const char *cgpio_errno_name(int number) { return strerrorname_np(number); }
