"""Differences that are meant: each is taken out of what the two builds print, and whatever differs after that is a failure.

So an entry allows exactly what it describes: a message in other words has to stand at the same place, and a panel with one allowed
difference is still compared in everything else.
"""

import enum
import re
import signal
from dataclasses import dataclass, replace
from typing import Callable

from .programs import Difference, Outcome

Rule = Callable[[Difference], Difference]
"""The difference without what the rule allows; the same where there is nothing of that."""


@dataclass(frozen=True)
class Allowed:
    name: str
    reason: str
    rule: Rule


def reworded(old: str, new: str) -> Rule:
    """A text that the old build prints (a pattern) is another one now."""
    pattern = re.compile(old.encode(), re.MULTILINE)

    def rule(difference: Difference) -> Difference:
        before = difference.old
        output, errors = (pattern.sub(new.encode(), text) for text in (before.output, before.errors))
        return replace(difference, old=replace(before, output=output, errors=errors))

    return rule


def refused(message: str, is_alone: bool = False) -> Rule:
    """A panel that the old build takes is wrong now, with this message (a pattern) and no other; or one that was wrong has
    this message in addition, or alone where reading ends there."""
    pattern = re.compile(rb"(panel|scenario)\.yaml:\d+:\d+: " + message.encode())

    def rule(difference: Difference) -> Difference:
        old, new = difference.old, difference.new
        before = old.errors.splitlines()
        lines = new.errors.splitlines(keepends=True)
        errors = b"".join(line for line in lines if line.rstrip(b"\n") in before or not pattern.match(line))
        if errors == new.errors or new.status != 65:
            return difference
        if not errors and (is_alone or old.status != 65):
            # It was right but for this.
            return replace(difference, new=old)
        return replace(difference, new=replace(new, errors=errors))

    return rule


def lost_hardware(difference: Difference) -> Difference:
    """Leaves what is lost out of the lines of `simulate`, and the lines in which nothing else has changed."""
    if difference.case.command != "simulate":
        return difference

    def without(outcome: Outcome, pattern: bytes) -> Outcome:
        lines = []
        for line in outcome.output.splitlines(keepends=True):
            shorter = re.sub(rb"  (" + pattern + rb")(?=  |\n)", b"", line)
            if shorter == line or b"  " in shorter:
                lines.append(shorter)
        return replace(outcome, output=b"".join(lines))

    return replace(
        difference,
        old=without(difference.old, rb"lost=(audio|gpio|audio, gpio|nothing)"),
        new=without(difference.new, rb"(audio|gpio)=(lost|restored)"),
    )


def sounds_cut_off(difference: Difference) -> Difference:
    """Leaves out of the journal when a sound that was cut off had faded out; a journal that has no other lines says so."""
    pattern = re.compile(
        rb"^  (\d+\.\d{3}s  [\w-]+ finished \((removed|restarted)\)|in the last second nothing happened)\n", re.MULTILINE
    )
    old, new = (replace(outcome, errors=pattern.sub(b"", outcome.errors)) for outcome in (difference.old, difference.new))
    return replace(difference, old=old, new=new)


def line_by_offset(difference: Difference) -> Difference:
    """Where the old build found no line by its offset, or took it for another line, there is nothing to compare with."""
    if not re.search(rb"gpiochip\d+:\d", difference.case.panel):
        return difference
    old = difference.old
    refusal = rb'panel: cannot request line [^\n]*: (simulated has no such line|busy\. "panel" holds it)[^\n]*\n'
    is_refused = old.status == 69 and re.fullmatch(refusal, old.errors)
    has_crashed = old.status == -signal.SIGILL and not old.output and not old.errors
    return replace(difference, new=old) if is_refused or has_crashed else difference


def place_of_depth(difference: Difference) -> Difference:
    """Leaves out where too many levels begin."""
    pattern = re.compile(rb"^((panel|scenario)\.yaml):\d+:\d+(?=: nested deeper than 64 levels; )", re.MULTILINE)
    old, new = (
        replace(outcome, errors=pattern.sub(rb"\1", outcome.errors)) for outcome in (difference.old, difference.new)
    )
    return replace(difference, old=old, new=new)


def crash(message: str) -> Rule:
    """Where the old build crashed with this message (a pattern) there is nothing to compare with."""
    pattern = re.compile(message.encode())

    def rule(difference: Difference) -> Difference:
        status = difference.old.status
        has_crashed = isinstance(status, int) and status < 0 and pattern.search(difference.old.errors)
        return replace(difference, new=difference.old) if has_crashed else difference

    return rule


ALLOWED: list[Allowed] = [
    Allowed(
        "lost hardware has its own name",
        "5f37baa, CHANGELOG: hardware that is away is told as `audio=lost`, `gpio=lost`; before, as `lost=audio, gpio`",
        lost_hardware,
    ),
    Allowed(
        "switches",
        "f3c43dd: a word was wrong in a journal: `gpio (switchs) lost`",
        reworded(r"^(  \d+\.\d{3}s  gpio \()switchs\)", r"\1switches)"),
    ),
    Allowed(
        "endless at one moment",
        "9bff519: a lens has a word where the message had the driver's type",
        reworded(
            r"the last of Timer<PanelDeadline>\. Look for a model that makes Timer<PanelDeadline> emit",
            "the last of timer. Look for a model that makes timer emit",
        ),
    ),
    Allowed(
        "sounds that are cut off",
        "e5b30bd: the player is a worker, which wakes at other moments: that a sound was cut off is told up to 30 ms earlier or "
        "later. No event comes of that",
        sounds_cut_off,
    ),
    Allowed(
        "no pull resistor",
        "1a8d932, CHANGELOG: `pull: none` needs `active`",
        refused('without a pull resistor "active" must be written'),
    ),
    Allowed(
        "regions of nothing",
        "adfa688: `regions:` with nothing after it was taken, and the program crashed at the first step",
        refused('"regions" is empty'),
    ),
    Allowed(
        "arguments of sound devices",
        "79a6915, CHANGELOG: `audio: device:` takes no arguments that open files or run programs",
        refused('(the PCM|sound device) "'),
    ),
    Allowed(
        "an output called lost",
        "5f37baa: `simulate` crashed where an output or a value is called lost and hardware was",
        crash("Fatal error: Duplicate values for key: 'lost'"),
    ),
    Allowed(
        "lines by offset",
        "bb79283, CHANGELOG: `gpiochip0:17` works in `simulate` and `test`; it was no line, another one or a crash",
        line_by_offset,
    ),
    Allowed(
        "place of too many levels",
        "f1cb312, CHANGELOG: the parser is the system's libyaml. That of Yams reads ahead and refuses 1000 levels, at their first",
        place_of_depth,
    ),
    Allowed(
        "tag directives",
        "9f4684b: a %TAG directive is refused before libyaml takes a minute to compare many of them",
        refused("a %TAG directive; ", is_alone=True),
    ),
    Allowed(
        "sound files that are none",
        "79a6915, CHANGELOG: the structure of sound files is judged, by more than their first twelve bytes",
        reworded(
            r'(: sound file "[^\n]*": )no WAV file; convert it to WAV$',
            r"\1it doesn't begin as a WAV file (RIFF....WAVE), at byte 0; convert it: sox IN -b 16 -r 48000 OUT.wav",
        ),
    ),
    Allowed(
        "folders as sound files",
        "79a6915: in the words of the reader of sound files",
        reworded(
            r'(: sound file "[^\n]*": )not a file; write the path of a WAV file$', r"\1it is no file; name a WAV file."
        ),
    ),
    Allowed(
        "sound files that can't be played",
        "79a6915, CHANGELOG: one that can't be played is an error of the panel file (65)",
        refused(r'sound file "[^\n]*": [^\n]*convert it: sox IN'),
    ),
    Allowed(
        "words about safe",
        "b7587a1: the message says why a lamp can't blink at the end",
        reworded(
            r"in safe can't do that at the end; write on, off or a number of lamps$",
            "in safe can't look like that, as nothing drives it when the program has ended; "
            "write on, off or, for a bar, a number of lamps",
        ),
    ),
]


class WrongFiles(enum.Enum):
    """What is asked of the new build where a file or a step is wrong for the old one (65). A language that has grown takes some
    of them, and its messages name more words."""

    SAME = "same"
    """The same messages."""
    REFUSED = "refused"
    """It is wrong, in whatever words."""
    TAKEN = "taken"
    """It is wrong, or it is taken; nothing crashes or hangs."""


def without_allowed(difference: Difference, wrong_files: WrongFiles) -> tuple[Difference | None, list[str]]:
    """What is left of a difference, if anything, and the names of the entries that were needed."""
    statuses = {WrongFiles.SAME: [], WrongFiles.REFUSED: [65], WrongFiles.TAKEN: [0, 1, 65]}[wrong_files]
    if difference.old.status == 65 and difference.new.status in statuses:
        return None, ["wrong files"]
    left = apply(ALLOWED, difference)
    if left.old != left.new:
        return left, []
    # An entry is needed if the others leave something.
    others = {entry.name: [other for other in ALLOWED if other is not entry] for entry in ALLOWED}
    without_it = {name: apply(entries, difference) for name, entries in others.items()}
    return None, [name for name, left in without_it.items() if left.old != left.new]


def apply(entries: list[Allowed], difference: Difference) -> Difference:
    for entry in entries:
        difference = entry.rule(difference)
    return difference
