"""What was found as a profile of the emulator, so that ``wes-emulator --profile FILE`` behaves like the service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from wes_provider import contract
from wes_provider.client.diagnosis import Evidence
from wes_provider.client.rate_limit_headers import header_count, reset_time, service_date
from wes_provider.doctor.conclusions import rate_limit_names
from wes_provider.doctor.listing import Listing, complaint_of, counts_of, list_id_name
from wes_provider.doctor.reading import Readings
from wes_provider.doctor.writing import Followed

__all__ = ["profile_settings", "save_profile"]

WINDOWS: Final = (60, 3600, 86_400)  # seconds; limits are usually for one of these
DUPLICATE_WORDS: Final = ("dup", "skip", "exist", "ignor", "reject")
ADDED_WORDS: Final = ("add", "import", "new", "success", "insert", "accept", "creat", "valid", "process")


def save_profile(path: str | Path, settings: Mapping[str, Any]) -> None:
    """
    Write a profile.

    :param path: the path of the file, which is replaced.
    :param settings: the result of :func:`profile_settings`.
    :raises OSError: if it cannot be written.
    """
    from wes_provider.emulator.profile import Profile

    Profile("found by wes-doctor", "How a service responded when wes-doctor examined it.", settings).save(path)


def profile_settings(
    readings: Readings,
    found: Mapping[str, Any],
    followed: Followed | None = None,
    catalog: Evidence | None = None,
    segment: Evidence | None = None,
) -> dict[str, Any]:
    """
    Settings of an emulator that behaves as the service did.

    :param found: values of the connection's settings.
    :param followed: the upload, if there was one.
    :param catalog: the reply to the creation of a catalog, likewise ``segment``.
    """
    settings: dict[str, Any] = {
        "workspace_header": found["workspace_header"],
        "coupon_file_path": found["paths.coupon_file"],
        "coupon_files_path": found["paths.coupon_files"],
    }
    evidence = [item for item in readings.evidence if item.status is not None]
    settings |= _errors(evidence)
    settings |= _wrong_method(readings)
    listing = readings.list_found.listing if readings.list_found is not None else None
    if followed is not None and followed.listing is not None:
        listing = followed.listing
    if listing is not None:
        settings |= _listing(listing, followed)
        settings |= _record(listing.records[-1] if listing.records else {})
        failed = {str(record.get("status")) for record in listing.records if complaint_of(record)}
        if len(failed) == 1:
            settings["failure_status"] = failed.pop()
    writes = [item for item in (catalog, segment, followed.evidence if followed is not None else None) if item]
    if any(rate_limit_names(item) for item in (*evidence, *writes) if item.status != 429):
        settings["rate_limit_headers"] = "all"
    settings |= _limits(evidence, followed)
    if followed is not None and followed.record:
        settings |= _record(followed.record)
        settings |= _lifetime(followed)
        settings |= _rewritten(followed)
    if catalog is not None and catalog.success:
        settings |= {
            "catalog_status": catalog.status,
            "catalog_id_property": found["paths.catalog_id"] or _catalog_property(catalog),
            "catalog_response": "text" if catalog.form == "text" else "json",
        }
    if segment is not None and segment.success:
        shape = {"json": "object", "text": "text"}.get(segment.form, "empty")
        if isinstance(segment.content, dict) and list(segment.content) == ["data"]:
            shape = "data"
        settings |= {"segment_status": segment.status, "segment_response": shape}
    return settings


def _wrong_method(readings: Readings) -> dict[str, Any]:
    data = readings.keys.data
    return {"wrong_method": 404} if data is not None and data.status == 404 else {}


def _errors(evidence: list[Evidence]) -> dict[str, Any]:
    """The shape of errors, from the first one that has a body."""
    for item in evidence:
        if item.success or item.status is None or item.status < 400:
            continue
        if item.form == "text":
            return {"error_format": "text"}
        texts = list(_texts(item.content)) if item.form == "json" else []
        codes = [where for where, text in texts if " " not in text]
        messages = [where for where, text in texts if " " in text]
        if codes and messages:
            message, last = messages[0], messages[0].rpartition(".")[2]
            inner = last == "text" and message.count(".") > codes[0].count(".")
            return {
                "error_code_property": codes[0],
                "error_message_property": message.rpartition(".")[0] if inner else message,
                "error_message_format": "object" if inner else "text",
            }
    return {}


def _texts(content: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Texts of nested objects and lists by their dotted property; of a list, its first item."""
    items: Any = ()
    if isinstance(content, dict):
        items = content.items()
    elif isinstance(content, list):
        items = enumerate(content[:1])
    elif isinstance(content, str) and content and where:
        yield where, content
    for name, value in items:
        yield from _texts(value, f"{where}.{name}" if where else str(name))


def _listing(listing: Listing, followed: Followed | None) -> dict[str, Any]:
    settings: dict[str, Any] = {"list_shape": listing.where or "array"}
    if listing.announces:
        settings["list_announces"] = list(listing.announces)
    if listing.more:
        settings["page_size"] = len(listing.records)
    if followed is not None and len(listing.records) > 1 and listing.records[0].get("_id") == followed.file_id:
        settings["list_order"] = "newest"
    return settings


def _record(record: Mapping[str, Any]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    if name := list_id_name(record):
        settings["list_id_property"] = name
    counts = counts_of(record)
    duplicate = next((name for name in counts if any(word in name.lower() for word in DUPLICATE_WORDS)), None)
    others = [name for name in counts if name != duplicate]
    added = next((name for name in others if any(word in name.lower() for word in ADDED_WORDS)), None)
    if counts:
        settings |= {"added_property": added or next(iter(others), None), "duplicate_property": duplicate}
    return settings


def _lifetime(followed: Followed) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    names = [seen.status for seen in followed.sightings]
    if followed.ended and len(names) > 1:
        settings |= {"statuses": names[:-1], "success_status": names[-1]}
        settings["processing_time"] = max(0.5, round(followed.sightings[-1].after, 1))
    for name, after in (("list_lag", followed.listed_after), ("fetch_lag", followed.fetched_after)):
        if after is not None and after >= 1:
            settings[name] = round(after, 1)
    return settings


def _rewritten(followed: Followed) -> dict[str, Any]:
    """How the service stores names and URLs, as far as one file shows it."""
    settings: dict[str, Any] = {}
    sent, shown = followed.sent["name"], followed.record.get("name")
    if isinstance(shown, str) and shown and shown != sent:
        begins = sent[: len(shown)]
        if shown != begins and shown in (begins.lower(), begins.upper()):
            settings["name_case"] = "lower" if shown == begins.lower() else "upper"
        if len(shown) == len(sent.rpartition(".")[0]):
            settings["name_extension"] = "drop"
        elif len(shown) < len(sent):
            settings["name_length"] = len(shown)
    if followed.listed:
        hidden = [name for name in ("name", "file_url") if name in followed.record and name not in followed.listed]
        if hidden:
            settings["list_hides"] = hidden
    url = followed.record.get("file_url")
    if isinstance(url, str) and url != followed.sent["file_url"]:
        settings["url_rewrites"] = _url_rewrites(followed.sent["file_url"], url)
    return settings


def _url_rewrites(sent: str, shown: str) -> list[str]:
    from wes_provider.emulator.rewriting import stored_url

    steps: tuple[Any, ...] = ("lower_host", "upper_host", "add_port", "drop_port", "encode", "decode", "drop_query")
    tries = (chosen for count in range(1, 4) for chosen in combinations(steps, count))
    return next((list(chosen) for chosen in tries if stored_url(sent, chosen) == shown), [])


def _limits(evidence: list[Evidence], followed: Followed | None) -> dict[str, Any]:
    limits: dict[str, Any] = {}
    samples = [
        ("list_coupon_files", item) for item in evidence if item.success and isinstance(item.content, list | dict)
    ]
    if followed is not None:
        samples.append(("upload_coupon_file", followed.evidence))
    for operation, item in samples:
        limit, reset, date = (
            header_count(item.headers, "x-ratelimit-limit"),
            reset_time(item.headers),
            service_date(item.headers),
        )
        if limit and reset is not None and date is not None:
            window = next((seconds for seconds in WINDOWS if reset - date <= seconds), WINDOWS[-1])
            limits[operation] = [[limit, window]]
    return {"limits": limits} if limits else {}


def _catalog_property(catalog: Evidence) -> str | None:
    content, prefix = catalog.content, ""
    if isinstance(content, dict) and isinstance(content.get("data"), dict):
        content, prefix = content["data"], "data."
    if isinstance(content, dict):
        return next((prefix + name for name in contract.CATALOG_ID_FIELDS if content.get(name)), None)
    return None
