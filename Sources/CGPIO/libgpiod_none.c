// Without libgpiod: a machine that only simulates can build everything else.
#include "generation.h"

#if CGPIO_GENERATION == 0

static int missing(const char **failed) {
  errno = ENOSYS;
  return cgpio_failure(failed, "libgpiod");
}

int cgpio_generation(void) { return 0; }

int cgpio_chip_open(const char *path, struct cgpio_chip **chip, const char **failed) {
  (void)path;
  (void)chip;
  return missing(failed);
}

void cgpio_chip_close(struct cgpio_chip *chip) { (void)chip; }

int cgpio_chip_info(struct cgpio_chip *chip, struct cgpio_chip_info *info, const char **failed) {
  (void)chip;
  (void)info;
  return missing(failed);
}

int cgpio_line_info(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line_info *info, const char **failed) {
  (void)chip;
  (void)offset;
  (void)info;
  return missing(failed);
}

int cgpio_request_lines(
    struct cgpio_chip *chip, const struct cgpio_line *lines, unsigned count, const char *consumer,
    struct cgpio_request **request, const char **failed) {
  (void)chip;
  (void)lines;
  (void)count;
  (void)consumer;
  (void)request;
  return missing(failed);
}

void cgpio_request_release(struct cgpio_request *request) { (void)request; }

int cgpio_reconfigure(struct cgpio_request *request, const struct cgpio_line *lines, const char **failed) {
  (void)request;
  (void)lines;
  return missing(failed);
}

int cgpio_request_descriptor(struct cgpio_request *request) {
  (void)request;
  return -1;
}

int cgpio_get_values(struct cgpio_request *request, uint64_t *values, const char **failed) {
  (void)request;
  (void)values;
  return missing(failed);
}

int cgpio_set_values(struct cgpio_request *request, uint64_t values, uint64_t mask, const char **failed) {
  (void)request;
  (void)values;
  (void)mask;
  return missing(failed);
}

int cgpio_read_edges(
    struct cgpio_request *request, struct cgpio_edge *edges, unsigned capacity, const char **failed) {
  (void)request;
  (void)edges;
  (void)capacity;
  return missing(failed);
}

#else
typedef int cgpio_with_libgpiod;  // ISO C wants something in every file
#endif
