"""Assertions that explain what they have found instead."""

from __future__ import annotations

import re
from typing import Any

import pytest

from support.emulator_calls import DATA_KEY, WORKSPACE, basic
from support.wire import Session
from wes_provider.emulator import Emulator, EmulatorControl, faults

URL = "https://files.example.com/spring.csv?X-Signature=s1gned"
SPRING = "/v1/coupon-list/spring/files"


def failure(check: Any, *arguments: Any, **named: Any) -> list[str]:
    """The message of an assertion that fails, by line, without times."""
    with pytest.raises(AssertionError) as raised:
        check(*arguments, **named)
    return re.sub(r"\d\d:\d\d:\d\d", "TIME", str(raised.value)).splitlines()


def test_one_upload_is_found_by_its_list_url_and_name(wes_emulator: Emulator, session: Session) -> None:
    session.upload(URL, "spring", name="n")
    wes_emulator.assert_uploaded_once("spring")
    EmulatorControl(wes_emulator.url, wes_emulator.ca_file).assert_uploaded_once("spring", url=URL, name="n")


def test_the_nearest_uploads_are_shown_with_their_differences(wes_emulator: Emulator, session: Session) -> None:
    for i in range(5):
        session.upload(f"https://elsewhere.example.org/{i}", "autumn", name=f"x{i}")
    session.upload(URL.replace("s1gned", "an0ther"), "spring", name="n")
    wes_emulator.fail("upload_coupon_file", faults.error(503))
    session.post(SPRING, json={"file_url": URL, "name": "n"})
    first, *lines = failure(wes_emulator.assert_uploaded_once, "spring", url=URL)
    assert first.endswith("there were 0.")
    assert len(lines) == 5
    upload, url = "  TIME upload_coupon_file of 'n' to 'spring'", "https://files.example.com/spring.csv"
    assert f"{upload}: 201, accepted: file_url is '{url}' with another query" in lines
    assert f"{upload}: 503 (status 503 (not carried out)), not accepted: as wanted" in lines
    assert "list is 'autumn'; file_url is 'https://elsewhere.example.org/" in lines[0]
    assert not {"s1gned", "an0ther"} & set(re.findall(r"\w+", "".join(lines)))


@pytest.mark.wes(window_offset=0, speed=0)
def test_a_refusal_is_beyond_the_limits_and_a_fault_is_not(wes_emulator: Emulator, session: Session) -> None:
    wes_emulator.fail("upload_coupon_file", faults.rate_limited())
    for _ in range(6):
        session.post(SPRING, json={"file_url": URL, "name": "n"})
    session.upload(URL, "autumn")
    wes_emulator.assert_within_limits()
    session.post(SPRING, json={"file_url": URL, "name": "n"})
    assert failure(wes_emulator.assert_within_limits) == [
        "Expected no request beyond the limits; there were 1.",
        "  TIME upload_coupon_file of 'n' to 'spring': 429: refused by the service",
    ]


@pytest.mark.wes(limits=None, speed=0)
def test_without_limits_those_of_the_contract_count(wes_emulator: Emulator, session: Session) -> None:
    for _ in range(12):
        session.upload(URL, "spring", name="n")
    first, *lines, last = failure(wes_emulator.assert_within_limits)
    assert first == "Expected no request beyond the limits; there were 7."
    assert (len(lines), last) == (5, "  ... and 2 more")
    assert lines[0].endswith("'spring': 201: 5 were accepted in its window, until TIME")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("key=emulated-campaign-key;", "a key of coupons"),
        ("key=emulated-data-key;", "a key of segments"),
        (basic(WORKSPACE, DATA_KEY), "credentials of segments, encoded"),
        ("login with s3cret", "the password of a file"),
        (f"GET {URL}", "the query of a file_url"),
        ("postgres://u:p4ss@x", "the password in a file_url"),
    ],
    ids=lambda text: text[:12],
)
def test_secrets_are_found_and_not_shown(wes_emulator: Emulator, session: Session, text: str, what: str) -> None:
    session.upload(URL.replace("//", "//u:p4ss@"), file_url_auth_password="s3cret")
    wes_emulator.assert_no_secret_in("upload of https://files.example.com/spring.csv by emulated-workspace")
    message = "".join(failure(wes_emulator.assert_no_secret_in, f"first\n{text}\nemulated-campaign-key"))
    assert what in message
    assert not [secret for secret in ("campaign-key", "data-key", "s3cret", "s1gned", "p4ss") if secret in message]
