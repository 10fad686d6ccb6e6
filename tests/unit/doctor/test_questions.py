"""
Which read each question asks for next by what is known, and why one is not asked.

Nowhere is short for a path that does not exist. A table has all rows of one question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import (
    FILES,
    FORBIDDEN,
    LIST_AT,
    NOT_FOUND,
    PAGE,
    UNAUTHENTICATED,
    again,
    at_path,
    campaign_key_on_segment,
    data_key_on_list,
    ids,
    listed,
    lost,
    made_up,
    made_up_list,
    made_up_segment,
    nowhere,
    one_file,
    redirected,
    segment,
    segment_again,
    with_headers,
    with_made_up_value,
)
from support.doctor_replies import SETTINGS, changed, error, evidence_of, reply, request_for
from support.doctor_service import CAMPAIGN_KEY, LIST, record
from wes_provider import contract
from wes_provider.client.requests import read_segment
from wes_provider.doctor import questions
from wes_provider.doctor.evidence import MADE_UP, list_at
from wes_provider.doctor.probes import Probe, Question
from wes_provider.doctor.questions import LIST_PATHS, QUESTIONS, QuestionRow, file_paths
from wes_provider.doctor.sending import Ask

(
    READ_LIST,
    OTHER_ADDRESS,
    ANOTHER_PATH,
    READ_PAGE,
    COOKIE,
    SEGMENTS_BESIDE,
    DATA_KEY,
    ANY_KEY,
    FIND_HEADER,
    CONFIRM_HEADER,
    HEADER_VALUE,
    HEADER_BESIDES,
    SWAP,
    DATA_KEY_WITH_HEADER,
    NO_SUCH_PATH,
    MOVED_ADDRESS,
    NAMED_ADDRESS,
    MADE_UP_DATA_KEY,
    OTHER_LIST,
    FIND_LIST,
    WHOLE_LIST,
    SAME_LIST,
    FIND_FILE,
    MADE_UP_KEY,
    GUESS_FILE,
    REPEAT,
    UPLOAD_PATH,
) = QUESTIONS
NO_DATA_KEY = changed(data_api_key=CAMPAIGN_KEY)
JSON = {"content-type": "application/json"}
STRANGE = error("teapot", "Moon phase is unfavourable.")
NO_LIST = error("not-found", "No such list.")
NAMES_ONE = error("", "Header X-Tenant is required.")
NO_MORE = error("request-unauthenticated", "Invalid API key.")
NO_SCOPE = error("not-found", "Nothing here that your permissions show.")
BANNED = error("", "Your IP is not on the allow-list.")
AWAY = "https://api.example.com/away"
OWN_FILES = [record("f1"), record("f2")]
TEN = [record(f"f{number}") for number in range(10)]
TEN_FILES = listed(200, TEN)
SILENT = [{"_id": "f1", "status": "SUCCESS"}]
WINTER = [record("f1", coupons_list_id="winter")]
ODD = listed(200, "no JSON", headers=JSON)
GIVEN, GIVEN_FILE = contract.COUPON_FILES_PATH, contract.COUPON_FILE_PATH
NO_SUCH = "/v1/wes-doctor-no-such-path/wes-doctor"
SPRING_AT = "/v1/coupon-list/spring/files"


def twice(status: int, content: Any, **more: Any) -> list[Probe]:
    """The read of the list, twice with the same reply."""
    return [listed(status, content, **more), again(status, content, **more)]


def refused_twice(content: Any = UNAUTHENTICATED) -> list[Probe]:
    """The read of the list, twice with 401."""
    return twice(401, content)


PROVED_HEADER = [
    *refused_twice(),
    *2 * [with_headers("X-App-Id")],
    with_made_up_value("X-App-Id"),
]


WITH_PROVED_HEADER = changed(workspace_header="X-App-Id")


def below(probe: Probe) -> Probe:
    url = probe.request.url.replace("example.com", "example.com/gw", 1)
    return reply(301, headers={"location": url}, question=probe.question, request=probe.request)


def in_page(size: int, content: Any) -> Probe:
    """The read of a list with a page of a size."""
    path = f"{GIVEN}?limit={size}"
    request = list_at(SETTINGS, path, LIST)
    return reply(200, content, question=Question.WHOLE_LIST, request=request, tried=path)


def given_file(status: int = 200, content: Any = b"", file_id: str = "f1", **more: Any) -> Probe:
    request = request_for(Question.FILE_PATH, file_id=file_id)
    return one_file(status, content, request=request, tried=GIVEN_FILE, **more)


def elsewhere(status: int = 200, content: Any = FILES) -> Probe:
    request = list_at(changed(base_url="https://api-03.example.com"), GIVEN, LIST)
    return reply(status, content, question=Question.OTHER_ADDRESS, request=request)


def refused_page(size: int, allowed: int) -> Probe:
    """The read of a list with a page of a size, of which a smaller one is allowed."""
    path = f"{GIVEN}?limit={size}"
    request = list_at(SETTINGS, path, LIST)
    content = error("", f"At most {allowed}.")
    return reply(400, content, question=Question.WHOLE_LIST, request=request, tried=path)


TWO_OF_NINE = {"data": OWN_FILES, "total": 9}
REFUSED_PAGES = [refused_page(1000, 500), refused_page(500, 400), refused_page(400, 300)]


class Case(NamedTuple):
    """
    What is known, and what a question asks next.

    :ivar step: the request, in words; or why it is not asked; or that it is settled.
    :ivar known: besides the replies.
    """

    name: str
    probes: Sequence[Probe]
    step: str
    known: Mapping[str, Any] = {}


SETTLED = "settled"


def next_step(question: QuestionRow, row: Case) -> str:
    """What a question asks next, in words: keys, URL, other headers, and what it tries."""
    evidence = evidence_of(*row.probes, **row.known)
    step = question.next_step(evidence)
    if step is None:
        return SETTLED
    if not isinstance(step, Ask):
        return f"not asked: {step.why}"
    usual = list_at(evidence.settings, GIVEN, LIST).headers
    names = [f"{name}={value}" for name, value in step.request.headers.items()]
    headers = [name for name in names if name not in [f"{n}={v}" for n, v in usual.items()]]
    url = step.request.url.removeprefix("https://api.example.com")
    words = [f"{step.keys.value} {url}", *headers]
    if step.tried:
        words.append(f"tries {step.tried}")
    return "; ".join(words)


FOR_READ_LIST = [
    Case(
        "nothing was read",
        [],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case("files", [listed(200, FILES)], SETTLED),
    Case(
        "401",
        [listed(401)],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case("401 twice", [listed(401), listed(401)], SETTLED),
    Case(
        "400",
        [listed(400, STRANGE)],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case("404", [listed(404, NOT_FOUND)], SETTLED),
]


@pytest.mark.parametrize("row", FOR_READ_LIST, ids=ids(FOR_READ_LIST))
def test_when_the_list_is_read(row: Case):
    assert next_step(READ_LIST, row) == row.step


FOR_OTHER_ADDRESS = [
    Case("files", [listed(200, FILES)], SETTLED),
    Case(
        "a redirect to another port",
        [redirected(f"https://api.example.com:8443{LIST_AT}")],
        "own :8443/v1/coupon-list/spring/files; tries https://api.example.com:8443",
    ),
    Case(
        "a redirect to another port, and it was read",
        [redirected(f"https://api.example.com:8443{LIST_AT}"), elsewhere()],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_OTHER_ADDRESS, ids=ids(FOR_OTHER_ADDRESS))
def test_when_the_list_is_read_at_the_address_of_a_redirect(row: Case):
    assert next_step(OTHER_ADDRESS, row) == row.step


FOR_ANOTHER_PATH = [
    Case(
        "a redirect to another path",
        [redirected(AWAY)],
        "own /v1/wes-doctor-no-such-path/wes-doctor",
    ),
    Case(
        "a redirect to another path, and nowhere was read", [redirected(AWAY), nowhere()], SETTLED
    ),
    Case("no JSON", [ODD], "own /v1/wes-doctor-no-such-path/wes-doctor"),
    Case(
        "401 with a page twice", refused_twice(PAGE), "own /v1/wes-doctor-no-such-path/wes-doctor"
    ),
    Case("files", [listed(200, FILES)], SETTLED),
]


@pytest.mark.parametrize("row", FOR_ANOTHER_PATH, ids=ids(FOR_ANOTHER_PATH))
def test_when_a_path_that_does_not_exist_is_read_since_the_list_is_odd(row: Case):
    assert next_step(ANOTHER_PATH, row) == row.step


FOR_READ_PAGE = [
    Case(
        "the list and nowhere lead to one page",
        [redirected(AWAY), redirected(AWAY, question=Question.NO_SUCH_PATH)],
        "own /away",
    ),
    Case(
        "the list and nowhere lead to one page of another host",
        [
            redirected("https://files.example.org/a"),
            redirected("https://files.example.org/a", question=Question.NO_SUCH_PATH),
        ],
        SETTLED,
    ),
    Case("the list leads to a page, and nowhere was not read", [redirected(AWAY)], SETTLED),
    Case(
        "the list and nowhere lead to one page, and it was read",
        [
            redirected(AWAY),
            redirected(AWAY, question=Question.NO_SUCH_PATH),
            reply(200, PAGE, question=Question.PAGE, request=listed().request._replace(url=AWAY)),
        ],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_READ_PAGE, ids=ids(FOR_READ_PAGE))
def test_when_the_page_is_read_that_all_is_redirected_to(row: Case):
    assert next_step(READ_PAGE, row) == row.step


FOR_COOKIE = [
    Case(
        "a redirect to itself with a cookie",
        [reply(302, headers={"location": LIST_AT, "set-cookie": "a=b; Path=/"})],
        "own /v1/coupon-list/spring/files; Cookie=a=b; tries a",
    ),
    Case("files", [listed(200, FILES)], SETTLED),
]


@pytest.mark.parametrize("row", FOR_COOKIE, ids=ids(FOR_COOKIE))
def test_when_a_cookie_is_sent_back(row: Case):
    assert next_step(COOKIE, row) == row.step


FOR_SEGMENTS_BESIDE = [
    Case(
        "a redirect to the same path of another host",
        [redirected(f"https://files.example.org{LIST_AT}")],
        "own /v3/custom-segments/wes-doctor",
    ),
    Case(
        "a redirect to the same path of another host, and segments were read",
        [redirected(f"https://files.example.org{LIST_AT}"), segment()],
        SETTLED,
    ),
    Case("a redirect to another path", [redirected(AWAY)], SETTLED),
    Case(
        "an error that names another host",
        [listed(404, error("", "Use https://files.example.org instead"))],
        SETTLED,
    ),
    Case("nothing was read", [], SETTLED),
]


@pytest.mark.parametrize("row", FOR_SEGMENTS_BESIDE, ids=ids(FOR_SEGMENTS_BESIDE))
def test_when_segments_are_read_since_the_list_is_redirected(row: Case):
    assert next_step(SEGMENTS_BESIDE, row) == row.step


FOR_DATA_KEY = [
    Case(
        "no data key is given",
        [listed(200, FILES)],
        "not asked: no Data API key is given",
        {"settings": NO_DATA_KEY},
    ),
    Case("files", [listed(200, FILES)], "own /v3/custom-segments/wes-doctor"),
    Case("files, and 404 for the data key", [listed(200, FILES), segment()], SETTLED),
    Case(
        "files, and 401 for the data key",
        [listed(200, FILES), segment(401)],
        "own /v3/custom-segments/wes-doctor",
    ),
    Case(
        "files, and 401 for the data key twice",
        [listed(200, FILES), segment(401), segment(401)],
        SETTLED,
    ),
    Case("401 twice, and 401 for the data key", [*refused_twice(), segment(401)], SETTLED),
]


@pytest.mark.parametrize("row", FOR_DATA_KEY, ids=ids(FOR_DATA_KEY))
def test_when_the_data_key_is_read(row: Case):
    assert next_step(DATA_KEY, row) == row.step


FOR_ANY_KEY = [
    Case(
        "401 with a page twice, and nowhere the same",
        [*refused_twice(PAGE), nowhere(401, PAGE)],
        "made-up /v1/coupon-list/spring/files",
    ),
    Case("401 with a page twice, and nowhere was not read", refused_twice(PAGE), SETTLED),
    Case(
        "401 with a page twice, and nowhere and for a made-up key the same",
        [*refused_twice(PAGE), nowhere(401, PAGE), made_up(401, PAGE)],
        SETTLED,
    ),
    Case(
        "401 as documented twice, and nowhere the same", [*refused_twice(), nowhere(401)], SETTLED
    ),
]


@pytest.mark.parametrize("row", FOR_ANY_KEY, ids=ids(FOR_ANY_KEY))
def test_when_a_made_up_key_is_sent_to_what_may_stand_before_the_service(row: Case):
    assert next_step(ANY_KEY, row) == row.step


FOR_FIND_HEADER = [
    Case(
        "401 twice",
        refused_twice(),
        (
            "own /v1/coupon-list/spring/files; X-SVC-APPKEY=workspace; "
            "SVC-APP-KEY=workspace; SVC-WORKSPACE-ID=workspace; "
            "X-Workspace-Id=workspace; X-Workspace=workspace; Workspace-Id=workspace; "
            "X-App-Id=workspace; X-App-Key=workspace; X-AppKey=workspace; "
            "APPKEY=workspace; X-Application-Id=workspace; X-Account-Id=workspace; "
            "X-Tenant-Id=workspace; X-Project-Id=workspace; X-Client-Id=workspace; "
            "tries X-SVC-APPKEY SVC-APP-KEY SVC-WORKSPACE-ID X-Workspace-Id "
            "X-Workspace Workspace-Id X-App-Id X-App-Key X-AppKey APPKEY "
            "X-Application-Id X-Account-Id X-Tenant-Id X-Project-Id X-Client-Id"
        ),
    ),
    Case(
        "401 twice, and three headers help",
        [*refused_twice(), with_headers("X-A X-B X-C")],
        ("own /v1/coupon-list/spring/files; X-A=workspace; X-B=workspace; tries X-A X-B"),
    ),
    Case("401 twice, and a header helps", [*refused_twice(), with_headers("X-A")], SETTLED),
    Case("files", [listed(200, FILES)], SETTLED),
    Case(
        "401 twice with the name of a header",
        refused_twice(NAMES_ONE),
        "own /v1/coupon-list/spring/files; X-Tenant=workspace; tries X-Tenant",
    ),
    Case("401 twice, and 404 for the data key", [*refused_twice(), segment()], SETTLED),
    Case(
        "401 twice, and 401 for the data key",
        [*refused_twice(), segment(401)],
        (
            "own /v1/coupon-list/spring/files; X-SVC-APPKEY=workspace; "
            "SVC-APP-KEY=workspace; SVC-WORKSPACE-ID=workspace; "
            "X-Workspace-Id=workspace; X-Workspace=workspace; Workspace-Id=workspace; "
            "X-App-Id=workspace; X-App-Key=workspace; X-AppKey=workspace; "
            "APPKEY=workspace; X-Application-Id=workspace; X-Account-Id=workspace; "
            "X-Tenant-Id=workspace; X-Project-Id=workspace; X-Client-Id=workspace; "
            "tries X-SVC-APPKEY SVC-APP-KEY SVC-WORKSPACE-ID X-Workspace-Id "
            "X-Workspace Workspace-Id X-App-Id X-App-Key X-AppKey APPKEY "
            "X-Application-Id X-Account-Id X-Tenant-Id X-Project-Id X-Client-Id"
        ),
    ),
    Case(
        "400 with the name of a header, and the same for the data key",
        [listed(400, NAMES_ONE), segment(400, NAMES_ONE)],
        "own /v1/coupon-list/spring/files; X-Tenant=workspace; tries X-Tenant",
    ),
    Case(
        "400 with the name of a header, and 404 for the data key",
        [listed(400, NAMES_ONE), segment()],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_FIND_HEADER, ids=ids(FOR_FIND_HEADER))
def test_when_other_headers_are_sent(row: Case):
    assert next_step(FIND_HEADER, row) == row.step


FOR_CONFIRM_HEADER = [
    Case(
        "a header helps once",
        [*refused_twice(), with_headers("X-A")],
        "own /v1/coupon-list/spring/files; X-A=workspace; tries X-A",
    ),
    Case(
        "a header helps twice",
        [*refused_twice(), with_headers("X-A"), with_headers("X-A")],
        SETTLED,
    ),
    Case("no header was sent", refused_twice(), SETTLED),
]


@pytest.mark.parametrize("row", FOR_CONFIRM_HEADER, ids=ids(FOR_CONFIRM_HEADER))
def test_when_a_header_that_helps_is_sent_once_more(row: Case):
    assert next_step(CONFIRM_HEADER, row) == row.step


FOR_HEADER_VALUE = [
    Case(
        "a header helps once",
        [*refused_twice(), with_headers("X-A")],
        "own /v1/coupon-list/spring/files; X-A=wes-doctor; tries X-A",
    ),
    Case("a header helps twice, and a made-up value does not", PROVED_HEADER, SETTLED),
    Case("no header was sent", refused_twice(), SETTLED),
    Case(
        "the connection names a header, and files come",
        [listed(200, FILES, request=list_at(changed(workspace_header="X-A"), GIVEN, LIST))],
        "own /v1/coupon-list/spring/files; X-A=wes-doctor; tries X-A",
        {"settings": changed(workspace_header="X-A")},
    ),
    Case(
        "the connection names a header, and 401 comes",
        [listed(401, request=list_at(changed(workspace_header="X-A"), GIVEN, LIST))],
        SETTLED,
        {"settings": changed(workspace_header="X-A")},
    ),
]


@pytest.mark.parametrize("row", FOR_HEADER_VALUE, ids=ids(FOR_HEADER_VALUE))
def test_when_a_made_up_value_is_sent_in_a_header(row: Case):
    assert next_step(HEADER_VALUE, row) == row.step


FOR_HEADER_BESIDES = [
    Case(
        "a named header does not help",
        [*refused_twice(NAMES_ONE), with_headers("X-Tenant", 401, NAMES_ONE)],
        "own /v1/coupon-list/spring/files; X-Tenant=workspace; tries X-Tenant",
    ),
    Case("no header is named", refused_twice(), SETTLED),
]


@pytest.mark.parametrize("row", FOR_HEADER_BESIDES, ids=ids(FOR_HEADER_BESIDES))
def test_when_a_header_is_sent_besides_the_connections(row: Case):
    assert next_step(HEADER_BESIDES, row) == row.step


FOR_SWAP = [
    Case(
        "401 for both keys",
        [*refused_twice(), segment(401)],
        "swapped /v1/coupon-list/spring/files",
    ),
    Case(
        "401 for both keys, and the data key gets files",
        [*refused_twice(), segment(401), data_key_on_list()],
        "swapped /v3/custom-segments/wes-doctor",
    ),
    Case(
        "401 for both keys, and the data key 401 for the list",
        [*refused_twice(), segment(401), data_key_on_list(401)],
        SETTLED,
    ),
    Case(
        "401 for both keys, and both were swapped",
        [*refused_twice(), segment(401), data_key_on_list(), campaign_key_on_segment()],
        SETTLED,
    ),
    Case(
        "403, and 404 for the data key",
        [listed(403, FORBIDDEN), segment()],
        "swapped /v1/coupon-list/spring/files",
    ),
    Case(
        "403, and 404 for the data key, and that 401 for the list",
        [listed(403, FORBIDDEN), segment(), data_key_on_list(401)],
        "swapped /v3/custom-segments/wes-doctor",
    ),
    Case(
        "files, and 403 for the data key",
        [listed(200, FILES), segment(403, FORBIDDEN)],
        "swapped /v1/coupon-list/spring/files",
    ),
    Case(
        "401, and 404 for the data key, and that gets files",
        [*refused_twice(), segment(), data_key_on_list()],
        SETTLED,
    ),
    Case("files, and 404 for the data key", [listed(200, FILES), segment()], SETTLED),
    Case("401, and no data key is given", refused_twice(), SETTLED, {"settings": NO_DATA_KEY}),
    Case("a header is proved", PROVED_HEADER, SETTLED),
    Case(
        "a header is proved, and 403 for the data key with it",
        [
            *PROVED_HEADER,
            segment(403, FORBIDDEN, request=read_segment(WITH_PROVED_HEADER, MADE_UP)),
        ],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_SWAP, ids=ids(FOR_SWAP))
def test_when_a_key_is_sent_in_the_others_place(row: Case):
    assert next_step(SWAP, row) == row.step


FOR_DATA_KEY_WITH_HEADER = [
    Case(
        "a header is proved",
        PROVED_HEADER,
        "own /v3/custom-segments/wes-doctor; X-App-Id=workspace",
    ),
    Case("no header was sent", refused_twice(), SETTLED),
]


@pytest.mark.parametrize("row", FOR_DATA_KEY_WITH_HEADER, ids=ids(FOR_DATA_KEY_WITH_HEADER))
def test_when_the_data_key_is_read_with_a_header_that_is_proved(row: Case):
    assert next_step(DATA_KEY_WITH_HEADER, row) == row.step


FOR_NO_SUCH_PATH = [
    Case(
        "files",
        [listed(200, FILES)],
        "own /v1/wes-doctor-no-such-path/wes-doctor",
    ),
    Case("files, and nowhere 404", [listed(200, FILES), nowhere()], SETTLED),
    Case(
        "files, and nowhere 401",
        [listed(200, FILES), nowhere(401)],
        "own /v1/wes-doctor-no-such-path/wes-doctor",
    ),
    Case(
        "files, and nowhere 401 twice",
        [listed(200, FILES), nowhere(401), nowhere(401)],
        SETTLED,
    ),
    Case(
        "401 twice",
        refused_twice(),
        "not asked: reads with the Campaign API key are refused",
    ),
]


@pytest.mark.parametrize("row", FOR_NO_SUCH_PATH, ids=ids(FOR_NO_SUCH_PATH))
def test_when_a_path_that_does_not_exist_is_read(row: Case):
    assert next_step(NO_SUCH_PATH, row) == row.step


FOR_MOVED_ADDRESS = [
    Case(
        "the list and nowhere lead below another address",
        [below(listed()), below(nowhere())],
        "own /gw/v1/coupon-list/spring/files; tries https://api.example.com/gw",
    ),
    Case(
        "the list and nowhere lead below another address, and it was read",
        [below(listed()), below(nowhere()), elsewhere()],
        SETTLED,
    ),
    Case("files, and nowhere 404", [listed(200, FILES), nowhere()], SETTLED),
]


@pytest.mark.parametrize("row", FOR_MOVED_ADDRESS, ids=ids(FOR_MOVED_ADDRESS))
def test_when_the_list_is_read_at_the_address_that_all_redirects_lead_to(row: Case):
    assert next_step(MOVED_ADDRESS, row) == row.step


FOR_NAMED_ADDRESS = [
    Case(
        "400 with another path twice, and nowhere",
        [
            *twice(400, error("", "Use /t/{tenant}/v1 here.")),
            nowhere(400, error("", "Use /t/{tenant}/v1 here.")),
        ],
        ("own /t/workspace/v1/coupon-list/spring/files; tries https://api.example.com/t/workspace"),
    ),
    Case(
        "400 twice, and nowhere",
        [*twice(400, STRANGE), nowhere(400, STRANGE)],
        SETTLED,
    ),
    Case("files", [listed(200, FILES)], SETTLED),
]


@pytest.mark.parametrize("row", FOR_NAMED_ADDRESS, ids=ids(FOR_NAMED_ADDRESS))
def test_when_the_list_is_read_at_the_address_that_an_error_names(row: Case):
    assert next_step(NAMED_ADDRESS, row) == row.step


FOR_MADE_UP_DATA_KEY = [
    Case(
        "404 for the data key",
        [segment()],
        "made-up /v3/custom-segments/wes-doctor",
    ),
    Case(
        "404 for the data key, and for a made-up one",
        [segment(), made_up_segment(404, NOT_FOUND)],
        SETTLED,
    ),
    Case("401 for the data key", [segment(401)], SETTLED),
    Case(
        "401 for the data key twice that says no more",
        [segment(401, NO_MORE), segment_again(401, NO_MORE)],
        SETTLED,
    ),
    Case(
        "401 for the data key twice with words",
        [segment(401), segment_again(401)],
        "made-up /v3/custom-segments/wes-doctor",
    ),
]


@pytest.mark.parametrize("row", FOR_MADE_UP_DATA_KEY, ids=ids(FOR_MADE_UP_DATA_KEY))
def test_when_a_made_up_data_key_is_sent(row: Case):
    assert next_step(MADE_UP_DATA_KEY, row) == row.step


FOR_OTHER_LIST = [
    Case(
        "files of one other list",
        [listed(200, WINTER)],
        "own /v1/coupon-list/winter/files",
    ),
    Case(
        "files of two other lists",
        [listed(200, [*WINTER, record("f2", coupons_list_id="autumn")])],
        SETTLED,
    ),
    Case(
        "a redirect to another name",
        [redirected("/v1/coupon-list/winter/files")],
        "own /v1/coupon-list/winter/files",
    ),
    Case(
        "a redirect to the same name, encoded otherwise",
        [redirected("/v1/coupon-list/%73pring/files")],
        SETTLED,
    ),
    Case(
        "files of one other list, and it was read",
        [
            listed(200, WINTER),
            reply(
                200,
                WINTER,
                question=Question.OTHER_LIST,
                request=request_for(Question.LIST, list_id="winter"),
            ),
        ],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_OTHER_LIST, ids=ids(FOR_OTHER_LIST))
def test_when_the_list_is_read_that_the_files_or_a_redirect_name(row: Case):
    assert next_step(OTHER_LIST, row) == row.step


FOR_FIND_LIST = [
    Case("files", [listed(200, OWN_FILES)], SETTLED),
    Case(
        "404",
        [listed(404, NOT_FOUND), nowhere()],
        (
            "own /v1/coupon-list/spring/coupon-files; tries "
            "/v1/coupon-list/{coupon_list_id}/coupon-files"
        ),
    ),
    Case(
        "404 at two paths",
        [listed(404, NOT_FOUND), nowhere(), at_path(LIST_PATHS[1], 404, NOT_FOUND)],
        ("own /v1/coupon-lists/spring/files; tries /v1/coupon-lists/{coupon_list_id}/files"),
    ),
    Case(
        "404 with another path",
        [listed(404, error("", "Use /v1/x/spring/y here.")), nowhere()],
        "own /v1/x/spring/y; tries /v1/x/{coupon_list_id}/y",
    ),
    Case(
        "401 twice",
        refused_twice(),
        "not asked: reads with the Campaign API key are refused",
    ),
    Case("no reply", [lost()], "not asked: the read of the list got no answer"),
    Case(
        "403 about an address",
        [listed(403, BANNED)],
        "not asked: the read of the list was refused (403)",
    ),
    Case(
        "404, and 401 at another path",
        [listed(404, NOT_FOUND), nowhere(), at_path(LIST_PATHS[1], 401)],
        "not asked: the service refused the key meanwhile",
    ),
    Case(
        "a redirect to another name",
        [redirected("/v1/coupon-list/winter/files"), nowhere()],
        "not asked: the service redirects to another name of the list",
    ),
    Case(
        "no JSON, and nowhere 404",
        [ODD, nowhere()],
        "not asked: the path is the list's, but what it replies cannot be read",
    ),
    Case(
        "400",
        [listed(400, STRANGE), nowhere()],
        "not asked: the service names another reason",
    ),
    Case(
        "404 with a page at a path with an escaped slash",
        [
            listed(
                404,
                b"<html>Not Found</html>",
                request=list_at(SETTINGS, contract.COUPON_FILES_PATH, "a/b"),
            ),
            nowhere(),
        ],
        "not asked: they would have the same escaped characters",
        {"list_id": "a/b"},
    ),
    Case(
        "404 in other words than nowhere",
        [listed(404, NO_LIST), nowhere()],
        "not asked: the service has the path, but not this list",
    ),
    Case(
        "an object",
        [listed(200, {"hello": "you"}), nowhere()],
        "not asked: the path has something, in another form",
    ),
    Case(
        "an object, and nowhere the same",
        [listed(200, {"hello": "you"}), nowhere(200, {"hello": "you"})],
        (
            "own /v1/coupon-list/spring/coupon-files; tries "
            "/v1/coupon-list/{coupon_list_id}/coupon-files"
        ),
    ),
]


@pytest.mark.parametrize("row", FOR_FIND_LIST, ids=ids(FOR_FIND_LIST))
def test_when_other_paths_of_the_list_are_read(row: Case):
    assert next_step(FIND_LIST, row) == row.step


FOR_WHOLE_LIST = [
    Case(
        "2 of 9 files",
        [listed(200, {"data": OWN_FILES, "total": 9})],
        (
            "own /v1/coupon-list/spring/files?limit=1000; tries "
            "/v1/coupon-list/{coupon_list_id}/files?limit=1000"
        ),
    ),
    Case("2 files", [listed(200, OWN_FILES)], SETTLED),
    Case(
        "ten files",
        [TEN_FILES],
        (
            "own /v1/coupon-list/spring/files?limit=1000; tries "
            "/v1/coupon-list/{coupon_list_id}/files?limit=1000"
        ),
    ),
    Case(
        "ten files, and the same with a large page",
        [TEN_FILES, in_page(1000, TEN)],
        "own /v1/coupon-list/spring/files?limit=1; tries "
        "/v1/coupon-list/{coupon_list_id}/files?limit=1",
    ),
    Case(
        "ten files, and more with a large page",
        [TEN_FILES, in_page(1000, [*TEN, record("f10")])],
        SETTLED,
    ),
    Case(
        "ten files, and the same with a large page and with a page for one",
        [TEN_FILES, in_page(1000, TEN), in_page(1, TEN)],
        SETTLED,
    ),
    Case(
        "2 of 9 files, and two larger pages are refused that name a smaller size",
        [listed(200, TWO_OF_NINE), *REFUSED_PAGES[:2]],
        "own /v1/coupon-list/spring/files?limit=400; tries "
        "/v1/coupon-list/{coupon_list_id}/files?limit=400",
    ),
    Case(
        "2 of 9 files, and three larger pages are refused that name a smaller size",
        [listed(200, TWO_OF_NINE), *REFUSED_PAGES],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_WHOLE_LIST, ids=ids(FOR_WHOLE_LIST))
def test_when_other_pages_of_the_list_are_read(row: Case):
    assert next_step(WHOLE_LIST, row) == row.step


FOR_SAME_LIST = [
    Case(
        "files that do not say of which list",
        [listed(200, SILENT)],
        ("own /v1/coupon-list/wes-doctor/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case(
        "files that do not say of which list, and it was read",
        [listed(200, SILENT), made_up_list()],
        SETTLED,
    ),
    Case("files that say of which list", [listed(200, OWN_FILES)], SETTLED),
    Case(
        "500, and nowhere 404",
        [listed(500), nowhere()],
        "own /v1/coupon-list/wes-doctor/files; tries /v1/coupon-list/{coupon_list_id}/files",
    ),
    Case(
        "500, and nowhere 404, and it was read",
        [listed(500), nowhere(), made_up_list()],
        SETTLED,
    ),
    Case(
        "a redirect to another name",
        [redirected("/v1/coupon-list/winter/files")],
        "own /v1/coupon-list/wes-doctor/files; tries /v1/coupon-list/{coupon_list_id}/files",
    ),
    Case(
        "no list is named",
        [listed(200, SILENT, request=request_for(Question.LIST, list_id=MADE_UP))],
        SETTLED,
        {"list_id": MADE_UP},
    ),
]


@pytest.mark.parametrize("row", FOR_SAME_LIST, ids=ids(FOR_SAME_LIST))
def test_when_a_list_that_does_not_exist_is_read(row: Case):
    assert next_step(SAME_LIST, row) == row.step


FOR_FIND_FILE = [
    Case(
        "files",
        [listed(200, OWN_FILES)],
        (
            "own /v1/coupon-list/spring/files/f1; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    Case(
        "files, and 404 for the file",
        [listed(200, OWN_FILES), given_file(404, NOT_FOUND)],
        (
            "own /v1/coupon-list/spring/files/f1; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    Case(
        "files, and 404 for the file twice",
        [listed(200, OWN_FILES), *2 * [given_file(404, NOT_FOUND)]],
        "own /v1/coupon-files/f1; tries /v1/coupon-files/{coupon_file_id}",
    ),
    Case(
        "files with a path, and 404 for the file twice",
        [listed(200, [{**record("f1"), "href": "/v1/x/f1"}]), *2 * [given_file(404, NOT_FOUND)]],
        "own /v1/x/f1; tries /v1/x/{coupon_file_id}",
    ),
    Case(
        "files, and the file",
        [listed(200, OWN_FILES), given_file(200, record("f1"))],
        SETTLED,
    ),
    Case(
        "files, and 403 for the file",
        [listed(200, OWN_FILES), given_file(403, FORBIDDEN)],
        SETTLED,
    ),
    Case(
        "files, and no JSON for the file",
        [listed(200, OWN_FILES), given_file(200, "no JSON", headers=JSON)],
        SETTLED,
    ),
    Case(
        "files, and 401 for the file",
        [listed(200, OWN_FILES), given_file(401)],
        "not asked: the service refused the key meanwhile",
    ),
    Case(
        "401 twice",
        refused_twice(),
        "not asked: reads with the Campaign API key are refused",
    ),
    Case("no file", [listed(200, [])], SETTLED),
    Case(
        "two files, and the first is gone",
        [listed(200, OWN_FILES), given_file(410, NOT_FOUND)],
        "own /v1/coupon-list/spring/files/f2; tries "
        "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    ),
    Case(
        "one file, and it is gone",
        [listed(200, OWN_FILES[:1]), given_file(410, NOT_FOUND)],
        SETTLED,
    ),
    Case(
        "files of which one has a space, and one a slash",
        [listed(200, [record("f1"), record("a b"), record("a/b"), record("f2")])],
        "own /v1/coupon-list/spring/files/a%2Fb; tries "
        "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    ),
    Case(
        "files of which one has a space",
        [listed(200, [record("f1"), record("a b"), record("f2")])],
        "own /v1/coupon-list/spring/files/a%20b; tries "
        "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
    ),
    Case(
        "files, and 403 for the file twice, as nowhere",
        [
            listed(200, OWN_FILES),
            nowhere(403, FORBIDDEN),
            *2 * [given_file(403, FORBIDDEN)],
        ],
        "own /v1/coupon-files/f1; tries /v1/coupon-files/{coupon_file_id}",
    ),
    Case(
        "files, and 404 for the file about a permission",
        [listed(200, OWN_FILES), given_file(404, NO_SCOPE)],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_FIND_FILE, ids=ids(FOR_FIND_FILE))
def test_when_one_file_is_read(row: Case):
    assert next_step(FIND_FILE, row) == row.step


FOR_MADE_UP_KEY = [
    Case(
        "files",
        [listed(200, OWN_FILES)],
        "made-up /v1/coupon-list/spring/files",
    ),
    Case(
        "404, and files at another path",
        [listed(404, NOT_FOUND), at_path(LIST_PATHS[1], 200, OWN_FILES)],
        "made-up /v1/coupon-list/spring/coupon-files",
    ),
    Case("files, and a made-up key was sent", [listed(200, OWN_FILES), made_up()], SETTLED),
    Case(
        "401 twice that says no more",
        refused_twice(error("request-unauthenticated", "Invalid API key.")),
        "not asked: reads with the Campaign API key are refused",
    ),
    Case(
        "401 twice with words",
        refused_twice(),
        "made-up /v1/coupon-list/spring/files",
    ),
    Case(
        "no reply",
        [lost()],
        "not asked: the read with the own key has no answer",
    ),
    Case(
        "404",
        [listed(404, NOT_FOUND)],
        "made-up /v1/coupon-list/spring/files",
    ),
    Case(
        "no response since another made-up key",
        [
            listed(200, OWN_FILES),
            made_up_segment(),
            lost(question=Question.FILE_PATH, request=request_for(Question.FILE_PATH)),
        ],
        "not asked: no response came any more since a made-up key was sent",
    ),
]


@pytest.mark.parametrize("row", FOR_MADE_UP_KEY, ids=ids(FOR_MADE_UP_KEY))
def test_when_a_made_up_key_is_sent(row: Case):
    assert next_step(MADE_UP_KEY, row) == row.step


FOR_GUESS_FILE = [
    Case(
        "404",
        [listed(404, NOT_FOUND), nowhere()],
        (
            "own /v1/coupon-list/spring/files/wes-doctor; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    Case(
        "400",
        [listed(400, STRANGE), nowhere()],
        "not asked: no list was read, so no file is known",
    ),
    Case("files", [listed(200, OWN_FILES)], SETTLED),
    Case(
        "404, and it was read",
        [listed(404, NOT_FOUND), nowhere(), given_file(404, error("", "No such file."), MADE_UP)],
        SETTLED,
    ),
]


@pytest.mark.parametrize("row", FOR_GUESS_FILE, ids=ids(FOR_GUESS_FILE))
def test_when_a_file_that_does_not_exist_is_read(row: Case):
    assert next_step(GUESS_FILE, row) == row.step


FOR_REPEAT = [
    Case(
        "each was read once",
        [listed(200, OWN_FILES), segment()],
        "own /v3/custom-segments/wes-doctor",
    ),
    Case(
        "the data key was read twice",
        [listed(200, OWN_FILES), segment(), segment_again()],
        "own /v1/coupon-list/spring/files",
    ),
    Case(
        "the data key and the list were read twice",
        [*twice(200, OWN_FILES), segment(), segment_again()],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case(
        "the list was read three times, and a file once",
        [
            *twice(200, OWN_FILES),
            again(200, OWN_FILES),
            segment(),
            segment_again(),
            given_file(200, record("f1")),
        ],
        (
            "own /v1/coupon-list/spring/files/f1; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    Case(
        "404, and files at another path",
        [listed(404, NOT_FOUND), at_path(LIST_PATHS[1], 200, OWN_FILES), segment()],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case(
        "404 twice, and files at another path",
        [*twice(404, NOT_FOUND), at_path(LIST_PATHS[1], 200, OWN_FILES), segment()],
        (
            "own /v1/coupon-list/spring/coupon-files; tries "
            "/v1/coupon-list/{coupon_list_id}/coupon-files"
        ),
    ),
    Case(
        "500 for the data key the second time",
        [listed(200, OWN_FILES), segment(), segment_again(500)],
        "own /v1/coupon-list/spring/files",
    ),
    Case(
        "the list was refused twice, and read twice with a header that is proved",
        PROVED_HEADER,
        SETTLED,
        {"settings": NO_DATA_KEY},
    ),
]


@pytest.mark.parametrize("row", FOR_REPEAT, ids=ids(FOR_REPEAT))
def test_when_reads_are_repeated(row: Case):
    assert next_step(REPEAT, row) == row.step


FOR_UPLOAD_PATH = [
    Case("lists at the same path", [listed(200, OWN_FILES)], SETTLED),
    Case(
        "lists at another path",
        [listed(200, OWN_FILES, request=request_for(Question.LIST, path="/v1/x/{coupon_list_id}"))],
        "own /v1/coupon-list/spring/files",
        {"settings": changed(coupon_files_path="/v1/x/{coupon_list_id}")},
    ),
    Case(
        "lists at another path, and no list is named",
        [
            listed(
                200,
                OWN_FILES,
                request=request_for(Question.LIST, path="/v1/x/{coupon_list_id}", list_id=MADE_UP),
            )
        ],
        SETTLED,
        {"settings": changed(coupon_files_path="/v1/x/{coupon_list_id}"), "list_id": MADE_UP},
    ),
    Case("401 twice", refused_twice(), SETTLED),
]


@pytest.mark.parametrize("row", FOR_UPLOAD_PATH, ids=ids(FOR_UPLOAD_PATH))
def test_when_the_path_of_uploads_is_read(row: Case):
    assert next_step(UPLOAD_PATH, row) == row.step


class Asked(NamedTuple):
    """
    A question.

    :ivar reserve: how many reads are left for the questions below.
    :ivar is_asked_anyway: whether it is asked even if nothing more can be found out.
    """

    question: Question
    reserve: int = 0
    is_asked_anyway: bool = False


ORDER = [
    Asked(Question.LIST, is_asked_anyway=True),
    Asked(Question.OTHER_ADDRESS, is_asked_anyway=True),
    Asked(Question.NO_SUCH_PATH, is_asked_anyway=True),
    Asked(Question.PAGE, is_asked_anyway=True),
    Asked(Question.COOKIE, is_asked_anyway=True),
    Asked(Question.DATA_KEY, is_asked_anyway=True),
    Asked(Question.DATA_KEY),
    Asked(Question.MADE_UP_KEY),
    Asked(Question.HEADER),
    Asked(Question.HEADER),
    Asked(Question.HEADER_VALUE),
    Asked(Question.HEADER_BESIDES),
    Asked(Question.SWAPPED_KEYS),
    Asked(Question.DATA_KEY, reserve=5),
    Asked(Question.NO_SUCH_PATH, reserve=1),
    Asked(Question.OTHER_ADDRESS),
    Asked(Question.OTHER_ADDRESS, is_asked_anyway=True),
    Asked(Question.MADE_UP_DATA_KEY, reserve=2),
    Asked(Question.OTHER_LIST, reserve=4),
    Asked(Question.LIST_PATH, reserve=4),
    Asked(Question.WHOLE_LIST, reserve=4),
    Asked(Question.MADE_UP_LIST, reserve=3),
    Asked(Question.FILE_PATH, reserve=3),
    Asked(Question.MADE_UP_KEY, reserve=1),
    Asked(Question.FILE_PATH, reserve=3),
    Asked(Question.AGAIN),
    Asked(Question.UPLOAD_PATH),
]


def test_questions_are_asked_in_this_order():
    asked = [Asked(row.question, row.reserve, row.is_asked_anyway) for row in QUESTIONS]
    assert asked == ORDER


def test_the_connections_path_of_one_file_and_one_below_its_list_come_before_the_usual_ones():
    below_list = "/v1/x/{coupon_list_id}/{coupon_file_id}"
    paths = file_paths("/v9/{coupon_file_id}", "/v1/x/{coupon_list_id}/?limit=9")
    assert paths == ["/v9/{coupon_file_id}", below_list, *questions.FILE_PATHS]


def test_no_path_of_one_file_is_tried_twice():
    assert file_paths(GIVEN_FILE, GIVEN) == list(questions.FILE_PATHS)
