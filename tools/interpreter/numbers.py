"""Numbers of the panel language: exact ones with decimals, durations and times of day."""

import re
from dataclasses import dataclass
from fractions import Fraction

MOST_DECIMALS = 6
_HIGHEST = (1 << 127) - 1
_MILLISECONDS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000}


class TooManyDecimals(Exception):
    """A product has more decimals than the language has; `panel check` rejects it."""


@dataclass(frozen=True)
class Number:
    """A number with its decimals; of a duration the milliseconds, of a time of day the minutes since midnight."""

    size: Fraction
    decimals: int = 0
    kind: str = "number"

    def __int__(self) -> int:
        assert self.size.denominator == 1
        return int(self.size)

    def __str__(self) -> str:
        if self.kind == "duration":
            return _duration(int(self))
        if self.kind == "time":
            return f"{int(self) // 60:02}:{int(self) % 60:02}"
        if self.size.denominator == 1:
            return str(int(self))
        sign = "-" if self.size < 0 else ""
        digits = str(int(abs(self.size) * 10**self.decimals)).rjust(self.decimals + 1, "0")
        return f"{sign}{digits[:-self.decimals]}.{digits[-self.decimals:]}".rstrip("0")


def _duration(milliseconds: int) -> str:
    if milliseconds % 1000:
        return f"{milliseconds}ms"
    seconds = milliseconds // 1000
    return f"{seconds // 60}m" if seconds and seconds % 60 == 0 else f"{seconds}s"


def whole(number: int) -> Number:
    return Number(Fraction(number))


def duration(milliseconds: int) -> Number:
    return Number(Fraction(milliseconds), 0, "duration")


def read(text: str) -> Number:
    """A number, a duration or a time of day, as a file writes it."""
    if found := re.fullmatch(r"(\d\d):(\d\d)", text):
        return Number(Fraction(int(found[1]) * 60 + int(found[2])), 0, "time")
    found = re.fullmatch(r"(-?\d+(?:\.(\d+))?)(ms|s|m|h)?", text)
    assert found, text
    if found[3]:
        return Number(Fraction(found[1]) * _MILLISECONDS[found[3]], 0, "duration")
    return Number(Fraction(found[1]), len(found[2] or ""))


def milliseconds(text: str) -> int:
    """A duration as a file writes it, in milliseconds."""
    return int(read(text))


def _limited(size: Fraction, decimals: int, kind: str = "number") -> Number:
    """A result beyond 128 bits is the end of that range, which has as many numbers below 0 as above."""
    scale = 10**decimals
    return Number(Fraction(min(_HIGHEST, max(-_HIGHEST, int(size * scale))), scale), decimals, kind)


def _floor(size: Fraction, decimals: int) -> Fraction:
    return Fraction((size * 10**decimals).__floor__(), 10**decimals)


def add(left: Number, right: Number) -> Number:
    if left.kind == "time" or right.kind == "time":
        minutes = sum((number.size if number.kind == "time" else number.size / 60_000) for number in (left, right))
        return Number(Fraction(minutes) % 1440, 0, "time")
    return _limited(left.size + right.size, max(left.decimals, right.decimals), left.kind)


def negative(number: Number) -> Number:
    return Number(-number.size, number.decimals, number.kind)


def multiply(left: Number, right: Number) -> Number:
    if "duration" in (left.kind, right.kind):
        return _limited(_floor(left.size * right.size, 0), 0, "duration")
    decimals = left.decimals + right.decimals
    if decimals > MOST_DECIMALS:
        raise TooManyDecimals
    return _limited(left.size * right.size, decimals)


def divide(left: Number, right: Number) -> Number:
    if left.kind == "duration":
        return _limited(_floor(left.size / right.size, 0), 0, "number" if right.kind == "duration" else "duration")
    decimals = max(left.decimals, right.decimals)
    return _limited(_floor(left.size / right.size, decimals), decimals)


def remainder(left: Number, right: Number) -> Number:
    return _limited(left.size % right.size, max(left.decimals, right.decimals), left.kind)


def extreme(left: Number, right: Number, is_greater: bool) -> Number:
    size = max(left.size, right.size) if is_greater else min(left.size, right.size)
    return Number(size, max(left.decimals, right.decimals), left.kind)


def magnitude(number: Number) -> Number:
    return Number(abs(number.size), number.decimals, number.kind)


def rounded(number: Number, decimals: int) -> Number:
    """The nearest number with this number of decimals, halves away from zero."""
    units = _floor(abs(number.size) + Fraction(1, 2 * 10**decimals), decimals)
    return Number(units if number.size >= 0 else -units, decimals, number.kind)


def within(number: Number, low: Number, high: Number) -> Number:
    """The number, or the nearest end of a range with its decimals."""
    return Number(min(high.size, max(low.size, number.size)), number.decimals, number.kind)
