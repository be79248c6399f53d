"""Conditions and numbers of the panel language, as functions of a panel at a moment."""

import operator
import re
from typing import Any, Callable

from . import numbers
from .numbers import Number

Value = Any
"""A number, a truth value, a list of numbers, or a set of words that a subject can be compared with. None is unknown."""
Look = Callable[[str], Value]
"""What a name stands for; `elapsed`, `state` and `state.REGION` are names as well."""

_NAME = r"[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z][A-Za-z0-9-]*)?"
_TOKEN = re.compile(rf"'\d*'|\d\d:\d\d|\d+(?:\.\d+)?(?:ms|s|m|h)?(?![A-Za-z])|{_NAME}|==|!=|<=|>=|[<>()+\-*/,]")

_RELATIONS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}


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
            value = _negated(_both(_negated(value), _negated(self._conjunction())))
        return value

    def _conjunction(self) -> Value:
        value = self._negation()
        while self._next() == "and":
            self._take()
            value = _both(value, self._negation())
        return value

    def _negation(self) -> Value:
        if self._next() == "not":
            self._take()
            return _negated(self._negation())
        return self._comparison()

    def _comparison(self) -> Value:
        if self.tokens[self.place + 2 : self.place + 3] and self.tokens[self.place + 2] in ("there", "lost", "unknown"):
            # Not the number of a sensor, but whether it is there.
            name, relation, word = (self._take() for _ in range(3))
            position = self.look(f"{name}.position")
            return _is_word(position, relation, word)
        left = self._sum()
        relation = self._next()
        if relation not in _RELATIONS:
            return left
        self._take()
        if isinstance(left, set):
            return _is_word(left, relation, self._take())
        right = self._sum()
        if left is None or right is None:
            return None
        return _RELATIONS[relation](_order(left), _order(right))

    def _sum(self) -> Value:
        value = self._product()
        while self._next() in ("+", "-"):
            sign = self._take()
            other = self._product()
            value = _computed(numbers.add, value, other if sign == "+" else _computed(numbers.negative, other))
        return value

    def _product(self) -> Value:
        value = self._factor()
        while self._next() in ("*", "/", "mod"):
            sign = self._take()
            operation = {"*": numbers.multiply, "/": numbers.divide, "mod": numbers.remainder}[sign]
            value = _computed(operation, value, self._factor())
        return value

    def _factor(self) -> Value:
        token = self._take()
        if token == "-":
            return _computed(numbers.negative, self._factor())
        if token == "+":
            return self._factor()
        if token == "(":
            value = self._disjunction()
            self._take()
            return value
        if token[0] == "'":
            return [numbers.whole(int(digit)) for digit in token[1:-1]]
        if token[0].isdigit():
            return numbers.read(token)
        if token in ("min", "max"):
            first, second = self._arguments(2)
            return _computed(lambda left, right: numbers.extreme(left, right, token == "max"), first, second)
        if token == "abs":
            return _computed(numbers.magnitude, *self._arguments(1))
        if self._next() == "(" and token.endswith(".count"):
            # Regions that are in a state.
            self._take()
            state = self._take()
            self._take()
            return numbers.whole(self.look(f"{token}({state})"))
        if token.endswith(".count"):
            return numbers.whole(len(self.look(token.removesuffix(".count"))))
        if token in self.lists and self._next() == "(":
            return element(self.look(token), *self._arguments(1))
        if self._next() == "(":
            # The member of a group.
            self._take()
            place = self._take()
            self._take()
            return self.look(f"{token}({place})")
        return self.look(token)

    def _arguments(self, count: int) -> list[Value]:
        """What is between parentheses, with commas."""
        values = []
        for _ in range(count):
            self._take()
            values.append(self._sum())
        self._take()
        return values


def ages(text: str) -> list[int]:
    """The ages of a state at which a condition with `elapsed` can begin to hold."""
    tokens = _TOKEN.findall(text)
    found = []
    for place, token in enumerate(tokens):
        if token != "elapsed":
            continue
        if place + 1 < len(tokens) and tokens[place + 1] in _RELATIONS:
            relation, age = tokens[place + 1 : place + 3]
        else:
            age, relation = tokens[place - 2 : place]
            relation = relation.translate(str.maketrans("<>", "><"))
        own = numbers.milliseconds(age)
        # Whether it is exactly so old changes twice.
        found += [own, own + 1] if relation in ("==", "!=") else [own + (relation in (">", "<="))]
    return found


def element(elements: list[Number], place: Number | None) -> Number | None:
    """An element of a list, counted from 1; an unknown one of an unknown place."""
    if place is None:
        return None
    return elements[int(place) - 1] if 1 <= place.size <= len(elements) else numbers.whole(0)


def _order(value: Value) -> Any:
    return value.size if isinstance(value, Number) else value


def _both(left: bool | None, right: bool | None) -> bool | None:
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def _negated(value: bool | None) -> bool | None:
    return None if value is None else not value


def _computed(operation: Callable[..., Number], *operands: Number | None) -> Number | None:
    return None if any(operand is None for operand in operands) else operation(*operands)


def _is_word(words: set[str], relation: str, word: str) -> bool | None:
    """Whether a position is a word. Of an unknown one only `unknown` is known."""
    if "unknown" in words and word != "unknown":
        return None
    return (word in words) == (relation == "==")
