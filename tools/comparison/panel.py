"""A generated panel: what is in it, for whoever makes a scenario for it, and its text as a tree."""

import enum
from dataclasses import dataclass, field
from random import Random

from .writing import Tree


class Feature(enum.Enum):
    """What a later version changes on purpose; the sections are those of its specification."""

    CATCH_ALL = "catch-all"
    """3.4: with several regions, the top level reacts to an event that a region's state reacts to as well. Left out: there, an event
    that is used by one of them is used by no other."""

    ENTRIES = "entries"
    """3.5: with several regions, a value that one region sets by a transition and another on entering. Left out: there, a value is
    set only by transitions or only on entering."""

    TIES = "ties"
    """3.7: several things are due at one moment. Left out: each duration of a deadline and each wait ends in a random number of
    nanoseconds, and time passes before the first step and after each one that moves an input."""

    CONVERTED_SOUNDS = "converted-sounds"
    """Since 0b278a5 sound files are converted on a worker, and sound later if that has to be done. Left out: all files have the
    card's rate and channels."""

    LOST_CARDS = "lost-cards"
    """Since 04edf75 and 9bbc7c3 nothing is playing while the card is away, what was cut off begins again, and a panel
    without sounds has no card to lose. Left out: no card is unplugged."""

    WIRINGS = "wirings"
    """Since 1a8d932 contacts that are closed at rest, contacts without a pull resistor and encoders with `pull: down` are
    simulated as they are wired; before, their lines stayed where they were."""


@dataclass
class Input:
    name: str
    kind: str
    """`button`, `switch` or `encoder`."""
    events: list[str]


@dataclass
class Region:
    name: str
    """Empty for the one that has no name."""
    states: list[str]
    outputs: list[str] = field(default_factory=list)
    """Those that only this region shows."""


@dataclass
class Panel:
    features: frozenset[Feature]
    inputs: list[Input] = field(default_factory=list)
    outputs: dict[str, int] = field(default_factory=dict)
    """The number of lamps of each: -1 for a lamp with its looks, 0 for a relay."""
    sounds: dict[str, bool] = field(default_factory=dict)
    """Whether each one comes to an end, and tells so."""
    values: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Each one's range."""
    regions: list[Region] = field(default_factory=list)
    tree: dict[str, Tree] = field(default_factory=dict)


# Words of the language, of its next version, and names that its expressions could take apart.
NAMES = """
    a b n x bell lamp level door count Knob KEY a-1 n-1 x-y b2 a--b t- lit open closed idle left right
    on off if and or not go set show play after enter initial states regions safe panel chip inputs values
    when every untouched exit done final resume random min max abs mod elapsed append never reach only words
    pressed released held clicked finished lost restored there true false null yes no up down none low high
    chord buttons leds files tones list group interlocks relay led bar tone file volume loop
""".split()
LONG_NAME = "a-name-of-sixty-four-characters-which-is-as-long-as-a-name-may-b"


class Durations:
    """Durations as text. Without ties each one has a random number of nanoseconds that no sum of others comes to."""

    def __init__(self, random: Random, has_ties: bool):
        self._random = random
        self._has_ties = has_ties

    def between(self, least_ms: int, most_ms: int) -> str:
        random = self._random
        ms = random.randint(least_ms, most_ms)
        if not self._has_ties:
            return f"{ms}.{random.randrange(1, 1_000_000):06}ms"
        if ms >= 1000:
            return random.choice([f"{ms // 1000}s", f"{ms // 100 / 10}s", f"{ms // 100 * 100}ms"])
        return f"{max(least_ms, ms // 10 * 10)}ms"

    def plain(self, least_ms: int, most_ms: int) -> str:
        """Where ties don't depend on it."""
        ms = self._random.randint(least_ms, most_ms)
        return f"{ms // 1000}s" if ms >= 1000 else f"{ms}ms"
