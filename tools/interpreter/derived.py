"""Inputs that follow from others: chords of buttons, and switches whose contact is a condition."""

from typing import Any, Callable

from . import numbers
from .chart import Tree
from .clock import Clock, days, is_between
from .numbers import milliseconds

Ask = Callable[[str], bool | None]

NO_EVENT = ""
"""Something has changed, and conditions are asked, but no transition reacts to it."""


class ComputedSwitch:
    def __init__(self, name: str, tree: Tree, ask: Ask):
        self.name = name
        self.tree = tree
        self.debounce = milliseconds(tree.get("debounce", "0ms"))
        self.position = "unknown"
        self.wanted = "unknown"
        self.due: int | None = None
        self.follow("", 0, ask, {})

    def _wanted(self, ask: Ask) -> str:
        conditions = self.tree["switch"]
        on = ask(conditions["on"])
        off = ask(conditions["off"]) if "off" in conditions else None if on is None else not on
        if on or off:
            return "on" if on else "off"
        return "off" if self.position == "unknown" and on is False and off is False else self.position

    def follow(self, event: str, now: int, ask: Ask, positions: dict[str, str]) -> list[str]:
        before, self.wanted = self.wanted, self._wanted(ask)
        if self.wanted == self.position:
            self.due = None
            return []
        if not self.debounce:
            return self._move()
        if self.due is None or self.wanted != before:
            self.due = now + self.debounce
        return []

    def settle(self) -> list[str]:
        self.due = None
        return self._move()

    def _move(self) -> list[str]:
        """The events of a new position. That it is known for the first time is none."""
        was_known = self.position != "unknown"
        self.position = self.wanted
        return [f"{self.name}.{self.position}" if was_known else NO_EVENT]


class Chord:
    def __init__(self, name: str, tree: Tree, uses_held: bool):
        self.name = name
        self.buttons: list[str] = tree["chord"]
        self.within = milliseconds(tree.get("within", "300ms"))
        self.hold = milliseconds(tree.get("hold", "1s")) if "hold" in tree or uses_held else None
        self.position = "released"
        self.due: int | None = None
        self.is_click = False
        # When each button that is down has been pressed.
        self.presses: dict[str, int] = {}

    def follow(self, event: str, now: int, ask: Ask, positions: dict[str, str]) -> list[str]:
        button, _, word = event.partition(".")
        if button not in self.buttons:
            return []
        if word == "released":
            self.presses.pop(button, None)
            return self._release() if self.position == "pressed" else []
        self.presses[button] = now
        # What is due comes before a step: a press of exactly so long ago is too old.
        are_close = all(now - self.presses.get(other, -1 << 60) < self.within for other in self.buttons)
        if self.position == "pressed" or not are_close:
            return []
        self.position = "pressed"
        self.is_click = True
        self.due = now + self.hold if self.hold else None
        return [f"{self.name}.pressed"]

    def _release(self) -> list[str]:
        self.position = "released"
        self.due = None
        return [f"{self.name}.released"] + ([f"{self.name}.clicked"] if self.is_click else [])

    def settle(self) -> list[str]:
        self.due = None
        self.is_click = False
        return [f"{self.name}.held"]


class ClockSwitch:
    """A switch that is on from one time of day up to another one."""

    def __init__(self, name: str, tree: Tree, clock: Clock):
        self.name = name
        first, last = tree["switch"]["between"].split("..")
        self.first, self.last = (int(numbers.read(time)) for time in (first, last))
        self.begins = days(tree["switch"].get("days", ""))
        self.clock = clock
        self.position = "unknown"
        self.due: int | None = None
        self.follow("", 0, lambda text: None, {})

    def follow(self, event: str, now: int, ask: Ask, positions: dict[str, str]) -> list[str]:
        before, moment = self.position, self.clock.local(now)
        self.position = "unknown"
        if moment:
            self.position = "on" if is_between(moment, self.first, self.last, self.begins) else "off"
        if before == self.position:
            return []
        return [NO_EVENT if "unknown" in (before, self.position) else f"{self.name}.{self.position}"]

    def settle(self) -> list[str]:
        raise AssertionError("nothing of it is due")


Derived = ComputedSwitch | Chord | ClockSwitch


def derived(file: Tree, ask: Ask, clock: Clock) -> list[Derived]:
    """In the order of the file."""
    found: list[Derived] = []
    for name, tree in file["inputs"].items():
        if "chord" in tree:
            found.append(Chord(name, tree, f"{name}.held" in str(file)))
        elif isinstance(tree.get("switch"), dict) and "between" in tree["switch"]:
            found.append(ClockSwitch(name, tree, clock))
        elif isinstance(tree.get("switch"), dict):
            found.append(ComputedSwitch(name, tree, ask))
    return found
