// Stands in for <alsa/asoundlib.h> on a machine that only simulates sound: every function that opens something fails with
// ENOSYS, so that the others are never called.
#ifndef CALSA_WITHOUT_H
#define CALSA_WITHOUT_H

#include <errno.h>
#include <poll.h>
#include <stddef.h>

typedef unsigned long snd_pcm_uframes_t;
typedef long snd_pcm_sframes_t;
typedef struct calsa_pcm snd_pcm_t;
typedef struct calsa_hw_params snd_pcm_hw_params_t;
typedef struct calsa_sw_params snd_pcm_sw_params_t;
typedef struct calsa_mixer snd_mixer_t;
typedef struct calsa_element snd_mixer_elem_t;

typedef enum { SND_PCM_STREAM_PLAYBACK } snd_pcm_stream_t;
typedef enum { SND_PCM_ACCESS_RW_INTERLEAVED } snd_pcm_access_t;
typedef enum {
  SND_PCM_FORMAT_S16_LE,
  SND_PCM_FORMAT_S32_LE,
  SND_PCM_FORMAT_S24_3LE,
  SND_PCM_FORMAT_S24_LE,
  SND_PCM_FORMAT_FLOAT_LE,
} snd_pcm_format_t;
typedef enum {
  SND_PCM_STATE_RUNNING,
  SND_PCM_STATE_XRUN,
  SND_PCM_STATE_SUSPENDED,
  SND_PCM_STATE_DISCONNECTED,
} snd_pcm_state_t;
typedef enum { SND_MIXER_SCHN_MONO } snd_mixer_selem_channel_id_t;

#define SND_PCM_NONBLOCK 1
#define SND_CTL_TLV_DB_GAIN_MUTE (-9999999)

typedef int (*snd_mixer_elem_callback_t)(snd_mixer_elem_t *element, unsigned mask);

#define CALSA_MISSING(name, ...) \
  static inline int name(__VA_ARGS__) { return -ENOSYS; }
#define CALSA_NOTHING(type, name, ...) \
  static inline type *name(__VA_ARGS__) { return NULL; }

CALSA_MISSING(calsa_silence_errors, void)
CALSA_MISSING(snd_config_update_free_global, void)

CALSA_MISSING(snd_pcm_open, snd_pcm_t **pcm, const char *name, snd_pcm_stream_t stream, int mode)
CALSA_MISSING(snd_pcm_close, snd_pcm_t *pcm)
CALSA_MISSING(snd_pcm_prepare, snd_pcm_t *pcm)
CALSA_MISSING(snd_pcm_resume, snd_pcm_t *pcm)
CALSA_MISSING(snd_pcm_drop, snd_pcm_t *pcm)
CALSA_MISSING(snd_pcm_drain, snd_pcm_t *pcm)
CALSA_MISSING(snd_pcm_avail_delay, snd_pcm_t *pcm, snd_pcm_sframes_t *available, snd_pcm_sframes_t *delay)
CALSA_MISSING(snd_pcm_poll_descriptors_count, snd_pcm_t *pcm)
CALSA_MISSING(snd_pcm_poll_descriptors, snd_pcm_t *pcm, struct pollfd *polled, unsigned count)
CALSA_MISSING(
    snd_pcm_poll_descriptors_revents, snd_pcm_t *pcm, struct pollfd *polled, unsigned count, unsigned short *events)
CALSA_MISSING(snd_pcm_hw_params, snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted)
CALSA_MISSING(snd_pcm_hw_params_malloc, snd_pcm_hw_params_t **wanted)
CALSA_MISSING(snd_pcm_hw_params_any, snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted)
CALSA_MISSING(
    snd_pcm_hw_params_set_rate_resample, snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, unsigned converts)
CALSA_MISSING(snd_pcm_hw_params_set_access, snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, snd_pcm_access_t access)
CALSA_MISSING(snd_pcm_hw_params_set_format, snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, snd_pcm_format_t format)
CALSA_MISSING(snd_pcm_hw_params_set_channels, snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, unsigned count)
CALSA_MISSING(snd_pcm_hw_params_set_channels_near, snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, unsigned *count)
CALSA_MISSING(
    snd_pcm_hw_params_set_rate_near, snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, unsigned *hertz, int *direction)
CALSA_MISSING(
    snd_pcm_hw_params_set_period_size_near, snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, snd_pcm_uframes_t *size,
    int *direction)
CALSA_MISSING(
    snd_pcm_hw_params_set_buffer_size_near, snd_pcm_t *pcm, snd_pcm_hw_params_t *wanted, snd_pcm_uframes_t *size)
CALSA_MISSING(
    snd_pcm_hw_params_get_period_size, const snd_pcm_hw_params_t *wanted, snd_pcm_uframes_t *size, int *direction)
CALSA_MISSING(snd_pcm_hw_params_get_buffer_size, const snd_pcm_hw_params_t *wanted, snd_pcm_uframes_t *size)
CALSA_MISSING(snd_pcm_sw_params, snd_pcm_t *pcm, snd_pcm_sw_params_t *wanted)
CALSA_MISSING(snd_pcm_sw_params_malloc, snd_pcm_sw_params_t **wanted)
CALSA_MISSING(snd_pcm_sw_params_current, snd_pcm_t *pcm, snd_pcm_sw_params_t *wanted)
CALSA_MISSING(
    snd_pcm_sw_params_set_start_threshold, snd_pcm_t *pcm, snd_pcm_sw_params_t *wanted, snd_pcm_uframes_t threshold)
CALSA_MISSING(
    snd_pcm_sw_params_set_stop_threshold, snd_pcm_t *pcm, snd_pcm_sw_params_t *wanted, snd_pcm_uframes_t threshold)
CALSA_MISSING(snd_pcm_sw_params_set_avail_min, snd_pcm_t *pcm, snd_pcm_sw_params_t *wanted, snd_pcm_uframes_t least)
static inline void snd_pcm_hw_params_free(snd_pcm_hw_params_t *wanted) { (void)wanted; }
static inline void snd_pcm_sw_params_free(snd_pcm_sw_params_t *wanted) { (void)wanted; }
static inline snd_pcm_state_t snd_pcm_state(snd_pcm_t *pcm) { return SND_PCM_STATE_DISCONNECTED; }
static inline snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *samples, snd_pcm_uframes_t count) {
  return -ENOSYS;
}

CALSA_MISSING(snd_mixer_open, snd_mixer_t **mixer, int mode)
CALSA_MISSING(snd_mixer_close, snd_mixer_t *mixer)
CALSA_MISSING(snd_mixer_attach, snd_mixer_t *mixer, const char *card)
CALSA_MISSING(snd_mixer_selem_register, snd_mixer_t *mixer, void *options, void **registered)
CALSA_MISSING(snd_mixer_load, snd_mixer_t *mixer)
CALSA_MISSING(snd_mixer_handle_events, snd_mixer_t *mixer)
CALSA_MISSING(snd_mixer_poll_descriptors_count, snd_mixer_t *mixer)
CALSA_MISSING(snd_mixer_poll_descriptors, snd_mixer_t *mixer, struct pollfd *polled, unsigned count)
CALSA_NOTHING(snd_mixer_elem_t, snd_mixer_first_elem, snd_mixer_t *mixer)
CALSA_NOTHING(snd_mixer_elem_t, snd_mixer_elem_next, snd_mixer_elem_t *element)
CALSA_NOTHING(void, snd_mixer_elem_get_callback_private, const snd_mixer_elem_t *element)
CALSA_NOTHING(const char, snd_mixer_selem_get_name, snd_mixer_elem_t *element)
CALSA_MISSING(snd_mixer_selem_is_active, snd_mixer_elem_t *element)
CALSA_MISSING(snd_mixer_selem_has_playback_volume, snd_mixer_elem_t *element)
CALSA_MISSING(snd_mixer_selem_has_playback_switch, snd_mixer_elem_t *element)
CALSA_MISSING(snd_mixer_selem_get_playback_dB_range, snd_mixer_elem_t *element, long *least, long *most)
CALSA_MISSING(snd_mixer_selem_get_playback_volume_range, snd_mixer_elem_t *element, long *least, long *most)
CALSA_MISSING(
    snd_mixer_selem_get_playback_volume, snd_mixer_elem_t *element, snd_mixer_selem_channel_id_t channel, long *value)
CALSA_MISSING(
    snd_mixer_selem_get_playback_dB, snd_mixer_elem_t *element, snd_mixer_selem_channel_id_t channel, long *value)
CALSA_MISSING(
    snd_mixer_selem_get_playback_switch, snd_mixer_elem_t *element, snd_mixer_selem_channel_id_t channel, int *value)
CALSA_MISSING(snd_mixer_selem_set_playback_volume_all, snd_mixer_elem_t *element, long value)
CALSA_MISSING(snd_mixer_selem_set_playback_dB_all, snd_mixer_elem_t *element, long value, int direction)
CALSA_MISSING(snd_mixer_selem_set_playback_switch_all, snd_mixer_elem_t *element, int value)
static inline void snd_mixer_elem_set_callback(snd_mixer_elem_t *element, snd_mixer_elem_callback_t callback) {
  (void)element;
  (void)callback;
}
static inline void snd_mixer_elem_set_callback_private(snd_mixer_elem_t *element, void *receiver) {
  (void)element;
  (void)receiver;
}

#undef CALSA_MISSING
#undef CALSA_NOTHING

#endif
