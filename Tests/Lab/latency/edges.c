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
    // Both go to sleep in between.
    usleep(300);
  }
  return 0;
}
