#include "linux_clock.h"

#include <errno.h>
#include <string.h>
#include <sys/timex.h>

int clinux_clock_is_synchronized(void) {
  struct timex state;
  memset(&state, 0, sizeof state);
  if (adjtimex(&state) < 0) return -errno;
  return (state.status & STA_UNSYNC) == 0;
}
