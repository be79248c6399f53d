"""Builds the mutants, runs the tests of each until one fails, and prints the table."""

import fcntl
import hashlib
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Callable, TypeVar

import building
import catalogue
import schemata
from catalogue import ROOT, CatalogueError, Mutant

FOLDER = ROOT / ".build" / "mutants"
TREE = FOLDER / "tree"
T = TypeVar("T")
# The part of the mutants, without equivalent ones, that has to be killed.
REQUIRED = 0.95
# A run that takes so much longer than without a mutant hangs; the second term is for the start and for a busy machine.
TIME_FACTOR, TIME_REST = 3, 20
# How many seconds of suites, as they take without a mutant, are run for one mutant: those of its module, then others. Quick ones come
# first; what is left out are long random runs.
NEAR_BUDGET, FAR_BUDGET = 240, 240
# No suite may take longer without a mutant.
SUITE_LIMIT = 900


@dataclass
class Suite:
    """What a suite did without a mutant."""

    key: str
    seconds: float
    # Its tests that failed: their failures don't count.
    failing: list[str]
    # The mutants that it reached.
    reached: list[str]
    # How it ended: "ended", "crash" or "time limit".
    ending: str


@dataclass
class Result:
    """What became of a mutant."""

    key: str
    status: str
    by: str
    seconds: float


@dataclass
class Outcome:
    """A run of tests: how it ended, the tests that failed, and those that ran when it ended."""

    ending: str
    failed: list[str] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    seconds: float = 0


def run_tests(ids: list[str], limit: float, number: int = -1, reached: Path | None = None, ignored: frozenset[str] = frozenset(),
              stops: bool = True) -> Outcome:
    """Runs the tests whose identifiers begin with one of these. Ends with the first failure of a test that is not ignored, unless told
    otherwise."""
    binary = next((TREE / ".build" / "debug").glob("*PackageTests.xctest"))
    began = time.monotonic()
    outcome = Outcome("ended")
    running: dict[str, None] = {}
    with tempfile.TemporaryDirectory(prefix="mutant-", ignore_cleanup_errors=True) as temporary:
        stream = Path(temporary) / "events"
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "TMPDIR": temporary, "MUTANT": str(number)}
        if reached:
            environment["MUTANTS_REACHED"] = str(reached)
        # One pattern with all of them.
        pattern = "^(" + "|".join(re.escape(name).replace("/", "\\/") for name in ids) + ")"
        process = subprocess.Popen(
            [binary, "--testing-library", "swift-testing", "--filter", pattern, "--event-stream-output-path", stream,
             "--event-stream-version", "0"],
            cwd=TREE, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True)
        rest, offset = b"", 0

        def follow() -> None:
            nonlocal rest, offset
            if not stream.exists():
                return
            with stream.open("rb") as file:
                file.seek(offset)
                added = file.read()
            offset += len(added)
            *lines, rest = (rest + added).split(b"\n")
            for line in filter(None, lines):
                record = json.loads(line)
                if record["kind"] != "event":
                    continue
                event = record["payload"]
                name = short(event.get("testID", ""))
                # Not the suites: they run as long as their tests.
                if event["kind"] == "testStarted" and name.endswith(")"):
                    running[name] = None
                elif event["kind"] == "testEnded":
                    running.pop(name, None)
                elif event["kind"] == "issueRecorded" and not event["issue"].get("isKnown"):
                    if name not in ignored and name not in outcome.failed:
                        outcome.failed.append(name)

        try:
            while process.poll() is None:
                follow()
                if stops and outcome.failed:
                    break
                if time.monotonic() - began > limit:
                    outcome.ending = "time limit"
                    break
                time.sleep(0.03)
        finally:
            end(process)
        follow()
        # 1: tests have failed, which the events say as well. 69: the pattern fits no test.
        if outcome.ending == "ended" and not (stops and outcome.failed) and process.returncode not in (0, 1, 69):
            outcome.ending = "crash"
    outcome.running = list(running)
    outcome.seconds = time.monotonic() - began
    return outcome


def end(process: subprocess.Popen) -> None:
    """Ends a test run with all that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def short(name: str) -> str:
    """An identifier of a test without its place in a file, which a change of the file moves."""
    return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", name)


def digest(*parts: object) -> str:
    total = hashlib.sha256()
    for part in parts:
        total.update(part if isinstance(part, bytes) else str(part).encode())
        total.update(b"\0")
    return total.hexdigest()[:16]


class Keys:
    """What results depend on: a change makes them stale."""

    def __init__(self, mutants: list[Mutant]) -> None:
        sources: list[str] = []
        tests: list[str] = []
        # Of each test target what its suites share, and the file of each suite.
        shared: dict[str, list[str]] = defaultdict(list)
        self._suites: dict[str, str] = {}
        for name in schemata.files_of(ROOT):
            path = ROOT / name
            if not path.is_file():
                continue
            part = name.split("/")
            content = path.read_bytes()
            file = digest(name, content)
            if part[0] == "Sources" or name == "Package.swift":
                sources.append(file)
            elif part[0] == "Tests":
                tests.append(file)
                if not name.endswith(("Tests.swift", "Seeds.swift")):
                    shared[part[1]].append(file)
                for suite in re.findall(rb"^(?:struct|final class) (\w+)", content, re.M):
                    self._suites[f"{part[1]}.{suite.decode()}"] = file
        self.sources = digest(*sources)
        self.tests = digest(*tests)
        self.all_mutants = digest(*(mutant.identity for mutant in mutants))
        self._shared = {target: digest(*files) for target, files in shared.items()}

    def suite(self, name: str) -> str:
        return digest(self.sources, self.all_mutants, self._suites.get(name, ""), self._shared.get(name.split(".")[0], ""),
                      self._shared.get("Support", ""))

    def killed(self, mutant: Mutant) -> str:
        return digest(self.sources, mutant.identity)

    def survived(self, mutant: Mutant) -> str:
        return digest(self.sources, mutant.identity, self.tests)


class Campaign:
    """A run of all mutants. What it learns is in files, so that an interrupted run goes on."""

    def __init__(self, mutants: list[Mutant]) -> None:
        self.mutants = mutants
        self.numbers = {mutant.id: number for number, mutant in enumerate(mutants)}
        self.keys = Keys(mutants)
        self.suites = {name: Suite(**suite) for name, suite in self._load("suites.json").items()}
        self.results = {name: Result(**result) for name, result in self._load("results.json").items()}
        self.jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)
        self.lock = threading.Lock()

    @staticmethod
    def _load(name: str) -> dict:
        path = FOLDER / name
        return json.loads(path.read_text()) if path.exists() else {}

    def _save(self, name: str, values: dict) -> None:
        path = FOLDER / (name + ".new")
        path.write_text(json.dumps({key: asdict(value) for key, value in values.items()}, indent=1))
        path.rename(FOLDER / name)

    def _in_parallel(self, body: Callable[[T], None], items: list[T]) -> None:
        pool = ThreadPoolExecutor(self.jobs)
        try:
            for future in [pool.submit(body, item) for item in items]:
                future.result()
        finally:
            # An interrupt leaves what has not begun for the next run.
            pool.shutdown(cancel_futures=True)

    def build(self) -> None:
        stamp, built = FOLDER / "built", digest(self.keys.sources, self.keys.tests, self.keys.all_mutants)
        if stamp.exists() and stamp.read_text() == built:
            return
        stamp.unlink(missing_ok=True)
        print(f"building {len(self.mutants)} mutants in {TREE.relative_to(ROOT)}", flush=True)
        began = time.monotonic()
        building.build(TREE, schemata.write_tree(ROOT, TREE, self.mutants), FOLDER / "build.log")
        stamp.write_text(built)
        print(f"built in {time.monotonic() - began:.0f} s", flush=True)

    def measure(self) -> None:
        """Runs each suite without a mutant: which mutants it reaches, how long it takes, which of its tests fail."""
        binary = next((TREE / ".build" / "debug").glob("*PackageTests.xctest"))
        listed = subprocess.run([binary, "--testing-library", "swift-testing", "--list-tests"], cwd=TREE, check=True, text=True,
                                capture_output=True).stdout
        names = sorted({line.split("/")[0] for line in listed.splitlines() if "/" in line})
        self.suites = {name: suite for name, suite in self.suites.items() if name in names}
        left = [name for name in names if name not in self.suites or self.suites[name].key != self.keys.suite(name)]
        if not left:
            return
        print(f"running {len(left)} of {len(names)} suites without a mutant", flush=True)
        began = time.monotonic()
        self._in_parallel(self._measure, left)
        print(f"ran in {time.monotonic() - began:.0f} s", flush=True)

    def _measure(self, name: str) -> None:
        with tempfile.TemporaryDirectory(prefix="mutant-") as temporary:
            notes = Path(temporary) / "reached"
            outcome = run_tests([name + "/"], SUITE_LIMIT, reached=notes, stops=False)
            marks = notes.read_bytes() if notes.exists() else b""
        reached = [mutant.id for number, mutant in enumerate(self.mutants) if marks[number:number + 1] == b"\1"]
        with self.lock:
            self.suites[name] = Suite(self.keys.suite(name), outcome.seconds, outcome.failed, reached, outcome.ending)
            self._save("suites.json", self.suites)
            if outcome.failed or outcome.ending != "ended":
                print(f"  without a mutant, {name}: {outcome.ending}, {len(outcome.failed)} tests fail", flush=True)

    def known(self, mutant: Mutant) -> Result | None:
        """The result of an earlier run, if it still holds."""
        result = self.results.get(mutant.id)
        if result is None:
            return None
        key = self.keys.killed(mutant) if result.status == "killed" else self.keys.survived(mutant)
        return result if result.key == key else None

    def test_all(self, chosen: list[Mutant]) -> None:
        left = [mutant for mutant in chosen if self.known(mutant) is None]
        if left:
            print(f"testing {len(left)} mutants, {self.jobs} at a time", flush=True)
        self._in_parallel(self._test, left)

    def _test(self, mutant: Mutant) -> None:
        began = time.monotonic()
        by = self._killer(mutant)
        seconds = time.monotonic() - began
        if by:
            result = Result(self.keys.killed(mutant), "killed", by, seconds)
        else:
            is_reached = any(mutant.id in suite.reached for suite in self.suites.values())
            result = Result(self.keys.survived(mutant), "survived", "" if is_reached else "no test reaches it", seconds)
        with self.lock:
            self.results[mutant.id] = result
            self._save("results.json", self.results)
            print(f"  {mutant.id}: {result.status} {result.by} ({seconds:.0f} s)", flush=True)

    def _killer(self, mutant: Mutant) -> str | None:
        """The first test that fails again when it is run alone."""
        number = self.numbers[mutant.id]
        for batch in self._batches(mutant):
            ignored = {test for name in batch for test in self.suites[name].failing}
            while True:
                limit = TIME_FACTOR * sum(self.suites[name].seconds for name in batch) + TIME_REST
                outcome = run_tests([name + "/" for name in batch], limit, number, ignored=frozenset(ignored))
                if outcome.failed:
                    suspects, what = outcome.failed[:1], ""
                elif outcome.ending != "ended":
                    suspects, what = outcome.running, f" ({outcome.ending})"
                else:
                    break
                if not suspects:
                    # It ended before or behind all tests.
                    return f"{batch[0]}{what}"
                again = run_tests([name + "/" for name in suspects], limit, number, ignored=frozenset(ignored))
                if again.failed:
                    return again.failed[0]
                if again.ending != "ended":
                    return f"{(again.running or suspects)[0]} ({again.ending})"
                # A test that failed by the machine's load, or by chance.
                ignored |= set(suspects)
                if not outcome.failed:
                    break
        return None

    def _batches(self, mutant: Mutant) -> list[list[str]]:
        """The suites that reach a mutant: those of its module first, quick ones first, in batches that grow."""
        nearest = mutant.tests or building.NEAREST.get(mutant.module, ())
        usable = [name for name, suite in self.suites.items() if mutant.id in suite.reached and suite.ending == "ended"]
        usable.sort(key=lambda name: (name.split(".")[0] not in nearest, self.suites[name].seconds))
        batches: list[list[str]] = []
        room, most = 0.0, 2.0
        left = {True: NEAR_BUDGET, False: FAR_BUDGET}
        was_near = True
        for name in usable:
            is_near = name.split(".")[0] in nearest
            if was_near and not is_near:
                room, most, was_near = 0.0, 2.0, False
            if left[is_near] < self.suites[name].seconds:
                continue
            left[is_near] -= self.suites[name].seconds
            if not batches or room < self.suites[name].seconds:
                batches.append([])
                room, most = most, min(60.0, 2 * most)
            batches[-1].append(name)
            room -= self.suites[name].seconds
        return batches


def table() -> str:
    """The results so far, as a table in Markdown."""
    mutants = catalogue.read()
    campaign = Campaign(mutants)
    rows = ["| mutant | place | change | result |", "|---|---|---|---|"]
    for mutant in mutants:
        source = (ROOT / mutant.file).read_text()
        place = f"{mutant.file.removeprefix('Sources/')}:{mutant.line(source)}"
        result = campaign.known(mutant)
        if mutant.equivalent:
            text = f"equivalent: {mutant.equivalent}"
        elif result is None:
            text = "not run"
        elif result.status == "killed":
            test, _, ending = result.by.partition(" ")
            text = f"`{test}` {ending}".rstrip()
        else:
            text = "**survived**" + (f": {result.by}" if result.by else "")
        rows.append(f"| {mutant.id} | `{place}` | {code(*mutant.change(source))} | {text} |")
    return "\n".join(rows)


def code(here: str, there: str) -> str:
    """A change as code in a table, cut where it is long."""
    first, second = (f"`{shortened(part)}`".replace("|", "\\|") for part in (here, there or "nothing"))
    return f"{first} → {second}" if there else f"without {first}"


def shortened(text: str, most: int = 90) -> str:
    return text if len(text) <= most else text[:most - 1] + "…"


def run(names: list[str]) -> int:
    mutants = catalogue.read()
    unknown = set(names) - {mutant.id for mutant in mutants}
    if unknown:
        raise CatalogueError(f"there is no mutant {', '.join(sorted(unknown))}; tools/mutants/*.toml list all of them.")
    # An equivalent one is run only if it is named.
    chosen = [mutant for mutant in mutants if mutant.id in names or not names and not mutant.equivalent]
    FOLDER.mkdir(parents=True, exist_ok=True)
    lock = (FOLDER / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CatalogueError("another run of mutants uses .build/mutants. Wait for its end.") from None
    campaign = Campaign(mutants)
    try:
        campaign.build()
    except building.BuildError as error:
        raise CatalogueError(f"the mutants can't be built:\n{error}\nChange these entries, or remove them.") from None
    campaign.measure()
    campaign.test_all(chosen)
    return report(campaign, chosen, [mutant for mutant in mutants if mutant.equivalent and not names])


def report(campaign: Campaign, chosen: list[Mutant], equivalent: list[Mutant]) -> int:
    """Prints the table. Returns the exit status."""
    print()
    killed = 0
    for mutant in sorted(chosen + equivalent, key=lambda mutant: campaign.numbers[mutant.id]):
        source = (ROOT / mutant.file).read_text()
        here, there = mutant.change(source)
        place = f"{mutant.file}:{mutant.line(source)}"
        change = f"{shortened(here)} -> {shortened(there)}" if there else f"without {shortened(here)}"
        if mutant in chosen:
            result = campaign.known(mutant)
            killed += result.status == "killed"
            text = f"killed by {result.by}" if result.status == "killed" else "SURVIVED" + (f": {result.by}" if result.by else "")
        else:
            text = f"equivalent: {mutant.equivalent}"
        print(f"{mutant.id:5} {place}  {change}  {text}")
    share = killed / len(chosen) if chosen else 1
    print(f"\n{killed} of {len(chosen)} killed, {100 * share:.1f} %; {len(chosen) - killed} survived, {len(equivalent)} equivalent")
    return 0 if share >= REQUIRED else 1
