"""Trees of YAML, and their text in a random style.

A tree is a `dict`, a `list` or a `str`. A panel file means the same in every style, but lines and columns of messages differ, so each
file is written in a style of its own: blocks or braces, quotes or none, blank lines, comments.
"""

from random import Random
from typing import Union

Tree = Union[str, list["Tree"], dict[str, "Tree"]]

# Plain text must not begin with one of these, and in braces it must not contain one of the second.
_INDICATORS = "-?:,[]{}#&*!|>'\"%@`"
_ENDS_IN_BRACES = ",[]{}"


def write(tree: Tree, random: Random) -> bytes:
    """The tree as the text of a file."""
    share_of_braces = random.choice([0.1, 0.5, 0.9])
    lines = _block(tree, 0, share_of_braces, random)
    if random.random() < 0.2:
        lines.insert(random.randrange(len(lines) + 1), "")
    if random.random() < 0.2:
        lines.insert(0, "# " + random.choice(["a comment", "été, 日本", "on: off"]))
    return ("\n".join(lines) + "\n").encode()


def _block(tree: Tree, indentation: int, share_of_braces: float, random: Random) -> list[str]:
    """A map or a list with a line for each of its entries, or in braces."""
    blanks = " " * indentation
    lines: list[str] = []
    # Indentation may differ from one map to the next.
    deeper = indentation + random.choice([2, 2, 2, 4])
    if isinstance(tree, dict):
        for key, value in tree.items():
            if not _is_block(value, indentation, share_of_braces, random):
                gap = " " * random.choice([1, 1, 1, 3])
                lines.append(f"{blanks}{key}:{gap}{_inline(value, random)}")
            else:
                lines.append(f"{blanks}{key}:")
                lines += _block(value, deeper, share_of_braces, random)
    elif isinstance(tree, list):
        for item in tree:
            lines.append(f"{blanks}- {_inline(item, random)}")
    else:
        lines.append(blanks + _scalar(tree, False, random))
    return lines


def _is_block(tree: Tree, indentation: int, share_of_braces: float, random: Random) -> bool:
    if isinstance(tree, str) or not tree:
        return False
    # A whole file on a few lines would make every message end in column 900.
    size = len(str(tree))
    return size > 160 or indentation == 0 and size > 60 or random.random() > share_of_braces


def _inline(tree: Tree, random: Random, in_braces: bool = False) -> str:
    if isinstance(tree, dict):
        entries = [f"{key}: {_inline(value, random, True)}" for key, value in tree.items()]
        return "{ " + ", ".join(entries) + " }" if entries else "{}"
    if isinstance(tree, list):
        return "[" + ", ".join(_inline(item, random, True) for item in tree) + "]"
    return _scalar(tree, in_braces, random)


def _scalar(text: str, in_braces: bool, random: Random) -> str:
    needs_quotes = (
        not text
        or text[0] in _INDICATORS and not (text[0] == "-" and text[1:2].isdigit())
        or ": " in text
        or " #" in text
        or in_braces and any(end in text for end in _ENDS_IN_BRACES)
    )
    if needs_quotes or random.random() < 0.03:
        return random.choice(['"{}"', "'{}'"]).format(text)
    return text
