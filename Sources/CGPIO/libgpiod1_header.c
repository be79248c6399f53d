// If the header of libgpiod 1 is installed, the declarations in libgpiod1_functions.h must agree with it.
#if __has_include(<gpiod.h>)
#include <gpiod.h>

// Only the header of the first generation defines this.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define CGPIO_HAS_HEADER
#include "libgpiod1_functions.h"

#define COMPARE(result, name, parameters) \
  _Static_assert(__builtin_types_compatible_p(__typeof__(((struct gpiod1 *)0)->name), __typeof__(&gpiod_##name)), #name);
GPIOD1_FUNCTIONS(COMPARE)
#endif
#endif

typedef int cgpio_libgpiod1_header;  // ISO C requires a declaration in every file
