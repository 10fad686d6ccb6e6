"""
The assertions of an emulator say what they found: an upload that is missing with the five nearest
ones, requests beyond the limits, and the line of a secret without the secret. A request counts as
what the service made of it, whatever a fault made of the response. None of them passes because
requests have left the log: uploads and limits are decided without it, and secrets are not said to
be absent.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.wire import Session
from unit.emulator.conftest import DATA_KEY, FILES, WORKSPACE, Caller, basic, failure
from wes_provider.emulator import Emulator, EmulatorControl, faults
from wes_provider.emulator.known_secrets import secrets_of_url
from wes_provider.hiding import find_secret

URL = "https://files.example.com/spring.csv?X-Signature=s1gned"
SPRING = "/v1/coupon-list/spring/files"


def test_one_upload_is_found_by_list_url_and_name(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload(URL, "found", name="n")
    controls.assert_uploaded_once("found", url=URL, name="n")


def test_two_uploads_are_not_one(controls: EmulatorControl, session: Session) -> None:
    session.upload(URL, "found", name="n")
    session.upload(URL, "found", name="n")
    first = failure(controls.assert_uploaded_once, "found")[0]
    assert first.endswith("there were 2.")


SHOWN_URL = "https://files.example.com/spring.csv"
OF_SPRING = "  TIME upload_coupon_file of 'n' to 'spring'"


@pytest.fixture
def nearest(controls: EmulatorControl, session: Session) -> list[str]:
    """
    The message, by line, about an accepted upload of ``URL`` to ``spring`` that is missed. Beside
    it there are five uploads to ``autumn``, one with another query, and one that was refused.
    """
    for i in range(5):
        session.upload(f"https://elsewhere.example.org/{i}", "autumn", name=f"x{i}")
    session.upload(URL.replace("s1gned", "an0ther"), "spring", name="n")
    controls.fail("upload_coupon_file", faults.error(503))
    session.post(SPRING, json={"file_url": URL, "name": "n"})
    return failure(controls.assert_uploaded_once, "spring", url=URL)


def test_a_missed_upload_is_shown_with_the_five_nearest(nearest: list[str]) -> None:
    assert nearest[0].endswith("there were 0.")
    # The two to the list differ in one thing or in none, the others in two: of these, the latest.
    assert ["'autumn'" in line for line in nearest[1:]] == [True, True, True, False, False]


def test_an_upload_that_is_shown_says_that_it_has_another_query(nearest: list[str]) -> None:
    other_query = f"file_url is '{SHOWN_URL}' with another query"
    assert f"{OF_SPRING}: 201, accepted: {other_query}" in nearest


def test_an_upload_that_is_shown_says_that_it_was_not_accepted(nearest: list[str]) -> None:
    refused = "503 (status 503 (not carried out)), not accepted: as wanted"
    assert f"{OF_SPRING}: {refused}" in nearest


def test_an_upload_that_is_shown_says_each_field_in_which_it_differs(nearest: list[str]) -> None:
    differences = "list is 'autumn'; file_url is 'https://elsewhere.example.org/4'"
    assert nearest[3].endswith(f"201, accepted: {differences}")


def test_uploads_that_are_shown_have_no_queries(nearest: list[str]) -> None:
    words = set(re.findall(r"\w+", "".join(nearest)))
    assert not {"s1gned", "an0ther"} & words


@pytest.mark.wes(request_log=3)
def test_two_uploads_are_not_one_when_the_first_has_left_the_log(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload(URL, "spring", name="n")
    for _ in range(3):
        session.get(FILES)
    session.upload(URL, "spring", name="n")
    assert len(controls.files("spring")) == 2
    first, nearest, about_the_log = failure(controls.assert_uploaded_once, "spring")
    assert first.endswith("there were 2.")
    assert nearest == f"{OF_SPRING}: 201, accepted: as wanted"
    assert about_the_log.startswith("  The log has 1 of the 2: ")


@pytest.mark.wes(request_log=0)
def test_one_upload_is_found_when_it_has_left_the_log(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload(URL, "spring", name="n")
    controls.assert_uploaded_once("spring", url=URL, name="n")


def test_an_upload_that_a_restored_snapshot_takes_away_was_accepted(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload(list_id="spring")
    controls.snapshot("one")
    controls.assert_uploaded_once("spring")
    session.upload(list_id="spring")
    controls.restore("one")
    assert failure(controls.assert_uploaded_once, "spring")[0].endswith("there were 2.")


def test_an_upload_that_a_restored_snapshot_brings_back_is_one_upload(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload(list_id="spring")
    controls.snapshot("one")
    controls.restore("one")
    controls.assert_uploaded_once("spring")


@pytest.mark.wes(seed={"version": 1, "lists": {"spring": {"files": 2}}})
def test_files_of_a_seed_are_no_uploads(controls: EmulatorControl, session: Session) -> None:
    assert failure(controls.assert_uploaded_once, "spring")[0].endswith("there were 0.")
    session.upload(list_id="spring")
    controls.assert_uploaded_once("spring")


def test_an_upload_before_a_restart_counts(tmp_path: Path) -> None:
    for number in range(1, 3):
        with Emulator(state=tmp_path / "state.db") as emulator, Session(emulator) as session:
            session.upload(list_id="spring")
            if number == 1:
                emulator.assert_uploaded_once("spring")
    with Emulator(state=tmp_path / "state.db") as emulator:
        first = failure(emulator.assert_uploaded_once, "spring")[0]
        assert first.endswith("there were 2.")


def test_an_upload_before_a_reset_does_not_count(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload(list_id="spring")
    controls.reset()
    session.upload(list_id="spring")
    controls.assert_uploaded_once("spring")


def test_a_file_without_a_name_is_found_by_the_name_that_the_service_gives_it(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload(URL, "spring")
    controls.assert_uploaded_once("spring", name="spring.csv")
    lines = failure(controls.assert_uploaded_once, "spring", name="n")
    assert lines[1].endswith("201, accepted: name is 'spring.csv'")


# -- limits ----------------------------------------------------------------------------------------


def upload_within_a_minute(session: Session, times: int) -> None:
    """Upload to ``spring``; the clock stands, and a list takes five uploads a minute."""
    for _ in range(times):
        session.post(SPRING, json={"file_url": URL, "name": "n"})


@pytest.mark.wes(window_offset=0, speed=0)
def test_a_429_that_the_service_sends_is_beyond_the_limits(
    wes_emulator: Emulator, session: Session
) -> None:
    upload_within_a_minute(session, 6)
    assert failure(wes_emulator.assert_within_limits) == [
        "Expected no request beyond the limits; there were 1.",
        "  TIME upload_coupon_file of 'n' to 'spring': 429: refused by the service",
    ]


@pytest.mark.wes(window_offset=0, speed=0)
def test_a_429_that_is_a_fault_is_not_beyond_the_limits(
    wes_emulator: Emulator, session: Session
) -> None:
    wes_emulator.fail("upload_coupon_file", faults.rate_limited())
    upload_within_a_minute(session, 6)
    assert [request.status for request in wes_emulator.requests] == [429] + [201] * 5
    wes_emulator.assert_within_limits()


@pytest.mark.wes(window_offset=0, speed=0, limits=None)
def test_without_limits_those_of_the_contract_count(
    wes_emulator: Emulator, session: Session
) -> None:
    upload_within_a_minute(session, 12)
    first, *lines, last = failure(wes_emulator.assert_within_limits)
    assert first == "Expected no request beyond the limits; there were 7."
    assert (len(lines), last) == (5, "  ... and 2 more")
    assert lines[0].endswith("'spring': 201: 5 were accepted in its window, until TIME")


class FaultBeyond(NamedTuple):
    """A fault on a request beyond the limit, and whether the service gets the request."""

    fault: faults.Fault
    is_received: bool


FAULTS_BEYOND = {
    "slow": FaultBeyond(faults.slow(0.01), is_received=True),
    "no body": FaultBeyond(faults.empty(), is_received=True),
    "garbage": FaultBeyond(faults.garbage(), is_received=True),
    "garbage with another status": FaultBeyond(faults.garbage(status=200), is_received=True),
    "another content type": FaultBeyond(faults.wrong_content_type(), is_received=True),
    "truncated": FaultBeyond(faults.truncated(), is_received=True),
    "lost": FaultBeyond(faults.reply_lost(), is_received=True),
    "reset after its effect": FaultBeyond(faults.reset(effect=True), is_received=True),
    "a 503 after its effect": FaultBeyond(faults.error(503, effect=True), is_received=True),
    "a 429 after its effect": FaultBeyond(faults.error(429, effect=True), is_received=True),
    "a queued 429": FaultBeyond(faults.rate_limited(), is_received=False),
    "a 429 of an error": FaultBeyond(faults.error(429), is_received=False),
    "a 503": FaultBeyond(faults.error(503), is_received=False),
    "reset": FaultBeyond(faults.reset(), is_received=False),
    "lost on its way": FaultBeyond(faults.reply_lost(effect=False), is_received=False),
}


@pytest.mark.parametrize("row", FAULTS_BEYOND.values(), ids=FAULTS_BEYOND)
def test_a_request_that_the_service_refuses_is_beyond_whatever_a_fault_makes_of_it(
    row: FaultBeyond,
) -> None:
    caller = Caller()
    for _ in range(5):
        caller.upload()
    caller.service.state.faults.add("*", row.fault, 1, None)
    caller.upload()
    log = caller.service.state.log
    assert [request.beyond is not None for request in log] == [False] * 5 + [row.is_received]
    assert log.beyond == int(row.is_received)


@pytest.mark.wes(window_offset=0, speed=0)
def test_a_slow_429_of_the_service_is_beyond_the_limits(
    controls: EmulatorControl, session: Session
) -> None:
    controls.fail("*", faults.slow(0.01), times=None)
    upload_within_a_minute(session, 6)
    (line,) = failure(controls.assert_within_limits)[1:]
    assert line.endswith("429 (0.01 s late (carried out)): refused by the service")


@pytest.mark.wes(window_offset=0, speed=0)
def test_a_fault_that_changes_an_accepted_response_is_not_beyond_the_limits(
    controls: EmulatorControl, session: Session
) -> None:
    controls.fail("upload_coupon_file", faults.error(429, effect=True))
    upload_within_a_minute(session, 5)
    assert controls.requests[0].status == 429
    controls.assert_within_limits()


class Beyond(NamedTuple):
    """Settings for seven uploads in a minute, and how the last two are described."""

    settings: dict[str, Any]
    described: str


BEYOND = {
    "refused": Beyond({}, "refused by the service"),
    "without limits": Beyond({"limits": None}, "5 were accepted in its window, until TIME"),
}


@pytest.mark.parametrize("row", BEYOND.values(), ids=BEYOND)
@pytest.mark.wes(window_offset=0, speed=0)
def test_a_request_beyond_the_limits_counts_after_it_has_left_the_log(
    controls: EmulatorControl, session: Session, row: Beyond
) -> None:
    controls.configure(request_log=2, **row.settings)
    upload_within_a_minute(session, 7)
    first, *both = failure(controls.assert_within_limits)
    assert first == "Expected no request beyond the limits; there were 2."
    assert [line.endswith(row.described) for line in both] == [True, True]
    session.get(FILES)
    assert failure(controls.assert_within_limits) == [
        first,
        both[1],
        "  ... and 1 that left the log (see the setting request_log)",
    ]
    session.get(FILES)
    assert failure(controls.assert_within_limits) == [
        first,
        "  ... and 2 that left the log (see the setting request_log)",
    ]


def use_up(emulator: Emulator, session: Session) -> None:
    """Five uploads, which is what a minute allows."""
    upload_within_a_minute(session, 5)


def restore_an_empty_snapshot(emulator: Emulator, session: Session) -> None:
    emulator.snapshot("empty")
    use_up(emulator, session)
    emulator.restore("empty")


def restore_a_used_snapshot(emulator: Emulator, session: Session) -> None:
    use_up(emulator, session)
    emulator.snapshot("used")
    emulator.clock.advance(600)
    emulator.restore("used")


def reset_after_use(emulator: Emulator, session: Session) -> None:
    settings = {name: emulator.settings[name] for name in ("limits", "speed", "window_policy")}
    use_up(emulator, session)
    emulator.reset()
    emulator.configure(**settings)


class Again(NamedTuple):
    """What happens before five uploads, and how many of these are beyond the limits."""

    before: Callable[[Emulator, Session], None]
    beyond: int


AGAIN = {
    "nothing": Again(lambda emulator, session: None, beyond=0),
    "five uploads": Again(use_up, beyond=5),
    "five uploads, and an empty snapshot is restored": Again(restore_an_empty_snapshot, beyond=0),
    "a snapshot with five uploads is restored": Again(restore_a_used_snapshot, beyond=5),
    "five uploads, and a reset": Again(reset_after_use, beyond=0),
}


@pytest.mark.parametrize("limits", [{}, None], ids=["refused", "without limits"])
@pytest.mark.parametrize("row", AGAIN.values(), ids=AGAIN)
@pytest.mark.wes(window_policy="rolling", speed=0)
def test_windows_are_those_of_the_service(
    wes_emulator: Emulator, session: Session, row: Again, limits: dict[str, Any] | None
) -> None:
    wes_emulator.configure(limits=limits)
    row.before(wes_emulator, session)
    use_up(wes_emulator, session)
    if not row.beyond:
        wes_emulator.assert_within_limits()
        return
    first = failure(wes_emulator.assert_within_limits)[0]
    assert first == f"Expected no request beyond the limits; there were {row.beyond}."


@pytest.mark.wes(window_policy="rolling", speed=0)
def test_limits_count_as_they_were_when_a_request_came(
    wes_emulator: Emulator, session: Session
) -> None:
    use_up(wes_emulator, session)
    wes_emulator.configure(limits={"upload_coupon_file": [[1, 60]]})
    wes_emulator.assert_within_limits()


@pytest.mark.parametrize("limits", [None, {"create_catalog": []}], ids=["all", "of catalogs"])
def test_a_catalog_that_is_refused_for_its_name_is_not_beyond_the_limits(limits: Any) -> None:
    caller = Caller(limits=limits)
    caller.create_catalog()
    assert [caller.create_catalog().status for _ in range(120)] == [409] * 120
    assert caller.service.state.log.beyond == 0


# -- secrets ---------------------------------------------------------------------------------------


class Secret(NamedTuple):
    """A line with a secret, and what the assertion calls that."""

    text: str
    called: str


SECRETS = {
    "the campaign key": Secret("key=emulated-campaign-key;", "a key of coupons"),
    "the data key": Secret("key=emulated-data-key;", "a key of segments"),
    "credentials": Secret(basic(WORKSPACE, DATA_KEY), "credentials of segments, encoded"),
    "a password": Secret("login with s3cret", "the password of a file"),
    "a query": Secret(f"GET {URL}", "the query of a file_url"),
    "a password in a URL": Secret("postgres://u:p4ss@x", "the password in a file_url"),
}


def upload_with_secrets(session: Session) -> None:
    """Upload with a user and a password in the URL, a query, and another password."""
    session.upload(URL.replace("//", "//u:p4ss@"), file_url_auth_password="s3cret")


@pytest.mark.parametrize("row", SECRETS.values(), ids=SECRETS)
def test_a_secret_is_found_and_the_message_names_its_line(
    wes_emulator: Emulator, session: Session, row: Secret
) -> None:
    upload_with_secrets(session)
    message = failure(wes_emulator.assert_no_secret_in, f"first\n{row.text}\nlast")
    assert f"  line 2: {row.called}" in message


def test_secrets_that_are_found_are_not_shown(wes_emulator: Emulator, session: Session) -> None:
    upload_with_secrets(session)
    text = "\n".join(row.text for row in SECRETS.values())
    message = "".join(failure(wes_emulator.assert_no_secret_in, text))
    encoded = basic(WORKSPACE, DATA_KEY).split()[1]
    for secret in ("campaign-key", "data-key", encoded, "s3cret", "s1gned", "p4ss"):
        assert secret not in message


def test_a_url_without_its_query_and_a_workspace_are_no_secrets(
    wes_emulator: Emulator, session: Session
) -> None:
    upload_with_secrets(session)
    wes_emulator.assert_no_secret_in(f"upload of {SHOWN_URL} by emulated-workspace")


LOGIN = "bob"
PASSWORD = "p\"q'\\r/1+2 é&<x>\n\U0001f600"
SIGNATURE = "0123456789abcdef0123456789abcdef"
SIGNED = f"X-Amz-Credential=AKIA1234%2Fs3&X-Amz-Date=20261128T081708Z&X-Amz-Signature={SIGNATURE}"
SIGNED_URL = f"https://files.example.com/x.csv?{SIGNED}"
FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "in JSON": json.dumps,
    "in JSON with letters beyond ASCII": lambda text: json.dumps(text, ensure_ascii=False),
    "in JSON in JSON": lambda text: json.dumps(json.dumps(text)),
    "in JSON for HTML": lambda text: (
        json.dumps(text).replace("&", "\\u0026").replace("<", "\\u003c")
    ),
    "in PHP's JSON": lambda text: json.dumps(text).replace("/", "\\/"),
    "as repr": repr,
    "as ascii": ascii,
    "as repr of bytes": lambda text: repr(text.encode()),
    "as repr of JSON": lambda text: repr(json.dumps(text)),
    "in a URL": lambda text: quote(text, safe=""),
    "in a form": quote_plus,
    "in a URL in a URL": lambda text: quote(quote(text, safe=""), safe=""),
    "in HTML": html.escape,
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_password_is_found_in_each_form(
    wes_emulator: Emulator, session: Session, form: Callable[[str], str]
) -> None:
    session.upload(file_url_auth_username=LOGIN, file_url_auth_password=PASSWORD)
    message = failure(wes_emulator.assert_no_secret_in, f"first\n{{'p': {form(PASSWORD)}}}")
    assert "the password of a file" in message[-1]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_key_is_found_in_each_form(wes_emulator: Emulator, form: Callable[[str], str]) -> None:
    wes_emulator.configure(api_key=PASSWORD)
    assert failure(wes_emulator.assert_no_secret_in, f"key={form(PASSWORD)};")[1:] == [
        "  line 1: a key of coupons"
    ]


@given(st.text(min_size=1), st.sampled_from([*FORMS.values()]))
def test_any_secret_is_found_in_any_form(secret: str, form: Callable[[str], str]) -> None:
    assert find_secret(f"<{form(secret)}>", secret) is not None


def test_a_secret_with_many_backslashes_is_looked_for_in_no_time() -> None:
    """In exponential time, this would take longer than anybody waits."""
    assert find_secret("\\" * 1000 + "b a", "\\" * 30 + "a") is None


ENCODED = {
    "UTF-8": base64.b64encode(f"{LOGIN}:pässwört".encode()).decode(),
    "Latin-1": base64.b64encode(f"{LOGIN}:pässwört".encode("latin-1")).decode(),
    "without padding": base64.b64encode(f"{LOGIN}:pässwört".encode()).decode().rstrip("="),
    "in a URL": quote(base64.b64encode(f"{LOGIN}:pässwört".encode()).decode(), safe=""),
}


@pytest.mark.parametrize("text", ENCODED.values(), ids=ENCODED)
def test_the_encoded_login_of_a_file_is_found(
    wes_emulator: Emulator, session: Session, text: str
) -> None:
    session.upload(file_url_auth_username=LOGIN, file_url_auth_password="pässwört")
    assert failure(wes_emulator.assert_no_secret_in, f"Basic {text}")[1:] == [
        "  line 1: credentials of a file, encoded"
    ]


class Shown(NamedTuple):
    """The URL of an upload, and a text that has a secret of it."""

    url: str
    text: str


SHOWN = {
    "a signature alone": Shown(SIGNED_URL, SIGNATURE),
    "parameters in another order": Shown(SIGNED_URL, "&".join(reversed(SIGNED.split("&")))),
    "a query in JSON for HTML": Shown(SIGNED_URL, json.dumps(SIGNED).replace("&", "\\u0026")),
    "a query in HTML": Shown(SIGNED_URL, html.escape(SIGNED)),
    "a query that was decoded": Shown(SIGNED_URL, "X-Amz-Credential=AKIA1234/s3"),
    "a URL in a URL": Shown(SIGNED_URL, f"https://p.example/?u={quote(SIGNED_URL, safe='')}"),
    "a short signature with its name": Shown(f"{URL}&x=1", "x=1, X-Signature=s1gned"),
    "a signature that is a word": Shown("https://a.example/b?sig=abcdefabcdef", "abcdefabcdef"),
    "a signature of digits": Shown("https://a.example/b?token=12345678", "12345678"),
    "a value with another name": Shown("https://a.example/b?v=a1b2c3d4e5f6", "a1b2c3d4e5f6"),
    "letters that are no word": Shown(
        f"https://a.example/b?v={'abcdefghij' * 2}", "abcdefghij" * 2
    ),
    "a value in base64": Shown("https://a.example/b?sig=ab%2Bc%2Fd123%3D", "ab+c/d123="),
    "base64 as it stands": Shown("https://a.example/b?sig=ab+c/d123=", "ab+c/d123="),
    "a query without names": Shown("https://a.example/b?a1b2c3d4e5f6", "a1b2c3d4e5f6"),
    "the signature of a URL in a query": Shown(
        f"https://a.example/b?next={quote(SIGNED_URL, safe='')}", SIGNATURE
    ),
    "a whole URL with harmless values": Shown(
        "https://u:p@a.example/b?expires=3600", "GET https://a.example/b?expires=3600"
    ),
    "a query of another kind than words and numbers": Shown(
        "https://a.example/b?part=x1y2", "part=x1y2"
    ),
    "a password that is escaped in the URL": Shown("https://u:p%40ss%2Fw@a.example/b", "p@ss/w"),
    "the encoded login of a URL": Shown(
        "https://u:p%40ss%2Fw@a.example/b", base64.b64encode(b"u:p@ss/w").decode()
    ),
}


@pytest.mark.parametrize("field", ["file_url", "callback_url"])
@pytest.mark.parametrize("row", SHOWN.values(), ids=SHOWN)
def test_what_is_secret_of_a_url_is_found(row: Shown, field: str) -> None:
    found = [
        secret.name
        for secret in secrets_of_url(field, row.url)
        if find_secret(row.text, secret.text) is not None
    ]
    assert found
    assert all(name.endswith((field, f"{field}, encoded")) for name in found)
    assert not any("1234" in name or "s1gned" in name for name in found)


HARMLESS = {
    "a number of seconds": Shown("https://a.example/b?expires=3600", "expires=3600"),
    "a word": Shown("https://a.example/b?debug=true", "debug=true, and it is true"),
    "a date": Shown("https://a.example/b?date=2026-11-28", "the run of 2026-11-28"),
    "a time": Shown("https://a.example/b?se=2026-11-28T08%3A17%3A08Z", "at 2026-11-28T08:17:08Z"),
    "a compact time": Shown(SIGNED_URL, "20261128T081708Z"),
    "several harmless values": Shown("https://a.example/b?v=2&sr=b&sp=r", "v=2&sr=b&sp=r"),
    "the name of a file": Shown(
        "https://a.example/b?file=coupons-2026-11-28.csv", "coupons-2026-11-28.csv"
    ),
    "milliseconds": Shown("https://a.example/b?t=1795853828000", "1795853828000"),
    "a long media type": Shown(
        "https://a.example/b?type=application/octet-stream", "application/octet-stream"
    ),
    "a short value": Shown("https://a.example/b?sig=ab12", "ab12"),
    "an empty query": Shown("https://a.example/b?", "https://a.example/b?"),
    "an empty value": Shown("https://a.example/b?sig=", "sig="),
    "the URL without its query": Shown(SIGNED_URL, "https://files.example.com/x.csv"),
    "the names of parameters": Shown(SIGNED_URL, "X-Amz-Signature=***&X-Amz-Credential=***"),
    "a user without a password": Shown("https://ana@a.example/b", "ana@a.example"),
    "another URL with a query": Shown("https://a.example/b?v=2", "https://c.example/b?v=2"),
}


@pytest.mark.parametrize("row", HARMLESS.values(), ids=HARMLESS)
def test_what_is_harmless_of_a_url_is_no_secret(
    wes_emulator: Emulator, session: Session, row: Shown
) -> None:
    session.upload(row.url)
    wes_emulator.assert_no_secret_in(row.text)


def test_keys_from_before_configure_stay_secret_until_a_reset(wes_emulator: Emulator) -> None:
    wes_emulator.configure(api_key="f1rst", workspaces={"other": {"api_key": "0ther"}})
    wes_emulator.configure(api_key="s3cond", workspaces={})
    texts = ["f1rst", "0ther", "s3cond", basic(WORKSPACE, "f1rst"), basic("other", "0ther")]
    for text in texts:
        assert len(failure(wes_emulator.assert_no_secret_in, text)) > 1
    wes_emulator.snapshot("s")
    wes_emulator.restore("s")
    for text in texts:
        assert len(failure(wes_emulator.assert_no_secret_in, text)) > 1
    wes_emulator.reset()
    for text in texts:
        wes_emulator.assert_no_secret_in(text)


class Unlike(NamedTuple):
    """A body of an upload that the service refuses, and a part of a URL in it."""

    body: bytes
    text: str


UNLIKE = {
    "two URLs": Unlike(b'{"file_url": ["https://a.example/b?sig=abcd1234efgh"]}', "abcd1234efgh"),
    "within an array": Unlike(
        b'[{"file_url": "https://a.example/b?sig=abcd1234efgh"}]', "abcd1234efgh"
    ),
    "no JSON": Unlike(b'{"file_url": "https://a.example/b?sig=abcd1234efgh", ', "abcd1234efgh"),
    "a URL twice": Unlike(
        b'{"file_url": "https://a.example/b?sig=abcd1234efgh", "file_url": ""}', "abcd1234efgh"
    ),
}


@pytest.mark.parametrize("path", [FILES, "/nope"], ids=["to a list", "to no operation"])
@pytest.mark.parametrize("row", UNLIKE.values(), ids=UNLIKE)
def test_a_query_is_found_in_each_body(
    wes_emulator: Emulator, session: Session, row: Unlike, path: str
) -> None:
    session.post(path, data=row.body, headers={"Content-Type": "application/json"})
    assert len(failure(wes_emulator.assert_no_secret_in, row.text)) > 1


@pytest.mark.wes(request_log=2)
def test_secrets_that_have_left_the_log_are_not_said_to_be_absent(
    controls: EmulatorControl, session: Session
) -> None:
    session.post(FILES, json={"file_url": SIGNED_URL, "name": 7})
    controls.assert_no_secret_in("any text")
    session.get(FILES)
    session.get(FILES)
    (message,) = failure(controls.assert_no_secret_in, f"signed {SIGNATURE}")
    assert message == (
        "Secrets cannot be looked for: 1 request with a body left the log. To keep more, raise the "
        "setting request_log, which is 2. The bodies can have 67108864 bytes in all."
    )


@pytest.mark.wes(request_log=2)
def test_requests_without_a_body_may_leave_the_log(
    controls: EmulatorControl, session: Session
) -> None:
    for _ in range(5):
        session.get(FILES)
    controls.assert_no_secret_in("any text")


@pytest.mark.wes(request_log=2)
def test_the_url_of_an_accepted_file_is_known_after_it_has_left_the_log(
    controls: EmulatorControl, session: Session
) -> None:
    session.upload(SIGNED_URL)
    session.get(FILES)
    session.get(FILES)
    message = failure(controls.assert_no_secret_in, f"signed {SIGNATURE}")
    assert message[1:] == ["  line 1: 'X-Amz-Signature' in the query of a file_url"]
