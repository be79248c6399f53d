"""Mutation testing: changes the sources in many small ways, one at a time, and looks for the test that notices.

    python3 -B tools/mutants run [ID...]     build all mutants, run the tests of each, print the table
    python3 -B tools/mutants table           print the results so far as a table in Markdown
    python3 -B tools/mutants check           check that each entry still fits its file
    python3 -B tools/mutants draw SEED N [ID...]
                                             draw N mutants at random and print them as entries, without those that don't compile

docs/swift/testing.md, "Mutants", describes it.
"""

import sys

sys.dont_write_bytecode = True

import catalogue  # noqa: E402
import drawing  # noqa: E402
from catalogue import ROOT, CatalogueError  # noqa: E402


def main(arguments: list[str]) -> int:
    try:
        match arguments:
            case ["check"]:
                print(f"{len(catalogue.read())} mutants fit their files")
            case ["draw", seed, count, *without]:
                print(drawing.entries(ROOT, int(seed), int(count), without), end="")
            case ["table"]:
                import running

                print(running.table())
            case ["run", *names]:
                import running

                return running.run(names)
            case _:
                print(__doc__.strip(), file=sys.stderr)
                return 64
    except CatalogueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
