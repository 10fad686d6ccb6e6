"""Assertions that explain what they have found instead."""

from __future__ import annotations

import base64
import re

import pytest

from support.wire import Session
from wes_provider.emulator import Emulator, EmulatorControl, faults

URL = "https://files.example.com/spring.csv?X-Signature=s1gned"


def failure(assertion: object) -> list[str]:
    """The message of an assertion that failed, by line, without times."""
    return re.sub(r"\d\d:\d\d:\d\d", "TIME", str(assertion)).splitlines()


def test_one_upload_is_found_by_its_list_url_and_name(wes_emulator: Emulator, session: Session) -> None:
    session.upload(URL, "spring", name="n")
    wes_emulator.assert_uploaded_once("spring")
    wes_emulator.assert_uploaded_once("spring", url=URL)
    EmulatorControl(wes_emulator.url, wes_emulator.ca_file).assert_uploaded_once("spring", url=URL, name="n")


def test_the_nearest_uploads_are_shown_with_their_differences(wes_emulator: Emulator, session: Session) -> None:
    for i in range(5):
        session.upload(f"https://elsewhere.example.org/{i}", "autumn", name=f"x{i}")
    session.upload(URL.replace("s1gned", "an0ther"), "spring", name="n")
    wes_emulator.fail("upload_coupon_file", faults.error(503))
    session.post("/v1/coupon-list/spring/files", json={"file_url": URL, "name": "n"})
    with pytest.raises(AssertionError) as raised:
        wes_emulator.assert_uploaded_once("spring", url=URL)
    first, *lines = failure(raised.value)
    assert first.endswith("there were 0.")
    assert len(lines) == 5
    assert (
        "  TIME upload_coupon_file of 'n' to 'spring': 201, accepted: file_url is"
        " 'https://files.example.com/spring.csv' with another query"
    ) in lines
    assert (
        "  TIME upload_coupon_file of 'n' to 'spring': 503 (status 503 (not carried out)), not accepted: as wanted"
    ) in lines
    assert "list is 'autumn'; file_url is 'https://elsewhere.example.org/" in lines[0]
    assert not {"s1gned", "an0ther"} & set(re.findall(r"\w+", str(raised.value)))


def test_limits_were_kept(wes_emulator: Emulator, session: Session) -> None:
    wes_emulator.fail("upload_coupon_file", faults.rate_limited())
    session.post("/v1/coupon-list/spring/files", json={"file_url": URL})
    for list_id in ("spring", "autumn"):
        for _ in range(5):
            session.upload(URL, list_id)
    wes_emulator.assert_within_limits()


@pytest.mark.wes(window_offset=0, speed=0)
def test_a_refusal_is_beyond_the_limits(wes_emulator: Emulator, session: Session) -> None:
    for _ in range(6):
        session.post("/v1/coupon-list/spring/files", json={"file_url": URL, "name": "n"})
    with pytest.raises(AssertionError) as raised:
        wes_emulator.assert_within_limits()
    assert failure(raised.value) == [
        "Expected no request beyond the limits; there were 1.",
        "  TIME upload_coupon_file of 'n' to 'spring': 429: refused by the service",
    ]


@pytest.mark.wes(limits=None, speed=0)
def test_without_limits_those_of_the_contract_count(wes_emulator: Emulator, session: Session) -> None:
    for _ in range(12):
        session.upload(URL, "spring", name="n")
    with pytest.raises(AssertionError) as raised:
        wes_emulator.assert_within_limits()
    first, *lines, last = failure(raised.value)
    assert first == "Expected no request beyond the limits; there were 7."
    assert (len(lines), last) == (5, "  ... and 2 more")
    assert lines[0].endswith("'spring': 201: 5 were accepted in its window, until TIME")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("key=emulated-campaign-key;", "a key of coupons"),
        ("key=emulated-data-key;", "a key of segments"),
        (base64.b64encode(b"emulated-workspace:emulated-data-key").decode(), "credentials of segments, encoded"),
        ("login with s3cret", "the password of a file"),
        (f"GET {URL}", "the query of a file_url"),
        ("postgres://u:p4ss@x", "the password in a file_url"),
    ],
    ids=lambda text: text[:12],
)
def test_secrets_are_found_and_not_shown(wes_emulator: Emulator, session: Session, text: str, what: str) -> None:
    session.upload(URL.replace("//", "//u:p4ss@"), file_url_auth_password="s3cret")
    wes_emulator.assert_no_secret_in("upload of https://files.example.com/spring.csv by emulated-workspace")
    with pytest.raises(AssertionError) as raised:
        wes_emulator.assert_no_secret_in(f"first\n{text}\nemulated-campaign-key")
    message = str(raised.value)
    assert what in message
    for secret in ("campaign-key", "data-key", "s3cret", "s1gned", "p4ss"):
        assert secret not in message
