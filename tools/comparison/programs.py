"""Runs one build of `panel` on a case, and says what can be seen of that."""

import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

# Generous: on a busy machine even a quick program can take seconds.
TIME_LIMIT_SECONDS = 30

PANEL, SCENARIO = "panel.yaml", "scenario.yaml"


@dataclass(frozen=True)
class Case:
    """What both builds get."""

    panel: bytes
    scenario: bytes
    lines: bytes
    """Steps for `simulate`."""
    origin: str
    """`right panel`, for instance: what the summary counts."""
    command: str = ""
    """The command that showed the difference; empty for all of them."""


@dataclass(frozen=True)
class Outcome:
    """What one command did."""

    status: int | str
    """The exit status, below 0 the signal; or `timed out`."""
    output: bytes
    errors: bytes
    """Standard error without notes."""


_NOTE = re.compile(rb"^[^\n]*:\d+:\d+: note: [^\n]*\n", re.MULTILINE)


class Folder:
    """A folder with a case's files, in which programs run: paths in messages are the same for both builds and in every run."""

    def __init__(self, sounds: dict[str, bytes], original: Path | None = None):
        """With the sounds of random panels, or with what lies beside a panel of the tree."""
        self._temporary = tempfile.TemporaryDirectory(prefix="compare-panels-")
        self.path = Path(self._temporary.name)
        if original is None:
            for name, content in sounds.items():
                (self.path / name).write_bytes(content)
        else:
            for neighbour in original.parent.resolve().iterdir():
                # Ours are written, and must not be written through a link into the tree.
                if neighbour.name not in (PANEL, SCENARIO):
                    (self.path / neighbour.name).symlink_to(neighbour)

    def close(self) -> None:
        self._temporary.cleanup()

    def run(self, program: Path, case: Case, command: str) -> Outcome:
        for name, content in [(PANEL, case.panel), (SCENARIO, case.scenario)]:
            (self.path / name).write_bytes(content)
        arguments = {"check": [PANEL], "test": [PANEL, SCENARIO], "simulate": [PANEL]}[command]
        # Nothing of this machine's may have a say: a journal for instance gets priorities before the lines.
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.path), "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"}
        try:
            done = subprocess.run(
                [program, command, *arguments],
                input=case.lines if command == "simulate" else b"",
                capture_output=True,
                cwd=self.path,
                env=environment,
                timeout=TIME_LIMIT_SECONDS,
            )
        except subprocess.TimeoutExpired as late:
            return Outcome("timed out", late.stdout or b"", late.stderr or b"")
        return Outcome(done.returncode, done.stdout, done.stderr)


@dataclass(frozen=True)
class Difference:
    """A command that did different things in the two builds."""

    case: Case
    """Its command is the one that differs."""
    old: Outcome
    new: Outcome

    @property
    def kind(self) -> str:
        """What differences of one kind have in common: the command, the statuses, and the first line that differs, without its
        names and numbers. A case is shrunk as long as its kind stays."""
        what = []
        if self.old.status != self.new.status:
            what.append(f"status {self.old.status} -> {self.new.status}")
        for stream, old, new in [
            ("output", self.old.output, self.new.output),
            ("errors", self.old.errors, self.new.errors),
        ]:
            if old != new:
                before, after = _first_difference(old, new)
                what.append(f"{stream}: {_without_names(before)} -> {_without_names(after)}")
        return f"{self.case.command}: " + "; ".join(what)


def _first_difference(old: bytes, new: bytes) -> tuple[str, str]:
    """The first line in which they differ."""
    before, after = (text.decode("utf-8", "replace").splitlines() for text in (old, new))
    pairs = zip_longest(before, after, fillvalue="(nothing)")
    return next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))


def _without_names(line: str) -> str:
    line = re.sub(r'"[^"]*"', '"…"', line)
    line = re.sub(r"^  [\d.]+s  \S+ ", "  0s  … ", line)
    line = re.sub(r"expected .*[,;] it is .*", "expected …; it is …", line)
    if "=" in line and "  " in line:
        # What `simulate` prints: which names have changed is chance.
        return "…=…"
    return re.sub(r"\d+", "0", line)


def without_notes(outcome: Outcome) -> Outcome:
    return replace(outcome, errors=_NOTE.sub(b"", outcome.errors))


def compare(folder: Folder, old: Path, new: Path, case: Case) -> tuple[list[Difference], int]:
    """The commands that differ, before anything is allowed, and how many commands were compared."""
    if case.command:
        commands = [case.command]
    else:
        # Where the panel is wrong, the other commands would say the same.
        is_right = folder.run(old, case, "check").status == 0
        commands = ["check", "test", "simulate"] if is_right else ["check"]
    differences = []
    for command in commands:
        before, after = (without_notes(folder.run(program, case, command)) for program in (old, new))
        if before.status != after.status and "timed out" in (before.status, after.status):
            # It may have been the machine: once more.
            before, after = (without_notes(folder.run(program, case, command)) for program in (old, new))
        if before != after and not before.status == after.status == "timed out":
            differences.append(Difference(replace(case, command=command), before, after))
    return differences, len(commands)
