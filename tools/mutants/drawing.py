"""Draws mutants at random from the sources: the same seed and the same tree draw the same mutants.

It knows no more of Swift than its brackets, strings, comments and the ranks of its operators. What doesn't compile is drawn again.
"""

import random
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

# The areas, each drawn from equally often.
AREAS = {
    "CycleCore": ["Sources/CycleCore"],
    "HardwareDrivers": ["Sources/HardwareDrivers"],
    "Statechart": ["Sources/PanelKit/Engine", "Sources/PanelKit/Language/Expressions"],
    "Proof": ["Sources/PanelKit/Proof"],
}
SWAPS = {
    "comparison": {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="},
    "boolean": {"&&": "||", "||": "&&"},
    "arithmetic": {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+"},
    # Of a range its end: another operator would make another type.
    "boundary": {"..<": "+ 1", "...": "- 1"},
}
# An operand ends at an operator of a lower rank; the operators of its own rank are part of the same text.
ASSIGNMENTS = r"(?:=|\+=|-=|\*=|/=|&=|\|=|&\+=|&-=|->)(?= )"
TERNARY = r"[?:](?= )"
LOGIC = r"(?:&&|\|\|)(?= )"
COMPARISONS = r"(?:<|<=|>|>=|==|!=|===|!==|~=)(?= )"
RANGES = r"(?:\.\.<|\.\.\.)"
CASTS = r"(?:\?\?|as[?!]?|is)(?= )"
WORDS = r"\b(?:return|if|guard|while|where|in|try[?!]?|throw|else|let|var|await|case|switch|for|consume|copy|default|defer|do|repeat)\b"
STOPS = {
    "boolean": [ASSIGNMENTS, TERNARY],
    "comparison": [ASSIGNMENTS, TERNARY, LOGIC],
    "boundary": [ASSIGNMENTS, TERNARY, LOGIC, COMPARISONS, CASTS],
    "arithmetic": [ASSIGNMENTS, TERNARY, LOGIC, COMPARISONS, CASTS, RANGES],
}
DECLARATION = re.compile(r"^\s*(?:@|#|import\b|case\b|typealias\b|associatedtype\b|extension\b|protocol\b|operator\b|precondition|assert|fatalError)")


@dataclass(frozen=True)
class Drawn:
    """What can be drawn: a change of one line, or of a part of it."""

    kind: str
    file: str
    start: int
    end: int
    original: str
    replacement: str
    form: str = "expression"


def masked(text: str) -> str:
    """The text with comments and strings overwritten; brackets and operators in it are those of the code."""
    out = list(text)

    def blank(start: int, end: int, mark: str = " ") -> None:
        for place in range(start, min(end, len(out))):
            if out[place] != "\n":
                out[place] = mark

    place = 0
    while place < len(text):
        if text.startswith("//", place):
            end = text.find("\n", place)
            end = len(text) if end < 0 else end
            blank(place, end)
        elif text.startswith("/*", place):
            end = text.find("*/", place)
            end = len(text) if end < 0 else end + 2
            blank(place, end)
        elif opening := re.match(r'(#*)("""|")', text[place:]):
            end = end_of_string(text, place + opening.end(), opening[1], opening[2])
            blank(place, end, "_")
        else:
            end = place + 1
        place = end
    return "".join(out)


def end_of_string(text: str, place: int, hashes: str, quote: str) -> int:
    escape, closing = "\\" + hashes, quote + hashes
    while place < len(text):
        if text.startswith(closing, place):
            return place + len(closing)
        if text.startswith(escape + "(", place):
            depth, place = 1, place + len(escape) + 1
            while place < len(text) and depth:
                if inner := re.match(r'(#*)("""|")', text[place:]):
                    place = end_of_string(text, place + inner.end(), inner[1], inner[2])
                    continue
                depth += {"(": 1, ")": -1}.get(text[place], 0)
                place += 1
        elif text.startswith(escape, place):
            place += len(escape) + 1
        else:
            place += 1
    return len(text)


def operand_start(line: str, place: int, stops: list[str]) -> int | None:
    """Where the operand that ends before `place` begins. None where the line doesn't show it."""
    depth = 0
    index = place - 1
    while index >= 0:
        character = line[index]
        if character in ")]":
            depth += 1
        elif character in "([":
            if depth == 0:
                return skip_spaces(line, index + 1)
            depth -= 1
        elif character in "{};,":
            if depth == 0:
                return skip_spaces(line, index + 1)
        elif depth == 0 and (index == 0 or line[index - 1] == " " or character == "."):
            for stop in stops:
                if found := re.match(stop, line[index:]):
                    return skip_spaces(line, index + found.end())
            if found := re.match(WORDS, line[index:]):
                return skip_spaces(line, index + found.end())
        elif depth == 0 and character == ":" and line[index + 1:index + 2] == " ":
            return skip_spaces(line, index + 1)
        index -= 1
    return skip_spaces(line, 0) if depth == 0 else None


def operand_end(line: str, place: int, stops: list[str]) -> int | None:
    depth = 0
    index = place
    while index < len(line):
        character = line[index]
        if character in "([":
            depth += 1
        elif character in ")]":
            if depth == 0:
                break
            depth -= 1
        elif character in "{};,":
            if depth == 0:
                break
        elif depth == 0 and (line[index - 1] == " " or character == "."):
            if any(re.match(stop, line[index:]) for stop in stops) or re.match(r"\b(?:else|where|in)\b", line[index:]):
                break
        index += 1
    if depth:
        return None
    while line[index - 1] == " ":
        index -= 1
    return index


def skip_spaces(line: str, index: int) -> int:
    while index < len(line) and line[index] == " ":
        index += 1
    return index


def candidates(file: str, text: str) -> list[Drawn]:
    """All mutants that can be drawn from one file, in the order of their places."""
    code = masked(text)
    lines = code.split("\n")
    found: list[Drawn] = []
    offset = 0
    for number, line in enumerate(lines):
        following = lines[number + 1].strip() if number + 1 < len(lines) else ""
        before = lines[number - 1].strip() if number else ""
        # An expression that continues on another line is left out.
        continues = bool(re.match(r"(\.|\?|:|&&|\|\||[-+*/%] )", following)) or line.rstrip().endswith((" +", " -", " &&", " ||"))
        continued = bool(re.match(r"\s*(\.|\?|:|&&|\|\||[-+*/%] )", line)) or before.endswith((" +", " -", " *", " ?", " ??"))
        if not DECLARATION.match(line) and line.strip():

            def add(kind: str, start: int, end: int, replacement: str, form: str = "expression") -> None:
                begin = offset + start
                found.append(Drawn(kind, file, begin, offset + end, text[begin:offset + end], replacement, form))

            whole = text[offset:offset + len(line)]
            is_pattern = re.search(r"\bcase\b", line)
            for kind, swaps in SWAPS.items():
                names = "|".join(re.escape(name) for name in sorted(swaps, key=len, reverse=True))
                spaced = rf"(?<=\S)({names})(?=\S)" if kind == "boundary" else rf"(?<= )({names})(?= )"
                for match in re.finditer(spaced, line):
                    if is_pattern and kind == "boundary":
                        continue
                    start = operand_start(line, match.start(), STOPS[kind])
                    end = operand_end(line, match.end(), STOPS[kind])
                    if start is None or end is None or start >= match.start() or end <= match.end():
                        continue
                    if (continues and end == len(line.rstrip())) or (continued and start == skip_spaces(line, 0)):
                        continue
                    # The operator of a generic constraint or of a closure's type is none.
                    if re.match(r".*\b(?:func|init|where)\b[^{]*$", line[:match.start()]):
                        continue
                    mutated = whole[start:match.start()] + swaps[match[1]] + whole[match.end():end]
                    if kind == "boundary":
                        mutated = f"{whole[start:end]} {swaps[match[1]]}"
                    add(kind, start, end, mutated)
            if not is_pattern:
                for match in re.finditer(r"(?<![\w.$#)\]])(\d[\d_]*)(?![\w.]*[\w])(?!\.\d)", line):
                    value = int(match[1].replace("_", ""))
                    add("constant", match.start(1), match.end(1), str(value + 1))
                for match in re.finditer(r"(?<![\w.])(true|false)\b", line):
                    add("boolean", match.start(), match.end(), "false" if match[1] == "true" else "true")
                for match in re.finditer(r"(?<=[ (])!(?=[\w(])", line):
                    end = postfix_end(line, match.end())
                    if end is not None and not (continues and end == len(line.rstrip())):
                        add("boolean", match.start(), end, whole[match.end():end])
            for match in re.finditer(r"(?<![\w.])(min|max)\(", line):
                end = postfix_end(line, match.start())
                if end is not None:
                    add("boundary", match.start(), end, {"min": "max", "max": "min"}[match[1]] + whole[match.end(1):end])
            statement = re.match(r"(\s+)((?:try )?(?!return|throw|let|var|break|continue|if|guard|for|while|switch|case|defer|do|super|mutating"
                                 r"|private|static|public|precondition|_ )[a-z_][\w.!?\[\]]*(?:\(.*\)|(?:\[.*\])? [-+*|&]{0,2}= .+))$", line)
            if statement and balanced(statement[2]) and not continues and not continued and re.search(r"(?:[{};:]|\bin|[\w)\]])$", before or "{"):
                add("omitted statement", statement.start(2), statement.end(2), "", "statement")
        offset += len(line) + 1
    return found


def balanced(code: str) -> bool:
    depth = 0
    for character in code:
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0


def postfix_end(line: str, index: int) -> int | None:
    """The end of a name with its members, calls and subscripts."""
    while index < len(line):
        if line[index] in "([":
            depth = 0
            while index < len(line):
                depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(line[index], 0)
                index += 1
                if depth == 0:
                    break
            if depth:
                return None
        elif re.match(r"[\w.?!]", line[index]):
            index += 1
        else:
            break
    return index


def draw(root: Path, seed: int, count: int) -> list[Drawn]:
    """Draws mutants: an area in turn, a kind that occurs in it, and one of its places."""
    chance = random.Random(seed)
    pools: list[dict[str, list[Drawn]]] = []
    for folders in AREAS.values():
        pool: dict[str, list[Drawn]] = {}
        for folder in folders:
            for path in sorted((root / folder).rglob("*.swift")):
                for candidate in candidates(str(path.relative_to(root)), path.read_text()):
                    pool.setdefault(candidate.kind, []).append(candidate)
        pools.append(pool)
    drawn: list[Drawn] = []
    while len(drawn) < count:
        pool = pools[len(drawn) % len(pools)]
        places = pool[chance.choice(sorted(pool))]
        candidate = places.pop(chance.randrange(len(places)))
        drawn.append(candidate)
    return drawn


def context(text: str, drawn: Drawn) -> str:
    """The least text around the place that occurs once in the file and has the original text once, cut between words."""
    for extra in range(2000):
        for start, end in ((drawn.start - extra, drawn.end), (drawn.start, drawn.end + extra), (drawn.start - extra, drawn.end + extra)):
            part = text[max(0, start):end]
            if part.strip() == part and not cuts_word(text, start) and not cuts_word(text, end) \
                    and text.count(part) == 1 and part.count(drawn.original) == 1:
                return part
    raise ValueError(f"{drawn.file}: no unique text around {drawn.original!r}")


def cuts_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and bool(re.match(r"\w\w", text[place - 1:place + 1]))


def entries(root: Path, seed: int, count: int, without: list[str]) -> str:
    """Drawn mutants as the text of a catalogue; the identifiers of those that are left out stay free."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=root, check=True, capture_output=True, text=True).stdout.strip()
    command = " ".join(["draw", str(seed), str(count), *without])
    parts = [f"# Drawn at random from the sources of commit {commit[:12]}:\n#   python3 -B tools/mutants {command}\n"
             "# The identifiers that are named there belong to mutants that don't compile.\n"]
    for number, drawn in enumerate(draw(root, seed, count), 1):
        if f"r{number}" not in without:
            parts.append(toml(drawn, f"r{number}", (root / drawn.file).read_text()))
    return "\n".join(parts)


def toml(drawn: Drawn, name: str, text: str) -> str:
    around = context(text, drawn)
    lines = ["[[mutant]]", f'id = "{name}"', f'kind = "{drawn.kind}"', f'file = "{drawn.file}"']
    if around != drawn.original:
        lines.append(f"context = {quoted(around)}")
    lines += [f"original = {quoted(drawn.original)}", f"replacement = {quoted(drawn.replacement)}"]
    if drawn.form != "expression":
        lines.append(f'form = "{drawn.form}"')
    return "\n".join(lines) + "\n"


def quoted(text: str) -> str:
    # A literal string of TOML has no escapes; an apostrophe at its end would end it.
    if "\n" in text:
        return f"'''\n{text}'''" if "'''" not in text and not text.endswith("'") else basic(text)
    return f"'{text}'" if "'" not in text else basic(text)


def basic(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
