"""
The variants of the service, each with a list that has files; and which of a connection's settings
fit a variant.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from support.servers import Reply, replying
from support.settings import settings as read_settings
from support.skipping_clock import CLOCK
from support.variants import Emulator
from support.wire import Session
from wes_provider import contract
from wes_provider.coupon_files import CountNames
from wes_provider.doctor.examination import examine
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.options import Options
from wes_provider.doctor.reads.sending import MOST_READS
from wes_provider.doctor.replies.probes import Keys
from wes_provider.doctor.report import Report
from wes_provider.models import CouponFile

if TYPE_CHECKING:
    from support.airflow_site import AirflowSite

OTHER_LIMITS = {
    "upload_coupon_file": 10,
    "get_coupon_file": 600,
    "list_coupon_files": 600,
    "update_segment": 60,
}
VARIANTS: dict[str, dict[str, Any]] = {
    "other-paths": {
        "coupon_file_path": "/v1/coupon-files/{coupon_file_id}",
        "coupon_files_path": "/v1/coupon-list/{coupon_list_id}/coupon-files",
        "wrong_method": 404,
    },
    "other-statuses": {
        "statuses": ["PENDING", "VALIDATING", "IMPORTING"],
        "success_status": "IMPORTED",
        "failure_status": "BROKEN",
    },
    "other-names": {
        "list_id_property": "coupon_list_id",
        "added_property": "stats.imported",
        "duplicate_property": "stats.already_there",
        "catalog_id_property": "result.key",
    },
    "list-lag": {"list_lag": 5.0, "fetch_lag": 1.0},
    "text-bodies": {"catalog_response": "text", "segment_response": "text", "errors": "text"},
    "paged-lists": {"page_size": 20},
    "no-headers": {"rate_limit_headers": "none"},
    "names-cut-short": {"short_names": True},
    "nested-lists": {"list_shape": "result.files"},
    "other-errors": {"errors": "renamed"},
    "headers-everywhere": {
        "rate_limit_headers": "all",
        "limits": {operation: [[number, 60]] for operation, number in OTHER_LIMITS.items()},
    },
    "other-workspace-header": {"workspace_header": "X-WORKSPACE-ID"},
}
AT_ONCE = [tuple(VARIANTS)[start : start + 4] for start in (0, 4, 8)]
"""All variants, of each row those that one service can have together."""
OLD_LIST = "old-list"
EXAMPLES = ["wes_replenish_coupon_list", "wes_provision_catalog"]
if find_spec("wes_provider.guards"):
    EXAMPLES.append("wes_refresh_segment")


def merged(names: Sequence[str]) -> dict[str, Any]:
    """One profile of several variants."""
    settings = {key: value for name in names for key, value in VARIANTS[name].items()}
    assert len(settings) == sum(len(VARIANTS[name]) for name in names), (
        "two variants differ in the same setting"
    )
    return settings


@contextmanager
def service(profile: Path | Mapping[str, Any] | None = None, **settings: Any) -> Iterator[Emulator]:
    """An emulator of a variant: its list has two good files and one that failed."""
    # Polls come a second after each other at first.
    stages = 4 if profile == VARIANTS["other-statuses"] else 1
    with Emulator(profile=profile, **{"processing_time": stages, **settings}) as emulator:
        emulator.host("good.csv", b"coupon\nA-1\nA-2\n")
        with Session(emulator) as session:
            for number, name in enumerate(("missing.csv", "good.csv", "good.csv")):
                session.upload(f"{emulator.files_url}/{name}", OLD_LIST, name=f"file {number}")
        emulator.clock.advance(600)
        assert len(emulator.files(OLD_LIST)) == 3
        CLOCK.emulators.append(emulator)
        try:
            yield emulator
        finally:
            CLOCK.emulators.remove(emulator)


# -- small accounts, as nasty as it gets ----------------------------------------------------------

WORKSPACE, CAMPAIGN_KEY, DATA_KEY = "workspace", "campaign-key-of-ours", "data-key-of-ours"
LIST = "spring"
FILES_PATH = f"/v1/coupon-list/{LIST}/files"
SEGMENT_PATH = "/v3/custom-segments/wes-doctor"
UNAUTHENTICATED = {
    "error": {"code": "request-unauthenticated", "message": "Credentials are missing or invalid."}
}


class Call(NamedTuple):
    """
    One request as an account sees it.

    :ivar number: of the request, from 1.
    :ivar key: ``campaign``, ``data`` or ``unknown``.
    :ivar authority: the host that it is for, which a proxy sees.
    """

    number: int
    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    key: str
    authority: str = ""


def json_reply(status: int, content: Any, **headers: str) -> Reply:
    """A reply with JSON; underscores in the names of headers stand for hyphens."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(
        status, json.dumps(content).encode(), {"Content-Type": "application/json", **named}
    )


def error_reply(status: int, code: str, message: str, **headers: str) -> Reply:
    """An error in the form that the contract shows."""
    return json_reply(status, {"error": {"code": code, "message": message}}, **headers)


def page_reply(status: int, text: str = "<!DOCTYPE html><title>Hello</title>") -> Reply:
    """A reply with a web page."""
    return Reply(status, text.encode(), {"Content-Type": "text/html"})


def not_found(what: str) -> Reply:
    """A 404 in the form that the contract shows."""
    return error_reply(404, "not-found", f"no such {what}")


def record(file_id: str, status: str = "SUCCESS", **more: Any) -> dict[str, Any]:
    """A coupon file as an account shows it."""
    counts = {"coupons_added": 5, "coupons_duplicate": 0}
    named = {"_id": file_id, "name": file_id, "status": status, "coupons_list_id": LIST}
    return {**named, **counts, **more}


def nothing_nasty(_: Call) -> Reply | None:
    """Leave everything to the account."""
    return None


@dataclass
class Account:
    """
    A healthy account with one list, by default; each field makes it another one.

    :ivar replies: replies in the account's place, unless it returns ``None``.
    :ivar records: the list's files; ``list_body`` makes the body of the list from them.
    :ivar list_path: where the list is; ``file_path``, with ``{id}``, where one file is.
    :ivar header: that it takes the workspace from.
    :ivar calls: so far.
    """

    replies: Callable[[Call], Reply | None] = nothing_nasty
    records: Sequence[Mapping[str, Any]] = (record("f1"), record("f2", "FAILED", error="no header"))
    list_body: Callable[[list[Any]], Any] = lambda records: records
    list_headers: Mapping[str, str] = field(default_factory=dict)
    list_path: str = FILES_PATH
    file_path: str = f"{FILES_PATH}/{{id}}"
    header: str = contract.WORKSPACE_HEADER
    calls: list[Call] = field(default_factory=list)

    def __call__(self, method: str, target: str, headers: Mapping[str, str]) -> Reply:
        parts = urlsplit(target)
        call = Call(
            len(self.calls) + 1,
            method,
            parts.path,
            parts.query,
            headers,
            key_of(headers),
            parts.netloc,
        )
        self.calls.append(call)
        return self.replies(call) or self.reply(call)

    def reply(self, call: Call) -> Reply:
        """What a healthy account replies."""
        wanted = "data" if call.path.startswith("/v3/") else "campaign"
        if call.key != wanted or call.headers.get(self.header) != WORKSPACE:
            return json_reply(401, UNAUTHENTICATED)
        if call.path == self.list_path:
            return json_reply(200, self.list_body(list(self.records)), **self.list_headers)
        for file in self.records:
            if call.path == self.file_path.format(id=file.get("_id")):
                return json_reply(200, file)
        return not_found("segment" if wanted == "data" else f"path {call.path}")


def key_of(headers: Mapping[str, str]) -> str:
    """Which key a request bears."""
    sent = base64.b64decode(headers.get("Authorization", "")[6:]).decode()
    keys = {f"{WORKSPACE}:{CAMPAIGN_KEY}": "campaign", f"{WORKSPACE}:{DATA_KEY}": "data"}
    return keys.get(sent, "unknown")


def examined(
    url: str,
    *,
    on_step: Callable[[str], None] = lambda _: None,
    extra: Mapping[str, Any] = MappingProxyType({}),
    host: str = "",
    **options: Any,
) -> Report:
    """What the doctor reports of an address, with the keys of :class:`Account`."""
    given = {"data_api_key": DATA_KEY, **extra}
    right = read_settings(
        {"host": url, "login": WORKSPACE, "password": CAMPAIGN_KEY, "extra": given}
    )
    asked = Options(**{"timeout": 5.0, "final_after": 0.3, **options})
    return examine(right, {}, asked, on_step=on_step, host=host)


def examined_account(account: Account, **options: Any) -> Report:
    """What the doctor reports of an account, whose list the user names."""
    with replying(account) as url:
        return examined(url, **{"coupon_list_id": LIST, **options})


def about(report: Report, topic: Topic) -> Finding:
    """The finding about something."""
    (finding,) = [finding for finding in report.findings if finding.topic is topic]
    return finding


def check_says(text: str, parts: Sequence[str]) -> None:
    """A text has the parts, in this order."""
    rest = text
    for part in parts:
        assert part in rest, text
        rest = rest.partition(part)[2]


WHAT_TO_DO = r"(?i)\b(ask|check|compare|have it|look|see|leave|name|paste|put|raise|run|send|set|settle|swap|try|wait|give|use)\b|--"


def check_what_holds_of_each_report(report: Report) -> None:
    """What holds of each report."""
    assert report.reads <= MOST_READS
    printed = [line.plain for line in report.lines()]
    assert len(printed) <= (16 if report.works else 30)
    first = printed[0]
    assert report.verdict.startswith(first)
    if report.troubles:
        assert report.troubles[0].topic.value in report.verdict
        # What the verdict rests on is never left out to make the report short.
        assert not report.troubles[0].probes or " → " in "".join(printed)
    own = [probe for probe in report.probes if probe.keys is Keys.OWN]
    for probe in report.probes:
        if probe.keys is Keys.MADE_UP:
            assert probe.request in [other.request for other in own], "to the same path"
    texts = " ".join(finding.text for finding in report.findings)
    assert ("took all" in texts) <= (report.reads == MOST_READS)
    assert "left for other questions" not in texts
    for finding in report.findings:
        if finding.has_two_answers:
            assert finding.certainty is Certainty.NOT_PROVED
            assert {**finding.settings, **finding.guesses} == {}
        if finding.certainty not in (Certainty.SURE, Certainty.WRONG):
            assert finding.settings == {}
        for name, value in finding.settings.items():
            # A path is proposed only if it was read twice.
            tried = [probe.tried for probe in report.probes]
            assert not name.startswith("paths.") or tried.count(value) > 1 or not finding.is_trouble
    for name, value in report.values.items():
        proving = [finding for finding in report.findings if name in finding.settings]
        assert value.is_proved is bool(proving)
    assert report.works or re.search(WHAT_TO_DO, report.verdict), report.verdict
    assert len(printed) > 20 or not any(line.endswith("…") for line in printed)


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
    writes = {
        "coupon_list_id": OLD_LIST,
        "file_url": f"{emulator.files_url}/good.csv",
        "catalog": "doctors-catalog",
        "segment_id": "doctors-segment",
    }
    given = {"final_after": 1.5, "timeout": 60.0, **(writes if upload else {}), **options}
    return examine(settings, {}, Options(**given), on_step=lambda _: None)


def fits(emulator: Emulator, name: str, value: Any) -> bool:
    """Whether a value of a setting is right for an emulator."""
    truth = emulator.settings
    ends = {truth["success_status"], truth["failure_status"]}
    catalog_id = None if truth["catalog_response"] == "text" else truth["catalog_id_property"]
    found_anyway = (catalog_id or "").removeprefix("data.") in contract.CATALOG_ID_FIELDS
    file = CouponFile("id", counts={truth["added_property"]: 1, truth["duplicate_property"]: 2})

    def counts(**names: Any) -> tuple[int | None, int | None]:
        return CountNames(**names).read([file])

    right: dict[str, Callable[[], Any]] = {
        "workspace_header": lambda: value.lower() == truth["workspace_header"].lower(),
        "paths.coupon_files": lambda: value == truth["coupon_files_path"],
        "paths.coupon_file": lambda: value == truth["coupon_file_path"],
        "paths.catalog_id": lambda: value == catalog_id or (value is None and found_anyway),
        "coupon_files_lag": lambda: value >= truth["list_lag"],
        "coupon_file_counts.added": lambda: counts(added=value)[0] == 1,
        "coupon_file_counts.duplicates": lambda: counts(duplicates=value)[1] == 2,
        "coupon_file_statuses.success": lambda: truth["success_status"] in value,
        "coupon_file_statuses.failure": lambda: truth["failure_status"] in value,
        "coupon_file_statuses.pending": lambda: not ends & set(value),
    }
    return bool(right[name]())


def check_examples(site: AirflowSite, profile: Mapping[str, Any]) -> None:
    """With the settings that the doctor finds of a variant, the example DAGs run."""
    from support.examples import prepare

    with service(profile) as emulator:
        report = diagnose(emulator, upload=True)
        prepare(site, emulator, only=[dag_id.removeprefix("wes_") for dag_id in EXAMPLES])
        connection = emulator.connection(extra=report.extra)
        site.env["AIRFLOW_CONN_WES_DEFAULT"] = json.dumps(connection)
        for dag_id in EXAMPLES:
            assert site.run(dag_id).state == "success", dag_id
