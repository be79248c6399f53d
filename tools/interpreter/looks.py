"""What the outputs show: a look of the innermost current state that has one, or the first of its looks whose condition holds."""

from fractions import Fraction
from typing import Any, Callable, Iterator

from . import numbers
from .chart import Region, State, Tree
from .numbers import Number

Ask = Callable[[Any, State], Any]
Inside = Callable[[Region], list[State]]


class Looks:
    def __init__(self, outputs: Tree, values: Tree, top: State, inside: Inside, ask: Ask):
        self.outputs = outputs
        self.top = top
        self.inside = inside
        self.ask = ask
        self.ranges = dict(_range(name, kind) for name, kind in values.items() if "min" in kind)
        self.names = {shown: name for name, kind in outputs.items() for shown in _shown(name, kind)}

    def text(self, shown: str) -> str:
        """What an output or a member of a group shows."""
        name = self.names[shown]
        for state in self._states(name):
            show = state.tree.get("show", {})
            if shown in show or name in show:
                return self._text(show.get(shown, show.get(name)), name, shown, state)
        return _text("off", self.outputs[name])

    def _states(self, name: str) -> Iterator[State]:
        """The current states that decide about an output, the first one first."""
        regions = self.top.regions
        if "shown-by" in self.outputs[name]:
            regions = [region for other in self.outputs[name]["shown-by"] for region in regions if region.name == other]
        for region in regions:
            yield from reversed(self.inside(region))
        yield self.top

    def _text(self, look: Any, name: str, shown: str, state: State) -> str:
        kind = self.outputs[name]
        look = self._chosen(look, state)
        if isinstance(look, dict) and ("only" in look or "from" in look):
            look = self._chosen(look.get("as", "on"), state) if self._is_among(look, _shown(name, kind).index(shown) + 1, state) else "off"
        if "bar" in kind and look in self.ranges:
            return self._lamps(look, len(kind["bar"]), state)
        return _text(look, kind)

    def _lamps(self, name: str, count: int, state: State) -> str:
        """How many lamps of a bar are lit: none at the lowest number of a value, all at the highest, the nearest between."""
        low, high = self.ranges[name]
        part = (self.ask(name, state).size - low) / (high - low)
        return str(int(numbers.rounded(Number(part * count), 0)))

    def _chosen(self, look: Any, state: State) -> Any:
        while isinstance(look, dict) and "when" in look:
            entries = look["when"].items()
            look = next((found for condition, found in entries if condition == "else" or self.ask(condition, state)), "off")
        return look

    def _is_among(self, look: Tree, place: int, state: State) -> bool:
        ends = [look["only"]] * 2 if "only" in look else [look["from"], look["to"]]
        first, last = (self.ask(end, state) for end in ends)
        return first is not None and last is not None and first.size <= place <= last.size


def _range(name: str, kind: Tree) -> tuple[str, tuple[Fraction, Fraction]]:
    """What a bar takes, the value or the length of the list, with its lowest and highest number."""
    if "list" in kind:
        return f"{name}.count", (Fraction(0), Fraction(kind["list"]))
    return name, (numbers.read(kind["min"]).size, numbers.read(kind["max"]).size)


def _shown(name: str, kind: Tree) -> list[str]:
    return [f"{name}({place + 1})" for place in range(len(kind["leds"]))] if "leds" in kind else [name]


def _text(look: Any, kind: Tree) -> str:
    if "bar" in kind:
        return "0" if look == "off" else look
    if isinstance(look, str):
        return look
    if "level" in look:
        level: Number = numbers.read(look["level"])
        return {0: "off", 1: "on"}.get(level.size, str(level))
    return "blinking" if "blink" in look else "pulsing"
