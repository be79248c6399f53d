"""Inputs that follow from others: chords of buttons, and switches whose contact is a condition."""

from typing import Any, Callable

from .chart import Tree
from .expressions import milliseconds

Ask = Callable[[str], bool]


class ComputedSwitch:
    def __init__(self, name: str, tree: Tree, ask: Ask):
        self.name = name
        self.tree = tree
        self.debounce = milliseconds(tree.get("debounce", "0ms"))
        self.position = self._wanted(ask, "off")
        self.due: int | None = None

    def _wanted(self, ask: Ask, position: str) -> str:
        conditions = self.tree["switch"]
        if ask(conditions["on"]):
            return "on"
        return position if "off" in conditions and not ask(conditions["off"]) else "off"

    def follow(self, event: str, now: int, ask: Ask, positions: dict[str, str]) -> list[str]:
        if self._wanted(ask, self.position) == self.position:
            self.due = None
            return []
        if not self.debounce:
            return self._move()
        # Between two positions there is only the other one to wait for.
        self.due = self.due or now + self.debounce
        return []

    def settle(self) -> list[str]:
        self.due = None
        return self._move()

    def _move(self) -> list[str]:
        self.position = "off" if self.position == "on" else "on"
        return [f"{self.name}.{self.position}"]


class Chord:
    def __init__(self, name: str, tree: Tree):
        self.name = name
        self.buttons: list[str] = tree["chord"]
        self.within = milliseconds(tree.get("within", "300ms"))
        self.hold = milliseconds(tree["hold"]) if "hold" in tree else None
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


Derived = ComputedSwitch | Chord


def derived(inputs: dict[str, Any], ask: Ask) -> list[Derived]:
    """In the order of the file."""
    found: list[Derived] = []
    for name, tree in inputs.items():
        if "chord" in tree:
            found.append(Chord(name, tree))
        elif isinstance(tree.get("switch"), dict):
            found.append(ComputedSwitch(name, tree, ask))
    return found
