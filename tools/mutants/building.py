"""Builds the copy with the mutants, and names those that don't compile."""

import os
import re
import subprocess
from pathlib import Path

# The targets whose tests may kill: those of the mutated modules, and those that use them. Left out are tests that use the real clock or
# the kernel, which may fail by the machine's load.
TARGETS = ("CycleCoreTests", "SignalsTests", "StoresTests", "SeedTests", "HardwareDriversTests", "HardwareSimulationTests", "PanelKitTests")
# Those that run first, by module.
NEAREST = {"CycleCore": ("CycleCoreTests",), "HardwareDrivers": ("HardwareDriversTests",), "PanelKit": ("PanelKitTests",)}


class BuildError(Exception):
    """The copy can't be built."""


def build(tree: Path, lines: dict[str, list[tuple[int, int, str]]], log: Path) -> None:
    """Builds all tests. The index and debugging information are left out: nothing reads them, and they take time."""
    environment = {**os.environ, "TEST_TARGETS": " ".join(TARGETS)}
    command = ["swift", "build", "--build-tests", "--disable-index-store", "-debug-info-format", "none"]
    with log.open("wb") as file:
        status = subprocess.run(command, cwd=tree, env=environment, stdout=file, stderr=subprocess.STDOUT).returncode
    if status == 0:
        return
    text = log.read_text(errors="replace")
    errors = sorted(set(re.findall(r"^(/\S+?):(\d+):\d+: error: (.*)$", text, re.M)))
    found: list[str] = []
    for path, line, message in errors:
        name = os.path.relpath(path, tree)
        if ".." in name:
            continue
        here = [mutant for first, last, mutant in lines.get(name, []) if first <= int(line) <= last]
        # A mutant may be noticed further down: a missing return, a member without a value.
        others = [mutant for _, _, mutant in lines.get(name, [])]
        whose = ", ".join(here) or (f"one of {', '.join(others)}" if others else "no mutant of this file")
        found.append(f"{whose}: {name}:{line}: {message}")
    raise BuildError("\n".join(found) or f"the build failed; the end of {log}:\n" + "\n".join(text.splitlines()[-20:]))
