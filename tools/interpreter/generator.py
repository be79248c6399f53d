"""Random panels of buttons, switches, chords and a statechart, and what somebody does with them."""

import re
from random import Random
from typing import Any

Tree = dict[str, Any]

EVENTS = [
    "a.pressed", "a.released", "b.pressed", "b.released", "s.on", "s.off", "pad.pressed", "pad(2).pressed", "pad.released",
    "pad(3).pressed",
]
DERIVED_EVENTS = ["c.pressed", "c.released", "c.held", "c.clicked", "w.on", "w.off"]
DELAYS = ["10ms", "20ms", "20ms", "30ms", "50ms", "80ms", "100ms"]
SENSOR_EVENTS = ["air.lost", "air.restored", "air.changed", "hum.changed", "hum.lost"]
SENSOR_TESTS = [
    "air > 2", "air <= 1.5", "hum == 2", "hum < 3", "air == unknown", "air == lost", "air != there", "hum == there", "hum != lost",
    "not (air > 2)", "air + hum < 4.5", "not (hum > n)", "abs(air) > 1", "max(air, hum) >= 3", "z(hum) > 2", "air * 2 == f",
]
OUTPUTS = ["lamp", "other", "lamps", "bar", "relay"]
CLOCK_TESTS = [
    "clock >= 06:31", "clock < wake", "clock == wake", "clock == unknown", "clock != unknown", "nt == on", "nt == unknown",
    "clock.weekday == 3", "clock.day > 25", "clock.month == 11", "not (clock < 12:00)", "clock == 00:00", "wake != 06:31",
    "clock + 1m == wake",
]
TIMES = ["06:30", "06:31", "06:31", "06:32", "23:59", "00:00", "00:01", "02:30", "02:00", "03:00", "wake"]
DAYS = ["", "", "", " mon..fri", " sat sun", " wed", " wed thu", " thu..sun", " sun..mon"]
CLOCKS = [
    "2026-11-25 06:29:59", "2026-11-25 06:30:00", "2026-11-25 06:31:30", "2026-11-25 23:58:59", "2026-11-25 23:59:59",
    "2026-11-28 23:59:30", "2026-11-26 06:30:58", "2026-03-29 01:59:58", "2026-10-25 01:59:30", "2026-10-25 02:29:59",
    "2026-11-25 06:28:00", "2026-11-25 14:00:00",
]
STEPS = [
    "press a", "release a", "press b", "release b", "switch s=on", "switch s=off", "press pad(1)", "release pad(1)", "press pad(2)",
    "release pad(2)", "press pad(3)", "release pad(3)",
]


class Generator:
    def __init__(self, random: Random):
        self.random = random
        # The states to which a transition can go, by the region of the top level or by the repeated region inside of one.
        self.names: dict[int | str, list[str]] = {}
        # Each region with a name: the first of its states, and the numbers for which it is repeated.
        self.regions: dict[str, tuple[str, str | None]] = {}
        # The region whose states are filled, and the numbers for which it is repeated.
        self.top: int | str = -1
        self.each: str | None = None
        self.count = 0
        self.decimals = random.randint(0, 3)
        # A panel with times of day has longer times, so that less happens until the next one.
        self.has_clock = random.random() < 0.3
        self.late = random.choice([None, None, "0m", "1m", "2h"])
        self.unit = "s" if self.has_clock else "ms"
        self.delays = [delay.replace("ms", self.unit) for delay in DELAYS]

    def panel(self) -> Tree:
        random = self.random
        tree: Tree = {
            "panel": "P",
            "inputs": {
                "a": {"button": "GPIO1", "debounce": "0ms"},
                "b": {"button": "GPIO2", "debounce": "0ms"},
                "s": {"switch": "GPIO3", "debounce": "0ms"},
                "pad": {"buttons": ["GPIO4", "GPIO5", "GPIO6"], "debounce": "0ms"},
            },
            # It never changes: a line that has it is one that `show` prints.
            "outputs": {"mark": {"led": "GPIO9"}},
            "values": {
                "n": {"initial": "0", "min": "0", "max": "9"},
                "m": {"initial": "1", "min": "-5", "max": "5"},
                "f": {"initial": "1.5", "min": "-9.9", "max": "20.5", "decimals": "1"},
                "g": {"initial": "0", "min": "-2", "max": "3", "decimals": str(self.decimals)},
                "huge": {"initial": "999999999", "min": "-999999999", "max": "999999999"},
                "t": {"initial": f"20{self.unit}", "min": f"10{self.unit}", "max": "100s" if self.has_clock else "1s"},
                "wake": {"initial": "06:31"},
                "q": {"list": "3", "min": "1", "max": "3"},
                "z": {"list": "3", "filled": "2", "min": "-1", "max": "5"},
                "y": {"list": "3", "filled": "4", "min": "0", "max": "9"},
                # Which derived inputs have told what, in which order.
                "d": {"initial": "0", "min": "0", "max": "99"},
            },
        }
        tree["inputs"] |= self._sensors()
        if self.has_clock:
            first, last = random.sample(sorted(set(TIMES) - {"wake"}), 2)
            tree["inputs"]["nt"] = {"switch": {"between": f"{first}..{last}", "days": random.choice(DAYS).strip() or "mon..sun"}}

        self._derive(tree["inputs"])
        count = random.choice([1, 1, 1, 2, 2, 3])
        self.has_regions = count > 1
        regions = {}
        for number in range(count):
            self.top = number
            self.names[number] = []
            self.each = self._numbers() if number and random.random() < 0.4 else None
            regions[f"r{number}"] = self._named_region(f"r{number}", depth=1)
        self.each = None
        for number, region in enumerate(regions.values()):
            self.top, self.each = number, region.get("each")
            # A lamp belongs to one region, but one of them to all.
            self._fill(region, [name for place, name in enumerate(OUTPUTS) if place % count == number] + ["every-lamp"])
        self.each = None
        tree["outputs"] |= self._outputs(
            [own for name, region in regions.items() if "every-lamp" in str(region) for own in self._own_names(name)]
        )
        self.top = -1
        if random.random() < 0.5:
            tree["show"] = self._show([*OUTPUTS, "every-lamp"])
        for word, chance in (("on", 0.5), ("when", 0.15), ("every", 0.3), ("untouched", 0.2), ("at", 0.4 * self.has_clock)):
            if random.random() < chance:
                tree[word] = self._words(word, None)
        if self.derived:
            on = tree.setdefault("on", {})
            for number, event in enumerate(DERIVED_EVENTS):
                if not any(event in key for key in on):
                    on[event] = {"set": {"d": f"d * 3 mod 89 + {number + 1}"}}
        tree |= {"regions": regions} if self.has_regions else regions["r0"]
        return tree

    # Inputs

    def _sensors(self) -> Tree:
        """Numbers that are unknown until they are read, unless they have one at the start."""
        random = self.random
        self.has_sensors = random.random() < 0.5
        if not self.has_sensors:
            return {}
        air: Tree = {"sensor": {"file": "/run/air"}, "min": "-2", "max": "5", "decimals": "1"}
        hum: Tree = {"sensor": {"file": "/run/hum"}, "min": "0", "max": "4"}
        for sensor, number in ((air, "1.5"), (hum, "2")):
            sensor["if-lost"] = random.choice(["min", "max", "keep", "keep", number])
            if random.random() < 0.3:
                sensor["initial"] = number
        return {"air": air, "hum": hum}

    def _derive(self, inputs: Tree) -> None:
        """Adds inputs that follow from others, anywhere among those."""
        random = self.random
        self.derived = random.random() < 0.5
        if not self.derived:
            return
        buttons = random.choice([["a", "b"], ["b", "pad(2)"], ["a", "b", "pad(1)"]])
        chord = {"chord": buttons, "within": random.choice(["5ms", "20ms", "300ms"])}
        if random.random() < 0.8:
            chord["hold"] = random.choice(self.delays).replace("100s", "60s").replace("80s", "40s")
        switch: Tree = {"switch": {"on": self._contacts()}}
        if random.random() < 0.6:
            switch["switch"]["off"] = self._contacts()
        if random.random() < 0.6:
            switch["debounce"] = random.choice(self.delays)
        own = list(inputs.items())
        for item in (("c", chord), ("w", switch)):
            own.insert(random.randint(0, len(own)), item)
        inputs.clear()
        inputs.update(own)

    def _contacts(self) -> str:
        random = self.random
        tests = ["a == pressed", "b != released", "s == on", "pad(2) == pressed", "pad == 1", "pad > 0"]
        if self.has_sensors:
            tests += [test for test in SENSOR_TESTS if not re.search(r"\b[fnz]\b", test)] + ["s == unknown"]
        return random.choice([" and ", " or "]).join(random.sample(tests, random.choice([1, 2])))

    # States

    def _numbers(self) -> str:
        return self.random.choice(["1..2", "1..3", "2..3"])

    def _own_names(self, region: str) -> list[str]:
        """The names of the regions that one of the file is."""
        each = self.regions[region][1] if region in self.regions else None
        if not each:
            return [region]
        first, last = each.split("..")
        return [f"{region}({number})" for number in range(int(first), int(last) + 1)]

    def _named_region(self, name: str, depth: int) -> Tree:
        """A region that is repeated if its states are."""
        each, first = self.each, f"x{self.count}"
        if self.has_regions or depth > 1:
            self.regions[name] = (first, each)
        region = self._region(depth)
        return ({"each": each} if each else {}) | region

    def _region(self, depth: int) -> Tree:
        random = self.random
        names = []
        for _ in range(random.choice([1, 2, 2, 3, 3, 4])):
            names.append(f"x{self.count}")
            self.count += 1
        self.names[self.top] += names
        states: Tree = {}
        for name in names:
            states[name] = {}
            if depth < 3 and random.random() < 0.3:
                if random.random() < 0.3:
                    states[name]["regions"] = {}
                    for _ in range(2):
                        inner = f"i{self.count}"
                        self.count += 1
                        states[name]["regions"][inner] = self._inner_region(inner, depth + 1)
                else:
                    states[name] |= self._region(depth + 1)
            elif depth > 1 and random.random() < 0.25 and name is not names[0]:
                states[name]["final"] = "true"
        return {"initial": names[0], "states": states}

    def _inner_region(self, name: str, depth: int) -> Tree:
        if self.each or self.random.random() < 0.98:
            region = self._named_region(name, depth)
            # Those inside a repeated region have its numbers, and no `each` of their own.
            region.pop("each", None)
            return region
        top, self.each, self.top = self.top, self._numbers(), name
        self.names[name] = []
        region = self._named_region(name, depth)
        self.top, self.each = top, None
        return region

    def _fill(self, region: Tree, outputs: list[str]) -> None:
        random = self.random
        names = list(region["states"])
        for name, state in region["states"].items():
            if "final" not in state:
                for word, chance in (
                    ("enter", 0.3), ("exit", 0.3), ("on", 0.8), ("after", 0.4), ("every", 0.2), ("when", 0.35), ("untouched", 0.1),
                    ("at", 0.5 * self.has_clock),
                ):
                    if random.random() < chance:
                        state[word] = self._words(word, name)
                if ("states" in state or "regions" in state) and random.random() < 0.7:
                    state["done"] = self._go()
                if outputs and random.random() < 0.4:
                    state["show"] = self._show(outputs)
            inner_regions = [state] if "states" in state else list(state.get("regions", {}).values())
            for place, inner in enumerate(inner_regions):
                # Regions that run at the same time can't show the same output.
                own = [name for name in outputs if name != "every-lamp" and OUTPUTS.index(name) % len(inner_regions) == place]
                if "each" in inner:
                    top, self.each = self.top, inner["each"]
                    self.top = next(name for name, region in state["regions"].items() if region is inner)
                    self._fill(inner, [])
                    self.top, self.each = top, None
                else:
                    self._fill(inner, outputs if len(inner_regions) == 1 else own)
        # Each state is reached from the one before it.
        for before, name in zip(names, names[1:]):
            source = region["states"][before]
            if "final" in source:
                source = region["states"][names[0]]
            source.setdefault("on", {})
            event = next((event for event in self._events if not any(event in key for key in source["on"])), None)
            if event:
                source["on"][event] = name

    def _words(self, word: str, state: str | None) -> Tree:
        random = self.random
        if word in ("enter", "exit"):
            return {"set": self._assignments(state)}
        if word == "on":
            events = random.sample(self._events, random.choice([1, 2, 2, 3]))
            if len(events) == 3 and random.random() < 0.5:
                return {f"{events[0]} | {events[1]}": self._reaction(state), events[2]: self._reaction(state)}
            return {event: self._reaction(state) for event in events}
        if word == "when":
            return {self._when(state): self._go() for _ in range(random.choice([1, 1, 2]))}
        if word == "at":
            return self._at(state)
        delays = random.sample(self.delays + (["0ms"] if word == "after" else []), 1 if word == "untouched" else random.choice([1, 1, 2]))
        if word == "after" and random.random() < 0.2:
            delays[0] = "t"
        return {delay: self._reaction(state) for delay in dict.fromkeys(delays)}

    def _at(self, state: str | None) -> Tree:
        random = self.random
        keys = [random.choice(TIMES) + random.choice(DAYS) for _ in range(random.choice([1, 2, 2, 3]))]
        if len(keys) == 3 and keys[0] != keys[1]:
            keys[:2] = [f"{keys[0]} | {keys[1]}"]
        at: Tree = {}
        for key in keys:
            reaction = self._reaction(state)
            if self.late and isinstance(reaction, str):
                reaction = {"go": reaction}
            for transition in reaction if isinstance(reaction, list) else [reaction]:
                if isinstance(transition, dict) and self.late:
                    transition["late"] = self.late
            at[key] = reaction
        return at

    @property
    def _events(self) -> list[str]:
        events = EVENTS + (DERIVED_EVENTS if self.derived else []) + (SENSOR_EVENTS if self.has_sensors else [])
        events += ["nt.on", "nt.off"] * self.has_clock
        if not self.each:
            return events
        return [event.replace("(2)", "(each)") for event in events if "(3)" not in event]

    # Outputs

    def _outputs(self, regions: list[str]) -> Tree:
        self.random.shuffle(regions)
        return {
            "lamp": {"led": "GPIO10"},
            "other": {"led": "GPIO11"},
            "lamps": {"leds": ["GPIO12", "GPIO13", "GPIO14"]},
            "bar": {"bar": ["GPIO15", "GPIO16", "GPIO17", "GPIO18"]},
            "relay": {"relay": "GPIO19"},
            "every-lamp": {"led": "GPIO20"} | ({"shown-by": regions} if len(regions) > 1 else {}),
        }

    def _show(self, outputs: list[str]) -> Tree:
        random = self.random
        show: Tree = {}
        for name in random.sample(outputs, random.randint(1, len(outputs))):
            if self.each and name != "every-lamp":
                # Each of the repeated regions has its own lamp.
                show |= {"lamps(each)": self._look("lamp")} if name == "lamps" else {}
                continue
            if name == "lamps" and random.random() < 0.6:
                show |= {f"lamps({random.randint(1, 3)})": self._look("lamp")}
            if name != "lamps" or not show or random.random() < 0.7:
                show[name] = self._look(name)
        return show

    def _look(self, name: str, depth: int = 0) -> Any:
        random = self.random
        if depth < 2 and random.random() < 0.6:
            looks = {self._shown_when(name): self._look(name, depth + 1) for _ in range(random.choice([1, 1, 2, 3]))}
            return {"when": looks | ({"else": self._look(name, depth + 1)} if random.random() < 0.5 else {})}
        if name == "relay":
            return random.choice(["on", "on", "off"])
        if name == "bar":
            return random.choice(["0", "1", "3", "n", "n", "m", "f", "t", "q.count"])
        if name == "lamps" and random.random() < 0.6:
            ends: Tree = {"only": self._place()} if random.random() < 0.5 else {"from": self._place(), "to": self._place()}
            return ends | ({"as": self._look("lamp", depth + 1)} if random.random() < 0.5 else {})
        return random.choice(["on", "off", {"blink": "100ms"}, {"blink": "t"}, {"level": "0.3"}, {"level": "1"}, {"pulse": "2s"}])

    def _place(self) -> str:
        return self.random.choice(["1", "2", "n", "m + 1", "z(n)", "q(1)", "4 - n", "pad", "q.count"] + ["hum"] * self.has_sensors)

    def _shown_when(self, name: str) -> str:
        random = self.random
        condition = self._condition(None)
        while name == "relay" and any(sensor in condition for sensor in ("air", "hum")):
            condition = self._condition(None)
        # A look asks only outputs before its own, so that none depends on itself.
        before = OUTPUTS[: OUTPUTS.index(name)] if name in OUTPUTS else OUTPUTS
        if not before or name == "lamp" or random.random() < 0.7:
            return condition
        asked = random.choice(before)
        if asked == "lamps":
            asked = f"lamps({random.randint(1, 3)})"
        word = str(random.randint(0, 4)) if asked == "bar" else random.choice(["on", "off"] + ["blinking", "pulsing"] * (asked != "relay"))
        test = f"{asked} {random.choice(['==', '!='])} {word}"
        return random.choice([test, f"{test} and {condition}"])

    # Transitions

    def _go(self) -> str:
        if self.top == -1:
            tops = [name for name in self.names if isinstance(name, int) and not self.regions.get(f"r{name}", ("", None))[1]]
            return self.random.choice(self.names[self.random.choice(tops)])
        return self.random.choice(self.names[self.top])

    def _reaction(self, state: str | None) -> Any:
        random = self.random
        if random.random() < 0.3:
            return self._go()
        transitions = [self._transition(state, random.random() < 0.7) for _ in range(random.choice([1, 1, 2, 2]))]
        transitions[:-1] = [transition | {"if": self._condition(state)} for transition in transitions[:-1]]
        return transitions if len(transitions) > 1 else transitions[0]

    def _transition(self, state: str | None, has_condition: bool) -> Tree:
        random = self.random
        transition: Tree = {}
        if random.random() < 0.7:
            transition["go"] = self._go()
        if random.random() < 0.6 or not transition:
            transition["set"] = self._assignments(state)
        if has_condition:
            transition["if"] = self._condition(state)
        return transition

    def _assignments(self, state: str | None) -> Tree:
        random = self.random
        choices = {
            "n": ["+1", "-1", "3", "n + m", "= -m", "abs(m)", "n mod 4", "m * 2", "min(n, m)", "max(q.count, 2)", "q(1) + q(m)", "pad"],
            "m": ["+1", "-2", "n", "n - m", "m / 2", "-(n)", "= -m"],
            "t": [
                "+10ms", "-10ms", "t * 2", "30ms", "20ms + t", "t / 2", "t * 1.5", "t / 0.7", "0.25 * t + 1.5s / 100",
                "t mod 7ms", "t * g",
            ],
            "f": [
                "+0.1", "-2.5", "f / 3", "f + 0.25", "f - 0.05", "= -f", "f * 0.5", "f * f", "7 / 2", "7.0 / 2", "n / 4", "n / 4.0",
                "f mod 2.5", "g", "g * 1.25", "max(f, g)", "min(n, 2.50)", "abs(f - g) * 1.1", "-7 / 2", "f * g mod 0.7",
                "10 / (abs(f) + 0.1)", "t / 7ms", "huge * huge * huge * huge * huge mod 10",
                "huge * 1.5 mod 7.25",
            ],
            "g": [
                "+1", "-1", "f / 3", "g / 2", "g * g", "g + f", "= -g", "f * 0.125", "(n + 1) / 3.000", "(n + 2) / 3.0000 - 1", "f mod 1.1",
                "min(f, g) * 0.5", "(f - 0.05) * 0.1", "n * 0.0625", "= -n * 0.125",
                self._constant(self.decimals), "+" + self._constant(self.decimals),
            ],
            "huge": [
                "huge / 3", "huge * 1.5", "= -huge", "huge * huge / 1.000001", "999999999",
                "huge * huge * huge * huge * huge / 10000000",
            ],
            "q": ["append 2", "append n", "append pad + 1", [], [3, 1], [1], "append f", "append z(n)"],
            "z": [[0, 1, 2], [5, 5, 5], "y"],
            "y": [[9, 0, 3], "z"],
            "z(n)": ["+1", "-1", "3", "f", "= -f", "z(m) + 1", "+f"],
            "z(m + 1)": ["+1", "z(1) - y(3)", "n", "z(n) * 1.5"],
            "z(pad)": ["+1", "-2", "0"],
            "z(2)": ["+1", "= -1", "z(3)"],
            "y(z(2))": ["+1", "y(n) + z(n)", "-1"],
            "y(n - 1)": ["+q(1)", "z(4 - n)", "m"],
        }
        if state:
            choices["t"] += ["elapsed", "elapsed + 10ms"]
        choices["t"] = [change.replace("ms", self.unit) for change in choices["t"]]
        if self.has_clock:
            choices["wake"] = ["+1m", "-1m", "06:31", "clock", "wake + 1m", "00:00"]
            choices["n"] = choices["n"] + ["clock.weekday", "clock.month - 5"]
        if self.has_sensors:
            more = {
                "n": ["hum", "+hum", "air", "hum - n"], "f": ["air", "+air", "air * hum", "air / 3"], "g": ["air * 0.1", "min(air, g)"],
                "q": ["append hum", "append air"], "z(hum)": ["+1", "air", "0"], "z(2)": ["hum", "air"],
            }
            choices |= {name: choices.get(name, []) + sums for name, sums in more.items()}
        if self.each:
            choices |= {
                "n": choices["n"] + ["each", "n + each", "z(each)"],
                "z(each)": ["+1", "each", "f * each", "n"],
                "q": choices["q"] + ["append each"],
            }
        names = random.sample(list(choices), random.choice([1, 1, 2, 3]))
        return {name: random.choice(choices[name]) for name in names}

    def _when(self, state: str | None) -> str:
        """A condition that can wait for an age of its state."""
        random = self.random
        condition = self._condition(None)
        if not state or random.random() < 0.5:
            return condition
        relation, age = random.choice([">=", ">=", ">=", ">", "<", "<=", "==", "!="]), random.choice(self.delays)
        test = f"elapsed {relation} {age}" if random.random() < 0.7 else f"{age} {relation} elapsed"
        if random.random() < 0.2:
            test = f"not {test}"
        if random.random() < 0.2:
            return f"{test} and elapsed < {random.choice(self.delays)}"
        return random.choice([test, f"{test} and {condition}", f"({condition}) and {test}", f"{test} or {condition}"])

    def _constant(self, decimals: int) -> str:
        """A number from 0 to 2 with at most this number of decimals."""
        return f"{self.random.randint(0, 2 * 10**decimals) / 10**decimals:.{self.random.randint(0, decimals)}f}"

    def _condition(self, state: str | None, depth: int = 0) -> str:
        random = self.random
        if depth < 2 and random.random() < 0.3:
            word = random.choice([" and ", " or "])
            parts = [self._condition(state, depth + 1) for _ in range(2)]
            return word.join(f"({part})" for part in parts)
        if depth < 2 and random.random() < 0.1:
            return f"not ({self._condition(state, depth + 1)})"
        tests = [
            f"n {random.choice(['==', '!=', '<', '>='])} {random.randint(0, 9)}", f"m > {random.randint(-5, 5)}", "n > m",
            f"a == {random.choice(['pressed', 'released'])}", "b != pressed", f"s == {random.choice(['on', 'off'])}",
            f"pad({random.randint(1, 2)}) == pressed", f"pad == {random.randint(0, 2)}", f"q.count > {random.randint(0, 2)}",
            "q == '31'", "q(2) == 1", f"t > 40{self.unit}", "n + m mod 3 == 1",
            f"f {random.choice(['==', '!=', '<', '>='])} {self._constant(1)}", f"g <= {self._constant(self.decimals)}", "f > g + 0.25",
            "f == g",
            "f mod 1 == 0.5", "n / 2.0 > f", "f * g < 1.05", "z(n) > 2", "z(m) == z(2)",
            "z == '222'", "y != z", "z(1) + y(pad) > q(2)", "y(n) == 4", "z(pad - 1) < y(m)",
        ]
        if state:
            tests += [f"elapsed >= {random.choice(self.delays)}", "elapsed < t"]
        if self.derived:
            tests += ["c == pressed", "w != off"]
        if self.has_clock and random.random() < 0.25:
            return random.choice(CLOCK_TESTS)
        if self.has_sensors and random.random() < 0.35:
            contacts = ["s == unknown", "b != unknown", "not (pad(2) == unknown)"] + ["w == unknown"] * self.derived
            return random.choice(SENSOR_TESTS + contacts)
        if self.each:
            tests += ["n == each", "pad(each) == pressed", "z(each) > 2", "pad == each"]
        if not self.has_regions:
            tests.append(f"state == {random.choice(self.names[0])}")
        if self.regions and random.random() < 0.25:
            return self._place_of(random.choice(list(self.regions)))
        return random.choice(tests)

    def _place_of(self, region: str) -> str:
        """A condition about the state of a region."""
        random = self.random
        state, each = self.regions[region]
        if not each:
            return f"state.{region} {random.choice(['==', '!='])} {state}"
        if random.random() < 0.5:
            return f"{region}.count({state}) {random.choice(['==', '>=', '<'])} {random.randint(1, 2)}"
        number = "each" if each == self.each else random.choice(self._own_names(region)).split("(")[1].rstrip(")")
        return f"state.{region}({number}) {random.choice(['==', '!='])} {state}"

    # Steps

    def steps(self) -> list[str]:
        random = self.random
        steps = [f"start {start}" for start in self._start()]
        # With derived inputs more is done at once.
        if self.has_clock:
            return steps + [self._step_of_clock() for _ in range(random.randint(4, 20))]
        often, waits = (0.75, [1, 5, 5, 10, 20, 20, 50, 100]) if self.derived else (0.65, [1, 5, 10, 20, 30, 55, 100, 250])
        for _ in range(random.randint(4, 25)):
            steps.append(self._operation() if random.random() < often else f"wait {random.choice(waits)}ms")
        return steps

    def _start(self) -> list[str]:
        """Positions at the start, of which there is no event."""
        random = self.random
        if random.random() < 0.6 - 0.4 * self.has_clock:
            return []
        starts = ["a=pressed", "b=pressed", "s=on", "pad(2)=pressed"]
        if self.has_sensors:
            starts += ["air=0.5", "hum=3"]
        if self.has_clock:
            starts += [f"clock={clock}" for clock in CLOCKS]
        chosen = random.sample(starts, random.choice([1, 2, 3]))
        if self.has_clock and random.random() < 0.6:
            chosen += ["zone=Europe/Berlin"] * any("clock" in start for start in chosen)
        return list({start.split("=")[0]: start for start in chosen}.values())

    def _step_of_clock(self) -> str:
        random = self.random
        if random.random() < 0.4:
            return self._operation()
        if random.random() < 0.25:
            return f"clock {random.choice(CLOCKS)}" if random.random() < 0.9 else random.choice(["unplug clock", "plug clock"])
        return f"wait {random.choice(['500ms', '1s', '1s', '2s', '29s', '30s', '59s', '60s', '61s', '10m', '1h'])}"

    def _operation(self) -> str:
        random = self.random
        if not self.has_sensors or random.random() < 0.6:
            return random.choice(STEPS)
        name = random.choice(["air", "air", "hum"])
        word = random.choice(["sense", "sense", "sense", "unplug", "plug"])
        if word != "sense":
            return f"{word} {name}"
        return f"sense {name}={random.choice(['-2', '0.5', '1.5', '2', '2.1', '4.9'] if name == 'air' else ['0', '2', '3', '4'])}"
