"""A panel's states and regions, as the panel file nests them."""

import re
from typing import Any, Iterator

Tree = dict[str, Any]


def numbered(tree: Any, number: int) -> Any:
    """A part of a file with a number in place of `each`."""
    if isinstance(tree, dict):
        return {numbered(key, number): numbered(value, number) for key, value in tree.items()}
    if isinstance(tree, list):
        return [numbered(element, number) for element in tree]
    return re.sub(r"\beach\b", str(number), tree) if isinstance(tree, str) else tree


def repeated(name: str, tree: Tree, number: int | None) -> Iterator[tuple[str, Tree, int | None]]:
    """The regions that one of the file is: with `each` one for each number. Those inside one have its number, too."""
    if "each" not in tree:
        yield f"{name}({number})" if number else name, tree, number
        return
    first, last = tree["each"].split("..")
    for own in range(int(first), int(last) + 1):
        yield f"{name}({own})", numbered({key: value for key, value in tree.items() if key != "each"}, own), own


class Region:
    def __init__(self, name: str | None, tree: Tree, owner: "State", chart: "Chart", number: int | None = None):
        self.name = name
        self.each = number
        self.owner = owner
        self.number = len(chart.regions)
        chart.regions.append(self)
        self.initial: str = tree["initial"]
        self.states = {name: State(name, body or {}, self, chart) for name, body in tree["states"].items()}


class State:
    """A state; the first one of a chart is the top level."""

    def __init__(self, name: str, tree: Tree, region: Region | None, chart: "Chart"):
        self.name = name
        self.tree = tree
        self.region = region
        self.number = len(chart.states)
        chart.states.append(self)
        self.regions: list[Region] = []
        if "regions" in tree:
            for name, body in tree["regions"].items():
                for region_name, own, number in repeated(name, body, region.each if region else None):
                    self.regions.append(Region(region_name, own, self, chart, number))
        elif "states" in tree:
            self.regions.append(Region(None, tree, self, chart, region.each if region else None))

    @property
    def parent(self) -> "State | None":
        return self.region.owner if self.region else None

    def chain(self) -> Iterator["State"]:
        """The state and those around it, the innermost first, the top level last."""
        state: State | None = self
        while state:
            yield state
            state = state.parent

    def regions_around(self) -> list[Region]:
        """The regions that the state is in, the innermost first."""
        return [state.region for state in self.chain() if state.region]

    @property
    def top_region(self) -> Region | None:
        region = None
        for state in self.chain():
            region = state.region or region
        return region


class Chart:
    def __init__(self, tree: Tree):
        self.states: list[State] = []
        self.regions: list[Region] = []
        self.top = State("", tree, None, self)

    def state(self, name: str, asking: State) -> State:
        """The state that a transition names: the nearest one around it, or that of the only region that has it."""
        for around in [*asking.regions_around(), None]:
            for state in self.states[1:]:
                if state.name == name and (around is None or around in state.regions_around()):
                    return state
        raise KeyError(name)
