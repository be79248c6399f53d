// Pulls a simulated line up and down and waits each time until another line has followed: the nanoseconds that it took, a line each.
//   edges PULL-FILE VALUE-FILE COUNT
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

// The kernel's tick, each millisecond, would be measured in about every third edge, and decide where the median is.
static void wait_for_tick(void) {
  const long long millisecond = 1000000, wake = (now() / millisecond + 1) * millisecond + 100000;
  struct timespec time = {wake / 1000000000, wake % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

int main(int count, char **arguments) {
  if (count != 4) return 64;
  int pull = open(arguments[1], O_WRONLY);
  int value = open(arguments[2], O_RDONLY);
  if (pull < 0 || value < 0) return perror("open"), 69;
  for (int edge = 0; edge < atoi(arguments[3]); edge++) {
    const char *word = edge % 2 ? "pull-down" : "pull-up";
    const char wanted = edge % 2 ? '0' : '1';
    char found = 0;
    const long long start = now();
    if (pwrite(pull, word, strlen(word), 0) < 0) return perror(arguments[1]), 1;
    do {
      // On one processor, whoever follows has to get its turn.
      sched_yield();
      if (pread(value, &found, 1, 0) < 0) return perror(arguments[2]), 1;
      if (now() - start > 1000000000LL) return fputs("the output does not follow\n", stderr), 1;
    } while (found != wanted);
    printf("%lld\n", now() - start);
    // Both go to sleep in between: the panel has 300 us at least for what it does after an edge.
    usleep(300);
    wait_for_tick();
  }
  return 0;
}
