"""Tests of the tool. They build nothing: python3 -B -m unittest discover -s tools/mutants"""

import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import catalogue  # noqa: E402
import drawing  # noqa: E402
import schemata  # noqa: E402
from catalogue import ROOT, CatalogueError, Mutant  # noqa: E402


def mutant(original: str, replacement: str, context: str = "", form: str = "expression", name: str = "m1") -> Mutant:
    return Mutant(name, "constant", "Sources/A/a.swift", context or original, original, replacement, form)


class CatalogueTests(unittest.TestCase):
    def check(self, text: str, *mutants: Mutant) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "Sources/A/a.swift"
            path.parent.mkdir(parents=True)
            path.write_text(text)
            try:
                catalogue.check(list(mutants), Path(folder))
            except CatalogueError as error:
                return str(error)
            return ""

    def test_every_entry_fits_the_tree(self) -> None:
        self.assertEqual(len(catalogue.read(ROOT)), 175)

    def test_a_stale_entry_is_named(self) -> None:
        self.assertIn("m1 is stale: its context was not found in Sources/A/a.swift", self.check("let a = 2\n", mutant("a = 1", "a = 3")))

    def test_a_context_that_occurs_twice_is_named(self) -> None:
        self.assertIn("m1 is stale: its context occurs 2 times", self.check("f(1)\nf(1)\n", mutant("f(1)", "f(2)")))

    def test_an_original_text_that_occurs_twice_in_its_context_is_named(self) -> None:
        self.assertIn("m1 is ambiguous", self.check("f(1, 1)\n", mutant("1", "2", "f(1, 1)")))

    def test_entries_that_overlap_are_named(self) -> None:
        both = self.check("a + b + c\n", mutant("a + b", "a"), mutant("b + c", "b", name="m2"))
        self.assertIn("m2 and m1 overlap", both)

    def test_an_entry_inside_another_is_fine(self) -> None:
        self.assertEqual(self.check("a + b\n", mutant("a + b", "a"), mutant("b", "c", name="m2")), "")


class SchemataTests(unittest.TestCase):
    def mutated(self, text: str, *mutants: Mutant) -> str:
        return schemata.mutated(text, list(enumerate(mutants)))[0].removeprefix("import CMutants; ")

    def test_an_expression_becomes_a_choice(self) -> None:
        self.assertEqual(self.mutated("let a = 1", mutant("1", "2")), "let a = (mutant_is(0) ? (2) : (1))")

    def test_a_statement_becomes_a_branch(self) -> None:
        self.assertEqual(self.mutated("f()\n", mutant("f()", "", form="statement")), "if mutant_is(0) {  } else { f() }\n")

    def test_two_mutants_of_one_expression(self) -> None:
        self.assertEqual(self.mutated("a < b", mutant("a < b", "a <= b"), mutant("a < b", "true", name="m2")),
                         "(mutant_is(0) ? (a <= b) : mutant_is(1) ? (true) : (a < b))")

    def test_one_inside_another(self) -> None:
        self.assertEqual(self.mutated("f(1)", mutant("f(1)", "", form="statement"), mutant("1", "2", "f(1)", name="m2")),
                         "if mutant_is(0) {  } else { f((mutant_is(1) ? (2) : (1))) }")

    def test_the_lines_keep_their_numbers(self) -> None:
        text, lines = schemata.mutated("// a\nlet a = 1\n", [(0, mutant("1", "2"))])
        self.assertEqual(text.count("\n"), 2)
        self.assertEqual(lines, [(2, 2, "m1")])


class DrawingTests(unittest.TestCase):
    def changes(self, text: str) -> list[str]:
        return [f"{drawn.original} -> {drawn.replacement}".rstrip() for drawn in drawing.candidates("a.swift", text)]

    def test_an_operand_ends_at_an_operator_of_a_lower_rank(self) -> None:
        self.assertIn("a + b < c -> a + b <= c", self.changes("    if x, a + b < c && d {\n"))

    def test_a_condition_is_one_text(self) -> None:
        self.assertIn("a && b -> a || b", self.changes("    return a && b\n"))

    def test_the_end_of_a_range_moves(self) -> None:
        self.assertIn("0..<count -> 0..<count + 1", self.changes("    for a in 0..<count { f(a) }\n"))

    def test_strings_and_comments_are_left_alone(self) -> None:
        self.assertEqual(self.changes('    let a = "b < 3 \\(c("d"))"  // e < 4\n'), [])

    def test_an_expression_on_two_lines_is_left_alone(self) -> None:
        self.assertEqual(self.changes("    let c = a < b\n      + d\n"), [])

    def test_calls_and_assignments_can_be_left_out(self) -> None:
        self.assertEqual(self.changes("  {\n    f(a)\n    b.c = d\n"), ["f(a) ->", "b.c = d ->"])

    def test_the_same_seed_draws_the_same(self) -> None:
        self.assertEqual(drawing.draw(ROOT, 7, 20), drawing.draw(ROOT, 7, 20))


if __name__ == "__main__":
    unittest.main()
