#define _GNU_SOURCE

#include "stalled_disk.h"

#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_uint stall;

void stall_fdatasync(unsigned milliseconds) { atomic_store(&stall, milliseconds); }

int fdatasync(int descriptor) {
  unsigned milliseconds = atomic_load(&stall);
  struct timespec span = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
  if (milliseconds > 0) clock_nanosleep(CLOCK_MONOTONIC, 0, &span, NULL);
  return (int)syscall(SYS_fdatasync, descriptor);
}
