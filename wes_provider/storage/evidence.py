"""What the service tells about the uploads of other tasks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wes_provider.exceptions import WesResponseError, WesUnknownOutcomeError
from wes_provider.polling import Statuses
from wes_provider.texts import about
from wes_provider.uploads.identity import parse

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook

__all__ = ["Service"]


class Service:
    """The files of one list; ``lag`` is how many seconds the list may be behind."""

    def __init__(self, hook: WesHook, coupon_list_id: str, statuses: Statuses | None) -> None:
        self._hook, self._list = hook, coupon_list_id
        self._statuses = statuses or hook.settings.statuses
        self.lag: float = hook.settings.coupon_files_lag

    def find(self, name: str) -> str | None:
        """The id of the list's file of a name, one that did not fail if there are several; ``None`` if it has none."""
        listing, wanted = self._hook.read_list(self._list), parse(name)
        ids, named = list[str](), not listing.records
        for record in listing.records:
            shown = str(record.get("name") or "")
            found, named = parse(shown), named or bool(shown)
            ours = found and wanted and (found.hash, found.start) == (wanted.hash, wanted.start)
            if (shown == name or ours) and isinstance(record.get("_id"), str):
                ids.append(str(record["_id"]))
        if ids:
            return next((file_id for file_id in ids if not self.failed(file_id)), ids[0])
        if listing.incomplete or not named:
            raise WesUnknownOutcomeError(
                f"{about('Perhaps uploaded, by a task that crashed', self._list)}\n"
                f"Look in the list for a file whose name has {name!r}; Ledger(on_known_content='skip') or 'upload' "
                f"do not help here. {listing.incomplete or 'The list shows no names'}"
            )
        return None

    def failed(self, coupon_file_id: str) -> bool:
        """Whether a file failed processing, so that the list has none of its codes."""
        try:
            record = self._hook.get_coupon_file(self._list, coupon_file_id)
        except WesResponseError:
            return False  # nothing is known of it but that it was uploaded
        return self._statuses.failed(str(record.get("status") or ""))
