"""The argument ``preflight``: what a coupon file's content has to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar, Final

import msgspec
from msgspec import Meta

from wes_provider import contract
from wes_provider.arguments import templated
from wes_provider.exceptions import WesConfigurationError
from wes_provider.texts import shown

__all__ = ["Preflight", "Rules"]

Count = Annotated[int, Meta(ge=0)]

A_COUNT: Final = "a whole number from 0 up"
TAKES: Final = {
    "header": "True or False",
    "column": "a column's name, or its number from 1 up",
    "delimiter": "one character, which is no quotation mark and ends no line",
    "min_codes": A_COUNT,
    "max_codes": A_COUNT,
    "min_length": A_COUNT,
    "max_length": A_COUNT,
    "max_duplicates": A_COUNT,
    "max_unlike": A_COUNT,
}
"""What each argument takes, for messages."""


class Rules(msgspec.Struct, kw_only=True):
    """The arguments of :class:`Preflight` after rendering, with their types checked."""

    header: bool | None = None
    column: Annotated[int, Meta(ge=1)] | str | None = None
    delimiter: Annotated[str, Meta(pattern="^[^\r\n\"']\\Z")] | None = None
    min_codes: Count = 1
    max_codes: Count = contract.LIST_COUPONS
    min_length: Count = 1
    max_length: Count = 100
    max_duplicates: Count = 0
    max_unlike: Count = 0

    def __post_init__(self) -> None:
        if self.min_codes > self.max_codes or self.min_length > self.max_length:
            raise ValueError("a least number is more than the most")
        if self.header is False and isinstance(self.column, str):
            raise ValueError("header=False leaves no name for its column. Give its number")


class Preflight(Rules, kw_only=True):
    """
    What coupon files are checked for before the first one is uploaded. All arguments are templated.

    :param header: whether the first line names columns: ``True`` or ``False``; by default, the
        check compares the first line with the others, and asks for this argument if that does not
        decide.
    :param column: the column of the codes: its name, or its number from 1 on. By default it is the
        first, and a file of several columns has to name it. It changes what is counted and checked,
        not what the service reads.
    :param delimiter: the character between columns; by default it is found.
    :param min_codes: the task fails if a file has fewer codes.
    :param max_codes: the task fails if a file has more codes; by default a list's limit, 100
        million.
    :param min_length: the shortest code, in bytes.
    :param max_length: the longest code, in bytes.
    :param max_duplicates: how many codes of a file may be duplicates of codes before them.
    :param max_unlike: how many codes may be unlike all others, such as one with several words; by
        default, such a line is taken for a message.
    """

    template_fields: ClassVar[Sequence[str]] = Rules.__struct_fields__

    def __post_init__(self) -> None:
        if not any(map(templated, msgspec.structs.astuple(self))):
            self.rules()

    def rules(self) -> Rules:
        """
        Parse the arguments, which templates render to strings.

        :raises WesConfigurationError: if they make no sense.
        """
        given = msgspec.structs.asdict(self)
        for name, value in given.items():
            if value in ("", "None"):
                given[name] = None
        if str(self.column).isdecimal():
            given["column"] = int(str(self.column))
        _check_types(given)
        try:
            return msgspec.convert(given, Rules, strict=False)
        except msgspec.ValidationError as error:
            # Each argument has its type, so the words are those of Rules.
            raise WesConfigurationError(
                f"Preflight cannot be used: {error}\nIt is {shown(self, 300)}"
            ) from None


def _check_types(given: dict[str, Any]) -> None:
    """Check one argument after the other, so that the message names the right one."""
    types = {field.name: field.type for field in msgspec.structs.fields(Rules)}
    for name, value in given.items():
        try:
            msgspec.convert(value, types[name], strict=False)
        except msgspec.ValidationError:
            raise WesConfigurationError(
                f"Preflight cannot be used: {name} is {shown(value)}\nIt takes {TAKES[name]}."
            ) from None
