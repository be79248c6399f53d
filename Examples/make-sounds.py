#!/usr/bin/env python3
"""Makes the sounds of the examples: bells out of decaying sines, so that nobody's recording is needed."""
import math
import os
import struct
import wave

RATE = 48_000
LOW_RATE = 22_050


def bell(seconds, *strokes, rate=RATE):
    """16-bit samples of strokes (start in seconds, frequency in hertz), peak -3 dBFS."""
    count = int(seconds * rate)
    samples = [0.0] * count
    partials = ((1.0, 1.0, 3.0), (2.76, 0.35, 6.0), (5.4, 0.12, 11.0))
    for start, hertz in strokes:
        first = int(start * rate)
        for place in range(first, count):
            t = (place - first) / rate
            attack = min(1.0, t / 0.002)
            for ratio, level, decay in partials:
                samples[place] += attack * level * math.exp(-decay * t) * math.sin(2 * math.pi * hertz * ratio * t)
    fade = int(0.02 * rate)
    for place in range(fade):
        samples[count - 1 - place] *= place / fade
    peak = max(abs(sample) for sample in samples)
    return [round(sample / peak * 0.708 * 32767) for sample in samples]


def write(path, samples, rate=RATE):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(struct.pack(f"<{len(samples)}h", *samples))


here = os.path.dirname(os.path.abspath(__file__))
write(f"{here}/doorbell/sounds/chime.wav", bell(1.2, (0.0, 659.26), (0.45, 523.25)))
write(f"{here}/quiz/sounds/buzz.wav", bell(0.5, (0.0, 220.0), (0.0, 233.08)))
write(f"{here}/devices/sounds/chime.wav", bell(0.6, (0.0, 659.26), (0.2, 523.25), rate=LOW_RATE), LOW_RATE)

# Stand-ins for the recordings of an audio guide: three strokes each, in an order of their own.
C, E, G = 523.25, 659.26, 783.99
for number, strokes in enumerate(((C, E, G), (C, G, E), (E, C, G), (E, G, C), (G, C, E), (G, E, C)), start=1):
    samples = bell(0.9, *((0.2 * place, hertz) for place, hertz in enumerate(strokes)), rate=LOW_RATE)
    write(f"{here}/audio-guide/sounds/{number}.wav", samples, LOW_RATE)
