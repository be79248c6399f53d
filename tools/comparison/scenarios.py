"""Random scenarios for a panel: as a file for `panel test`, and as lines for `panel simulate`."""

import re
from dataclasses import dataclass
from random import Random

from .panel import Durations, Feature, Input, Panel
from .writing import Tree, write

Pairs = dict[str, str]


@dataclass
class Step:
    word: str
    argument: str | Pairs | None = None
    """A name, or names with values; the value of `playing` is sounds with commas between them."""

    @property
    def line(self) -> str:
        if self.argument is None:
            return self.word
        if isinstance(self.argument, str):
            return f"{self.word} {self.argument}"
        return f"{self.word} " + " ".join(f"{name}={value}" for name, value in self.argument.items())

    @property
    def tree(self) -> Tree:
        if self.argument is None:
            return self.word
        if isinstance(self.argument, str):
            return {self.word: self.argument}
        entries: dict[str, Tree] = {}
        for name, value in self.argument.items():
            if name == "playing":
                entries[name] = value.split(",") if value else []
            elif name.startswith("state."):
                states = entries.setdefault("state", {})
                assert isinstance(states, dict)
                states[name.removeprefix("state.")] = value
            else:
                entries[name] = value
        return {self.word: entries}


def generate_steps(panel: Panel, random: Random) -> list[Step]:
    """5 to 40 steps, with waits after those that move an input. What is expected is guessed."""
    has_ties = Feature.TIES in panel.features
    durations = Durations(random, has_ties)
    # A sound that begins at a whole number of the card's periods of 10 ms is a tie as well.
    steps = [] if has_ties else [Step("wait", durations.between(0, 30))]
    movable = panel.inputs
    for _ in range(random.randint(5, 40)):
        step = _step(panel, movable, durations, random)
        if not has_ties:
            # All that has moved while the chip was away is told at the moment at which it is back: one input moves then.
            if step == Step("unplug", "gpio") and movable is panel.inputs:
                steps.append(Step("wait", durations.between(100, 400)))
                movable = [random.choice(panel.inputs)]
            elif step == Step("plug", "gpio"):
                movable = panel.inputs
        steps.append(step)
        if not has_ties and step.word not in ("wait", "expect", "show", "seed", "bounce"):
            steps.append(Step("wait", durations.between(0, random.choice([1, 30, 400]))))
    return steps


def _step(panel: Panel, movable: list[Input], durations: Durations, random: Random) -> Step:
    chance = random.random()
    if chance < 0.2:
        return Step("wait", durations.between(0, random.choice([10, 100, 1000, 6000])))
    if chance < 0.5:
        return Step("expect", _guesses(panel, random))
    if chance < 0.55:
        word = random.choice(["unplug", "plug"])
        has_cards = Feature.LOST_CARDS in panel.features or word == "plug"
        return Step(word, random.choice(["audio", "gpio"] if has_cards else ["gpio"]))
    if chance < 0.58:
        return Step("show")
    if chance < 0.60:
        return Step("seed", str(random.choice([0, 1, 42, 2**64 - 1])))
    device = random.choice(movable)
    if chance < 0.63 and device.kind != "encoder":
        return Step("bounce", {device.name: random.choice(["0ms", "1ms", "3.5ms", "20ms"])})
    if device.kind == "encoder":
        return Step("turn", {device.name: str(random.choice([1, 1, -1, 2, -3, 10, -40]))})
    if device.kind == "switch":
        return Step("switch", {device.name: random.choice(["on", "off"])})
    word = random.choice(["press", "release", "click", "click", "click", "hold"])
    return Step(word, {device.name: durations.between(1, 2500)} if word == "hold" else device.name)


def _guesses(panel: Panel, random: Random) -> Pairs:
    """What a step expects: anything that could be there."""
    guesses: Pairs = {}
    for region in panel.regions:
        if random.random() < 0.5:
            alone = len(panel.regions) == 1
            guesses["state" if alone else f"state.{region.name}"] = random.choice(region.states)
    for output, lamps in panel.outputs.items():
        if random.random() < 0.4:
            looks = ["on", "off"] + (["blinking", "pulsing", "0.3", "0.5"] if lamps < 0 else [])
            guesses[output] = str(random.randint(0, lamps)) if lamps > 0 else random.choice(looks)
    for value, (least, most) in panel.values.items():
        if random.random() < 0.4:
            guesses[value] = str(random.randint(least, most))
    if not guesses or panel.sounds and random.random() < 0.5:
        sounds = [sound for sound in panel.sounds if random.random() < 0.4]
        guesses["playing"] = ",".join(sounds)
    return guesses


# A failure of `simulate`: the step's line, what was expected and what was there.
_FAILURE = re.compile(r"^<standard input>:(\d+):\d+: expected (\S+) .*[,;] it is (.*)$", re.MULTILINE)


def correct_guesses(steps: list[Step], failures: str, random: Random) -> None:
    """Takes half of what a first run has found wrong over as it was there, so that some steps fail and most hold."""
    for line, name, seen in _FAILURE.findall(failures):
        guesses = steps[int(line) - 1].argument
        if not isinstance(guesses, dict) or name not in guesses or random.random() < 0.5:
            continue
        if name == "playing":
            seen = "" if seen == "nothing" else seen.replace(", ", ",")
        guesses[name] = seen


def as_lines(steps: list[Step]) -> bytes:
    return "".join(step.line + "\n" for step in steps).encode()


def as_file(steps: list[Step], random: Random) -> bytes:
    return write({"scenario": "S", "steps": [step.tree for step in steps]}, random)
