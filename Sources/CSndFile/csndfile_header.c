// If the header of libsndfile is installed, the declarations in sndfile_functions.h must agree with it.
#if __has_include(<sndfile.h>)
#include <sndfile.h>

#define CSNDFILE_HAS_HEADER
#include "sndfile_functions.h"

#define COMPARE(result, name, parameters) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(((struct sndfile_functions *)0)->name), __typeof__(&name)), #name);
SNDFILE_FUNCTIONS(COMPARE)
#undef CSNDFILE_HAS_HEADER

_Static_assert(SFM_READ == 0x10, "opening");
_Static_assert(sizeof(SF_INFO) == 32 && sizeof(SF_VIRTUAL_IO) == 5 * sizeof(void *), "structures");
#endif

typedef int csndfile_header;  // ISO C requires a declaration in every file
