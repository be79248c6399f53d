#include "yardstick.h"

#include <math.h>
#include <string.h>

enum { taps = 64, longest = 4096 };

static int16_t rounded(float value) {
  return (int16_t)lrintf(value < -32768 ? -32768 : value > 32767 ? 32767 : value);
}

int yardstick_resample(
    const float *input, int count, const float *table, int step, int phases, int16_t *output, int room) {
  int made = 0;
  for (long position = 0; made < room && position / phases < count; position += step) {
    const float *samples = input + position / phases;
    const float *row = table + position % phases * taps;
    float sum = 0;
    for (int tap = 0; tap < taps; tap++) sum += row[tap] * samples[tap];
    output[made++] = rounded(sum);
  }
  return made;
}

void yardstick_mix(const int16_t *const *clips, int voices, float gain, float slope, int16_t *output, int count) {
  static float sums[2 * longest];
  memset(sums, 0, sizeof(float) * 2 * (size_t)count);
  for (int voice = 0; voice < voices; voice++) {
    const int16_t *clip = clips[voice];
    if (slope == 0) {
      for (int index = 0; index < 2 * count; index++) sums[index] += (float)clip[index] * gain;
    } else {
      for (int index = 0; index < 2 * count; index++) {
        sums[index] += (float)clip[index] * (gain + slope * (float)(index / 2));
      }
    }
  }
  for (int index = 0; index < 2 * count; index++) output[index] = rounded(sums[index]);
}
