#define _GNU_SOURCE
#include <string.h>

#include "linux_errno.h"

const char *clinux_errno_name(int number) { return strerrorname_np(number); }
