#define _GNU_SOURCE
#include "linux_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static void limit(int resource, rlim_t most) {
  struct rlimit limit = {most, most};
  setrlimit(resource, &limit);
}

// Sets the greatest value, 1000: if memory is short, the kernel kills this process first.
static void volunteer(void) {
  int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (write(file, "1000", 4) < 0) {
    // The process stays as likely to be killed as its parent. The other limits apply.
  }
  close(file);
}

void clinux_confine(int32_t parent, size_t memory, unsigned seconds) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  volunteer();
  setpriority(PRIO_PROCESS, 0, 10);
  limit(RLIMIT_DATA, memory);
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_CORE, 0);
}
