// Plain loops in C that the work of the sound drivers is compared with. Compiled with -O3 -ffast-math.
#ifndef YARDSTICK_H
#define YARDSTICK_H

#include <stdint.h>

// Converts `count` samples of one channel. `table` has `phases` rows of 64 coefficients; `input` has 32 more samples at
// both ends. Returns the number of samples made, at most `room`.
int yardstick_resample(
    const float *input, int count, const float *table, int step, int phases, int16_t *output, int room);

// Mixes clips of two channels, each with its own gain, which grows by `slope` with each sample frame, into 16 bits.
void yardstick_mix(const int16_t *const *clips, int voices, float gain, float slope, int16_t *output, int count);

#endif
