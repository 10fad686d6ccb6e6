"""The listing of a coupon list's files: its order, its pages, and how a page says that there is more."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from wes_provider import contract
from wes_provider.emulator.processing import CouponFile
from wes_provider.emulator.replies import Reply, nested
from wes_provider.emulator.settings import Settings

__all__ = ["listing"]

_STREAMED: Final = 1000  # files; longer listings are sent as a stream
_PIECE: Final = 200  # files in each piece of a stream


def listing(
    files: Sequence[CouponFile], record: Callable[[CouponFile], dict[str, Any]], raw_path: str, settings: Settings
) -> Reply:
    """
    The response to the listing of a list's files.

    :param files: those that are shown, oldest first.
    :param record: what a read shows of a file.
    :param raw_path: the raw path of the request; ``limit`` in its query is the size of a page, ``page`` or ``cursor``
        its number.
    :param settings: how listings look.
    """
    path, _, query = raw_path.partition("?")
    given = dict(parse_qsl(query))
    size, page = settings.page_size, 1
    if settings.page_size is not None:
        size = min(_number(given.get("limit")) or settings.page_size, settings.page_size_most)
        page = _number(given.get("page") or given.get("cursor", "").removeprefix("page-")) or 1
    total = len(files)
    ordered = files if settings.list_order == "oldest" else files[::-1]
    part = ordered if size is None else ordered[(page - 1) * size : page * size]
    more = size is not None and page * size < total
    following = f"{path}?{urlencode({**given, 'page': page + 1})}" if more else None
    headers = {"Content-Type": contract.CONTENT_TYPE}
    if following and "link" in settings.list_announces:
        headers["Link"] = f'<{following}>; rel="next"'
    announced = {
        "total": total,
        "next": following,
        "has_more": more,
        "next_cursor": f"page-{page + 1}" if more else None,
    }
    frame = _frame(settings, {name: value for name, value in announced.items() if name in settings.list_announces})
    pieces = _pieces(part, lambda file: _shown(record(file), settings), frame)
    if len(part) > _STREAMED:
        return Reply(200, headers=headers, stream=pieces)
    return Reply(200, b"".join(pieces), headers)


def _number(text: str | None) -> int:
    return int(text) if text is not None and text.isascii() and text.isdigit() else 0


def _shown(record: dict[str, Any], settings: Settings) -> dict[str, Any]:
    for name in settings.list_hides:
        record.pop(name, None)
    return record


def _frame(settings: Settings, announced: dict[str, Any]) -> tuple[bytes, bytes]:
    """What stands before and after the files."""
    if settings.list_shape == "array":
        return b"[", b"]"
    files = '"the files"'
    before, _, after = json.dumps(nested(settings.list_shape, json.loads(files), announced)).partition(files)
    return f"{before}[".encode(), f"]{after}".encode()


def _pieces(
    files: Sequence[CouponFile], record: Callable[[CouponFile], dict[str, Any]], frame: tuple[bytes, bytes]
) -> Iterator[bytes]:
    before, after = frame
    yield before
    for start in range(0, len(files), _PIECE):
        if start:
            yield b", "
        yield ", ".join([json.dumps(record(file)) for file in files[start : start + _PIECE]]).encode()
    yield after
