// Loads libasound.
#include "calsa.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

struct calsa_functions calsa;

static void ignore_error(const char *file, int line, const char *function, int code, const char *format, ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)code;
  (void)format;
}

static bool resolve(void *opened) {
#define FIND(result, name, parameters, arguments)          \
  calsa.name = (result(*) parameters)dlsym(opened, #name); \
  if (!calsa.name) return false;
  CALSA_FUNCTIONS(FIND)
#undef FIND
  calsa.snd_lib_error_set_handler = (int (*)(snd_lib_error_handler_t))dlsym(opened, "snd_lib_error_set_handler");
  return calsa.snd_lib_error_set_handler;
}

int calsa_load(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static bool is_loaded;
  pthread_mutex_lock(&lock);
  if (!is_loaded) {
    void *opened = dlopen(CALSA_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    is_loaded = opened && resolve(opened);
    // The library has one handler for the whole process.
    if (is_loaded) calsa.snd_lib_error_set_handler(ignore_error);
    else if (opened) dlclose(opened);
  }
  int result = is_loaded ? 0 : -ENOENT;
  pthread_mutex_unlock(&lock);
  return result;
}
