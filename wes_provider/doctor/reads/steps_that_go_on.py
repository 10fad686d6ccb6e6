"""Steps of a file that go on while its status goes back: then no node is behind. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import dropwhile, groupby
from typing import Final

from wes_provider.doctor.replies.files import status_of, steps_in
from wes_provider.models import CouponFile
from wes_provider.texts import shown

__all__ = ["steps_that_go_on"]

MOST_VALUES: Final = 6  # that are quoted


def steps_that_go_on(files: Sequence[CouponFile]) -> str:
    """
    Quote the stage, or the counter of steps, that goes on and never back, such as ``stage download,
    import; stages_done 0, 1, 2``; empty if there is none, if one goes back, or if a status comes
    again with the same step, since a node that is behind repeats old values.

    :param files: one file, as each of several replies has it, in order.
    """
    values = {where: _values_of(files, where) for where in _names_of_steps(files)}
    changing = {where: seen for where, seen in values.items() if len(set(seen)) > 1}
    if not changing or not all(map(_never_goes_back, changing.values())):
        return ""
    if not any(_tells_each_turn(files, seen) for seen in changing.values()):
        return ""
    quoted = [f"{where} {_in_order(seen)}" for where, seen in changing.items()]
    return shown("; ".join(quoted), quoted=False)


def _in_order(values: Iterable[str | float | None]) -> str:
    """Return each value once, in order; of many the first ones and the last."""
    each = [str(value) for value in dict.fromkeys(values)]
    if len(each) > MOST_VALUES:
        each = [*each[: MOST_VALUES - 1], "…", each[-1]]
    return ", ".join(each)


def _names_of_steps(files: Iterable[CouponFile]) -> list[str]:
    return list(dict.fromkeys(where for file in files for where in steps_in(file)))


def _values_of(files: Iterable[CouponFile], where: str) -> list[str | float | None]:
    """Return the values of a property, without the replies before the first one that has it."""
    values = [steps_in(file).get(where) for file in files]
    return list(dropwhile(lambda value: value is None, values))


def _never_goes_back(values: Sequence[str | float | None]) -> bool:
    """Tell whether no value comes again after another one, and no number is below one before."""
    numbers = [value for value in values if isinstance(value, int | float)]
    return _comes_once(values) and None not in values and numbers == sorted(numbers)


def _tells_each_turn(files: Sequence[CouponFile], values: Sequence[str | float | None]) -> bool:
    """Tell whether no status comes again with the same value."""
    statuses = [status_of(file) for file in files[-len(values) :]]
    return _comes_once(list(zip(statuses, values, strict=True)))


def _comes_once(values: Iterable[Hashable]) -> bool:
    runs = [value for value, _ in groupby(values)]
    return len(set(runs)) == len(runs)
