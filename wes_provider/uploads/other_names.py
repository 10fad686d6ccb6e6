"""
Which files of a list may be an upload's under a name that was not sent. Pure.

A service may change the name of a file, at once or when it is processed; hide it; or put another
one, and another URL, in its place. So a file with another name is another upload's only if it has
ended, and the list shows that the service keeps names like the one that was sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import msgspec

from wes_provider.models import Record
from wes_provider.uploads.decision import Behind, CannotTell
from wes_provider.uploads.identity import is_made_by_provider
from wes_provider.uploads.sought import Sought, ids_of, name_of, status_of, url_of

RUN_ID: Final = r"[a-z_]+__\d{4}-\d{2}-\d{2}t\d{2}:\d{2}:\d{2}\S*"
"""As Airflow makes them, in small letters: scheduled__2026-01-01t00:00:00+00:00."""

NOT_KEPT: Final = "nothing shows that the service keeps names, and these may be its file"

SHORTEST_PLAIN: Final = 12
"""Letters and digits; a shorter name may stand in any other one."""


def doubt_changed_name(
    others: Sequence[Record], beside: Mapping[str, Any], sought: Sought
) -> CannotTell | None:
    """
    Doubt a list in which the name that was sent stands in another form or at another place: with
    other signs between its parts, in front or behind of others, or in another property.

    :param others: the files with other names that were not known before the last request.
    :param beside: what the response has beside the files.
    """
    plain_name = _plain(sought.sent_name)
    if len(plain_name) < SHORTEST_PLAIN:
        return None
    having = [record for record in others if plain_name in _plain(_without_url(record))]
    if having:
        return CannotTell(f"a file has its name in another form: {ids_of(having)}")
    if plain_name in _plain(dict(beside)):
        return CannotTell("the response has its name beside the files of the list")
    return None


def doubt_other_names(
    others: Sequence[Record], sought: Sought, records: Sequence[Record]
) -> CannotTell | Behind | None:
    """
    Doubt files with other names: those from its URL, those that have not ended, and all of them if
    nothing shows that the service keeps names.

    :param others: the files with other names that were not known before the last request.
    :param records: all files of the list.
    """
    others = [record for record in others if not is_made_by_provider(name_of(record))]
    if not others:
        return None
    from_its_url = _those(others, _is_from_its_url, sought)
    if from_its_url:
        return CannotTell(f"a file from its URL has another name: {ids_of(from_its_url)}")
    if not _those(records, _shows_kept_name, sought):
        return CannotTell(f"{NOT_KEPT}: {ids_of(others)}")
    hidden = _those(others, _is_hidden, sought)
    if hidden:
        return CannotTell(f"neither name nor URL is shown: {ids_of(hidden)}")
    on_the_way = _those(others, _has_not_ended, sought)
    if on_the_way:
        return Behind(f"files that have not ended may get their names then: {ids_of(on_the_way)}")
    return None


def _those(
    records: Sequence[Record], holds: Callable[[Record, Sought], bool], sought: Sought
) -> list[Record]:
    """Return the records of which something holds."""
    return [record for record in records if holds(record, sought)]


def _plain(value: str | dict[str, Any]) -> str:
    """Return the letters and digits of a string, or of an object in JSON, in small letters."""
    text = value
    if not isinstance(text, str):
        text = msgspec.json.encode(text).decode()
    return "".join(filter(str.isalnum, unquote(text).lower()))


def _without_url(record: Record) -> dict[str, Any]:
    """Return a record without its URL, in which a name that a user gives may stand, too."""
    return {name: value for name, value in record.items() if name != "file_url"}


def _is_from_its_url(record: Record, sought: Sought) -> bool:
    """
    Tell whether a file is from the URL that was sent, whatever its scheme is, or from that without
    its query.
    """
    if not sought.normalised_url or not url_of(record):
        return False
    shown, sent = urlsplit(url_of(record)), urlsplit(sought.normalised_url)
    is_same_place = (shown.netloc, shown.path) == (sent.netloc, sent.path)
    return is_same_place and (shown.query == sent.query or not shown.query or not sent.query)


def _is_hidden(record: Record, _sought: Sought) -> bool:
    """Tell whether a record shows neither the name nor the URL of its file."""
    return not name_of(record) and not url_of(record)


def _has_not_ended(record: Record, sought: Sought) -> bool:
    """Tell whether a file is on its way, as far as its status shows."""
    status = status_of(record)
    return not sought.statuses.succeeded(status) and not sought.statuses.failed(status)


def _shows_kept_name(record: Record, sought: Sought) -> bool:
    """
    Tell whether a record shows that the service keeps names like the one that was sent: of a file
    that was processed, since a failed one may not have come to its name; at least as long, and with
    the same signs in it, since a service may replace just those.
    """
    name, sent = name_of(record), sought.sent_name
    if not sought.statuses.succeeded(status_of(record)):
        return False
    if len(name) < len(sent) or not _signs_in(sent) <= _signs_in(name):
        return False
    return is_made_by_provider(name) or name == sent or _is_of_another_run(name, sought)


def _signs_in(name: str) -> set[str]:
    """Return what a name has besides letters, digits, hyphens and dots."""
    return {sign for sign in name if not sign.isalnum() and sign not in "-."}


def _is_of_another_run(name: str, sought: Sought) -> bool:
    """Tell whether a name is like the one that the user gives, with the identifier of a run."""
    run_id = sought.run_id.lower()
    if not sought.given_name or not run_id or run_id not in sought.sent_name:
        return False
    before, _, behind = sought.sent_name.partition(run_id)
    return re.fullmatch(f"{re.escape(before)}{RUN_ID}{re.escape(behind)}", name) is not None
