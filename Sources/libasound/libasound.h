#if __has_include(<alsa/asoundlib.h>)
#include <alsa/asoundlib.h>
#endif
