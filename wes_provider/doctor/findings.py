"""What a finding is, and which settings of a connection findings are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from wes_provider import contract
from wes_provider.client.settings import WesSettings
from wes_provider.polling import Statuses

__all__ = ["DEFAULTS", "SETTINGS", "Certainty", "Finding", "current", "extra", "number", "setting_values"]

Certainty = Literal["sure", "unsure", "wrong"]

UPLOAD: Final = "Upload"
CATALOG: Final = "Identifier of a catalog"
SEGMENT: Final = "Segment"

SETTINGS: Final = (
    "workspace_header",
    "paths.coupon_files",
    "paths.coupon_file",
    "paths.catalog_id",
    "coupon_file_statuses.pending",
    "coupon_file_statuses.success",
    "coupon_file_statuses.failure",
    "coupon_file_counts.added",
    "coupon_file_counts.duplicates",
    "coupon_files_lag",
)
"""The extras that the doctor can find out, objects by their dotted name."""


@dataclass(frozen=True)
class Finding:
    """
    One conclusion.

    :ivar topic: what it is about.
    :ivar certainty: ``sure``: it works as the connection is set; ``unsure``: the evidence does not show it;
        ``wrong``: it does not work as the connection is set.
    :ivar text: what follows, in plain words.
    :ivar tried: the request.
    :ivar came: the reply.
    :ivar settings: values of :data:`SETTINGS` that are right as far as the evidence shows; for ``wrong``, those to set.
    :ivar needed: whether tasks need what an ``unsure`` finding could not show to work.
    """

    topic: str
    certainty: Certainty
    text: str
    tried: str = ""
    came: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    needed: bool = False


DEFAULTS: Final[dict[str, Any]] = {
    "workspace_header": contract.WORKSPACE_HEADER,
    "paths.coupon_files": contract.COUPON_FILES_PATH,
    "paths.coupon_file": contract.COUPON_FILE_PATH,
    "paths.catalog_id": None,
    "coupon_file_statuses.pending": sorted(contract.PENDING_STATUSES),
    "coupon_file_statuses.success": sorted(contract.SUCCESS_STATUSES),
    "coupon_file_statuses.failure": sorted(contract.FAILURE_STATUSES),
    "coupon_file_counts.added": "",
    "coupon_file_counts.duplicates": "",
    "coupon_files_lag": 30.0,
}


def current(settings: WesSettings) -> dict[str, Any]:
    """The values of a connection, by the names of :data:`SETTINGS`."""
    statuses: Statuses = settings.statuses
    return {
        "workspace_header": settings.workspace_header,
        "paths.coupon_files": settings.coupon_files_path,
        "paths.coupon_file": settings.coupon_file_path,
        "paths.catalog_id": settings.catalog_id_property,
        "coupon_file_statuses.pending": sorted(statuses.pending),
        "coupon_file_statuses.success": sorted(statuses.success),
        "coupon_file_statuses.failure": sorted(statuses.failure),
        "coupon_file_counts.added": settings.count_names.added,
        "coupon_file_counts.duplicates": settings.count_names.duplicates,
        "coupon_files_lag": settings.coupon_files_lag,
    }


def setting_values(settings: WesSettings, findings: Iterable[Finding]) -> dict[str, tuple[Any, Certainty]]:
    """
    The value of every setting that the doctor knows, and how sure it is.

    :param settings: the settings of the connection.
    :param findings: later ones take precedence, unless they are unsure of what an earlier one is sure of.
    """
    values: dict[str, tuple[Any, Certainty]] = {name: (value, "unsure") for name, value in current(settings).items()}
    for finding in findings:
        certainty: Certainty = "unsure" if finding.certainty == "unsure" else "sure"
        for name, value in finding.settings.items():
            if certainty == "sure" or values[name][1] == "unsure":
                values[name] = (value, certainty)
    return values


def extra(given: Mapping[str, Any], values: Mapping[str, tuple[Any, Certainty]]) -> dict[str, Any]:
    """
    A connection's extra with the values found, as far as they differ from the defaults.

    :param given: the connection's extra, without its secrets.
    :param values: the result of :func:`setting_values`.
    """
    result = {name: value for name, value in given.items() if name not in {item.partition(".")[0] for item in SETTINGS}}
    for name, (value, _) in values.items():
        if value == DEFAULTS[name]:
            continue
        top, _, below = name.partition(".")
        if below:
            result.setdefault(top, {})[below] = value
        else:
            result[top] = value
    return result


def number(count: int, noun: str) -> str:
    """A number of things, such as ``1 read`` or ``2 reads``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
