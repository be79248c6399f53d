#if __has_include(<yaml.h>)
#include <yaml.h>
#endif
