"""The variants of the service, each with a list that has files; and which of a connection's settings fit a variant."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from support.variants import Emulator
from wes_provider import contract
from wes_provider.client import requests, responses
from wes_provider.client.sync import WesClient
from wes_provider.doctor.examination import Options, examine
from wes_provider.doctor.findings import Finding, Report
from wes_provider.models import CouponFile
from wes_provider.polling import CountNames
from wes_provider.settings import WesSettings

if TYPE_CHECKING:
    from support.airflow_site import AirflowSite

PROFILES = {path.stem: path for path in sorted((Path(__file__).parent / "profiles").glob("*.json"))}
AT_ONCE = (
    ("other-paths", "other-statuses", "other-names", "list-lag"),
    ("text-bodies", "paged-lists", "no-headers", "names-cut-short"),
    ("nested-lists", "other-errors", "headers-everywhere", "other-workspace-header"),
)
"""All variants, of each row those that one service can have together."""
OLD_LIST = "old-list"
EXAMPLES = ["wes_replenish_coupon_list", "wes_provision_catalog"]
if find_spec("wes_provider.guards"):
    EXAMPLES.append("wes_refresh_segment")


def merged(names: Sequence[str]) -> dict[str, Any]:
    """One profile of several variants."""
    settings = [json.loads(PROFILES[name].read_text())["settings"] for name in names]
    together = dict(chain.from_iterable(part.items() for part in settings))
    assert len(together) == sum(map(len, settings)), "two variants differ in the same setting"
    return {"version": 1, "name": "+".join(names), "description": "Several variants.", "settings": together}


def read_settings(connection: Mapping[str, Any]) -> WesSettings:
    """The settings of a connection."""
    fields = {"schema": None, "port": None, "conn_id": "wes_default", "extra": {}, **connection}
    return WesSettings.from_connection(SimpleNamespace(**{**fields, "extra": json.dumps(fields["extra"])}))


@contextmanager
def service(profile: Path | Mapping[str, Any] | None = None, **settings: Any) -> Iterator[Emulator]:
    """An emulator of a variant: its list has two good files and one that failed."""
    stages = 4 if profile == PROFILES["other-statuses"] else 1  # polls come a second after each other at first
    with Emulator(profile=profile, **{"processing_time": stages, **settings}) as emulator:
        emulator.host("good.csv", b"coupon\nA-1\nA-2\n")
        right = read_settings(emulator.connection(extra={"workspace_header": emulator.settings["workspace_header"]}))
        client = WesClient(right)
        for number, name in enumerate(("missing.csv", "good.csv", "good.csv")):
            body = {"file_url": f"{emulator.files_url}/{name}", "name": f"file {number}"}
            client.run(requests.upload(right, OLD_LIST, body), responses.record)
        client.close()
        emulator.clock.advance(600)
        assert len(emulator.files(OLD_LIST)) == 3
        yield emulator


def examined(url: str, *, connection: Mapping[str, Any] = MappingProxyType({}), **options: Any) -> Report:
    """What the doctor reports of an address, with keys that :mod:`support.replying` may check."""
    keys = {
        "host": url,
        "login": "workspace",
        "password": "campaign-key",
        "extra": {"data_api_key": "data-key-of-ours"},
    }
    return _examine(read_settings({**keys, **connection}), {"timeout": 5.0, "final_after": 0.3, **options})


def _examine(settings: WesSettings, options: dict[str, Any]) -> Report:
    profile, steps = options.pop("profile", None), {"on_step": options.pop("on_step", lambda _: None)}
    report = examine(settings, {}, Options(**options), **steps)
    if profile is not None:
        profile.write_text(json.dumps(report.profile))
    return report


def topic(report: Report, name: str) -> Finding:
    """The finding about something."""
    (finding,) = [finding for finding in report.findings if finding.topic == name]
    return finding


def diagnose(
    emulator: Emulator,
    *,
    upload: bool = False,
    extra: Mapping[str, Any] = MappingProxyType({}),
    connection: Mapping[str, Any] = MappingProxyType({}),
    **options: Any,
) -> Report:
    """
    What the doctor reports of an emulator's connection.

    :param upload: whether it writes all that it can.
    :param extra: of the connection; ``connection``: its fields.
    """
    settings = read_settings(emulator.connection(**{"extra": dict(extra), **connection}))
    if upload:
        options = {
            "coupon_list_id": OLD_LIST,
            "file_url": f"{emulator.files_url}/good.csv",
            "catalog": "doctors-catalog",
            "segment_id": "doctors-segment",
            **options,
        }
    return _examine(settings, {"final_after": 0.5, "timeout": 60.0, **options})


def fits(emulator: Emulator, name: str, value: Any) -> bool:
    """Whether a value of a setting is right for an emulator."""
    truth = emulator.settings
    if name == "workspace_header":
        return bool(value.lower() == truth["workspace_header"].lower())
    if name == "paths.coupon_files":
        return bool(value == truth["coupon_files_path"])
    if name == "paths.coupon_file":
        return bool(value == truth["coupon_file_path"])
    if name == "paths.catalog_id":
        prop = truth["catalog_id_property"]
        if truth["catalog_response"] == "text" or prop is None:
            return value is None
        return bool(value == prop or (value is None and prop.removeprefix("data.") in contract.CATALOG_ID_FIELDS))
    if name == "coupon_files_lag":
        return bool(value >= truth["list_lag"])
    if name.startswith("coupon_file_counts."):
        part = name.partition(".")[2]
        file = CouponFile("id", counts={truth["added_property"]: 1, truth["duplicate_property"]: 2})
        return CountNames(**{part: value}).read([file])[part == "duplicates"] == 1 + (part == "duplicates")
    if name == "coupon_file_statuses.success":
        return truth["success_status"] in value
    if name == "coupon_file_statuses.failure":
        return truth["failure_status"] in value
    assert name == "coupon_file_statuses.pending"
    return not {truth["success_status"], truth["failure_status"]} & set(value)


def check_examples(site: AirflowSite, profile: Path | Mapping[str, Any]) -> None:
    """With the settings that the doctor finds of a variant, the example DAGs run."""
    from support.examples import prepare

    with service(profile) as emulator:
        report = diagnose(emulator, upload=True)
        prepare(site, emulator, only=[dag_id.removeprefix("wes_") for dag_id in EXAMPLES])
        connection = emulator.connection(extra=report.extra)
        site.env["AIRFLOW_CONN_WES_DEFAULT"] = json.dumps(connection)
        for dag_id in EXAMPLES:
            assert site.run(dag_id).state == "success", dag_id
