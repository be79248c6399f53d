// Runs a command and appends to a file how many seconds it took, how many of them a processor was busy with it, and
// how much memory it had at most, in kB. Ends as the command does.
//   measured FILE COMMAND...
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count < 3) return 64;
  struct timespec begin, end;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  pid_t process = fork();
  if (process < 0) return perror("fork"), 71;
  if (process == 0) {
    execvp(arguments[2], arguments + 2);
    perror(arguments[2]);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (wait4(process, &status, 0, &usage) < 0) return perror("wait4"), 71;
  clock_gettime(CLOCK_MONOTONIC, &end);
  FILE *file = fopen(arguments[1], "a");
  if (!file) return perror(arguments[1]), 73;
  fprintf(
      file, "%.1f %.1f %ld\n", end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9,
      usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6, usage.ru_maxrss);
  fclose(file);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
