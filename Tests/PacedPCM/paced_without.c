// Lets the tests be compiled and linked where libasound's headers are missing. Tests call nothing but paced_is_there() then.
#if !__has_include(<alsa/asoundlib.h>)

#include "paced_mixer.h"
#include "paced_pcm.h"
#include <stdlib.h>

bool paced_is_there(void) { return false; }

paced_pcm *paced_new(void) { abort(); }
void paced_free(paced_pcm *device) { abort(); }
void paced_restrict(paced_pcm *device, unsigned rate, unsigned channels) { abort(); }
void paced_widen(paced_pcm *device, bool is_wide) { abort(); }
void paced_refuse(paced_pcm *device, int error) { abort(); }
void paced_set_state(paced_pcm *device, paced_state state) { abort(); }
void paced_set_time(paced_pcm *device, int64_t now) { abort(); }
int paced_open(paced_pcm *device, void **pcm) { abort(); }
const int16_t *paced_samples(const paced_pcm *device, size_t *count) { abort(); }
unsigned paced_channels(const paced_pcm *device) { abort(); }

paced_mixer *paced_mixer_new(void) { abort(); }
void paced_mixer_free(paced_mixer *card) { abort(); }
int paced_mixer_attach(paced_mixer *card, void *mixer) { abort(); }
void paced_mixer_turn(paced_mixer *card, long volume, bool is_on) { abort(); }
long paced_mixer_volume(const paced_mixer *card) { abort(); }
bool paced_mixer_is_on(const paced_mixer *card) { abort(); }
void paced_mixer_lock(paced_mixer *card, bool is_locked) { abort(); }
void paced_mixer_strip(paced_mixer *card, bool is_stripped) { abort(); }
void paced_mixer_plug(paced_mixer *card, bool is_plugged) { abort(); }

#endif
