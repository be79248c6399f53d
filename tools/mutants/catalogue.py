"""The mutants as data: entries of the TOML files in this folder."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
FILES = ("handwritten.toml", "drawn.toml")
KINDS = ("constant", "comparison", "omitted clean-up", "swapped order", "boundary", "boolean", "arithmetic", "omitted statement")
FIELDS = {"id", "kind", "file", "context", "original", "replacement", "form", "tests", "equivalent"}


class CatalogueError(Exception):
    """An entry that is wrong or stale. The message names the entry."""


@dataclass(frozen=True)
class Mutant:
    """One change of one source file."""

    id: str
    kind: str
    file: str
    # A text that occurs once in the file and contains the original text once; the original text itself if that is unique.
    context: str
    original: str
    replacement: str
    # "expression": the original text is an expression. "statement": it is one statement or more, without a declaration.
    form: str = "expression"
    # The test targets that run first; those of the mutant's module unless given.
    tests: tuple[str, ...] = ()
    # Why no test can tell the mutant from the original; empty for a mutant that must be killed.
    equivalent: str = ""

    def place(self, text: str) -> tuple[int, int]:
        """The range of the original text in the text of the file."""
        if text.count(self.context) != 1:
            what = "was not found" if self.context not in text else f"occurs {text.count(self.context)} times"
            raise CatalogueError(f"{self.id} is stale: its context {what} in {self.file}:\n    {self.context.strip()}\n"
                                 f"Adapt the entry to the file, or remove it.")
        if self.context.count(self.original) != 1:
            raise CatalogueError(f"{self.id} is ambiguous: its original text {self.original!r} occurs "
                                 f"{self.context.count(self.original)} times in its context. Give more of the line.")
        start = text.index(self.context) + self.context.index(self.original)
        return start, start + len(self.original)

    def line(self, text: str) -> int:
        """The line of the original text in the file, from 1."""
        return text.count("\n", 0, self.place(text)[0]) + 1

    @property
    def identity(self) -> tuple[str, ...]:
        """What its result depends on, besides the tree."""
        return self.id, self.file, self.context, self.original, self.replacement, self.form

    @property
    def module(self) -> str:
        return self.file.split("/")[1]

    def change(self, text: str) -> tuple[str, str]:
        """What is there and what the mutant has instead, each in one line. Of a short text its whole line is shown."""
        start, end = self.place(text)
        before, behind = start, end
        first, last = text.rfind("\n", 0, start) + 1, (text + "\n").index("\n", end)
        if len(self.original) < 20 and self.form == "expression" and len(text[first:last].strip()) < 90:
            before, behind = first, last
        return one_line(text[before:behind]), one_line(text[before:start] + self.replacement + text[end:behind])


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text.strip())


def read(root: Path = ROOT, files: tuple[str, ...] = FILES, folder: Path = FOLDER) -> list[Mutant]:
    """All mutants, each checked against the tree."""
    mutants: list[Mutant] = []
    for name in files:
        path = folder / name
        if not path.exists():
            continue
        for entry in tomllib.loads(path.read_text()).get("mutant", []):
            mutants.append(mutant(entry, name))
    check(mutants, root)
    return mutants


def mutant(entry: dict, file: str) -> Mutant:
    name = entry.get("id", "an entry without id")
    missing = {"id", "kind", "file", "original", "replacement"} - entry.keys()
    if missing or entry.keys() - FIELDS:
        raise CatalogueError(f"{name} in {file}: missing fields {sorted(missing)}, unknown fields {sorted(entry.keys() - FIELDS)}.")
    values = dict(entry)
    values.setdefault("context", values["original"])
    values["tests"] = tuple(values.get("tests", ()))
    found = Mutant(**values)
    if found.kind not in KINDS:
        raise CatalogueError(f"{name} in {file}: unknown kind {found.kind!r}; use one of {', '.join(KINDS)}.")
    if found.form not in ("expression", "statement"):
        raise CatalogueError(f"{name} in {file}: unknown form {found.form!r}; use expression or statement.")
    if found.original == found.replacement:
        raise CatalogueError(f"{name} in {file}: the replacement equals the original text.")
    return found


def check(mutants: list[Mutant], root: Path) -> None:
    """Raises the first faults of the catalogue: an identifier that is used twice, a stale entry, two entries that overlap."""
    problems: list[str] = []
    names: set[str] = set()
    places: dict[str, list[tuple[int, int, str]]] = {}
    for mutant in mutants:
        if mutant.id in names:
            problems.append(f"{mutant.id} occurs twice. Rename one of the two.")
        names.add(mutant.id)
        path = root / mutant.file
        if not path.exists():
            problems.append(f"{mutant.id} is stale: there is no file {mutant.file}. Adapt the entry, or remove it.")
            continue
        try:
            start, end = mutant.place(path.read_text())
        except CatalogueError as error:
            problems.append(str(error))
            continue
        for first, last, other in places.setdefault(mutant.file, []):
            if start < last and first < end and not (first <= start and end <= last) and not (start <= first and last <= end):
                problems.append(f"{mutant.id} and {other} overlap, and neither contains the other. Make one of them smaller.")
        places[mutant.file].append((start, end, mutant.id))
    if problems:
        raise CatalogueError("\n".join(problems))
