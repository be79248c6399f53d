"""The clock of the machine: times of day, their dates and days of the week, and switches that follow it."""

import re
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from .chart import Tree

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
MINUTE = 60_000


class Clock:
    """The time of day at each moment of a panel. Until it is set it is unknown."""

    def __init__(self, zone: str = "UTC"):
        self.zone = ZoneInfo(zone)
        # The milliseconds since 1970 at the start of the panel.
        self.origin: int | None = None
        self.is_there = True

    def set(self, text: str, now: int) -> None:
        self.origin = _milliseconds(datetime.fromisoformat(text).replace(tzinfo=self.zone)) - now

    def at(self, now: int) -> int | None:
        """Milliseconds since 1970."""
        return None if self.origin is None or not self.is_there else self.origin + now

    def local(self, now: int) -> datetime | None:
        moment = self.at(now)
        return None if moment is None else self._local(moment)

    def _local(self, moment: int) -> datetime:
        seconds, rest = divmod(moment, 1000)
        local = datetime.fromtimestamp(seconds, timezone.utc).astimezone(self.zone)
        return local.replace(tzinfo=None) + timedelta(milliseconds=rest)

    def next_minute(self, now: int) -> int | None:
        """The next moment of the panel at which a minute begins."""
        moment = self.at(now)
        return None if moment is None else now + MINUTE - moment % MINUTE

    def occurrence(self, day: date, minutes: int) -> int:
        """When it is a time of day on a date, the first time. One that is skipped is at the end of what is skipped."""
        wanted = datetime(day.year, day.month, day.day) + timedelta(minutes=minutes)
        moment = _milliseconds(wanted.replace(tzinfo=self.zone, fold=0))
        while self._local(moment - MINUTE) >= wanted:
            moment -= MINUTE
        return moment

    def dates(self, first: int, last: int) -> list[date]:
        """The dates of a time."""
        start, end = self._local(first).date(), self._local(last).date()
        return [start + timedelta(days=number) for number in range((end - start).days + 1)]


def _milliseconds(moment: datetime) -> int:
    return int(moment.timestamp()) * 1000


def days(text: str) -> set[int]:
    """Days of the week as a file writes them, 0 is Monday; none are all."""
    found: set[int] = set()
    for word in text.split():
        first, _, last = word.partition("..")
        start, count = DAYS.index(first), 1
        if last:
            count = (DAYS.index(last) - start) % 7 + 1
        found |= {(start + number) % 7 for number in range(count)}
    return found or set(range(7))


def times(key: str) -> list[str]:
    """The times of a key of `at`, each with its days."""
    return [re.sub(r"\s+", " ", part.strip()) for part in key.split("|")]


def is_between(moment: datetime, first: int, last: int, begins: set[int]) -> bool:
    """Whether it is a time from one time of day up to another one. After midnight it belongs to the day on which it began."""
    minute, day = moment.hour * 60 + moment.minute, moment.weekday()
    if first <= last:
        return first <= minute < last and day in begins
    return minute >= first and day in begins or minute < last and (day - 1) % 7 in begins


def in_order(tree: Tree) -> list[str]:
    """The times of all `at` in their order: those of an outer state before those of the states inside, then as the file has them."""
    found = [time for key in tree.get("at", {}) for time in times(key)]
    for word in ("states", "regions"):
        for inner in tree.get(word, {}).values():
            found += in_order(inner or {})
    return list(dict.fromkeys(found))
