"""Which operation a request is, by its method and path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import unquote, unquote_to_bytes

from wes_provider import contract
from wes_provider.contract import Operation
from wes_provider.emulator.replies import METHOD_NOT_ALLOWED, NOT_FOUND, Refusal, invalid
from wes_provider.emulator.settings import Settings

__all__ = ["Match", "NoSuchPath", "Route", "Routes", "WrongMethod"]

_LIST: Final = "coupon_list_id"


class Match(NamedTuple):
    """
    An operation, with what stands in its path for each of its parameters, as on the wire.

    Nothing is refused here for an identifier that is not UTF-8: credentials are checked first.
    """

    operation: Operation
    quoted: Mapping[str, str]

    @property
    def list_id(self) -> str:
        """The coupon list; empty if the path has none."""
        return unquote(self.quoted.get(_LIST, ""))

    def identifiers(self) -> dict[str, str]:
        """
        Return the identifiers by the names of the path's parameters.

        :raises Refusal: 400, if one is not UTF-8.
        """
        try:
            return {name: unquote_to_bytes(raw).decode() for name, raw in self.quoted.items()}
        except UnicodeError:
            raise invalid("An identifier in the path is not UTF-8.") from None


class WrongMethod(NamedTuple):
    """A path of operations that take other methods; ``operation`` is one of them."""

    operation: Operation
    allowed: tuple[str, ...]

    def refusal(self) -> Refusal:
        """Return the response to it."""
        methods = ", ".join(self.allowed)
        message = f"This path takes {methods}."
        return Refusal(405, METHOD_NOT_ALLOWED, message, {"Allow": methods})


class NoSuchPath(NamedTuple):
    """A path of no operation."""

    def refusal(self) -> Refusal:
        """Return the response to it."""
        return Refusal(404, NOT_FOUND, "There is no such path.")


Route = Match | WrongMethod | NoSuchPath


class Routes:
    """
    The paths of all operations, from the table of operations and the settings.

    Paths are matched as they are on the wire: ``a%2Fb`` is one identifier.
    """

    def __init__(self, settings: Settings) -> None:
        replaced = {
            "coupon_file": settings.coupon_file_path,
            "coupon_files": settings.coupon_files_path,
        }
        self._hides_wrong_methods = settings.wrong_method == 404
        self._templates: list[tuple[Operation, list[str]]] = []
        for operation in contract.OPERATIONS.values():
            path = replaced.get(operation.path_extra, operation.path)
            if path is not None:
                self._templates.append((operation, path.split("/")))

    def match(self, method: str, raw_path: str) -> Route:
        """
        Find the operation of a request.

        :param raw_path: as it was on the wire; a query does not count.
        """
        path = raw_path.partition("?")[0].split("/")
        others: list[Operation] = []
        for operation, template in self._templates:
            quoted = _read_identifiers(template, path)
            if quoted is None:
                continue
            if operation.method == method:
                return Match(operation, quoted)
            others.append(operation)
        if not others or self._hides_wrong_methods:
            return NoSuchPath()
        return WrongMethod(others[-1], tuple(operation.method for operation in others))


def _read_identifiers(
    template: list[str],
    path: list[str],
) -> dict[str, str] | None:
    """Return what stands for a template's parameters; ``None`` if the path is another one."""
    if len(template) != len(path):
        return None
    identifiers = {}
    for wanted, given in zip(template, path, strict=True):
        if wanted.startswith("{"):
            if _is_resolved_on_the_way(given):
                return None
            identifiers[wanted.strip("{}")] = given
        elif wanted != given:
            return None
    return identifiers


def _is_resolved_on_the_way(segment: str) -> bool:
    """Tell whether proxies resolve a segment of a path, so that it is no identifier."""
    return segment.lower().replace("%2e", ".") in ("", ".", "..")
