// Loads libsndfile, and reads sounds through it.
#include "csndfile.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "sndfile_functions.h"

static struct sndfile_functions library;

static bool resolve(void *opened) {
#define FIND(result, name, parameters)                       \
  library.name = (result(*) parameters)dlsym(opened, #name); \
  if (!library.name) return false;
  SNDFILE_FUNCTIONS(FIND)
#undef FIND
  return true;
}

int csndfile_load(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static bool is_loaded;
  pthread_mutex_lock(&lock);
  if (!is_loaded) {
    void *opened = dlopen(CSNDFILE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    is_loaded = opened && resolve(opened);
    if (opened && !is_loaded) dlclose(opened);
  }
  int result = is_loaded ? 0 : -ENOENT;
  pthread_mutex_unlock(&lock);
  return result;
}

struct csndfile {
  struct csndfile_bytes bytes;
  int64_t offset;
  SNDFILE *file;
};

static sf_count_t size_of(void *user) { return ((struct csndfile *)user)->bytes.size; }

static sf_count_t seek_in(sf_count_t offset, int whence, void *user) {
  struct csndfile *sound = user;
  int64_t base = whence == SEEK_CUR ? sound->offset : whence == SEEK_END ? sound->bytes.size : 0;
  int64_t target;
  // The library computes offsets from numbers in the file.
  if (__builtin_add_overflow(base, offset, &target) || target < 0) return -1;
  sound->offset = target;
  return target;
}

static sf_count_t read_from(void *bytes, sf_count_t count, void *user) {
  struct csndfile *sound = user;
  if (count <= 0 || sound->offset >= sound->bytes.size) return 0;
  int64_t taken = sound->bytes.read(sound->bytes.owner, sound->offset, bytes, count);
  if (taken > 0) sound->offset += taken;
  return taken > 0 ? taken : 0;
}

static sf_count_t write_to(const void *bytes, sf_count_t count, void *user) {
  (void)bytes;
  (void)count;
  (void)user;
  return 0;
}

static sf_count_t tell_in(void *user) { return ((struct csndfile *)user)->offset; }

struct csndfile *csndfile_open(
    const struct csndfile_bytes *bytes, int *channels, int *rate, int64_t *frames, const char **reason) {
  struct csndfile *sound = calloc(1, sizeof(*sound));
  if (!sound) {
    *reason = "no memory is left";
    return NULL;
  }
  sound->bytes = *bytes;
  SF_VIRTUAL_IO calls = {size_of, seek_in, read_from, write_to, tell_in};
  SF_INFO info = {0};
  sound->file = library.sf_open_virtual(&calls, SFM_READ, &info, sound);
  if (!sound->file) {
    *reason = library.sf_strerror(NULL);
    free(sound);
    return NULL;
  }
  *channels = info.channels;
  *rate = info.samplerate;
  *frames = info.frames;
  return sound;
}

int64_t csndfile_read(struct csndfile *sound, float *samples, int64_t frames) {
  return library.sf_readf_float(sound->file, samples, frames);
}

int64_t csndfile_seek(struct csndfile *sound, int64_t frame) { return library.sf_seek(sound->file, frame, SEEK_SET); }

void csndfile_close(struct csndfile *sound) {
  library.sf_close(sound->file);
  free(sound);
}
