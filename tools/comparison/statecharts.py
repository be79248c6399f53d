"""Random states and regions, and what leads from one state to another."""

from random import Random

from .panel import NAMES, Durations, Feature, Panel, Region
from .writing import Tree


class StatechartGenerator:
    """Puts them into a panel that has its devices and values."""

    def __init__(self, panel: Panel, durations: Durations, random: Random):
        self.random = random
        self.panel = panel
        self.durations = durations
        self._entering_values: list[str] = []
        self._moving_values: list[str] = []
        self._top_events: list[str] = []
        self._state_events: list[str] = []
        # With ties left out, only one region may do something at the moment of an entering.
        self._region_without_delay = random.randrange(4)

    def generate(self) -> None:
        random, panel, tree = self.random, self.panel, self.panel.tree
        self._lay_out_regions()
        self._share_events_and_values()
        if self._top_events and random.random() < 0.5:
            tree["on"] = {
                event: self._transitions(None, self._moving_values) for event in self._some(self._top_events, 3)
            }
        if panel.outputs and random.random() < 0.4:
            tree["show"] = self._shows(list(panel.outputs))
        regions = {region.name: self._region(number, region) for number, region in enumerate(panel.regions)}
        if "" in regions:
            tree |= regions[""]
        else:
            tree["regions"] = dict(regions)
        if panel.outputs and random.random() < 0.3:
            tree["safe"] = {
                name: random.choice(["on", "off"]) if lamps <= 0 else str(random.randint(0, lamps))
                for name, lamps in self._some_of(panel.outputs).items()
            }

    def _lay_out_regions(self) -> None:
        random, panel = self.random, self.panel
        count = random.choice([0, 0, 0, 0, 1, 2, 2, 3, 4])
        names = [""] if count == 0 else self._distinct_names(count)
        for name in names:
            panel.regions.append(Region(name, self._distinct_names(random.choice([1, 2, 2, 3, 4, 6]))))
        for output in panel.outputs:
            random.choice(panel.regions).outputs.append(output)

    def _distinct_names(self, count: int) -> list[str]:
        names: dict[str, None] = {}
        while len(names) < count:
            names[self.random.choice(NAMES)] = None
        return list(names)

    def _share_events_and_values(self) -> None:
        """Who may use which event and set which value."""
        random, panel = self.random, self.panel
        events = [event for input in panel.inputs for event in input.events]
        events += [f"{sound}.finished" for sound, ends in panel.sounds.items() if ends]
        events += ["gpio.lost", "gpio.restored", "audio.lost", "audio.restored"]
        if random.random() < 0.6:
            # Few events, so that several regions and the top level want the same one.
            events = random.sample(events, min(len(events), random.randint(2, 6)))
        self._top_events, self._state_events = events, events
        if len(panel.regions) > 1 and Feature.CATCH_ALL not in panel.features:
            self._top_events = [event for event in events if random.random() < 0.3]
            self._state_events = [event for event in events if event not in self._top_events]
            if not self._state_events:
                self._state_events, self._top_events = self._top_events, []
        values = list(panel.values)
        self._entering_values, self._moving_values = values, values
        if len(panel.regions) > 1 and Feature.ENTRIES not in panel.features:
            self._entering_values = [value for value in values if random.random() < 0.4]
            self._moving_values = [value for value in values if value not in self._entering_values]

    def _region(self, number: int, region: Region) -> dict[str, Tree]:
        """Its states, so that each one can be reached: from an earlier one by a transition of its own."""
        states: dict[str, dict[str, Tree]] = {name: self._state(number, region) for name in region.states}
        for index, name in enumerate(region.states):
            if index == 0:
                continue
            source = states[self.random.choice(region.states[:index])]
            if self.random.random() < 0.7 and self._lead(source, "on", self.random.choice(self._state_events), name):
                continue
            self._lead(source, "after", self.durations.between(20, 4000), name)
        entries = list(states.items())
        if self.random.random() < 0.3:
            self.random.shuffle(entries)
        return {"initial": region.states[0], "states": dict(entries)}

    @staticmethod
    def _lead(source: dict[str, Tree], key: str, trigger: str, state: str) -> bool:
        """Adds a transition without a condition, unless there is one for that trigger already."""
        transitions = source.setdefault(key, {})
        assert isinstance(transitions, dict)
        return transitions.setdefault(trigger, state) is state

    def _state(self, number: int, region: Region) -> dict[str, Tree]:
        random, panel = self.random, self.panel
        state: dict[str, Tree] = {}
        if region.outputs and random.random() < 0.7:
            state["show"] = self._shows(region.outputs)
        if panel.sounds and random.random() < 0.4:
            state["play"] = self._some(list(panel.sounds), 3)
        if self._entering_values and random.random() < 0.3:
            state["enter"] = {"set": self._assignments(self._entering_values)}
        if random.random() < 0.8:
            state["on"] = {
                event: self._transitions(number, self._moving_values) for event in self._some(self._state_events, 4)
            }
        if random.random() < 0.4:
            delays = [self.durations.between(20, 5000) for _ in range(random.choice([1, 1, 2]))]
            if random.random() < 0.05 and number == self._region_without_delay:
                delays.append("0s")
            # A delay that is written twice would be an error.
            state["after"] = {
                delay: self._transitions(number, self._moving_values) for delay in dict.fromkeys(delays)
            }
        return dict(sorted(state.items(), key=lambda _: random.random())) if random.random() < 0.1 else state

    def _transitions(self, region: int | None, values: list[str]) -> Tree:
        """One transition or a list of them, of which only the last has no condition."""
        random = self.random
        if random.random() < 0.75:
            return self._transition(region, random.random() < 0.3, values)
        count = random.choice([1, 2, 2, 3])
        listed: list[Tree] = [self._transition(region, True, values) for _ in range(count)]
        if random.random() < 0.6:
            listed.append(self._transition(region, False, values))
        return listed

    def _transition(self, region: int | None, has_condition: bool, values: list[str]) -> Tree:
        random = self.random
        target = self._target(region)
        transition: dict[str, Tree] = {}
        if target is not None and (not values or random.random() < 0.75):
            if not has_condition and random.random() < 0.6:
                return target
            transition["go"] = target
        if values and (not transition or random.random() < 0.4):
            transition["set"] = self._assignments(values)
        if not transition:
            # At the top level no state may be one region's alone; this one is told as wrong then.
            transition["go"] = self.panel.regions[region or 0].states[0]
        if has_condition:
            transition["if"] = self._condition()
        return dict(sorted(transition.items(), key=lambda _: random.random())) if random.random() < 0.2 else transition

    def _target(self, region: int | None) -> str | None:
        """A state of the region; at the top level one that only one region has."""
        regions = self.panel.regions
        if region is not None:
            return self.random.choice(regions[region].states)
        everywhere = [state for each in regions for state in each.states]
        alone = [state for state in everywhere if everywhere.count(state) == 1]
        return self.random.choice(alone) if alone else None

    def _assignments(self, values: list[str]) -> Tree:
        random = self.random
        assignments: dict[str, Tree] = {}
        for value in self._some(values, 2):
            least, most = self.panel.values[value]
            change = random.choice(["+1", "-1", f"+{random.randint(0, 12)}", f"-{random.randint(2, 999999999)}"])
            # Without a sign a number is what the value becomes; one below 0 can't be written so.
            number = random.randint(max(0, least), max(0, most))
            sets = least <= number <= most and random.random() < 0.4
            assignments[value] = (random.choice(["", "", "0"]) + str(number))[-9:] if sets else change
        return assignments

    def _condition(self) -> str:
        comparisons = [self._comparison() for _ in range(self.random.choice([1, 1, 1, 2, 3]))]
        return " and ".join(comparisons)

    def _comparison(self) -> str:
        random, panel = self.random, self.panel
        if panel.values and random.random() < 0.6:
            name = random.choice(list(panel.values))
            least, most = panel.values[name]
            relation = random.choice(["==", "!=", "<", "<=", ">", ">="])
            constant = str(random.choice([least, most, random.randint(least, most)]))
            if constant[0] != "-" and random.random() < 0.1:
                constant = "+" + constant
        else:
            region = random.choice(panel.regions)
            alone = len(panel.regions) == 1 and (not region.name or random.random() < 0.5)
            name = "state" if alone else f"state.{region.name}"
            relation = random.choice(["==", "!="])
            constant = random.choice(region.states)
        gap = random.choice([" ", " ", " ", "", "  "])
        return f"{name}{gap}{relation}{gap}{constant}"

    def _shows(self, outputs: list[str]) -> Tree:
        return {name: self._look(self.panel.outputs[name]) for name in self._some(outputs, 3)}

    def _look(self, lamps: int) -> Tree:
        random = self.random
        if lamps > 0:
            return random.choice([str(random.randint(0, lamps))] + list(self.panel.values))
        if lamps == 0:
            return random.choice(["on", "off"])
        pause = self.durations.plain
        return random.choice(
            [
                "on",
                "off",
                {"blink": pause(20, 3000)},
                {"blink": {"on": pause(20, 500), "off": pause(20, 500)}},
                {"blink": {"on": pause(20, 300), "off": pause(20, 300), "times": str(random.randint(1, 20))}},
                {"pulse": pause(100, 4000)},
                {"level": random.choice(["0", "1", "0.3", "0.5", "1.0", "0.123456"])},
            ]
        )

    def _some(self, things: list[str], most: int) -> list[str]:
        return self.random.sample(things, self.random.randint(1, min(most, len(things))))

    def _some_of(self, things: dict[str, int]) -> dict[str, int]:
        return {name: things[name] for name in self._some(list(things), len(things))}
