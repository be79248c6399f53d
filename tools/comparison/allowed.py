"""Differences that are meant: each is taken out of what the two builds print, and whatever differs after that is a failure.

So an entry allows exactly what it describes: a message in other words has to stand at the same place, and a panel with one allowed
difference is still compared in everything else.
"""

import enum
import re
import signal
from collections import Counter
from dataclasses import dataclass, replace
from itertools import groupby
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


_LOST = rb"  lost=(audio|gpio|audio, gpio|nothing)"


def lost_hardware(difference: Difference) -> Difference:
    """Leaves what is lost out of the lines of `simulate`, and the lines in which nothing else has changed. An old build that tells it
    as the new one does has no `lost=`."""
    if difference.case.command != "simulate" or not re.search(_LOST, difference.old.output):
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
        old=without(difference.old, _LOST.removeprefix(rb"  ")),
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


_OF_CHIP = re.compile(
    rb"  \d+\.\d{3}s  (?:gpio \((?:(buttons|switches|encoders)|(leds|bars|relays))\) (?:lost|restored|failed)(?:: [^\n]*)?"
    rb"|([\w-]+) (?:pressed|released|held|clicked|double-clicked|on|off|clockwise|counterclockwise))\n"
)
"""A journal's line about the chip's inputs of a kind, about its outputs of a kind, or of an input."""


def order_of_kinds(difference: Difference) -> Difference:
    """Sorts what a journal says at the moment at which the chip is lost or is back: by kinds, inputs before outputs, and what inputs
    tell with it by inputs; lines of one kind or one input stay as they are. What the new build says again of a kind of inputs is left out:
    devices of one kind that don't follow each other in the file tell it each."""

    def rank(line: bytes) -> tuple[bool, bytes]:
        found = _OF_CHIP.fullmatch(line)
        assert found is not None
        return (found[2] is not None, found[1] or found[2] or b"input " + found[3])

    def is_of_inputs(line: bytes) -> bool:
        found = _OF_CHIP.fullmatch(line)
        return found is not None and found[1] is not None

    def moment(line: bytes) -> bytes | None:
        return line.split()[0] if _OF_CHIP.fullmatch(line) else None

    def sorted_journals(errors: bytes, leaves_out: bool) -> bytes:
        lines: list[bytes] = []
        for at, group in groupby(errors.splitlines(keepends=True), moment):
            run = list(group)
            if at is not None and any(b"s  gpio (" in line for line in run):
                run.sort(key=rank)
                if leaves_out:
                    run = [line for line, before in zip(run, [b"", *run]) if line != before or not is_of_inputs(line)]
            lines += run
        return b"".join(lines)

    old, new = difference.old, difference.new
    return replace(
        difference,
        old=replace(old, errors=sorted_journals(old.errors, False)),
        new=replace(new, errors=sorted_journals(new.errors, True)),
    )


_EXPRESSION = re.compile(
    rb"(panel\.yaml):(\d+):(\d+): ("
    rb'"if" (ends after|is empty)|"[^\n]*" (compares nothing|after a comparison; join|before [=!<>]+; write the value first)|'
    rb'"[^\n]*" is no whole number; compare |-?\d+ is outside the range of |states have no order|unknown (value|state|region) "|'
    rb'"[^\n]*" is an? \w+, not a value|there are \d+ regions; say which|"[^\n]*" is set to "[^\n]*"; write a number: 3, or)[^\n]*\n'
)
"""What the old build says of the text of an `if` or a `set`, by its place."""


def expressions(difference: Difference) -> Difference:
    """Leaves out what the old build says of an `if` or a `set`, and what the new one says instead: on the same line, at that column or
    further on. Where that is nothing, the new build reads the text; then it may find states that can't be reached, or the panel right."""
    old, new = difference.old, difference.new
    if old.status != 65 or new.status not in (0, 65):
        return difference
    before, after = (outcome.errors.splitlines(keepends=True) for outcome in (old, new))
    rest = Counter(after)
    left, places = [], []
    for line in before:
        found = _EXPRESSION.fullmatch(line)
        if rest[line] > 0 or not found:
            # The new build ends at the first problem of a text: what the old one says of it twice it says once.
            rest[line] -= 1
            left.append(line)
        else:
            places.append((int(found[2]), int(found[3])))
    if not places:
        return difference

    def is_instead(line: bytes) -> bool:
        found = re.match(rb"panel\.yaml:(\d+):(\d+): ", line)
        if line in before or not found:
            return False
        is_there = any(int(found[1]) == number and int(found[2]) >= column for number, column in places)
        return is_there or re.search(rb": state [^\n]* can't be reached from ", line) is not None

    if new.status == 0 and not left:
        return replace(difference, new=old)
    errors = b"".join(line for line in after if not is_instead(line))
    return replace(difference, old=replace(old, errors=b"".join(left)), new=replace(new, errors=errors))


def more_keys(place: str, before: str, after: str) -> Rule:
    """The keys of a place, where a message lists all of them, are more."""
    return reworded(f"(keys of {place}: |{place} should be; write a map with the keys ){before}$", rf"\1{after}")


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


def both(pattern: str, new: str, of: str = "errors") -> Rule:
    """A text (a pattern) that both builds print is left out, or made the same."""
    compiled = re.compile(pattern.encode(), re.MULTILINE)

    def rule(difference: Difference) -> Difference:
        def without(outcome: Outcome) -> Outcome:
            if of == "errors":
                return replace(outcome, errors=compiled.sub(new.encode(), outcome.errors))
            return replace(outcome, output=compiled.sub(new.encode(), outcome.output))

        return replace(difference, old=without(difference.old), new=without(difference.new))

    return rule


def circles_of_no_time(difference: Difference) -> Difference:
    """Where the old build ended at 10 000 events of one moment, because `after: 0s` leads round in a circle, the new one tells the circle
    after 100 steps; there is nothing else to compare. Of a scenario, it may have told a step that failed before."""
    is_circle = re.search(rb"^panel: cannot come to rest at [^\n]*, the last of timer\.", difference.old.errors, re.MULTILINE)
    is_told = re.search(rb': "after" without end: [^\n]*', difference.new.errors) or (
        difference.case.command == "test" and re.match(rb"scenario\.yaml:\d+:\d+: expected ", difference.new.errors)
    )
    is_met = is_circle and is_told and difference.old.status == difference.new.status
    return replace(difference, new=difference.old) if is_met else difference


def first_failed_step(difference: Difference) -> Difference:
    """Leaves out what the old build says of a scenario's steps after the first that failed: the new one ends there."""
    if difference.case.command != "test":
        return difference
    place = re.match(rb"scenario\.yaml:\d+:\d+: ", difference.old.errors)
    if not place:
        return difference
    lines = difference.old.errors.splitlines(keepends=True)
    errors = b"".join(line for line in lines if line.startswith(place[0]))
    return replace(difference, old=replace(difference.old, errors=errors))


def shown_in_test(difference: Difference) -> Difference:
    """Leaves out what a `show` prints in `panel test`."""
    if difference.case.command != "test":
        return difference
    output = re.sub(rb"^\d+\.\d{3}s  [^\n]*\n", b"", difference.new.output, flags=re.MULTILINE)
    return replace(difference, new=replace(difference.new, output=output))


def inputs_in_show(difference: Difference) -> Difference:
    """Leaves out the inputs at the end of what a `show` prints in `panel simulate`."""
    old, new = (outcome.output.splitlines(keepends=True) for outcome in (difference.old, difference.new))
    if difference.case.command != "simulate" or len(old) != len(new):
        return difference

    def without_inputs(before: bytes, after: bytes) -> bytes:
        rest = after[len(before) - 1 :] if after.startswith(before[:-1]) else b""
        return before if re.fullmatch(rb"(  [A-Za-z][A-Za-z0-9()-]*=[a-z0-9.-]+)+\n", rest) else after

    output = b"".join(map(without_inputs, old, new))
    return replace(difference, new=replace(difference.new, output=output))


_DEBOUNCE = re.compile(rb"debounce[\"']?:\s*[\"']?(?:\{[^}]*\}|[\d.]+\s*(?:ms|s|m|h))")
_TIME = re.compile(rb"([\d.]+)\s*(ms|s|m|h)")
_MILLISECONDS = {b"ms": 1.0, b"s": 1e3, b"m": 60e3, b"h": 3600e3}


def long_debounce(difference: Difference) -> Difference:
    """A panel with a debounce time above 90 ms is not compared."""
    written = b" ".join(_DEBOUNCE.findall(difference.case.panel))
    longest = max((float(number) * _MILLISECONDS[unit] for number, unit in _TIME.findall(written)), default=0)
    return replace(difference, new=difference.old) if longest > 90 else difference


def moments_of_sounds(difference: Difference) -> Difference:
    """A panel that plays sounds is not compared: one may be heard, and end, up to a buffer (30 ms) earlier or later."""
    plays = re.search(rb"\bplay[\"']?:", difference.case.panel) is not None
    return replace(difference, new=difference.old) if plays else difference


ALLOWED: list[Allowed] = [
    Allowed(
        "one noun, several nouns",
        "CHANGELOG: `panel check` counts `1 input` and `2 inputs`; before, whether there was an s was not always right",
        both(r"(\b\d+ (?:input|output|sound|state))s?\b", r"\1", of="output"),
    ),
    Allowed(
        "failures have a semicolon",
        "CHANGELOG: a failed expectation says `expected lamp off; it is on`",
        reworded(r"(: expected [^\n]*), it is ", r"\1; it is "),
    ),
    Allowed(
        "logs of failures are folded",
        "CHANGELOG: a failed step has one log, of at most 20 lines, with events as files name them",
        both(r"^  [^\n]*\n", ""),
    ),
    Allowed(
        "a scenario ends at its first failed step",
        "CHANGELOG: a scenario ends at its first failed step, unless --keep-going is given",
        first_failed_step,
    ),
    Allowed("show prints in panel test", "CHANGELOG: a show of a scenario prints", shown_in_test),
    Allowed(
        "lost hardware has its own name",
        "5f37baa, CHANGELOG: hardware that is away is told as `audio=lost`, `gpio=lost`; before, as `lost=audio, gpio`",
        lost_hardware,
    ),
    # Behind lost hardware, which both print at the end of the line.
    Allowed("show prints inputs", "CHANGELOG: in `panel simulate` a show has the inputs too", inputs_in_show),
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
        "circles of no time",
        "CHANGELOG: a circle of `after: 0s` ends the panel after 100 steps, with the circle in the message",
        circles_of_no_time,
    ),
    Allowed(
        "circles of no time in the file",
        "CHANGELOG: a circle of `after: 0s` whose conditions always hold is an error of the file",
        refused("after 0s without end: [^\\n]*; give one of these states a duration above 0s"),
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
    Allowed(
        "order of kinds",
        "d6f4abf: each run of inputs of one kind in the file, and each kind of outputs, is a lens, in the order of the file; before, "
        "buttons, switches, encoders, leds, bars, relays",
        order_of_kinds,
    ),
    Allowed(
        "one of a kind",
        "0d83bf7: `check` counts in words that fit: `1 sound`",
        reworded(r"(?<=[:,] )1 (input|output|sound|state)s(?=, \d|: nothing is wrong$)", r"1 \1"),
    ),
    Allowed(
        "keys of a panel file",
        "3d72143, CHANGELOG: `when` and `every`",
        more_keys(
            "a panel file",
            "panel, chip, inputs, outputs, sounds, values, audio, on, show, initial, states, regions, safe",
            "panel, chip, inputs, outputs, sounds, values, audio, on, every, when, show, initial, states, regions, safe",
        ),
    ),
    Allowed(
        "keys of a state",
        "e81b66a, 3d72143, CHANGELOG: `when`, `every`, `exit`, `done`, `final` and states inside states",
        more_keys(
            "a state",
            "show, play, enter, on, after",
            "show, play, enter, exit, on, after, every, when, initial, states, regions, done, final",
        ),
    ),
    Allowed(
        "keys of a transition",
        "e81b66a, CHANGELOG: `resume`",
        more_keys("a transition", "go, set, if", "go, resume, set, if"),
    ),
    Allowed(
        "keys of a switch",
        "a57851c, CHANGELOG: a switch can have words of its own",
        more_keys("a switch", "switch, debounce, pull, active", "switch, words, debounce, pull, active"),
    ),
    Allowed(
        "expressions",
        "a57851c, CHANGELOG: `if` and `set` compute and ask inputs; a problem is told at the word that is wrong",
        expressions,
    ),
    # Behind all others, which change one of both outcomes.
    Allowed(
        "first positions",
        "CHANGELOG: a contact counts in its first position after 90 ms at the latest; before, after its debounce time",
        long_debounce,
    ),
    Allowed(
        "moments of sounds",
        "CHANGELOG: a device with a clock of its own is limited by its free space alone; a sound that begins while others "
        "are heard may end up to 30 ms earlier or later than before",
        moments_of_sounds,
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
