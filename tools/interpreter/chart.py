"""A panel's states and regions, as the panel file nests them."""

from typing import Any, Iterator

Tree = dict[str, Any]


class Region:
    def __init__(self, name: str | None, tree: Tree, owner: "State", chart: "Chart"):
        self.name = name
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
            for region_name, body in tree["regions"].items():
                self.regions.append(Region(region_name, body, self, chart))
        elif "states" in tree:
            self.regions.append(Region(None, tree, self, chart))

    @property
    def parent(self) -> "State | None":
        return self.region.owner if self.region else None

    def chain(self) -> Iterator["State"]:
        """The state and those around it, the innermost first, the top level last."""
        state: State | None = self
        while state:
            yield state
            state = state.parent

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
        """The state that a transition names: one of the same region of the top level, or of the only region that has it."""
        for state in self.states[1:]:
            if state.name == name and (asking is self.top or state.top_region is asking.top_region):
                return state
        raise KeyError(name)
