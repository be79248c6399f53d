// A playback PCM of libasound without a device: an I/O plugin in this process, on a clock that is set by hand. The library above
// it is the real one, with its negotiation, its state machine and its errors. Keeps every sample that is played.
#ifndef PACED_PCM_H
#define PACED_PCM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct paced_pcm paced_pcm;

// Whether libasound's headers were there when this was compiled. If not, every other function aborts.
bool paced_is_there(void);

typedef enum {
  PACED_WORKS,
  // The position stands still, although the device claims to run.
  PACED_STALLS,
  // It has run out of samples: once, then it works.
  PACED_UNDERRUNS,
  // The machine was asleep, until it is prepared again.
  PACED_SLEEPS,
  PACED_IS_GONE,
  // A sound server that was killed: the device lets itself be prepared again and again, and refuses all samples. It can't be
  // opened again.
  PACED_HAS_ENDED,
} paced_state;

// One device; it is there until it is freed, and can be opened again and again.
paced_pcm *paced_new(void);
void paced_free(paced_pcm *device);

// What the device can do: one rate in hertz and one number of channels; 0 for any from 8 000 to 192 000, and 1 or 2.
void paced_restrict(paced_pcm *device, unsigned rate, unsigned channels);
// Whether its samples have 32 bits, and no others; 16 unless told. The samples that are kept are the high halves.
// Its clock is this many millionths faster than the one that is set, or slower.
void paced_drift(paced_pcm *device, int millionths);

// It takes this many sample frames from its buffer at a time; 0 and 1 are the same.
void paced_lump(paced_pcm *device, unsigned frames);

void paced_widen(paced_pcm *device, bool is_wide);
// Opening fails with this errno; 0 for not.
void paced_refuse(paced_pcm *device, int error);
void paced_set_state(paced_pcm *device, paced_state state);
// The time in nanoseconds. It never goes back.
void paced_set_time(paced_pcm *device, int64_t now);

// What snd_pcm_open is for other devices: 0 and a `snd_pcm_t *`, or an error below 0.
int paced_open(paced_pcm *device, void **pcm);

// All samples played so far, interleaved, 16 bits; valid until more are played.
const int16_t *paced_samples(const paced_pcm *device, size_t *count);
unsigned paced_channels(const paced_pcm *device);

#endif
