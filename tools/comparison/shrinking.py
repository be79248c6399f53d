"""Makes a case small while it still shows the same kind of difference."""

import re
from dataclasses import replace
from itertools import islice
from typing import Callable, Iterator

from .programs import Case, Difference

Check = Callable[[Case], Difference | None]
"""The difference that a case shows, if it is of the kind in question."""


def shrink(difference: Difference, check: Check, tries: int = 300) -> Difference:
    """The difference in the smallest case that could be found by deleting, with so many tries."""
    smallest = difference
    has_shrunk = True
    while has_shrunk:
        has_shrunk = False
        number = 0
        while tries > 0 and (smaller := next(islice(_smaller_cases(smallest.case), number, None), None)) is not None:
            tries -= 1
            if (found := check(smaller)) is not None:
                # What comes after what was deleted has its number now.
                smallest = found
                has_shrunk = True
            else:
                number += 1
    return smallest


def _smaller_cases(case: Case) -> Iterator[Case]:
    """The case with something left out, the largest parts first."""
    if case.command == "simulate":
        yield from (replace(case, lines=lines) for lines in _fewer_lines(case.lines))
    if case.command == "test":
        yield from (replace(case, scenario=scenario) for scenario in _fewer_blocks(case.scenario))
    yield from (replace(case, panel=panel) for panel in _fewer_blocks(case.panel))
    yield from (replace(case, panel=panel) for panel in _fewer_entries(case.panel))
    if case.command == "test":
        yield from (replace(case, scenario=scenario) for scenario in _fewer_entries(case.scenario))
    if case.command == "simulate":
        yield from (replace(case, lines=lines) for lines in _fewer_words(case.lines))


def _fewer_lines(text: bytes) -> Iterator[bytes]:
    lines = text.splitlines(keepends=True)
    size = len(lines) // 2
    while size > 0:
        for start in range(0, len(lines), size):
            yield b"".join(lines[:start] + lines[start + size :])
        size //= 2


def _fewer_blocks(text: bytes) -> Iterator[bytes]:
    """Without one line and those that are indented deeper below it."""
    lines = text.splitlines(keepends=True)
    blocks = []
    for start, line in enumerate(lines):
        indentation = len(line) - len(line.lstrip())
        end = start + 1
        while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > indentation:
            end += 1
        blocks.append((start, end))
    for start, end in sorted(blocks, key=lambda block: block[0] - block[1]):
        yield b"".join(lines[:start] + lines[end:])


def _fewer_entries(text: bytes) -> Iterator[bytes]:
    """Without one entry of a map or a list in braces."""
    for entry in re.finditer(rb"(?<=[{\[,]) ?([^,{}\[\]\n]|\{[^{}\n]*\}|\[[^\[\]\n]*\])+,?", text):
        yield text[: entry.start()] + text[entry.end() :]
    # The last entry, with the comma before it.
    for entry in re.finditer(rb",[^,{}\[\]\n]+(?=[}\]])", text):
        yield text[: entry.start()] + text[entry.end() :]


def _fewer_words(text: bytes) -> Iterator[bytes]:
    for word in re.finditer(rb"(?<= )\S+ ?", text):
        yield text[: word.start()] + text[word.end() :]
