// If the header of libasound is installed, the declarations in calsa_functions.h must agree with it.
#if __has_include(<alsa/asoundlib.h>)
#include <alsa/asoundlib.h>

#define CALSA_HAS_HEADER
#include "calsa_functions.h"

#define COMPARE(result, name, parameters, arguments) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(((struct calsa_functions *)0)->name), __typeof__(&name)), #name);
CALSA_FUNCTIONS(COMPARE)
#endif

typedef int calsa_header;  // ISO C requires a declaration in every file
