"""
What a watch remembers in the state store of its asset, which Airflow has since 3.3.

Ten thousand files are 80,000 characters, and one that ends adds eight. They are kept in chunks,
because Airflow warns of values above 65,535 bytes, and so that little is written for one file.
"""

from __future__ import annotations

import logging
from hashlib import blake2b
from typing import Any, Final, Protocol

from wes_provider.watches.decision import FINGERPRINT_LENGTH, Seen

CHUNK: Final = 5_000 * FINGERPRINT_LENGTH
"""Characters of a chunk."""

log = logging.getLogger(__name__)


class Store(Protocol):
    """Airflow's state store of one asset."""

    async def aget(self, key: str) -> Any:
        """Return a value; ``None`` if there is none."""

    async def aset(self, key: str, value: Any) -> None:
        """Write a value."""


class WatchRecord:
    """
    The files that a watch has seen. Without a store, or if the store fails, they are in memory.

    :param store: the state store of the watched asset; ``None`` before Airflow 3.3.
    :param wes_conn_id: the connection; another workspace may have a list of the same name.
    :param coupon_list_id: the watched list; an asset may have watched another before.
    :ivar seen: what was seen so far; ``None`` before the first reading of the watch.
    """

    def __init__(self, store: Store | None, wes_conn_id: str, coupon_list_id: str) -> None:
        self.seen: Seen | None = None
        self._store = store
        self._list = blake2b(f"{wes_conn_id}\n{coupon_list_id}".encode(), digest_size=8).hexdigest()
        self._stored: list[str] = []
        self._was_read = False
        self._problem = ""

    async def read(self) -> bool:
        """Read what was stored, once; return whether that has been possible."""
        if self._store is None or self._was_read:
            return True
        chunks: list[str] = []
        try:
            while (chunk := await self._store.aget(self._key(len(chunks)))) is not None:
                chunks.append(str(chunk))
        except ValueError:
            log.warning(
                "Two assets watch a coupon list with the same arguments, so what was seen is kept "
                "in memory only\nUse one asset for both, or give one watcher another poll_interval."
            )
            self._store = None
            return True
        except Exception as error:
            self._report("read", error)
            return False
        self._problem = ""
        self._was_read = True
        self._stored = chunks
        if chunks:
            self.seen = dict.fromkeys(_split("".join(chunks), FINGERPRINT_LENGTH))
        return True

    async def write(self, seen: Seen) -> None:
        """
        Store what was seen; a failure is logged, and the next writing makes up for it.

        The first chunk is written last: it says that the watch has begun.
        """
        if self._store is None:
            return
        # A list in which no file has ended has a chunk, too.
        chunks = _split("".join(seen), CHUNK) or [""]
        try:
            for index in reversed(range(len(chunks))):
                if chunks[index : index + 1] != self._stored[index : index + 1]:
                    await self._store.aset(self._key(index), chunks[index])
        except Exception as error:
            self._report("write", error)
            return
        self._problem = ""
        self._stored = chunks

    def _key(self, index: int) -> str:
        return f"wes_coupon_list_{self._list}_{index}"

    def _report(self, action: str, error: Exception) -> None:
        """Log a failure of the store, unless the last one was the same."""
        problem = f"Could not {action} what the watch of a coupon list has seen, trying again"
        if problem != self._problem:
            # Airflow's and a backend's errors may quote what they were sent.
            log.warning("%s: %s", problem, type(error).__name__)
        self._problem = problem


def _split(text: str, length: int) -> list[str]:
    return [text[start : start + length] for start in range(0, len(text), length)]
