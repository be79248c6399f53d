// Turns the pull of a simulated line around as often as it can until SIGTERM, and prints how often it did. Where the line goes away it goes
// on as soon as the file is back.
//   toggles PULL-FILE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

static void end(int number) {
  (void)number;
  ended = 1;
}

int main(int count, char **arguments) {
  if (count != 2) return 64;
  signal(SIGTERM, end);
  long toggles = 0;
  int pull = -1;
  while (!ended) {
    const char *word = toggles % 2 ? "pull-down" : "pull-up";
    if (pull < 0) pull = open(arguments[1], O_WRONLY);
    if (pull >= 0 && pwrite(pull, word, strlen(word), 0) >= 0) {
      toggles++;
      continue;
    }
    if (pull >= 0) close(pull);
    pull = -1;
    usleep(1000);
  }
  printf("%ld\n", toggles);
  return 0;
}
