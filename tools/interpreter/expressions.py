"""Conditions and numbers of the panel language, as functions of a panel at a moment."""

import re
from typing import Any, Callable

Value = Any
"""An int, a bool, a list of ints, or a set of words that a subject can be compared with."""
Look = Callable[[str], Value]
"""What a name stands for; `elapsed`, `state` and `state.REGION` are names as well."""

_TOKEN = re.compile(r"'\d*'|\d+(?:ms|s|m)?|[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z][A-Za-z0-9-]*)?|==|!=|<=|>=|[<>()+\-*/,]")
_MILLISECONDS = {"ms": 1, "s": 1000, "m": 60_000}


def milliseconds(text: str) -> int:
    """A duration as a file writes it, in milliseconds."""
    found = re.fullmatch(r"(\d+)(ms|s|m)", text)
    assert found, text
    return int(found[1]) * _MILLISECONDS[found[2]]


class Expression:
    """A text, read anew for each value: slow, and so short that it can be seen to be right."""

    def __init__(self, text: str, look: Look, lists: set[str]):
        self.tokens = _TOKEN.findall(text)
        self.place = 0
        self.look = look
        self.lists = lists

    def value(self) -> Value:
        value = self._disjunction()
        assert self.place == len(self.tokens), self.tokens
        return value

    def _next(self) -> str | None:
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def _take(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1]

    def _disjunction(self) -> Value:
        value = self._conjunction()
        while self._next() == "or":
            self._take()
            other = self._conjunction()
            value = value or other
        return value

    def _conjunction(self) -> Value:
        value = self._negation()
        while self._next() == "and":
            self._take()
            other = self._negation()
            value = value and other
        return value

    def _negation(self) -> Value:
        if self._next() == "not":
            self._take()
            return not self._comparison()
        return self._comparison()

    def _comparison(self) -> Value:
        left = self._sum()
        relation = self._next()
        if relation not in ("==", "!=", "<", "<=", ">", ">="):
            return left
        self._take()
        if isinstance(left, set):
            is_equal = self._take() in left
            return is_equal if relation == "==" else not is_equal
        right = self._sum()
        compared = {
            "==": left == right,
            "!=": left != right,
        }
        if relation in compared:
            return compared[relation]
        return {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}[relation]

    def _sum(self) -> Value:
        value = self._product()
        while self._next() in ("+", "-"):
            value = value + self._product() if self._take() == "+" else value - self._product()
        return value

    def _product(self) -> Value:
        value = self._factor()
        while self._next() in ("*", "/", "mod"):
            sign = self._take()
            other = self._factor()
            # Both of Python's round down, as the language's do.
            value = value * other if sign == "*" else value // other if sign == "/" else value % other
        return value

    def _factor(self) -> Value:
        token = self._take()
        if token == "-":
            return -self._factor()
        if token == "+":
            return self._factor()
        if token == "(":
            value = self._disjunction()
            self._take()
            return value
        if token[0] == "'":
            return [int(digit) for digit in token[1:-1]]
        if token[0].isdigit():
            return int(token) if token.isdigit() else milliseconds(token)
        if token in ("min", "max"):
            self._take()
            first = self._sum()
            self._take()
            second = self._sum()
            self._take()
            return min(first, second) if token == "min" else max(first, second)
        if token == "abs":
            self._take()
            value = abs(self._sum())
            self._take()
            return value
        if token.endswith(".count"):
            return len(self.look(token.removesuffix(".count")))
        if token in self.lists and self._next() == "(":
            self._take()
            place = self._sum()
            self._take()
            elements = self.look(token)
            return elements[place - 1] if 1 <= place <= len(elements) else 0
        if self._next() == "(":
            # The member of a group.
            self._take()
            place = self._take()
            self._take()
            return self.look(f"{token}({place})")
        return self.look(token)
