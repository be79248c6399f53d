"""Sensors: what they have read, whether they are there, and the number that they count as."""

from . import numbers
from .chart import Tree
from .derived import NO_EVENT
from .numbers import Number


class Sensor:
    def __init__(self, name: str, tree: Tree):
        self.name = name
        self.tree = tree
        self.decimals = int(tree.get("decimals", 0))
        self.low, self.high = self._number(tree["min"]), self._number(tree["max"])
        self.position = "unknown"
        # What the hardware has, and what the panel has read last. A simulated sensor has 0 before the first step for it.
        self.wanted = numbers.within(self._number("0"), self.low, self.high)
        self.reading: Number | None = None

    @property
    def number(self) -> Number | None:
        if self.position == "lost":
            lost = self.tree.get("if-lost", "keep")
            if lost != "keep":
                return {"min": self.low, "max": self.high}.get(lost) or self._number(lost)
        if self.reading is None and "initial" in self.tree:
            return self._number(self.tree["initial"])
        return self.reading

    def _number(self, text: str) -> Number:
        return numbers.rounded(numbers.read(text), self.decimals)

    def sense(self, text: str) -> str | None:
        """The event of a new reading, if there is any change."""
        self.wanted = numbers.within(self._number(text), self.low, self.high)
        return self._read()

    def unplug(self) -> str | None:
        before, self.position = self.position, "lost"
        # A loss before the first reading is known, but no event.
        return {"lost": None, "unknown": NO_EVENT}.get(before, f"{self.name}.lost")

    def plug(self) -> str | None:
        return self._read()

    def _read(self) -> str | None:
        before, self.position = self.position, "there"
        old, self.reading = self.reading, self.wanted
        if before != "there":
            return f"{self.name}.restored" if before == "lost" else NO_EVENT
        return f"{self.name}.changed" if old != self.reading else None

    def __str__(self) -> str:
        return str(self.reading) if self.position == "there" else self.position
