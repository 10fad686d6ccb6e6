"""
If each read gets the same error, and its words are about the address, the finding is about the
Address. If they want HTTPS, and the address has http, it says to write https. If they name another
data center, or a part that paths begin with, such as /t/{tenant}/, that is to be set; the last read
there proves it, if it gets an answer or a refusal and not the same kind of error: a lost read or a
page proves nothing. It is *wrong* then, even without a code. If words or code say of a host,
region, cluster or data center that it is wrong, or name it, or the status is 421, the address is to
be set to what they name, or to what the service's support says if they name none; the data center, if the address is made of it and they name the connection's own; either, if the host
has letters and a digit, and nothing says what it is made of. If they name another host for coupons,
and segments are found here, the finding is about the campaign key: a second connection is needed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_objections import (
    AGAIN,
    IN_01,
    LIST_IN_02,
    MADE_OF,
    SEGMENT_NOT_FOUND,
    SET_ADDRESS,
    SUPPORT,
    Row,
    check_advice,
)
from support.doctor_reads import (
    LIST,
    SETTINGS,
    error_body,
    evidence,
    probe,
    settings_of,
)
from wes_provider.doctor.conclusions.objections import conclude_on_objection
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads.evidence import list_at
from wes_provider.doctor.replies.probes import Probe, Question

LIST_BELOW_WORKSPACE = list_at(
    settings_of("https://api.example.com/t/workspace-1"), SETTINGS.coupon_files_path, LIST
)


def in_02(status: int, body: Any = None) -> Probe:
    """The read in the data center 02."""
    return probe(status, body, question=Question.OTHER_ADDRESS, request=LIST_IN_02)


def below_workspace(status: int, body: Any = None) -> Probe:
    """The read below the path with the workspace."""
    return probe(status, body, question=Question.OTHER_ADDRESS, request=LIST_BELOW_WORKSPACE)


REFUSED_THERE = in_02(401, error_body("no-key", "x"))
FILES_THERE = in_02(200, [])
FAILS_THERE = in_02(503)
PAGE_THERE = in_02(404, "<html>")
ERROR_THERE = in_02(400, error_body("x", "Wrong."))
AT_HOST = "Coupons are served at https://coupons.test"
OR_DATA_CENTER = "Data center, if the Address has {data_center}"
NOT_NAMED = "It does not say where the account is: the service's dashboard or its support does. "
FIND_ADDRESS = f"{NOT_NAMED}Set the Address to that, {AGAIN}"
HTTPS_ONLY = [
    Row(
        "HTTPS is wanted, and the address has http",
        "odd",
        "Use HTTPS",
        f"Write https:// in place of http:// in the Address, {AGAIN}",
        Topic.ADDRESS,
        settings=settings_of("http://127.0.0.1:9"),
    ),
    Row(
        "HTTPS is wanted, and the address has https",
        "odd",
        "Use HTTPS",
        "Do what it says, or ask the service's support.",
    ),
]


@pytest.mark.parametrize("row", HTTPS_ONLY, ids=ids(HTTPS_ONLY))
def test_an_address_with_http_is_to_be_written_with_https_if_that_is_wanted(row: Row):
    check_advice(row)


ON_OTHER_HOST = [
    Row(
        "coupons on another host",
        "odd",
        AT_HOST,
        "Coupon lists and files are at https://coupons.test, by the service's words: leave this "
        "connection for segments, and make a second one with that Address and the Campaign API key "
        "as its password. Name it in the tasks with coupons, and run wes-doctor --conn-id ID on "
        "it.",
        Topic.CAMPAIGN_KEY,
        others=[SEGMENT_NOT_FOUND],
    ),
    Row("all on another host", "odd", AT_HOST, SET_ADDRESS, Topic.ADDRESS),
]


@pytest.mark.parametrize("row", ON_OTHER_HOST, ids=ids(ON_OTHER_HOST))
def test_coupons_on_another_host_need_a_second_connection_if_segments_are_here(row: Row):
    check_advice(row)


DATA_CENTERS = [
    Row(
        "another data center",
        "odd",
        "It is in data center 2",
        f'Set Data center (data_center) to "02", as it says, {AGAIN}',
        Topic.ADDRESS,
        settings=IN_01,
        host=MADE_OF,
    ),
    *(
        Row(
            f"another data center, where a read gets {answer}",
            "odd",
            "It is in data center 02",
            f'In data center 02, a read gets {answer}: set Data center (data_center) to "02", '
            f"{AGAIN}",
            Topic.ADDRESS,
            others=[read],
            settings=IN_01,
            host=MADE_OF,
        )
        for answer, read in (("200", FILES_THERE), ("401 no-key", REFUSED_THERE))
    ),
    Row(
        "another data center, where the last read gets 200",
        "odd",
        "It is in data center 02",
        f'In data center 02, a read gets 200: set Data center (data_center) to "02", {AGAIN}',
        Topic.ADDRESS,
        others=[ERROR_THERE, FILES_THERE],
        settings=IN_01,
        host=MADE_OF,
    ),
    *(
        Row(
            f"another data center, where a read is {name}",
            "odd",
            "It is in data center 02",
            f'Set Data center (data_center) to "02", as it says, {AGAIN}',
            Topic.ADDRESS,
            others=reads,
            settings=IN_01,
            host=MADE_OF,
        )
        for name, reads in (
            ("a page", [PAGE_THERE]),
            ("refused likewise", [ERROR_THERE]),
            ("a page after 200", [FILES_THERE, PAGE_THERE]),
        )
    ),
    Row(
        "another data center, where a read fails for now",
        "odd",
        "It is in data center 02",
        'Set Data center (data_center) to "02", as it says. A read there gets 503: run this again '
        "when that is over.",
        Topic.ADDRESS,
        others=[FAILS_THERE],
        settings=IN_01,
        host=MADE_OF,
    ),
    Row(
        "the own data center",
        "odd",
        "Teapots of data center 01",
        "Set the Data center (data_center), which the Address is made of, to what it says, "
        f"{AGAIN}",
        Topic.ADDRESS,
        settings=IN_01,
        host=MADE_OF,
    ),
    Row(
        "421",
        "odd",
        "Teapots only",
        FIND_ADDRESS,
        Topic.ADDRESS,
        status=421,
    ),
]


@pytest.mark.parametrize("row", DATA_CENTERS, ids=ids(DATA_CENTERS))
def test_another_data_center_is_to_be_set_and_the_last_read_there_proves_it(row: Row):
    """Not if that read is lost, a page, or gets such an error, too."""
    check_advice(row)


PARTS_OF_PATHS = [
    Row(
        "a part of the path",
        "odd",
        "Paths are /t/{tenant}/v1/",
        f"Put https://api.example.com/t/workspace-1 into the Address, as it says, {AGAIN}",
        Topic.ADDRESS,
    ),
    *(
        Row(
            f"a part of the path, with which a read gets {answer}",
            "odd",
            "Paths are /t/{tenant}/v1/",
            f"Below https://api.example.com/t/workspace-1, a read gets {answer}: put that into the "
            f"Address, {AGAIN}",
            Topic.ADDRESS,
            others=[read],
        )
        for answer, read in (
            ("200", below_workspace(200, [])),
            ("401 no-key", below_workspace(401, error_body("no-key", "x"))),
            ("400 x", below_workspace(400, error_body("x", "Wrong."))),
        )
    ),
    *(
        Row(
            f"a part of the path, with which a read is {name}",
            "odd",
            "Paths are /t/{tenant}/v1/",
            f"Put https://api.example.com/t/workspace-1 into the Address, as it says, {AGAIN}",
            Topic.ADDRESS,
            others=reads,
        )
        for name, reads in (
            ("lost", [below_workspace(503)]),
            ("a page", [below_workspace(404, "<html>")]),
            ("refused with the same error", [below_workspace(400, error_body("odd", "x"))]),
            ("a page after 200", [below_workspace(200, []), below_workspace(404, "<html>")]),
        )
    ),
    Row(
        "a part of the path, with which the last read gets 200",
        "odd",
        "Paths are /t/{tenant}/v1/",
        "Below https://api.example.com/t/workspace-1, a read gets 200: put that into the "
        f"Address, {AGAIN}",
        Topic.ADDRESS,
        others=[below_workspace(401, error_body("no-key", "x")), below_workspace(200, [])],
    ),
]


@pytest.mark.parametrize("row", PARTS_OF_PATHS, ids=ids(PARTS_OF_PATHS))
def test_a_part_that_paths_begin_with_is_to_be_put_into_the_address(row: Row):
    """The last read with it proves that, if it gets another answer."""
    check_advice(row)


ADDRESSES = [
    *(
        Row(f"a place by its name: {words}", "odd", words, SET_ADDRESS, Topic.ADDRESS)
        for words in (
            "The account is in region eu-west-1",
            "Use the host api.eu.example.com",
            "Wrong region: it is in the EU",
            "It is in data center 02",
        )
    ),
    *(
        Row(f"nothing about where it is: {words}", "odd", words, SUPPORT)
        for words in ("The region is busy", "The data is hosted", "A ghost")
    ),
    *(
        Row(f"the address by {word}", "odd", f"Wrong {word}", FIND_ADDRESS, Topic.ADDRESS)
        for word in ("datacenter", "data center", "REGION", "cluster", "host", "data-center")
    ),
    Row("the address by its code", "wrong-region", "Teapots only", FIND_ADDRESS, Topic.ADDRESS),
    Row("a code in one word", "WrongDataCenter", "Teapots only", FIND_ADDRESS, Topic.ADDRESS),
    Row(
        "a code with underscores", "wrong_data_center", "Teapots only", FIND_ADDRESS, Topic.ADDRESS
    ),
    Row(
        "the address, which may have a data center",
        "odd",
        "Wrong region",
        f"{NOT_NAMED}Set the Address to that ({OR_DATA_CENTER}), {AGAIN}",
        Topic.ADDRESS,
        settings=IN_01,
    ),
    Row(
        "the address, which is made of something else",
        "odd",
        "Wrong region",
        FIND_ADDRESS,
        Topic.ADDRESS,
        settings=IN_01,
        host="https://api-01.example.com",
    ),
    Row(
        "the address, which is an IP address",
        "odd",
        "Wrong region",
        FIND_ADDRESS,
        Topic.ADDRESS,
        settings=settings_of("https://10.0.0.1"),
    ),
]


@pytest.mark.parametrize("row", ADDRESSES, ids=ids(ADDRESSES))
def test_the_address_is_to_be_set_if_words_or_code_are_about_it(row: Row):
    """Or the data center, if the address may be made of it."""
    check_advice(row)


class Named(NamedTuple):
    """The message of an error, and the address that it names."""

    name: str
    message: str
    address: str


NAMED = [
    Named(
        "a part of the path",
        "Paths are /t/{tenant}/v1/",
        "https://api-01.example.com/t/workspace-1",
    ),
    Named("a data center", "It is in data center 02", "https://api-02.example.com"),
]


@pytest.mark.parametrize("row", NAMED, ids=[row.name for row in NAMED])
def test_an_error_without_a_code_is_certain_if_the_address_that_it_names_gets_200(row: Named):
    request = list_at(IN_01, IN_01.coupon_files_path, LIST)
    elsewhere = list_at(settings_of(row.address), SETTINGS.coupon_files_path, LIST)
    objection = probe(400, {"error": {"message": row.message}}, request=request)
    answered = probe(200, [], question=Question.OTHER_ADDRESS, request=elsewhere)
    asked = evidence(objection, answered, settings=IN_01, host=MADE_OF)
    found = conclude_on_objection(asked, objection)
    assert found.certainty is Certainty.WRONG
    assert found.text.startswith("The service or a gateway replies 400 to each read, ")
