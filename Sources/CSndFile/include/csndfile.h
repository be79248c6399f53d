// The functions of libsndfile that are used. The library is loaded when it is needed, so a program runs where it is
// missing.
#ifndef CSNDFILE_H
#define CSNDFILE_H

#include <stddef.h>
#include <stdint.h>

// The file to load: the same on Debian 12 (1.2.0) and 13 (1.2.2).
#define CSNDFILE_LIBRARY "libsndfile.so.1"

// The bytes of a file. The functions return fewer bytes at its end, and after an error.
struct csndfile_bytes {
  void *owner;
  int64_t size;
  int64_t (*read)(void *owner, int64_t offset, void *bytes, int64_t count);
};

struct csndfile;

// Loads the library. Returns 0, or a negative errno.
int csndfile_load(void);

// Opens a sound; the library must be loaded. Returns NULL if it can't be read, and stores the reason, which is valid
// until the next call. `bytes` are copied; their owner must outlive the sound.
struct csndfile *csndfile_open(
    const struct csndfile_bytes *bytes, int *channels, int *rate, int64_t *frames, const char **reason);

// Reads up to `frames` sample frames, interleaved; full scale is 1. Returns fewer at the end or at a fault.
int64_t csndfile_read(struct csndfile *sound, float *samples, int64_t frames);

// Moves to a sample frame. Returns it, or -1.
int64_t csndfile_seek(struct csndfile *sound, int64_t frame);

void csndfile_close(struct csndfile *sound);

#endif
