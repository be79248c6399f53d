#if __has_include(<alsa/asoundlib.h>)

#define PIC 1
#include "paced_pcm.h"

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

struct paced_pcm {
  snd_pcm_ioplug_t plugin;
  unsigned rate, channels, lump;
  int drift;
  bool is_wide;
  int refusal;
  paced_state state;
  int64_t now;
  int is_running;
  int64_t began;                // when it began to play
  snd_pcm_uframes_t played;     // sample frames since then
  snd_pcm_uframes_t position;   // of the device since it was prepared
  unsigned open_channels;
  int16_t *samples;
  size_t count, capacity;
};

bool paced_is_there(void) { return true; }

paced_pcm *paced_new(void) { return calloc(1, sizeof(paced_pcm)); }

void paced_free(paced_pcm *device) {
  free(device->samples);
  free(device);
}

void paced_restrict(paced_pcm *device, unsigned rate, unsigned channels) {
  device->rate = rate;
  device->channels = channels;
}

void paced_drift(paced_pcm *device, int millionths) { device->drift = millionths; }
void paced_lump(paced_pcm *device, unsigned frames) { device->lump = frames; }

void paced_widen(paced_pcm *device, bool is_wide) { device->is_wide = is_wide; }

void paced_refuse(paced_pcm *device, int error) { device->refusal = error; }
void paced_set_state(paced_pcm *device, paced_state state) { device->state = state; }

void paced_set_time(paced_pcm *device, int64_t now) {
  if (now > device->now) device->now = now;
}

const int16_t *paced_samples(const paced_pcm *device, size_t *count) {
  *count = device->count;
  return device->samples;
}

unsigned paced_channels(const paced_pcm *device) { return device->open_channels ? device->open_channels : 1; }

// --- callbacks of the plugin

static int start(snd_pcm_ioplug_t *plugin) {
  paced_pcm *device = plugin->private_data;
  device->began = device->now;
  device->played = 0;
  device->is_running = 1;
  return 0;
}

static int stop(snd_pcm_ioplug_t *plugin) {
  ((paced_pcm *)plugin->private_data)->is_running = 0;
  return 0;
}

static int prepare(snd_pcm_ioplug_t *plugin) {
  paced_pcm *device = plugin->private_data;
  if (device->state == PACED_IS_GONE) return -ENODEV;
  if (device->state == PACED_SLEEPS) device->state = PACED_WORKS;
  device->is_running = 0;
  device->position = 0;
  return 0;
}

static snd_pcm_sframes_t pointer(snd_pcm_ioplug_t *plugin) {
  paced_pcm *device = plugin->private_data;
  // An error from here would be taken for an underrun; the state says what it is.
  if (device->state == PACED_IS_GONE) plugin->state = SND_PCM_STATE_DISCONNECTED;
  if (device->state == PACED_SLEEPS) plugin->state = SND_PCM_STATE_SUSPENDED;
  if (device->state == PACED_UNDERRUNS) {
    device->state = PACED_WORKS;
    device->is_running = 0;
    return -EPIPE;
  }
  if (device->state == PACED_HAS_ENDED) {
    device->is_running = 0;
    return plugin->state == SND_PCM_STATE_RUNNING ? -EPIPE : (snd_pcm_sframes_t)(device->position % plugin->buffer_size);
  }
  if (device->state != PACED_WORKS || !device->is_running) return device->position % plugin->buffer_size;
  // Split, so that hours at a high rate don't overflow.
  int64_t elapsed = device->now - device->began;
  snd_pcm_uframes_t due =
    elapsed / 1000000000 * plugin->rate + elapsed % 1000000000 * plugin->rate / 1000000000;
  due += (int64_t)due * device->drift / 1000000;
  if (device->lump > 1) due -= due % device->lump;
  snd_pcm_uframes_t step = due - device->played;
  snd_pcm_uframes_t filled =
    plugin->buffer_size - snd_pcm_ioplug_avail(plugin, device->position, plugin->appl_ptr);
  if (plugin->state == SND_PCM_STATE_RUNNING && step > filled) {
    device->is_running = 0;
    return -EPIPE;
  }
  if (step > filled) step = filled;
  device->played += step;
  device->position += step;
  return device->position % plugin->buffer_size;
}

static snd_pcm_sframes_t transfer(
  snd_pcm_ioplug_t *plugin, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  paced_pcm *device = plugin->private_data;
  if (device->state == PACED_IS_GONE) return -ENODEV;
  if (device->state == PACED_HAS_ENDED) return -EPIPE;
  size_t samples = size * plugin->channels;
  device->open_channels = plugin->channels;
  if (device->count + samples > device->capacity) {
    device->capacity = 2 * (device->count + samples);
    device->samples = realloc(device->samples, device->capacity * sizeof(int16_t));
  }
  const char *from = (const char *)areas[0].addr + areas[0].first / 8 + offset * areas[0].step / 8;
  if (device->is_wide)
    for (size_t i = 0; i < samples; i++) device->samples[device->count + i] = ((const int32_t *)from)[i] >> 16;
  else
    memcpy(device->samples + device->count, from, samples * sizeof(int16_t));
  device->count += samples;
  return size;
}

// As most hardware: it has to be prepared again.
static int resume(snd_pcm_ioplug_t *plugin) {
  (void)plugin;
  return -ENOSYS;
}

static int close_plugin(snd_pcm_ioplug_t *plugin) {
  close(plugin->poll_fd);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
  .start = start, .stop = stop, .prepare = prepare, .pointer = pointer, .transfer = transfer,
  .resume = resume, .close = close_plugin,
};

int paced_open(paced_pcm *device, void **pcm) {
  if (device->state == PACED_IS_GONE) return -ENOENT;
  if (device->state == PACED_HAS_ENDED) return -EHOSTDOWN;
  if (device->refusal) return -device->refusal;
  memset(&device->plugin, 0, sizeof(device->plugin));
  device->is_running = 0;
  device->position = 0;
  snd_pcm_ioplug_t *plugin = &device->plugin;
  plugin->version = SND_PCM_IOPLUG_VERSION;
  plugin->name = "paced";
  plugin->callback = &callbacks;
  plugin->private_data = device;
  plugin->poll_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  plugin->poll_events = POLLIN;
  int code = snd_pcm_ioplug_create(plugin, "paced", SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
  if (code < 0) {
    close(plugin->poll_fd);
    return code;
  }
  // The flag alone leaves draining blocked.
  snd_pcm_nonblock(plugin->pcm, 1);
  static const unsigned access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
  const unsigned format[] = {device->is_wide ? SND_PCM_FORMAT_S32_LE : SND_PCM_FORMAT_S16_LE};
  snd_pcm_ioplug_set_param_list(plugin, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  snd_pcm_ioplug_set_param_list(plugin, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
  snd_pcm_ioplug_set_param_minmax(
    plugin, SND_PCM_IOPLUG_HW_CHANNELS, device->channels ? device->channels : 1, device->channels ? device->channels : 2);
  snd_pcm_ioplug_set_param_minmax(
    plugin, SND_PCM_IOPLUG_HW_RATE, device->rate ? device->rate : 8000, device->rate ? device->rate : 192000);
  snd_pcm_ioplug_set_param_minmax(plugin, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 1 << 16);
  snd_pcm_ioplug_set_param_minmax(plugin, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
  *pcm = plugin->pcm;
  return 0;
}

#endif
