"""What an examination does."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

__all__ = ["Options"]


def _unique_name() -> str:
    return f"Wes-Doctor-{secrets.token_hex(7)}-{'n' * 60}.csv"


@dataclass(frozen=True)
class Options:
    """
    What an examination does. Without ``file_url``, ``catalog`` and ``segment_id`` it only reads.

    :ivar timeout: seconds to follow the uploaded file.
    :ivar final_after: seconds that an unknown status has to last before it counts as final.
    :ivar file_name: what the uploaded file is called; no other file has that name.
    """

    coupon_list_id: str | None = None
    file_url: str | None = None
    catalog: str | None = None
    segment_id: str | None = None
    updated_by: str = "wes-doctor@example.com"
    timeout: float = 1800.0
    final_after: float = 60.0
    file_name: str = field(init=False, default_factory=_unique_name)
