// The types, constants and functions of libasound that are used, as <alsa/asoundlib.h> of alsa-lib 1.2 declares them.
// With them, the program is compiled without that header. calsa_header.c compares them with the header.
#ifndef CALSA_FUNCTIONS_H
#define CALSA_FUNCTIONS_H

#include <poll.h>

// If the header has been included, its types are used.
#ifndef CALSA_HAS_HEADER
typedef unsigned long snd_pcm_uframes_t;
typedef long snd_pcm_sframes_t;
typedef struct _snd_pcm snd_pcm_t;
typedef struct _snd_pcm_hw_params snd_pcm_hw_params_t;
typedef struct _snd_pcm_sw_params snd_pcm_sw_params_t;
typedef struct _snd_mixer snd_mixer_t;
typedef struct _snd_mixer_class snd_mixer_class_t;
typedef struct _snd_mixer_elem snd_mixer_elem_t;

typedef enum { SND_PCM_STREAM_PLAYBACK } snd_pcm_stream_t;
typedef enum { SND_PCM_ACCESS_RW_INTERLEAVED = 3 } snd_pcm_access_t;
typedef enum {
  SND_PCM_FORMAT_UNKNOWN = -1,
  SND_PCM_FORMAT_U8 = 1,
  SND_PCM_FORMAT_S16_LE = 2,
  SND_PCM_FORMAT_S16_BE = 3,
  SND_PCM_FORMAT_S24_LE = 6,
  SND_PCM_FORMAT_S32_LE = 10,
  SND_PCM_FORMAT_S32_BE = 11,
  SND_PCM_FORMAT_FLOAT_LE = 14,
  SND_PCM_FORMAT_S24_3LE = 32,
} snd_pcm_format_t;
typedef enum {
  SND_PCM_STATE_RUNNING = 3,
  SND_PCM_STATE_XRUN = 4,
  SND_PCM_STATE_SUSPENDED = 7,
  SND_PCM_STATE_DISCONNECTED = 8,
} snd_pcm_state_t;
typedef enum { SND_MIXER_SCHN_UNKNOWN = -1, SND_MIXER_SCHN_MONO } snd_mixer_selem_channel_id_t;

#define SND_PCM_NONBLOCK 1
#define SND_CTL_TLV_DB_GAIN_MUTE (-9999999)

typedef int (*snd_mixer_elem_callback_t)(snd_mixer_elem_t *element, unsigned mask);
typedef void (*snd_lib_error_handler_t)(const char *file, int line, const char *function, int code, const char *format, ...);
#endif

struct snd_mixer_selem_regopt;

_Static_assert(SND_PCM_STREAM_PLAYBACK == 0 && SND_PCM_ACCESS_RW_INTERLEAVED == 3 && SND_PCM_NONBLOCK == 1, "opening");
_Static_assert(
    SND_PCM_FORMAT_U8 == 1 && SND_PCM_FORMAT_S16_LE == 2 && SND_PCM_FORMAT_S16_BE == 3 &&
        SND_PCM_FORMAT_S24_LE == 6 && SND_PCM_FORMAT_S32_LE == 10 && SND_PCM_FORMAT_S32_BE == 11 &&
        SND_PCM_FORMAT_FLOAT_LE == 14 && SND_PCM_FORMAT_S24_3LE == 32,
    "formats");
_Static_assert(
    SND_PCM_STATE_RUNNING == 3 && SND_PCM_STATE_XRUN == 4 && SND_PCM_STATE_SUSPENDED == 7 &&
        SND_PCM_STATE_DISCONNECTED == 8,
    "states");
_Static_assert(SND_MIXER_SCHN_MONO == 0 && SND_CTL_TLV_DB_GAIN_MUTE == -9999999, "mixers");

// RESULT, NAME, (PARAMETERS), (ARGUMENTS).
#define CALSA_FUNCTIONS(of)                                                                                        \
  of(int, snd_pcm_open,                                                                                            \
     (snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode),                                       \
     (pcm, name, stream, mode))                                                                                    \
  of(int, snd_pcm_close, (snd_pcm_t *pcm), (pcm))                                                                  \
  of(int, snd_pcm_prepare, (snd_pcm_t *pcm), (pcm))                                                                \
  of(int, snd_pcm_resume, (snd_pcm_t *pcm), (pcm))                                                                 \
  of(int, snd_pcm_drop, (snd_pcm_t *pcm), (pcm))                                                                   \
  of(int, snd_pcm_drain, (snd_pcm_t *pcm), (pcm))                                                                  \
  of(snd_pcm_state_t, snd_pcm_state, (snd_pcm_t *pcm), (pcm))                                                      \
  of(int, snd_pcm_avail_delay,                                                                                     \
     (snd_pcm_t *pcm, snd_pcm_sframes_t *available, snd_pcm_sframes_t *delay),                                     \
     (pcm, available, delay))                                                                                      \
  of(snd_pcm_sframes_t, snd_pcm_writei,                                                                            \
     (snd_pcm_t *pcm, const void *samples, snd_pcm_uframes_t count),                                               \
     (pcm, samples, count))                                                                                        \
  of(int, snd_pcm_poll_descriptors_count, (snd_pcm_t *pcm), (pcm))                                                 \
  of(int, snd_pcm_poll_descriptors, (snd_pcm_t *pcm, struct pollfd *polled, unsigned count), (pcm, polled, count)) \
  of(int, snd_pcm_poll_descriptors_revents,                                                                        \
     (snd_pcm_t *pcm, struct pollfd *polled, unsigned count, unsigned short *events),                              \
     (pcm, polled, count, events))                                                                                 \
  of(int, snd_pcm_hw_params, (snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted), (pcm, wanted))                         \
  of(int, snd_pcm_hw_params_malloc, (snd_pcm_hw_params_t **wanted), (wanted))                                      \
  of(int, snd_pcm_hw_params_any, (snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted), (pcm, wanted))                     \
  of(int, snd_pcm_hw_params_set_rate_resample,                                                                     \
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, unsigned converts),                                             \
     (pcm, wanted, converts))                                                                                      \
  of(int, snd_pcm_hw_params_set_access,                                                                            \
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, snd_pcm_access_t access),                                       \
     (pcm, wanted, access))                                                                                        \
  of(int, snd_pcm_hw_params_set_format,                                                                            \
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, snd_pcm_format_t format),                                       \
     (pcm, wanted, format))                                                                                        \
  of(int, snd_pcm_hw_params_set_channels,                                                                          \
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, unsigned count),                                                \
     (pcm, wanted, count))                                                                                         \
  of(int, snd_pcm_hw_params_set_channels_near,                                                                     \
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, unsigned *count),                                               \
     (pcm, wanted, count))                                                                                         \
  of(int, snd_pcm_hw_params_set_rate_near,                                                                         \
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, unsigned *hertz, int *direction),                               \
     (pcm, wanted, hertz, direction))                                                                              \
  of(int, snd_pcm_hw_params_set_period_size_near,                                                                  \
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, snd_pcm_uframes_t *size, int *direction),                       \
     (pcm, wanted, size, direction))                                                                               \
  of(int, snd_pcm_hw_params_set_buffer_size_near,                                                                  \
     (snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, snd_pcm_uframes_t *size),                                       \
     (pcm, wanted, size))                                                                                          \
  of(int, snd_pcm_hw_params_get_period_size,                                                                       \
     (const snd_pcm_hw_params_t *wanted, snd_pcm_uframes_t *size, int *direction),                                 \
     (wanted, size, direction))                                                                                    \
  of(int, snd_pcm_hw_params_get_buffer_size,                                                                       \
     (const snd_pcm_hw_params_t *wanted, snd_pcm_uframes_t *size),                                                 \
     (wanted, size))                                                                                               \
  of(void, snd_pcm_hw_params_free, (snd_pcm_hw_params_t *wanted), (wanted))                                        \
  of(int, snd_pcm_sw_params, (snd_pcm_t *pcm, snd_pcm_sw_params_t *wanted), (pcm, wanted))                         \
  of(int, snd_pcm_sw_params_malloc, (snd_pcm_sw_params_t **wanted), (wanted))                                      \
  of(int, snd_pcm_sw_params_current, (snd_pcm_t *pcm, snd_pcm_sw_params_t *wanted), (pcm, wanted))                 \
  of(int, snd_pcm_sw_params_set_start_threshold,                                                                   \
     (snd_pcm_t *pcm, snd_pcm_sw_params_t *wanted, snd_pcm_uframes_t threshold),                                   \
     (pcm, wanted, threshold))                                                                                     \
  of(int, snd_pcm_sw_params_set_stop_threshold,                                                                    \
     (snd_pcm_t *pcm, snd_pcm_sw_params_t *wanted, snd_pcm_uframes_t threshold),                                   \
     (pcm, wanted, threshold))                                                                                     \
  of(int, snd_pcm_sw_params_set_avail_min,                                                                         \
     (snd_pcm_t *pcm, snd_pcm_sw_params_t *wanted, snd_pcm_uframes_t least),                                       \
     (pcm, wanted, least))                                                                                         \
  of(void, snd_pcm_sw_params_free, (snd_pcm_sw_params_t *wanted), (wanted))                                        \
  of(int, snd_mixer_open, (snd_mixer_t **mixer, int mode), (mixer, mode))                                          \
  of(int, snd_mixer_close, (snd_mixer_t *mixer), (mixer))                                                          \
  of(int, snd_mixer_attach, (snd_mixer_t *mixer, const char *card), (mixer, card))                                 \
  of(int, snd_mixer_selem_register,                                                                                \
     (snd_mixer_t *mixer, struct snd_mixer_selem_regopt *options, snd_mixer_class_t **registered),                 \
     (mixer, options, registered))                                                                                 \
  of(int, snd_mixer_load, (snd_mixer_t *mixer), (mixer))                                                           \
  of(int, snd_mixer_handle_events, (snd_mixer_t *mixer), (mixer))                                                  \
  of(int, snd_mixer_poll_descriptors_count, (snd_mixer_t *mixer), (mixer))                                         \
  of(int, snd_mixer_poll_descriptors,                                                                              \
     (snd_mixer_t *mixer, struct pollfd *polled, unsigned count),                                                  \
     (mixer, polled, count))                                                                                       \
  of(snd_mixer_elem_t *, snd_mixer_first_elem, (snd_mixer_t *mixer), (mixer))                                      \
  of(snd_mixer_elem_t *, snd_mixer_elem_next, (snd_mixer_elem_t *element), (element))                              \
  of(void, snd_mixer_elem_set_callback,                                                                            \
     (snd_mixer_elem_t *element, snd_mixer_elem_callback_t callback),                                              \
     (element, callback))                                                                                          \
  of(void, snd_mixer_elem_set_callback_private, (snd_mixer_elem_t *element, void *receiver), (element, receiver))  \
  of(void *, snd_mixer_elem_get_callback_private, (const snd_mixer_elem_t *element), (element))                    \
  of(const char *, snd_mixer_selem_get_name, (snd_mixer_elem_t *element), (element))                               \
  of(int, snd_mixer_selem_is_active, (snd_mixer_elem_t *element), (element))                                       \
  of(int, snd_mixer_selem_has_playback_volume, (snd_mixer_elem_t *element), (element))                             \
  of(int, snd_mixer_selem_has_playback_switch, (snd_mixer_elem_t *element), (element))                             \
  of(int, snd_mixer_selem_get_playback_dB_range,                                                                   \
     (snd_mixer_elem_t *element, long *least, long *most),                                                         \
     (element, least, most))                                                                                       \
  of(int, snd_mixer_selem_get_playback_volume_range,                                                               \
     (snd_mixer_elem_t *element, long *least, long *most),                                                         \
     (element, least, most))                                                                                       \
  of(int, snd_mixer_selem_get_playback_volume,                                                                     \
     (snd_mixer_elem_t *element, snd_mixer_selem_channel_id_t channel, long *value),                               \
     (element, channel, value))                                                                                    \
  of(int, snd_mixer_selem_get_playback_dB,                                                                         \
     (snd_mixer_elem_t *element, snd_mixer_selem_channel_id_t channel, long *value),                               \
     (element, channel, value))                                                                                    \
  of(int, snd_mixer_selem_get_playback_switch,                                                                     \
     (snd_mixer_elem_t *element, snd_mixer_selem_channel_id_t channel, int *value),                                \
     (element, channel, value))                                                                                    \
  of(int, snd_mixer_selem_set_playback_volume_all, (snd_mixer_elem_t *element, long value), (element, value))      \
  of(int, snd_mixer_selem_set_playback_dB_all,                                                                     \
     (snd_mixer_elem_t *element, long value, int direction),                                                       \
     (element, value, direction))                                                                                  \
  of(int, snd_mixer_selem_set_playback_switch_all, (snd_mixer_elem_t *element, int value), (element, value))       \
  of(int, snd_config_update_free_global, (void), ())

struct calsa_functions {
#define DECLARE(result, name, parameters, arguments) result(*name) parameters;
  CALSA_FUNCTIONS(DECLARE)
#undef DECLARE
  int (*snd_lib_error_set_handler)(snd_lib_error_handler_t handler);
};

#endif
