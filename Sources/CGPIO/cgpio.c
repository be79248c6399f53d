// Loads the newest installed generation of libgpiod, and passes each call to it.
#include <dlfcn.h>
#include <pthread.h>

#include "library.h"

// Set once, before the first chip is opened. Read only by callers that have a chip or a request.
static const struct cgpio_library *library;

static const struct cgpio_library *load(void) {
  static const struct cgpio_library *const generations[] = {&cgpio_libgpiod2, &cgpio_libgpiod1};
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  for (unsigned index = 0; index < sizeof generations / sizeof generations[0] && !library; index++) {
    void *opened = dlopen(generations[index]->file, RTLD_NOW | RTLD_LOCAL);
    if (!opened) continue;
    if (generations[index]->resolve(opened)) library = generations[index];
    else dlclose(opened);
  }
  const struct cgpio_library *loaded = library;
  pthread_mutex_unlock(&lock);
  return loaded;
}

int cgpio_generation(void) {
  const struct cgpio_library *loaded = load();
  return loaded ? loaded->generation : 0;
}

int cgpio_chip_open(const char *path, struct cgpio_chip **chip, const char **failed) {
  const struct cgpio_library *loaded = load();
  if (loaded) return loaded->chip_open(path, chip, failed);
  errno = ENOSYS;
  return cgpio_failure(failed, "dlopen");
}

void cgpio_chip_close(struct cgpio_chip *chip) { library->chip_close(chip); }

int cgpio_chip_info(struct cgpio_chip *chip, struct cgpio_chip_info *info, const char **failed) {
  return library->chip_info(chip, info, failed);
}

int cgpio_line_info(struct cgpio_chip *chip, uint32_t offset, struct cgpio_line_info *info, const char **failed) {
  return library->line_info(chip, offset, info, failed);
}

int cgpio_request_lines(
    struct cgpio_chip *chip, const struct cgpio_line *lines, unsigned count, const char *consumer,
    struct cgpio_request **request, const char **failed) {
  return library->request_lines(chip, lines, count, consumer, request, failed);
}

void cgpio_request_release(struct cgpio_request *request) { library->request_release(request); }

int cgpio_reconfigure(struct cgpio_request *request, const struct cgpio_line *lines, const char **failed) {
  return library->reconfigure(request, lines, failed);
}

int cgpio_request_descriptor(struct cgpio_request *request) { return library->request_descriptor(request); }

int cgpio_get_values(struct cgpio_request *request, uint64_t *values, const char **failed) {
  return library->get_values(request, values, failed);
}

int cgpio_set_values(struct cgpio_request *request, uint64_t values, uint64_t mask, const char **failed) {
  return library->set_values(request, values, mask, failed);
}

int cgpio_read_edges(
    struct cgpio_request *request, struct cgpio_edge *edges, unsigned capacity, const char **failed) {
  return library->read_edges(request, edges, capacity, failed);
}
