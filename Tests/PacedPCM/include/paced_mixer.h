// A card's mixer in libasound without a card: a control plugin in this process, with one volume "Master" of 121 steps of half a
// decibel from -60 dB to 0 dB, and its switch. The library above it is the real one.
#ifndef PACED_MIXER_H
#define PACED_MIXER_H

#include <stdbool.h>

typedef struct paced_mixer paced_mixer;

// One card; it is there until it is freed, and can be attached to again and again.
paced_mixer *paced_mixer_new(void);
void paced_mixer_free(paced_mixer *card);

// What snd_mixer_attach is for other cards: 0, or an error below 0. `mixer` is a `snd_mixer_t *`.
int paced_mixer_attach(paced_mixer *card, void *mixer);

// Somebody else turns it: 0 to 120.
void paced_mixer_turn(paced_mixer *card, long volume, bool is_on);
long paced_mixer_volume(const paced_mixer *card);
bool paced_mixer_is_on(const paced_mixer *card);

// Whether it takes no orders: a program that writes is told EPERM.
void paced_mixer_lock(paced_mixer *card, bool is_locked);

// Takes the volume and its switch away, while the card stays, or brings them back.
void paced_mixer_strip(paced_mixer *card, bool is_stripped);

// Takes the card away, or brings it back.
void paced_mixer_plug(paced_mixer *card, bool is_plugged);

#endif
