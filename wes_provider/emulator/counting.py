"""What is counted in a coupon file."""

from __future__ import annotations

import hashlib
from typing import Final

__all__ = ["CouponCounter"]

_HEADER_WORDS: Final = frozenset(
    {b"coupon", b"coupons", b"code", b"codes", b"coupon_code", b"coupon code"}
)
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
# In bytes; keeps memory bounded if a file has no lines.
_LONGEST_LINE: Final = 64 * 1024


class CouponCounter:
    """
    Counts the coupons of one file as its bytes come in: one for each line that is not empty, from
    the first CSV column.

    A first line that is a column's name is no coupon. Coupons are remembered by a hash of 8 bytes.

    :param room: how many coupons it may remember; those beyond count as new.
    """

    def __init__(self, room: int) -> None:
        self.total = 0
        self.unremembered = 0
        self.distinct: set[int] = set()
        self._room = room
        self._rest = b""
        self._at_first_line = True

    def feed(self, data: bytes) -> None:
        """
        Count the lines that are complete.

        :raises ValueError: if one is too long for a coupon file.
        """
        *lines, self._rest = (self._rest + data).split(b"\n")
        if len(self._rest) > _LONGEST_LINE:
            raise ValueError(f"a line is longer than {_LONGEST_LINE} bytes")
        for line in lines:
            self._count(line)

    def finish(self) -> None:
        """Count the last line, which may lack its line feed."""
        self._count(self._rest)
        self._rest = b""

    def _count(self, line: bytes) -> None:
        coupon = line.partition(b",")[0].strip().strip(b'"')
        if self._at_first_line:
            coupon = coupon.removeprefix(_BYTE_ORDER_MARK).strip(b'"')
        if not coupon:
            return
        is_header = self._at_first_line and coupon.lower() in _HEADER_WORDS
        self._at_first_line = False
        if is_header:
            return
        self.total += 1
        digest = int.from_bytes(hashlib.blake2b(coupon, digest_size=8).digest(), "little")
        if len(self.distinct) < self._room:
            self.distinct.add(digest)
        elif digest not in self.distinct:
            self.unremembered += 1
