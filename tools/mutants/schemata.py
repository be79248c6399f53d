"""A copy of the tree with all mutants compiled in, each behind a switch that is read when the program starts.

An expression E with the mutant M becomes `(mutant_is(7) ? (M) : (E))`, statements become `if mutant_is(7) { M } else { E }`. One build
serves all mutants: MUTANT=7 in the environment activates number 7, also in programs that a test starts.
"""

import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from catalogue import Mutant

HEADER = """#include <stdbool.h>

extern int mutant_active;
extern unsigned char *mutant_reached;

/// Whether the mutant of this number is active. Also notes that the place was reached.
static inline bool mutant_is(int number) {
  mutant_reached[number] = 1;
  return mutant_active == number;
}
"""

SOURCE = """#include "mutants.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define COUNT 4096

static unsigned char unused[COUNT];
int mutant_active = -1;
unsigned char *mutant_reached = unused;

// Runs before the program. The notes lie in a file that is mapped: they survive a crash, and child processes add theirs.
__attribute__((constructor)) static void mutants_begin(void) {
  const char *active = getenv("MUTANT");
  if (active) mutant_active = atoi(active);
  const char *path = getenv("MUTANTS_REACHED");
  if (!path) return;
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (ftruncate(file, COUNT) == 0) {
    void *place = mmap(NULL, COUNT, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (place != MAP_FAILED) mutant_reached = place;
  }
  close(file);
}
"""

MANIFEST = """

package.targets.append(.target(name: "CMutants"))
for target in package.targets where target.type == .regular {
  let folder = (target.path ?? "Sources/\\(target.name)") + "/"
  if [%s].contains(where: { $0.hasPrefix(folder) }) { target.dependencies.append(.target(name: "CMutants")) }
}
"""

# The program of the tests. Without it SwiftPM would look for tests of XCTest in the compiler's index, which is not made.
MAIN = """import Testing

@main struct Runner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
"""


@dataclass
class Node:
    """A range of a file that mutants replace, with the smaller ranges in it."""

    start: int
    end: int
    mutants: list[tuple[int, Mutant]]
    inner: list["Node"] = field(default_factory=list)


def nodes(text: str, numbered: list[tuple[int, Mutant]]) -> list[Node]:
    """The outermost ranges, each with those inside it."""
    ranges: dict[tuple[int, int], list[tuple[int, Mutant]]] = {}
    for number, mutant in numbered:
        ranges.setdefault(mutant.place(text), []).append((number, mutant))
    outermost: list[Node] = []
    path: list[Node] = []
    for (start, end), mutants in sorted(ranges.items(), key=lambda item: (item[0][0], -item[0][1])):
        node = Node(start, end, mutants)
        while path and path[-1].end <= start:
            path.pop()
        (path[-1].inner if path else outermost).append(node)
        path.append(node)
    return outermost


def mutated(text: str, numbered: list[tuple[int, Mutant]]) -> tuple[str, list[tuple[int, int, str]]]:
    """The text with the mutants compiled in, and for each mutant its first and last line there."""
    spans: list[tuple[int, int, str]] = []

    def render(start: int, end: int, inner: list[Node], offset: int) -> str:
        result = ""
        for node in inner:
            result += text[start:node.start]
            result += render_node(node, offset + len(result))
            start = node.end
        return result + text[start:end]

    def render_node(node: Node, offset: int) -> str:
        # Statements stay statements where one mutant of the range is one.
        statement = any(mutant.form == "statement" for _, mutant in node.mutants)
        head = "" if statement else "("
        for number, mutant in node.mutants:
            if statement:
                head += f"if mutant_is({number}) {{ {mutant.replacement} }} else "
            else:
                head += f"mutant_is({number}) ? ({mutant.replacement}) : "
        head += "{ " if statement else "("
        body = render(node.start, node.end, node.inner, offset + len(head))
        result = head + body + (" }" if statement else "))")
        for _, mutant in node.mutants:
            spans.append((offset, offset + len(result), mutant.id))
        return result

    result = render(0, len(text), nodes(text, numbered), 0)
    lines = [(result.count("\n", 0, start) + 1, result.count("\n", 0, end) + 1, name) for start, end, name in spans]
    # On the first line, so that all lines keep their numbers.
    return "import CMutants; " + result, lines


def files_of(root: Path) -> list[str]:
    """The files of the checkout, without those that git ignores."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, check=True,
                            capture_output=True).stdout
    return sorted({name for name in listed.decode().split("\0") if name and ((root / name).is_file() or (root / name).is_symlink())})


def write_tree(root: Path, tree: Path, mutants: list[Mutant]) -> dict[str, list[tuple[int, int, str]]]:
    """Brings the copy up to date, and returns the lines of each mutant by file. Files that don't change keep their time."""
    tree.mkdir(parents=True, exist_ok=True)
    by_file: dict[str, list[tuple[int, Mutant]]] = {}
    for number, mutant in enumerate(mutants):
        by_file.setdefault(mutant.file, []).append((number, mutant))
    lines: dict[str, list[tuple[int, int, str]]] = {}
    wanted: set[str] = set()

    def put(name: str, content: bytes, mode: int) -> None:
        wanted.add(name)
        path = tree / name
        if path.is_symlink():
            path.unlink()
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        path.chmod(mode)

    for name in files_of(root):
        source = root / name
        if source.is_symlink():
            wanted.add(name)
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_symlink() or path.readlink() != source.readlink():
                path.unlink(missing_ok=True)
                path.symlink_to(source.readlink())
            continue
        content = source.read_bytes()
        if name in by_file:
            text, lines[name] = mutated(content.decode(), by_file[name])
            content = text.encode()
        elif name == "Package.swift":
            mutated_files = ", ".join(f'"{file}"' for file in sorted({mutant.file for mutant in mutants}))
            content += (MANIFEST % mutated_files).encode()
        put(name, content, source.stat().st_mode & 0o777)
    put("Sources/CMutants/include/mutants.h", HEADER.encode(), 0o644)
    put("Sources/CMutants/mutants.c", SOURCE.encode(), 0o644)
    put("Tests/XCTMain.swift", MAIN.encode(), 0o644)

    for folder in ("Sources", "Tests", "Examples"):
        for path in (tree / folder).rglob("*"):
            if (path.is_file() or path.is_symlink()) and str(path.relative_to(tree)) not in wanted and ".build" not in path.parts:
                path.unlink()
    return lines
