// The declarations of libsndfile that are used, from its sndfile.h. They are declared here so that a build doesn't need
// the header.
#ifndef SNDFILE_FUNCTIONS_H
#define SNDFILE_FUNCTIONS_H

#ifndef CSNDFILE_HAS_HEADER
#include <stdint.h>

typedef struct sf_private_tag SNDFILE;
typedef int64_t sf_count_t;

typedef struct {
  sf_count_t frames;
  int samplerate;
  int channels;
  int format;
  int sections;
  int seekable;
} SF_INFO;

typedef struct {
  sf_count_t (*get_filelen)(void *user);
  sf_count_t (*seek)(sf_count_t offset, int whence, void *user);
  sf_count_t (*read)(void *bytes, sf_count_t count, void *user);
  sf_count_t (*write)(const void *bytes, sf_count_t count, void *user);
  sf_count_t (*tell)(void *user);
} SF_VIRTUAL_IO;

enum { SFM_READ = 0x10 };
#endif

#define SNDFILE_FUNCTIONS(of)                                                                \
  of(SNDFILE *, sf_open_virtual, (SF_VIRTUAL_IO *calls, int mode, SF_INFO *info, void *user)) \
  of(sf_count_t, sf_seek, (SNDFILE *file, sf_count_t frames, int whence))                     \
  of(sf_count_t, sf_readf_float, (SNDFILE *file, float *samples, sf_count_t frames))          \
  of(const char *, sf_strerror, (SNDFILE *file))                                              \
  of(int, sf_close, (SNDFILE *file))

struct sndfile_functions {
#define DECLARE(result, name, parameters) result(*name) parameters;
  SNDFILE_FUNCTIONS(DECLARE)
#undef DECLARE
};

#endif
