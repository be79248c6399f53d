"""Random inputs, outputs, sounds and values."""

from random import Random
from typing import Callable

from .panel import LONG_NAME, NAMES, Durations, Feature, Input, Panel
from .writing import Tree


class DeviceGenerator:
    """Puts them into a panel and its tree."""

    def __init__(self, panel: Panel, durations: Durations, random: Random):
        self.random = random
        self.panel = panel
        self.durations = durations
        self._used_names: set[str] = {"state", "playing", "audio", "gpio"}
        self._lines = [f"GPIO{number}" for number in range(4, 28)]
        self._lines += [f"LINE-{number}.a" for number in range(40)]
        if random.random() < 0.04:
            # The old build simulates none of these where other lines have names.
            self._lines[0] = "gpiochip0:4"

    def generate(self) -> None:
        random, panel = self.random, self.panel
        self._section("inputs", random.randint(1, 5), self._input)
        self._section("outputs", random.randint(0, 5), self._output)
        self._section("sounds", random.choice([0, 0, 1, 2, 3]), self._sound)
        self._section("values", random.choice([0, 1, 1, 2, 4]), self._value)
        if random.random() < 0.2:
            panel.tree["audio"] = self._audio()

    def _section(self, key: str, count: int, make: Callable[[str], Tree]) -> None:
        if count:
            self.panel.tree[key] = {name: make(name) for name in [self._name() for _ in range(count)]}

    def _name(self) -> str:
        while True:
            name = self.random.choice(NAMES) if self.random.random() < 0.97 else LONG_NAME
            if name in self._used_names and self.random.random() < 0.9:
                name += str(self.random.randint(1, 99))
            if name not in self._used_names and len(name) <= 64:
                self._used_names.add(name)
                return name

    def _line(self) -> str:
        return self._lines.pop(self.random.randrange(min(24, len(self._lines))))

    def _contact(self) -> dict[str, Tree]:
        random = self.random
        contact: dict[str, Tree] = {}
        if random.random() < 0.3:
            contact["debounce"] = random.choice(["0s", "0ms", "1ms", "5ms", "12.5ms", "80ms", "0.25s"])
        if Feature.WIRINGS in self.panel.features:
            if random.random() < 0.5:
                contact["pull"] = random.choice(["up", "down", "none"])
            if contact.get("pull") == "none" or random.random() < 0.4:
                contact["active"] = random.choice(["low", "high"])
            return contact
        if random.random() < 0.3:
            contact["pull"] = random.choice(["up", "down"])
        if random.random() < 0.2:
            contact["active"] = "high" if contact.get("pull") == "down" else "low"
        return contact

    def _input(self, name: str) -> Tree:
        random = self.random
        kind = random.choice(["button", "button", "button", "switch", "encoder"])
        device: dict[str, Tree]
        if kind == "encoder":
            device = {"encoder": [self._line(), self._line()]}
            if random.random() < 0.2:
                has_wirings = Feature.WIRINGS in self.panel.features
                device["pull"] = random.choice(["up", "down"]) if has_wirings else "up"
            words = ["clockwise", "counterclockwise"]
        elif kind == "switch":
            device = {"switch": self._line(), **self._contact()}
            words = ["on", "off"]
        else:
            device = {"button": self._line(), **self._contact()}
            if random.random() < 0.4:
                device["hold"] = random.choice(["1s", "300ms", "0.5s", "2s", self.durations.between(251, 2000)])
            if random.random() < 0.3:
                device["double-click"] = random.choice(["300ms", "50ms", "1s", self.durations.between(50, 900)])
            words = ["pressed", "released", "held", "clicked", "double-clicked"]
        self.panel.inputs.append(Input(name, kind, [f"{name}.{word}" for word in words]))
        return dict(sorted(device.items(), key=lambda _: random.random())) if random.random() < 0.1 else device

    def _output(self, name: str) -> Tree:
        random = self.random
        kind = random.choice(["led", "led", "bar", "relay"])
        device: dict[str, Tree]
        if kind == "bar":
            count = random.choice([1, 2, 3, 4, 8])
            device = {"bar": [self._line() for _ in range(count)]}
            self.panel.outputs[name] = count
        else:
            device = {kind: self._line()}
            self.panel.outputs[name] = -1 if kind == "led" else 0
        if random.random() < 0.3:
            device["active"] = random.choice(["low", "high"])
        return device

    def _sound(self, name: str) -> Tree:
        random = self.random
        loops = random.random() < 0.3
        sound: dict[str, Tree]
        if random.random() < 0.5:
            files = ["short.wav", "long.wav", "./short.wav"]
            if Feature.CONVERTED_SOUNDS in self.panel.features:
                files += ["other.wav", "mono.wav"]
            sound = {"file": random.choice(files)}
        else:
            sound = {"tone": random.choice(["440Hz", "1.5kHz", "20Hz", "20kHz", "261.63Hz"])}
        self.panel.sounds[name] = not loops
        if random.random() < 0.4:
            sound["volume"] = random.choice(["0", "1", "0.5", "0.25"])
        if loops or random.random() < 0.1:
            sound["loop"] = "true" if loops else "false"
        return sound

    def _value(self, name: str) -> Tree:
        random = self.random
        least = random.choice([0, 0, 0, 1, -5, -999999999])
        most = least + random.choice([0, 1, 3, 10, 100, 1000])
        if least < -5 and random.random() < 0.5:
            most = 999999999
        self.panel.values[name] = (least, most)
        value = {"initial": str(random.randint(least, most)), "min": str(least), "max": str(most)}
        return dict(sorted(value.items(), key=lambda _: random.random())) if random.random() < 0.1 else value

    def _audio(self) -> Tree:
        random = self.random
        audio: dict[str, Tree] = {}
        if random.random() < 0.5:
            audio["device"] = random.choice(["default", "hw:CARD=Headphones,DEV=0", "null"])
        if not audio or random.random() < 0.7:
            audio["volume"] = random.choice(["0.5", "1", "0"] + list(self.panel.values))
        return audio
