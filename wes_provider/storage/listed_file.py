"""A coupon file that a task has listed, in storage or at a plain URL."""

from __future__ import annotations

import msgspec

__all__ = ["ListedFile"]


class ListedFile(msgspec.Struct, frozen=True, kw_only=True):
    """
    A file that a task was given, as it was when the task listed it.

    :ivar path: in storage, such as ``s3://promo/summer/a.csv``; or the URL without its query.
    :ivar item: the place in the operator's argument that names the file.
    :ivar conn_id: the Airflow connection of the storage, which may be empty; ``None`` for a plain
        URL.
    :ivar url_lifetime: seconds for which a signed URL is valid.
    :ivar etag: what identifies the content: the object's ETag or checksum.
    :ivar size: in bytes; 0 for a plain URL, until it is fetched.
    :ivar checked: whether its codes are to be checked.
    """

    path: str
    item: int = 0
    conn_id: str | None = None
    url_lifetime: int = 0
    etag: str = ""
    size: int = 0
    checked: bool = True

    @property
    def is_object(self) -> bool:
        """Whether it is in storage, instead of at a plain URL."""
        return self.conn_id is not None
