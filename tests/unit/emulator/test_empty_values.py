"""
Zero, empty and absent are three things. Each setting takes of 0, an empty string, array and object,
``false`` and ``null`` what its kind says, and has that value however it is given. So it is with
faults, scripts, hosted files, uploads, seeds and the arguments of controls: an empty name is not a
missing one, and 0 is not the default.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, get_type_hints

import pytest
import requests

from support.wire import Session
from unit.emulator.conftest import FILES, Caller, content, failure
from wes_provider.emulator import Emulator, EmulatorControl, faults
from wes_provider.emulator.cli import main
from wes_provider.emulator.faults import Fault
from wes_provider.emulator.settings import Count, Number, Seconds, Settings, Share, Text

EMPTY: Sequence[Any] = (None, False, 0, "", [], {})


class Takes(NamedTuple):
    """
    What a setting takes of the empty values.

    :ivar other: a value that is not empty.
    """

    empty: Sequence[Any] = ()
    other: Any = None


BY_KIND: Mapping[Any, Takes] = {
    bool: Takes([False], True),
    Count: Takes([0], 3),
    Number: Takes([0], 60.0),
    Seconds: Takes([0], 5.0),
    Share: Takes([0], 0.5),
    Text: Takes([], "k"),
}
BY_KIND_OR_NONE = {
    kind | None: takes._replace(empty=[None, *takes.empty]) for kind, takes in BY_KIND.items()
}
BY_NAME = {
    "workspaces": Takes([{}], {"other": {"api_key": "k"}}),
    "hosted_url": Takes([None], "https://files.example.com"),
    "limits": Takes([None, {}], {"upload_coupon_file": [[1, 60]]}),
    "coupon_file_path": Takes([None], "/files/{coupon_file_id}"),
    "coupon_files_path": Takes([None], "/lists/{coupon_list_id}"),
}
KINDS = get_type_hints(Settings, include_extras=True)


def taken_by(name: str) -> Takes:
    """What a setting takes, by its name or its kind; one in no table takes nothing empty."""
    if name in BY_NAME:
        return BY_NAME[name]
    return {**BY_KIND, **BY_KIND_OR_NONE}.get(KINDS[name], Takes())


SETTINGS = {name: taken_by(name) for name in KINDS}


def is_taken(name: str, value: Any) -> bool:
    try:
        Settings.of({name: value})
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_takes_these_empty_values_and_refuses_the_others(name: str) -> None:
    assert [value for value in EMPTY if is_taken(name, value)] == list(SETTINGS[name].empty)


class Given(NamedTuple):
    """A setting that is given an empty value, and a value that it had before."""

    name: str
    value: Any
    before: Any


GIVEN = {
    f"{name}={value!r}": Given(name, value, takes.other)
    for name, takes in SETTINGS.items()
    for value in takes.empty
}
CONFIGURED = {label: row for label, row in GIVEN.items() if row.name != "clock_offset"}


@pytest.mark.parametrize("row", GIVEN.values(), ids=GIVEN)
def test_a_setting_that_is_empty_takes_precedence_over_a_profile(row: Given) -> None:
    with Emulator(profile={row.name: row.before}, **{row.name: row.value}) as emulator:
        assert emulator.settings[row.name] == row.value


@pytest.mark.parametrize("row", CONFIGURED.values(), ids=CONFIGURED)
def test_a_setting_can_be_made_empty_later(row: Given) -> None:
    with Emulator(**{row.name: row.before}) as emulator:
        emulator.configure(**{row.name: row.value})
        assert emulator.settings[row.name] == row.value


@pytest.mark.parametrize("row", CONFIGURED.values(), ids=CONFIGURED)
def test_a_reset_brings_back_a_setting_that_was_empty(row: Given) -> None:
    with Emulator(**{row.name: row.value}) as emulator:
        emulator.configure(**{row.name: row.before})
        emulator.reset()
        assert emulator.settings[row.name] == row.value


def settings_of_command(mocker: Any, *options: str) -> Mapping[str, Any]:
    """What the command gives to the emulator that it would start."""
    made = mocker.patch("wes_provider.emulator.cli.Emulator", side_effect=OSError("enough"))
    with pytest.raises(SystemExit):
        main(["serve", *options])
    return dict(made.call_args.kwargs)


@pytest.mark.parametrize("row", GIVEN.values(), ids=GIVEN)
def test_the_command_takes_empty_settings_as_json(row: Given, mocker: Any) -> None:
    given = settings_of_command(mocker, "--set", f"{row.name}={json.dumps(row.value)}")
    assert given[row.name] == row.value


class Option(NamedTuple):
    """An option of the command that is 0, and the argument that it becomes."""

    option: str
    name: str


OPTIONS = (
    Option("--speed", "speed"),
    Option("--processing-time", "processing_time"),
    Option("--fault-rate", "fault_rate"),
    Option("--seed", "seed"),
    Option("--port", "port"),
)


@pytest.mark.parametrize("row", OPTIONS, ids=[row.option for row in OPTIONS])
def test_an_option_that_is_0_is_not_left_out(row: Option, mocker: Any) -> None:
    assert settings_of_command(mocker, row.option, "0")[row.name] == 0


@pytest.mark.parametrize("row", OPTIONS[:-1], ids=[row.option for row in OPTIONS[:-1]])
def test_an_option_that_is_left_out_leaves_the_setting_to_a_profile(
    row: Option, mocker: Any
) -> None:
    assert row.name not in settings_of_command(mocker)


@pytest.mark.parametrize("seed", [0, 7])
def test_random_faults_begin_again_with_a_seed_that_is_configured(seed: int) -> None:
    caller = Caller(seed=seed)
    first = [caller.service.state.faults.happens(0.5) for _ in range(50)]
    caller.service.configure(seed=seed)
    assert [caller.service.state.faults.happens(0.5) for _ in range(50)] == first


# -- faults ----------------------------------------------------------------------------------------


FAULTS = {
    "nothing at all": Fault(),
    "an empty body": Fault(body=b""),
    "a reset now": Fault(reset_in=0),
    "no delay": Fault(delay=0),
    "no headers": Fault(status=503, headers=()),
    "a header without a value": Fault(headers=(("X-Empty", ""),)),
    "an error without a body": faults.error(503, body=b""),
    "an error without code and message": faults.error(503, "", ""),
    "garbage that is nothing": faults.garbage(b""),
    "another content type without a body": faults.wrong_content_type(body=b""),
    "an empty content type": faults.wrong_content_type(""),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_is_the_same_in_another_process(fault: Fault) -> None:
    assert Fault.from_json(json.loads(json.dumps(fault.to_json()))) == fault


class Body(NamedTuple):
    """A fault, and the body that a caller of a list's files gets."""

    fault: Fault
    body: bytes


BODIES = {
    "the service's own": Body(Fault(effect=True), b"[]"),
    "none": Body(Fault(effect=True, body=b""), b""),
    "none, by an error": Body(faults.error(503, body=b""), b""),
    "none, by garbage": Body(faults.garbage(b""), b""),
    "none, with another content type": Body(faults.wrong_content_type(body=b""), b""),
    "the service's own, with another content type": Body(
        faults.wrong_content_type(body=None), b"[]"
    ),
}


@pytest.mark.parametrize("row", BODIES.values(), ids=BODIES)
def test_a_body_that_is_empty_is_not_the_services_own(row: Body) -> None:
    caller = Caller()
    caller.service.state.faults.add("list_coupon_files", row.fault, 1, None)
    assert caller.list().body == row.body


NOT_BOTH = "give reset_in or a reset that is {}; not both"


@pytest.mark.parametrize("reset_in", [0, 90, -1])
@pytest.mark.parametrize("reset", ["missing", "past", "absurd"])
def test_a_429_takes_no_seconds_to_a_reset_that_has_its_own_time(
    reset: Any, reset_in: float
) -> None:
    with pytest.raises(ValueError, match=NOT_BOTH.format(reset)):
        faults.rate_limited(reset, reset_in=reset_in)


@pytest.mark.parametrize("reset", ["soon", "", "GOOD", None, 0], ids=repr)
def test_no_word_for_a_reset_is_refused_beside_seconds(reset: Any) -> None:
    with pytest.raises(ValueError, match="reset is good, missing, past or absurd, not "):
        faults.rate_limited(reset, reset_in=0)


class OfLists(NamedTuple):
    """The list of a fault of every operation, and which of three requests fail."""

    list_id: str | None
    failed: dict[str, bool]


OF_LISTS = {
    "every list and what is about none": OfLists(
        None, {"list-1": True, "list-2": True, "a catalog": True}
    ),
    "one list": OfLists("list-1", {"list-1": True, "list-2": False, "a catalog": False}),
    "an empty name, which no list has": OfLists(
        "", {"list-1": False, "list-2": False, "a catalog": False}
    ),
}


@pytest.mark.parametrize("row", OF_LISTS.values(), ids=OF_LISTS)
def test_a_fault_is_of_the_list_that_it_names(row: OfLists) -> None:
    caller = Caller()
    caller.service.state.faults.add("*", faults.error(500), None, row.list_id)
    failed = {
        "list-1": caller.list("list-1").status == 500,
        "list-2": caller.upload("list-2").status == 500,
        "a catalog": caller.create_catalog().status == 500,
    }
    assert failed == row.failed


# -- scripts ---------------------------------------------------------------------------------------


class Scripted(NamedTuple):
    """A script, and the status and the error of a file without coupons of its own, at once."""

    script: Mapping[str, Any]
    status: str
    error: str | None = None


SCRIPTED = {
    "nothing": Scripted({}, "PENDING"),
    "no time, and a failure": Scripted(
        {"processing_time": 0, "outcome": "failure"}, "FAILED", "Processing failed as scripted."
    ),
    "no time, and an error without words": Scripted(
        {"processing_time": 0, "outcome": "failure", "error": ""}, "FAILED"
    ),
    "no fields": Scripted(
        {"processing_time": 0, "outcome": "failure", "error": "Why.", "fields": {}},
        "FAILED",
        "Why.",
    ),
    "a status for no time": Scripted({"statuses": [["QUEUED", 0], ["STUCK", None]]}, "STUCK"),
    "an empty list": Scripted({"list_id": "", "statuses": [["STUCK", None]]}, "PENDING"),
    "an empty name": Scripted({"name": "", "statuses": [["STUCK", None]]}, "PENDING"),
    "an empty URL": Scripted({"url": "", "statuses": [["STUCK", None]]}, "PENDING"),
    "any list, name and URL": Scripted(
        {"list_id": None, "name": None, "url": None, "statuses": [["STUCK", None]]}, "STUCK"
    ),
}


@pytest.mark.parametrize("row", SCRIPTED.values(), ids=SCRIPTED)
def test_a_script_counts_with_what_is_empty_in_it(row: Scripted) -> None:
    caller = Caller(processing_time=2)
    caller.service.script(**row.script)
    record = content(caller.get(caller.uploaded()))
    assert (record["status"], record.get("error")) == (row.status, row.error)


NO_SCRIPTS = {
    "no outcome": {"outcome": ""},
    "no statuses": {"statuses": []},
    "a status without a name": {"statuses": [["", 1]]},
    "an outcome that is null": {"outcome": None},
    "an error without words, of a success": {"error": ""},
    "no time beside statuses": {"processing_time": 0, "statuses": [["QUEUED", 1]]},
}


@pytest.mark.parametrize("script", NO_SCRIPTS.values(), ids=NO_SCRIPTS)
def test_a_script_with_nothing_where_something_is_needed_is_refused(
    script: Mapping[str, Any],
) -> None:
    with pytest.raises(ValueError, match=r"script|give|error"):
        Caller().service.script(**script)


# -- uploads ---------------------------------------------------------------------------------------


class Uploaded(NamedTuple):
    """The fields of an upload, and what reads show of them."""

    fields: Mapping[str, str]
    shown: Mapping[str, str]


UPLOADED = {
    "no name": Uploaded({}, {"name": "coupons.csv"}),
    "an empty name": Uploaded({"name": ""}, {"name": "coupons.csv"}),
    "a space as a name": Uploaded({"name": " "}, {"name": " "}),
    "the name 0": Uploaded({"name": "0"}, {"name": "0"}),
    "nobody": Uploaded({}, {"created_by": ""}),
    "nobody by an empty name": Uploaded({"created_by": ""}, {"created_by": ""}),
}


@pytest.mark.parametrize("row", UPLOADED.values(), ids=UPLOADED)
def test_a_file_is_shown_with_what_its_upload_had_or_had_not(row: Uploaded) -> None:
    caller = Caller()
    record = content(caller.get(caller.uploaded(**row.fields)))
    assert {name: record[name] for name in row.shown} == row.shown


WITHOUT_COUPONS = {
    "nothing": [],
    "an empty line": ["", ""],
    "white space": [" ", "\t"],
    "a header": ["coupon"],
    "a header, and an empty line": ["coupon", ""],
    "a header in quotes": ['"coupon"'],
    "a header of two columns": ["coupon,value"],
}


@pytest.mark.parametrize("lines", WITHOUT_COUPONS.values(), ids=WITHOUT_COUPONS)
def test_a_file_without_coupons_fails(lines: list[str]) -> None:
    caller = Caller(processing_time=0)
    file_id = caller.uploaded()
    caller.process(file_id, *lines)
    record = content(caller.get(file_id))
    assert (record["status"], record["error"]) == ("FAILED", "The file holds no coupons.")


class Asserted(NamedTuple):
    """What ``assert_uploaded_once`` is asked for beside the list, and how many there are."""

    wanted: Mapping[str, str]
    number: int


ASSERTED = {
    "nothing": Asserted({}, 1),
    "an empty name": Asserted({"name": ""}, 0),
    "an empty URL": Asserted({"url": ""}, 0),
    "an empty workspace, which is the first": Asserted({"workspace": ""}, 1),
    "the name that the service gives": Asserted({"name": "coupons.csv"}, 1),
}


@pytest.mark.parametrize("row", ASSERTED.values(), ids=ASSERTED)
def test_an_upload_with_an_empty_name_is_found_by_what_it_has(
    controls: EmulatorControl, session: Session, row: Asserted
) -> None:
    session.upload("http://127.0.0.1:9/coupons.csv", "spring", name="")
    if row.number == 1:
        controls.assert_uploaded_once("spring", **row.wanted)
        return
    first = failure(controls.assert_uploaded_once, "spring", **row.wanted)[0]
    assert first.endswith("there were 0.")


# -- hosted files ----------------------------------------------------------------------------------


class Hosted(NamedTuple):
    """Credentials of a hosted file, and the status that a request without any gets."""

    credentials: Mapping[str, str]
    status: int


HOSTED = {
    "none": Hosted({}, 200),
    "an empty user": Hosted({"username": ""}, 401),
    "an empty password": Hosted({"password": ""}, 401),
    "both empty": Hosted({"username": "", "password": ""}, 401),
    "a user without a password": Hosted({"username": "u"}, 401),
    "a password without a user": Hosted({"password": "p"}, 401),
}


@pytest.mark.parametrize("row", HOSTED.values(), ids=HOSTED)
def test_a_hosted_file_wants_the_credentials_that_it_was_given_also_empty_ones(
    wes_emulator: Emulator, row: Hosted
) -> None:
    url = wes_emulator.host("c.csv", b"A\n", **row.credentials)
    assert requests.get(url, timeout=30, verify=wes_emulator.ca_file or True).status_code == (
        row.status
    )


class Contents(NamedTuple):
    """How a file's content is given over HTTP, and its bytes."""

    given: Mapping[str, Any]
    content: bytes


CONTENTS = {
    "none": Contents({}, b""),
    "empty": Contents({"content": ""}, b""),
    "empty in base64": Contents({"content_base64": ""}, b""),
    "empty in base64, beside text": Contents({"content": "A", "content_base64": ""}, b""),
    "text, and null in base64": Contents({"content": "A", "content_base64": None}, b"A"),
}


@pytest.mark.parametrize("row", CONTENTS.values(), ids=CONTENTS)
def test_a_file_may_be_hosted_without_content(session: Session, row: Contents) -> None:
    session.post("/_emulator/host", json={"name": "c.csv", **row.given})
    assert session.get("/_emulator/hosted/c.csv").content == row.content


# -- controls --------------------------------------------------------------------------------------


class Idle(NamedTuple):
    """A control that is given 0, and something that it leaves as it is."""

    call: Callable[[Emulator], Any]
    read: Callable[[Emulator], Any]


IDLE = {
    "the clock is advanced by 0": Idle(
        lambda emulator: emulator.clock.advance(0), lambda emulator: emulator.clock.now()
    ),
    "0 coupons are issued": Idle(
        lambda emulator: emulator.issue_coupons("spring", 0),
        lambda emulator: emulator.stock("spring"),
    ),
    "nothing is configured": Idle(
        lambda emulator: emulator.configure(), lambda emulator: emulator.settings
    ),
    "an empty profile is configured": Idle(
        lambda emulator: emulator.configure(profile={}), lambda emulator: emulator.settings
    ),
}


@pytest.mark.parametrize("row", IDLE.values(), ids=IDLE)
@pytest.mark.wes(
    speed=0, list_lag=3, seed={"version": 1, "lists": {"spring": {"coupons": 9, "issued": 2}}}
)
def test_a_control_that_is_given_nothing_changes_nothing(wes_emulator: Emulator, row: Idle) -> None:
    before = row.read(wes_emulator)
    row.call(wes_emulator)
    assert row.read(wes_emulator) == before


class Asked(NamedTuple):
    """A query for requests, and the paths of those that are found."""

    query: str
    paths: list[str]


ASKED = {
    "of every operation": Asked("", [FILES, "/nope"]),
    "of one": Asked("?operation=list_coupon_files", [FILES]),
    "of none": Asked("?operation=", ["/nope"]),
}


@pytest.mark.parametrize("row", ASKED.values(), ids=ASKED)
def test_requests_of_no_operation_are_those_of_an_empty_name(session: Session, row: Asked) -> None:
    session.get(FILES)
    session.get("/nope")
    found = session.get(f"/_emulator/requests{row.query}").json()
    assert [request["raw_path"] for request in found] == row.paths


class KeyOfSegments(NamedTuple):
    """The keys of another workspace, and the extra of its connection."""

    keys: Mapping[str, Any]
    extra: Mapping[str, str]


KEYS_OF_SEGMENTS = {
    "a key of its own": KeyOfSegments({"api_key": "k", "data_api_key": "d"}, {"data_api_key": "d"}),
    "the same key": KeyOfSegments({"api_key": "k", "data_api_key": "k"}, {}),
    "none": KeyOfSegments({"api_key": "k"}, {}),
    "null": KeyOfSegments({"api_key": "k", "data_api_key": None}, {}),
}


@pytest.mark.parametrize("row", KEYS_OF_SEGMENTS.values(), ids=KEYS_OF_SEGMENTS)
def test_a_connection_has_a_key_of_segments_only_if_that_is_another_one(row: KeyOfSegments) -> None:
    with Emulator(workspaces={"other": row.keys}) as emulator:
        assert emulator.connection("other")["extra"] == row.extra


@pytest.mark.parametrize("data_api_key", [None, "d"])
def test_the_key_of_all_operations_is_that_of_segments_too_if_there_is_none(
    data_api_key: str | None,
) -> None:
    with Emulator(data_api_key=data_api_key) as emulator:
        key = emulator.data_api_key
        assert key == (data_api_key or emulator.api_key)
        with Session(emulator, key) as session:
            assert session.patch("/v3/custom-segments/7", json={"name": "s"}).status_code == 200


SEEDS = {
    "nothing": {"version": 1},
    "no lists": {"version": 1, "lists": {}},
    "no catalogs and segments": {"version": 1, "catalogs": [], "segments": []},
}


@pytest.mark.parametrize("seed", SEEDS.values(), ids=SEEDS)
def test_an_empty_seed_replaces_the_one_at_the_start(seed: Any) -> None:
    at_start = {"version": 1, "catalogs": [{"name": "products"}]}
    with Emulator(seed_file=at_start) as emulator:
        emulator.reset(seed)
        assert emulator.catalogs == {}


class InSeed(NamedTuple):
    """A list or a segment of a seed that has little, and that the page shows nevertheless."""

    seed: Mapping[str, Any]
    what: str
    shown: Mapping[str, Any]


IN_SEEDS = {
    "a list of nothing": InSeed(
        {"lists": {"l": {}}}, "lists", {"coupons": 0, "issued": 0, "stock": 0, "files": []}
    ),
    "a list of 0 files": InSeed({"lists": {"l": {"files": 0}}}, "lists", {"files_total": 0}),
    "a list of no files": InSeed({"lists": {"l": {"files": []}}}, "lists", {"files_total": 0}),
    "a segment of nothing": InSeed({"segments": [{"id": "7"}]}, "segments", {"filters": 0}),
    "a segment without filters": InSeed(
        {"segments": [{"id": "7", "included_filters": None}]}, "segments", {"filters": 0}
    ),
    "a catalog without attributes": InSeed(
        {"catalogs": [{"name": "c", "attributes": []}]}, "catalogs", {"attributes": 0}
    ),
}


@pytest.mark.parametrize("row", IN_SEEDS.values(), ids=IN_SEEDS)
def test_the_page_shows_what_a_seed_has_little_of(row: InSeed) -> None:
    with Emulator(seed_file={"version": 1, **row.seed}) as emulator:
        (one,) = emulator._control("state")[row.what]
        assert {name: one[name] for name in row.shown} == row.shown
