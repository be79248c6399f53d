#if __has_include(<alsa/asoundlib.h>)

#include "paced_mixer.h"

#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum { VOLUME, SWITCH, ELEMENTS };

struct paced_mixer {
  long volume;
  long is_on;
  bool is_gone;
  bool is_locked;
  bool is_stripped;
  bool is_removed[ELEMENTS];
  bool has_changed[ELEMENTS];
  // Readable while something has changed.
  int event;
  snd_ctl_ext_t ext;
};

static const char *const names[ELEMENTS] = {"Master Playback Volume", "Master Playback Switch"};
// -60 dB, in steps of half a decibel.
static unsigned int scale[] = {SND_CTL_TLVT_DB_SCALE, 2 * sizeof(int), (unsigned int)-6000, 50};

static int count(snd_ctl_ext_t *ext) { return ((paced_mixer *)ext->private_data)->is_stripped ? 0 : ELEMENTS; }

static int list(snd_ctl_ext_t *ext, unsigned int offset, snd_ctl_elem_id_t *id) {
  (void)ext;
  snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
  snd_ctl_elem_id_set_name(id, names[offset]);
  return 0;
}

static snd_ctl_ext_key_t find(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
  if (((paced_mixer *)ext->private_data)->is_stripped) return SND_CTL_EXT_KEY_NOT_FOUND;
  for (int key = 0; key < ELEMENTS; key++)
    if (!strcmp(snd_ctl_elem_id_get_name(id), names[key])) return key;
  return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned int *access, unsigned int *channels) {
  (void)ext;
  *type = key == VOLUME ? SND_CTL_ELEM_TYPE_INTEGER : SND_CTL_ELEM_TYPE_BOOLEAN;
  *access = SND_CTL_EXT_ACCESS_READWRITE | (key == VOLUME ? SND_CTL_EXT_ACCESS_TLV_READ : 0);
  *channels = 1;
  return 0;
}

static int range(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *minimum, long *maximum, long *step) {
  (void)ext;
  *minimum = 0;
  *maximum = key == VOLUME ? 120 : 1;
  *step = 1;
  return 0;
}

static int read_value(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  paced_mixer *card = ext->private_data;
  if (card->is_gone) return -ENODEV;
  *value = key == VOLUME ? card->volume : card->is_on;
  return 0;
}

// As the kernel does it, whoever writes is told as well.
static int write_value(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *value) {
  paced_mixer *card = ext->private_data;
  if (card->is_gone) return -ENODEV;
  if (card->is_locked) return -EPERM;
  long *place = key == VOLUME ? &card->volume : &card->is_on;
  if (*place == *value) return 0;
  *place = *value;
  card->has_changed[key] = true;
  eventfd_write(card->event, 1);
  return 1;
}

static int read_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned int *mask) {
  paced_mixer *card = ext->private_data;
  if (card->is_gone) return -ENODEV;
  for (int key = 0; key < ELEMENTS; key++) {
    if (!card->has_changed[key] && !card->is_removed[key]) continue;
    *mask = card->is_removed[key] ? SND_CTL_EVENT_MASK_REMOVE : SND_CTL_EVENT_MASK_VALUE;
    card->has_changed[key] = card->is_removed[key] = false;
    list(ext, key, id);
    snd_ctl_elem_id_set_numid(id, key + 1);
    return 1;
  }
  eventfd_t value;
  eventfd_read(card->event, &value);
  return -EAGAIN;
}

static void subscribe(snd_ctl_ext_t *ext, int subscribe) {
  (void)ext;
  (void)subscribe;
}

static const snd_ctl_ext_callback_t callbacks = {
    .elem_count = count,
    .elem_list = list,
    .find_elem = find,
    .get_attribute = attribute,
    .get_integer_info = range,
    .read_integer = read_value,
    .write_integer = write_value,
    .subscribe_events = subscribe,
    .read_event = read_event,
};

paced_mixer *paced_mixer_new(void) {
  paced_mixer *card = calloc(1, sizeof *card);
  card->volume = 120;
  card->is_on = 1;
  card->event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return card;
}

void paced_mixer_free(paced_mixer *card) {
  close(card->event);
  free(card);
}

int paced_mixer_attach(paced_mixer *card, void *mixer) {
  if (card->is_gone) return -ENOENT;
  memset(&card->ext, 0, sizeof card->ext);
  card->ext.version = SND_CTL_EXT_VERSION;
  strcpy(card->ext.id, "Paced");
  strcpy(card->ext.driver, "paced");
  strcpy(card->ext.name, "Paced");
  strcpy(card->ext.longname, "Paced");
  strcpy(card->ext.mixername, "Paced");
  card->ext.poll_fd = card->event;
  card->ext.callback = &callbacks;
  card->ext.private_data = card;
  card->ext.tlv.p = scale;
  int code = snd_ctl_ext_create(&card->ext, "paced", 0);
  if (code < 0) return code;
  snd_hctl_t *hctl;
  code = snd_hctl_open_ctl(&hctl, card->ext.handle);
  if (code < 0) return code;
  code = snd_mixer_attach_hctl(mixer, hctl);
  if (code < 0) snd_hctl_close(hctl);
  return code;
}

static void tell(paced_mixer *card) { eventfd_write(card->event, 1); }

void paced_mixer_turn(paced_mixer *card, long volume, bool is_on) {
  card->has_changed[VOLUME] |= card->volume != volume;
  card->has_changed[SWITCH] |= card->is_on != is_on;
  card->volume = volume;
  card->is_on = is_on;
  tell(card);
}

long paced_mixer_volume(const paced_mixer *card) { return card->volume; }
bool paced_mixer_is_on(const paced_mixer *card) { return card->is_on; }

void paced_mixer_lock(paced_mixer *card, bool is_locked) { card->is_locked = is_locked; }

void paced_mixer_strip(paced_mixer *card, bool is_stripped) {
  card->is_stripped = is_stripped;
  for (int key = 0; key < ELEMENTS; key++) card->is_removed[key] = is_stripped;
  tell(card);
}

void paced_mixer_plug(paced_mixer *card, bool is_plugged) {
  card->is_gone = !is_plugged;
  tell(card);
}

#endif
