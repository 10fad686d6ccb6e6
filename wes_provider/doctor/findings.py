"""What a finding is, and which settings of a connection findings are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from wes_provider.connection_form import FIELDS, LABELS
from wes_provider.doctor.replies import Reply
from wes_provider.settings import WesSettings

__all__ = ["DEFAULTS", "Certainty", "Finding", "Topic", "current", "extra", "first_of", "given_extra", "values_of"]

Certainty = Literal["wrong", "unsure", "sure"]
"""It does not work as the connection is set; no reply shows it; it works as the connection is set."""


class Topic:
    """What findings are about; fields of the connection as its form calls them."""

    ADDRESS: Final = LABELS["host"]
    PROXY: Final = "Proxy"
    CAMPAIGN_KEY: Final = LABELS["password"]
    DATA_KEY: Final = LABELS["data_api_key"]
    HEADER: Final = LABELS["workspace_header"]
    LIST_PATH: Final = "Path of the list's files"
    FILE_PATH: Final = "Path of one file"
    STATUSES: Final = "Statuses"
    COUNTS: Final = "Counts"
    LAG: Final = "Lag of the list"
    NAMES: Final = "Names in the list"
    LIMITS: Final = "Rate limits"
    UPLOAD: Final = "Upload"
    CATALOG: Final = "Identifier of a catalog"
    SEGMENT: Final = "Segment"
    PROFILE: Final = "Profile"


@dataclass(frozen=True)
class Finding:
    """
    One conclusion.

    :ivar tried: requests, and what came of them.
    :ivar settings: values that replies have shown to be right; ``guesses``: values that they only speak for.
    :ivar needed: whether tasks need what an ``unsure`` finding could not show.
    """

    topic: str
    certainty: Certainty
    text: str
    tried: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    guesses: Mapping[str, Any] = field(default_factory=dict)
    needed: bool = False


Row = tuple[object, Literal["wrong", "needed", "unsure", "sure"], str]
"""Whether it applies, how sure it is (``needed``: ``unsure``, and tasks need it), and what follows."""


def first_of(topic: str, replies: Iterable[Reply | None], *rows: Row, **values: Mapping[str, Any]) -> Finding:
    """
    The first row of a table that applies.

    :param replies: that the table was read from.
    :param values: ``settings`` and ``guesses`` of the finding.
    """
    _, certainty, text = next(row for row in rows if row[0])
    tried = tuple(str(reply) for reply in replies if reply is not None)
    how: Certainty = "unsure" if certainty == "needed" else certainty
    return Finding(
        topic, how, text, tried, values.get("settings", {}), values.get("guesses", {}), certainty == "needed"
    )


def current(settings: WesSettings) -> dict[str, Any]:
    """The extras of a connection that the doctor can find out; those below another one by their dotted name."""
    statuses, names = settings.statuses, settings.count_names
    return {
        "workspace_header": settings.workspace_header,
        "paths.coupon_files": settings.coupon_files_path,
        "paths.coupon_file": settings.coupon_file_path,
        "paths.catalog_id": settings.catalog_id_property,
        **{f"coupon_file_statuses.{name}": sorted(getattr(statuses, name)) for name in statuses.__struct_fields__},
        **{f"coupon_file_counts.{name}": getattr(names, name) for name in names.__struct_fields__},
        "coupon_files_lag": settings.coupon_files_lag,
    }


DEFAULTS: Final = current(WesSettings("https://localhost", "w", "k", "k"))


def values_of(settings: WesSettings, findings: Iterable[Finding]) -> dict[str, tuple[Any, Certainty]]:
    """The value of every setting that the doctor knows, and how sure it is; by default those of ``settings``."""
    values: dict[str, tuple[Any, Certainty]] = {name: (value, "unsure") for name, value in current(settings).items()}
    for finding in findings:
        values |= {name: (value, "unsure") for name, value in finding.guesses.items()}
        values |= {name: (value, "sure") for name, value in finding.settings.items()}
    return values


def given_extra(raw: Mapping[str, Any], settings: WesSettings) -> dict[str, Any]:
    """What a connection's extra sets besides what the doctor finds out, without secrets and without defaults."""
    defaults = {"allow_http": False} | {each.name: each.default for each in msgspec.structs.fields(WesSettings)}
    found = {"data_api_key", *(name.partition(".")[0] for name in DEFAULTS)}
    given = {name.removeprefix("extra__wes__"): value for name, value in raw.items() if value not in (None, "")}
    return {
        name: value
        for name, value in given.items()
        if name in FIELDS and name not in found and getattr(settings, name, value) != defaults.get(name)
        if not (name == "data_center" and str(value).lstrip(" 0") == "1")
    }


def extra(given: Mapping[str, Any], values: Mapping[str, tuple[Any, Certainty]]) -> dict[str, Any]:
    """A connection's extra: what is given besides, and the values found, as far as they differ from the defaults."""
    result = dict(given)
    for name, (value, _) in values.items():
        if value != DEFAULTS[name]:
            top, _, below = name.partition(".")
            result |= {top: {**result.get(top, {}), below: value} if below else value}
    return result
