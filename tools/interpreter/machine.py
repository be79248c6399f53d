"""What a panel does, by the rules of docs/panels/reference.md: a second implementation, to compare the first one with."""

import re
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, Callable

from . import numbers
from .chart import Chart, Region, State, Tree
from .clock import MINUTE, Clock, days, in_order, times
from .derived import NO_EVENT, derived
from .expressions import Expression, Value, ages
from .looks import Looks
from .numbers import Number, milliseconds
from .sensors import Sensor

MOST_STEPS = 100


class Endless(Exception):
    """Transitions, or deadlines at one moment, follow from each other without end."""


@dataclass
class Transition:
    tree: Tree
    source: State
    target: State | None
    resumes: bool


@dataclass
class Deadline:
    kind: str
    state: State
    key: str
    what: Any
    due: int
    entry: int
    delay: int


def _initial(kind: Tree) -> Any:
    if "list" in kind:
        return [numbers.read(kind["filled"])] * int(kind["list"]) if "filled" in kind else []
    number = numbers.read(kind["initial"])
    return number if number.kind == "time" else Number(number.size, int(kind.get("decimals", 0)), number.kind)


@dataclass
class Waiting:
    """What a time of day does as soon as its condition is known."""

    what: Any
    state: State
    due: int
    entry: int


class Machine:
    def __init__(self, tree: Tree, start: dict[str, str] | None = None):
        self.tree = tree
        self.chart = Chart(tree)
        self.now = 0
        self.kinds: Tree = tree.get("values", {})
        self.lists = {name for name, kind in self.kinds.items() if "list" in kind}
        self.clock = Clock((start or {}).get("zone", "UTC"))
        self.times = in_order(tree)
        # Up to when times of day have been looked at, and on which dates which lines have been taken.
        self.looked: int | None = None
        self.waiting: list[Waiting] = []
        self.taken: set[tuple[int, str, date]] = set()
        self.values: dict[str, Any] = {name: _initial(kind) for name, kind in self.kinds.items()}
        self.sensors = {name: Sensor(name, kind) for name, kind in tree["inputs"].items() if "sensor" in kind}
        self.positions = {name: self._rest(name) for name in tree["inputs"] if name not in self.sensors}
        for name, position in (start or {}).items():
            if name in self.sensors:
                self.sensors[name].sense(position)
            elif name == "clock":
                self.clock.set(position, 0)
                self.looked = self.clock.at(0)
            elif name != "zone":
                self.positions[name] = position
        self.members: dict[str, int] = {name: 0 for name, kind in tree["inputs"].items() if "buttons" in kind}
        self.current: dict[Region, State] = {}
        self.remembered: dict[Region, State] = {}
        self.entered: dict[Region, int] = {}
        self.entries: dict[Region, int] = {}
        self.deadlines: list[Deadline] = []
        self.finished: list[State] = []
        self.at_once = 0
        self.looks = Looks(tree.get("outputs", {}), self.kinds, self.chart.top, self._inside, self._value)
        self.derived = derived(tree, lambda text: self._value(text, None), self.clock)
        self._note_positions()
        for region in self.chart.top.regions:
            self._enter_default(region, resumes=False)
        self._arm(self.chart.top, 0)
        self._settle()
        self._run_due()

    def _rest(self, name: str) -> str:
        kind = self.tree["inputs"][name]
        return "off" if "switch" in kind else "released"

    def _note_positions(self) -> None:
        for input in self.derived:
            self.positions[input.name] = input.position

    # What is asked

    def _value(self, text: Any, state: State | None) -> Value:
        return Expression(str(text), lambda name: self._look(name, state), self.lists).value()

    def _look(self, name: str, state: State | None) -> Value:
        if name == "elapsed":
            assert state and state.region
            return numbers.duration(self.now - self.entered[state.region])
        if name == "clock" or name.startswith("clock."):
            return self._clock(name)
        if name == "state" or name.startswith("state."):
            return {current.name for current in self._current(name.removeprefix("state").removeprefix("."))}
        if found := re.fullmatch(r"(.+)\.count\((.+)\)", name):
            return self._count(found[1], found[2])
        if name in self.values:
            return self.values[name]
        if name in self.sensors:
            return self.sensors[name].number
        if name.endswith(".position"):
            name = name.removesuffix(".position")
            return {self.sensors[name].position if name in self.sensors else self.positions[name]}
        if name in self.members:
            return numbers.whole(self.members[name])
        if name in self.looks.names:
            return {self.looks.text(name)}
        return {self.positions.get(name, "released")}

    def _current(self, region_name: str) -> list[State]:
        """The current states inside a region: the named one, or the only one of the top level."""
        for region in self.chart.regions:
            if region.name == region_name or (not region_name and region.owner is self.chart.top):
                return self._inside(region)
        raise KeyError(region_name)

    def _clock(self, name: str) -> Value:
        moment = self.clock.local(self.now)
        if name == "clock.position":
            return {"there" if moment else "unknown"}
        if not moment:
            return None
        if name == "clock":
            return Number(Fraction(moment.hour * 60 + moment.minute), 0, "time")
        return numbers.whole({"weekday": moment.isoweekday(), "day": moment.day, "month": moment.month}[name.split(".")[1]])

    def _count(self, name: str, state_name: str) -> int:
        """How many of the regions of `each` are in a state."""
        regions = [region for region in self.chart.regions if region.name and region.name.split("(")[0] == name]
        return sum(state_name in {state.name for state in self._inside(region)} for region in regions)

    def _inside(self, region: Region) -> list[State]:
        state = self.current.get(region)
        if not state:
            return []
        return [state] + [inner for own in state.regions for inner in self._inside(own)]

    def _leaves(self) -> list[State]:
        return [state for region in self.chart.regions if (state := self.current.get(region)) and not state.regions]

    # Choosing

    def _transitions(self, what: Any, source: State) -> list[Transition]:
        items = what if isinstance(what, list) else [what]
        transitions = []
        for item in items:
            tree = item if isinstance(item, dict) else {"go": item}
            name = tree.get("go") or tree.get("resume")
            target = self.chart.state(name, source) if name else None
            transitions.append(Transition(tree, source, target, "resume" in tree))
        return transitions

    def _first(self, what: Any, source: State) -> Transition | None:
        for transition in self._transitions(what, source):
            if "if" not in transition.tree or self._value(transition.tree["if"], source):
                return transition
        return None

    def _choose(self, answer: Callable[[State], Transition | None]) -> list[Transition]:
        asked: dict[State, Transition | None] = {}
        chosen: list[Transition] = []
        for leaf in self._leaves():
            for state in leaf.chain():
                if state not in asked:
                    asked[state] = answer(state)
                transition = asked[state]
                if transition is None:
                    continue
                is_elsewhere = transition.target and transition.target.top_region is not leaf.top_region
                if state is self.chart.top and is_elsewhere:
                    break
                if transition not in chosen:
                    chosen.append(transition)
                break
        return self._without_conflicts(chosen)

    def _without_conflicts(self, chosen: list[Transition]) -> list[Transition]:
        kept: list[Transition] = []
        for transition in chosen:
            left = set(self._left_by(transition))
            rivals = [other for other in kept if left & set(self._left_by(other))]
            if all(other.source is not transition.source and other.source in transition.source.chain() for other in rivals):
                kept = [other for other in kept if other not in rivals] + [transition]
        return kept

    def _domain(self, transition: Transition) -> Region:
        """The region in which a transition leaves a state."""
        source, target = transition.source, transition.target
        assert target and target.region
        if source is target:
            return target.region
        targets = list(target.chain())
        for state in source.chain():
            if state is target:
                return target.region
            if state in targets:
                inner = targets[targets.index(state) - 1].region
                assert inner
                return inner
        raise AssertionError("the top level is around every state")

    def _left_by(self, transition: Transition) -> list[State]:
        """The states that a transition leaves, the outermost first."""
        return self._inside(self._domain(transition)) if transition.target else []

    # Steps

    def _step(self, chosen: list[Transition]) -> None:
        left: list[State] = []
        for transition in chosen:
            left += [state for state in self._left_by(transition) if state not in left]
        for state in reversed(left):
            self._set(state.tree.get("exit", {}).get("set", {}), state)
            region = state.region
            assert region
            self.remembered[region] = state
            del self.current[region]
        self.deadlines = [deadline for deadline in self.deadlines if deadline.state not in left]
        for transition in chosen:
            self._set(transition.tree.get("set", {}), transition.source)
        for transition in chosen:
            if transition.target:
                self._enter_by(transition)

    def _enter_by(self, transition: Transition) -> None:
        target = transition.target
        assert target
        chain = list(target.chain())
        # From the region in which a state was left: what is beside it is not entered by this transition.
        outermost = next(place for place, state in enumerate(chain) if state.region is self._domain(transition))
        path = list(reversed(chain[: outermost + 1]))
        for place, state in enumerate(path):
            assert state.region
            if self.current.get(state.region) is not state:
                self._enter(state)
            following = path[place + 1].region if place + 1 < len(path) else None
            for region in state.regions:
                if region is not following and region not in self.current:
                    self._enter_default(region, resumes=transition.resumes and state is target)

    def _enter_default(self, region: Region, resumes: bool) -> None:
        state = (self.remembered.get(region) if resumes else None) or region.states[region.initial]
        self._enter(state)
        for inner in state.regions:
            self._enter_default(inner, resumes)

    def _enter(self, state: State) -> None:
        region = state.region
        assert region
        self.current[region] = state
        self.entered[region] = self.now
        self.entries[region] = self.entries.get(region, 0) + 1
        self._set(state.tree.get("enter", {}).get("set", {}), state)
        self._arm(state, self.entries[region])
        if state.tree.get("final"):
            owner = region.owner
            if all((own := self.current.get(other)) and own.tree.get("final") for other in owner.regions):
                self.finished.append(owner)

    def _arm(self, state: State, entry: int) -> None:
        for kind, entries in state.tree.items():
            if kind == "when" and state.region:
                for condition in entries:
                    for age in ages(condition):
                        self.deadlines.append(Deadline("when", state, condition, None, self.now + age, entry, age))
            if kind not in ("after", "every", "untouched"):
                continue
            for key, what in entries.items():
                delay = int(self.values[key]) if key in self.values else milliseconds(key)
                self.deadlines.append(Deadline(kind, state, key, what, self.now + delay, entry, delay))

    def _set(self, assignments: Tree, state: State) -> None:
        """Sets values; what they are set to is computed before the first one changes."""
        new: list[tuple[str, int | None, Any]] = []
        for name, what in assignments.items():
            if found := re.fullmatch(r"([^(]+)\((.*)\)", name):
                place = self._value(found[2], state)
                number = self._element(found[1], place, what, state)
                new += [(found[1], int(place), number)] if number is not None else []
            elif name in self.lists:
                new.append((name, None, self._list(name, what, state)))
            elif (number := self._changed(what, self.values[name], state)) is not None:
                new.append((name, None, self._fitting(name, number)))
        for name, place, value in new:
            old = self.values[name]
            self.values[name] = value if place is None else old[: place - 1] + [value] + old[place:]

    def _element(self, name: str, place: Number | None, what: Any, state: State) -> Number | None:
        """What an element is set to; nothing where the list has none of that place."""
        if place is None or not 1 <= place.size <= len(self.values[name]):
            return None
        number = self._changed(what, self.values[name][int(place) - 1], state)
        return None if number is None else self._fitting(name, number)

    def _list(self, name: str, what: Any, state: State) -> list[Number]:
        if isinstance(what, list):
            return [numbers.whole(element) for element in what]
        if what in self.lists:
            return [self._fitting(name, element) for element in self.values[what]][: int(self.kinds[name]["list"])]
        elements = list(self.values[name])
        added = self._value(what.removeprefix("append "), state)
        if added is not None:
            elements.append(self._fitting(name, added))
        return elements[: int(self.kinds[name]["list"])]

    def _changed(self, what: Any, old: Number, state: State) -> Number | None:
        text = str(what)
        number = self._value(text.lstrip("="), state)
        return numbers.add(old, number) if text[0] in "+-" and number is not None else number

    def _fitting(self, name: str, number: Number) -> Number:
        """A number as the value has it: with its decimals and in its range."""
        kind = self.kinds[name]
        if number.kind == "time":
            return number
        number = numbers.rounded(number, int(kind.get("decimals", 0)))
        return numbers.within(number, numbers.read(kind["min"]), numbers.read(kind["max"]))

    def _macrostep(self, chosen: list[Transition]) -> None:
        self._step(chosen)
        self._settle()

    def _settle(self) -> None:
        steps = 0
        while True:
            chosen = self._choose(self._when)
            if not chosen:
                if not self.finished:
                    return
                state = self.finished.pop(0)
                assert state.region
                if self.current.get(state.region) is state and "done" in state.tree:
                    done = self._first(state.tree["done"], state)
                    chosen = [done] if done else []
            if chosen:
                steps += 1
                if steps > MOST_STEPS:
                    raise Endless
                self._step(chosen)

    def _when(self, state: State) -> Transition | None:
        for condition, what in state.tree.get("when", {}).items():
            for transition in self._transitions(what, state):
                target = transition.target
                assert target and target.region
                if self.current.get(target.region) is target or not self._value(condition, state):
                    continue
                if "if" not in transition.tree or self._value(transition.tree["if"], state):
                    return transition
        return None

    # Events and time

    def tell(self, *events: str, is_touch: bool = True) -> None:
        """An event of an input, by all names that a file has for it."""
        if is_touch:
            self._touch()
        self.at_once = 0
        self._follow(*events)
        self._run_due()

    def _react(self, *events: str) -> None:
        def answer(state: State) -> Transition | None:
            for key, what in state.tree.get("on", {}).items():
                if any(part.strip() in events for part in key.split("|")):
                    found = self._first(what, state)
                    if found:
                        return found
            return None

        self._macrostep(self._choose(answer))
        self._ask_again()

    def set_clock(self, text: str) -> None:
        was_there = self.clock.is_there
        # A clock that is set is there.
        self.clock.is_there = True
        before = self.clock.at(self.now)
        self.clock.set(text, self.now)
        moment = self.clock.at(self.now)
        if before is None or moment is None or moment < (before if was_there else self.looked or 0):
            self.looked = moment
        if before is not None and moment is not None and before - moment > 12 * 60 * MINUTE:
            self.taken.clear()
        self._look_at_clock()

    def plug_clock(self, is_there: bool) -> None:
        """A clock that is not there is unknown. It goes on."""
        self.clock.is_there = is_there
        self.looked = self.looked or self.clock.at(self.now)
        self._look_at_clock()

    def _look_at_clock(self) -> None:
        """Switches that follow the clock come first, then conditions, then times of day."""
        self.at_once = 0
        self._follow()
        self._settle_inputs()
        self._react(NO_EVENT)
        self._reach_times()
        self._run_due()

    def _follow(self, *events: str) -> None:
        """An event of an input, then those of the inputs that follow from it."""
        following: list[str] = []
        for input in self.derived:
            following += input.follow(events[0] if events else NO_EVENT, self.now, lambda text: self._value(text, None), self.positions)
        self._note_positions()
        if events:
            self._react(*events)
        for event in following:
            self._react(event)

    def _reach_times(self) -> None:
        """Times of day that have come since they were looked at last, in their order, then in that of the file."""
        moment = self.clock.at(self.now)
        if moment is None or self.looked is None or moment <= self.looked:
            return
        looked, self.looked = self.looked, moment
        found = []
        for day in self.clock.dates(looked, moment):
            for place, time in enumerate(self.times):
                word, _, names = time.partition(" ")
                minutes = int(self.values[word] if word in self.values else numbers.read(word))
                occurrence = self.clock.occurrence(day, minutes)
                if looked < occurrence <= moment and day.weekday() in days(names):
                    found.append((occurrence, place, time, day))
        # A state that one of these times enters was not current at another one.
        before = set(self.current.values())
        for occurrence, _, time, day in sorted(found):
            self._reach(time, day, moment - occurrence, before)

    def _reach(self, time: str, day: date, late: int, before: set[State]) -> None:
        def answer(state: State) -> Transition | None:
            for key, what in state.tree.get("at", {}).items():
                line = (state.number, time, day)
                if time not in times(key) or line in self.taken or (state.region and state not in before):
                    continue
                transition, is_unknown = self._timely(what, state, late)
                if transition:
                    self.taken.add(line)
                    return transition
                if is_unknown:
                    self.waiting.append(Waiting(what, state, self.now - late, self._entry(state)))
            return None

        self._macrostep(self._choose(answer))

    def _timely(self, what: Any, state: State, late: int) -> tuple[Transition | None, bool]:
        """The first transition that is not too late and whose condition holds; if there is none, whether one is unknown."""
        is_unknown = False
        for transition in self._transitions(what, state):
            if late > milliseconds(transition.tree.get("late", "1m")):
                continue
            holds = self._value(transition.tree["if"], state) if "if" in transition.tree else True
            if holds:
                return transition, False
            is_unknown = is_unknown or holds is None
        return None, is_unknown

    def _ask_again(self) -> None:
        """Times of day wait while their condition is unknown, and are not too late."""
        for waiting in list(self.waiting):
            if waiting not in self.waiting:
                continue
            is_current = waiting.state.region is None or self.current.get(waiting.state.region) is waiting.state
            transition, is_unknown = None, False
            if is_current and waiting.entry == self._entry(waiting.state):
                transition, is_unknown = self._timely(waiting.what, waiting.state, self.now - waiting.due)
            if not is_unknown:
                self.waiting.remove(waiting)
            if transition:
                self._macrostep([transition])

    def _entry(self, state: State) -> int:
        return self.entries[state.region] if state.region else 0

    def _touch(self) -> None:
        for deadline in self.deadlines:
            if deadline.kind == "untouched":
                deadline.due = self.now + milliseconds(deadline.key)

    def wait(self, span: int) -> None:
        end = self.now + span
        while (due := self._next_due(end)) <= end:
            self.now = due
            if self._is_minute():
                self._look_at_clock()
            else:
                self._run_due()
        self.now = end

    def _is_minute(self) -> bool:
        moment = self.clock.at(self.now)
        return moment is not None and moment % MINUTE == 0

    def _next_due(self, end: int) -> int:
        moments = [deadline.due for deadline in self.deadlines] + [input.due for input in self.derived if input.due]
        if minute := self.clock.next_minute(self.now):
            moments.append(minute)
        return min(moments, default=end + 1)

    def _run_due(self) -> None:
        """Everything that is due now: inputs first, what comes together in the order of the file, what follows from it after that."""
        self._settle_inputs()
        while due := sorted((deadline for deadline in self.deadlines if deadline.due <= self.now), key=self._order):
            for deadline in due:
                # One of a state that has been left meanwhile is void.
                if deadline in self.deadlines:
                    self._pass(deadline)

    def _settle_inputs(self) -> None:
        for input in self.derived:
            if input.due and input.due <= self.now:
                events = input.settle()
                self._note_positions()
                for event in events:
                    self._react(event)

    def _order(self, deadline: Deadline) -> tuple[int, int]:
        region = deadline.state.region
        return (region.number if region else -1, self._place(deadline))

    @staticmethod
    def _place(deadline: Deadline) -> int:
        keys = [
            (kind, key) for kind in deadline.state.tree if kind in ("after", "every", "untouched", "when")
            for key in deadline.state.tree[kind]
        ]
        return keys.index((deadline.kind, deadline.key))

    def _pass(self, deadline: Deadline) -> None:
        self.deadlines.remove(deadline)
        if deadline.kind == "when":
            self._macrostep([])
            return
        if deadline.kind == "every":
            again = Deadline(
                "every", deadline.state, deadline.key, deadline.what, self.now + deadline.delay, 0, deadline.delay
            )
            self.deadlines.append(again)
        elif deadline.kind == "untouched":
            # It waits for the next touch.
            far = Deadline("untouched", deadline.state, deadline.key, deadline.what, 1 << 60, 0, deadline.delay)
            self.deadlines.append(far)
        found = self._first(deadline.what, deadline.state)
        if found:
            self.at_once = self.at_once + 1 if deadline.delay == 0 else 0
            if self.at_once > MOST_STEPS * len(self.chart.regions):
                raise Endless
            self._macrostep([found])
            self._ask_again()

    # What is seen

    def view(self) -> dict[str, str]:
        """The states, outputs, values and positions of inputs, as `show` prints them."""
        seen: dict[str, str] = {}
        for region in self.chart.regions:
            if region.owner is not self.chart.top and region.name is None:
                continue
            seen[f"state.{region.name}" if region.name else "state"] = self._path(region)
        for name, value in self.values.items():
            seen[name] = "[" + ",".join(map(str, value)) + "]" if name in self.lists else str(value)
        seen |= {name: self.looks.text(name) for name in self.looks.names}
        seen |= {name: str(sensor) for name, sensor in self.sensors.items()}
        return seen | {name: position for name, position in self.positions.items() if name not in self.members}

    def _path(self, region: Region) -> str:
        state = self.current.get(region)
        if not state:
            return "-"
        path = [state.name]
        while state.regions and state.regions[0].name is None and (inner := self.current.get(state.regions[0])):
            state = inner
            path.append(state.name)
        return "/".join(path)
