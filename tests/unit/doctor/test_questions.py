"""Which read each question asks for next by what is known, and why one is not asked."""

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
)
from support.doctor_replies import SETTINGS, changed, error, evidence_of, reply, request_for
from support.doctor_service import CAMPAIGN_KEY, LIST, record
from wes_provider import contract
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


def twice(status: int = 401, content: Any = UNAUTHENTICATED, **more: Any) -> list[Probe]:
    return [listed(status, content, **more), again(status, content, **more)]


def with_header(
    header: str,
    status: int = 200,
    content: Any = FILES,
    question: Question = Question.HEADER,
    value: str = "workspace",
) -> Probe:
    settings = changed(workspace_header=header, workspace_id=value)
    request = list_at(settings, GIVEN, LIST)
    return reply(status, content, question=question, request=request, tried=header)


FOUND_HEADER = [
    *twice(),
    *2 * [with_header("X-App-Id")],
    with_header("X-App-Id", 401, UNAUTHENTICATED, Question.HEADER_VALUE, "wes-doctor"),
]


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


class Case(NamedTuple):
    """
    A question, what is known, and what it asks next.

    :ivar step: the request, in words; or why it is not asked; or that it is settled.
    """

    name: str
    row: QuestionRow
    probes: Sequence[Probe]
    step: str
    known: Mapping[str, Any] = {}


SETTLED = "settled"


def next_step(row: QuestionRow, probes: Sequence[Probe], known: Mapping[str, Any]) -> str:
    """What a question asks next, in words: keys, URL, other headers, and what it tries."""
    evidence = evidence_of(*probes, **known)
    step = row.next_step(evidence)
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


CASES = [
    Case(
        "first read",
        READ_LIST,
        [],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case("the list is read", READ_LIST, [listed(200, FILES)], "settled"),
    Case(
        "refused once",
        READ_LIST,
        [listed(401)],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case("refused twice", READ_LIST, [listed(401), listed(401)], "settled"),
    Case(
        "an error that may be general",
        READ_LIST,
        [listed(400, STRANGE)],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case("a 404", READ_LIST, [listed(404, NOT_FOUND)], "settled"),
    Case("no redirect", OTHER_ADDRESS, [listed(200, FILES)], "settled"),
    Case(
        "a redirect to another port",
        OTHER_ADDRESS,
        [redirected(f"https://api.example.com:8443{LIST_AT}")],
        "own :8443/v1/coupon-list/spring/files; tries https://api.example.com:8443",
    ),
    Case(
        "a redirect to another port, read",
        OTHER_ADDRESS,
        [redirected(f"https://api.example.com:8443{LIST_AT}"), elsewhere()],
        "settled",
    ),
    Case(
        "one page?", ANOTHER_PATH, [redirected(AWAY)], "own /v1/wes-doctor-no-such-path/wes-doctor"
    ),
    Case("one page? read", ANOTHER_PATH, [redirected(AWAY), nowhere()], "settled"),
    Case("what cannot be read", ANOTHER_PATH, [ODD], "own /v1/wes-doctor-no-such-path/wes-doctor"),
    Case("a layer?", ANOTHER_PATH, twice(401, PAGE), "own /v1/wes-doctor-no-such-path/wes-doctor"),
    Case("files", ANOTHER_PATH, [listed(200, FILES)], "settled"),
    Case(
        "one page",
        READ_PAGE,
        [redirected(AWAY), redirected(AWAY, question=Question.NO_SUCH_PATH)],
        "own /away",
    ),
    Case(
        "one page of another host",
        READ_PAGE,
        [
            redirected("https://files.example.org/a"),
            redirected("https://files.example.org/a", question=Question.NO_SUCH_PATH),
        ],
        "settled",
    ),
    Case("no one page", READ_PAGE, [redirected(AWAY)], "settled"),
    Case(
        "one page, read",
        READ_PAGE,
        [
            redirected(AWAY),
            redirected(AWAY, question=Question.NO_SUCH_PATH),
            reply(200, PAGE, question=Question.PAGE, request=listed().request._replace(url=AWAY)),
        ],
        "settled",
    ),
    Case(
        "a cookie",
        COOKIE,
        [reply(302, headers={"location": LIST_AT, "set-cookie": "a=b; Path=/"})],
        "own /v1/coupon-list/spring/files; Cookie=a=b; tries a",
    ),
    Case("no cookie", COOKIE, [listed(200, FILES)], "settled"),
    Case(
        "another host",
        SEGMENTS_BESIDE,
        [redirected(f"https://files.example.org{LIST_AT}")],
        "own /v3/custom-segments/wes-doctor",
    ),
    Case(
        "another host, and segments are read",
        SEGMENTS_BESIDE,
        [redirected(f"https://files.example.org{LIST_AT}"), segment()],
        "settled",
    ),
    Case("another page", SEGMENTS_BESIDE, [redirected(AWAY)], "settled"),
    Case(
        "an error that names another host",
        SEGMENTS_BESIDE,
        [listed(404, error("", "Use https://files.example.org instead"))],
        "settled",
    ),
    Case("nothing was read", SEGMENTS_BESIDE, [], "settled"),
    Case(
        "no data key",
        DATA_KEY,
        [listed(200, FILES)],
        "not asked: no Data API key is given",
        {"settings": NO_DATA_KEY},
    ),
    Case("the data key", DATA_KEY, [listed(200, FILES)], "own /v3/custom-segments/wes-doctor"),
    Case("the data key, read", DATA_KEY, [listed(200, FILES), segment()], "settled"),
    Case(
        "the data key, refused once",
        DATA_KEY,
        [listed(200, FILES), segment(401)],
        "own /v3/custom-segments/wes-doctor",
    ),
    Case(
        "the data key, refused twice",
        DATA_KEY,
        [listed(200, FILES), segment(401), segment(401)],
        "settled",
    ),
    Case("both refused", DATA_KEY, [*twice(), segment(401)], "settled"),
    Case(
        "any key",
        ANY_KEY,
        [*twice(401, PAGE), nowhere(401, PAGE)],
        "made-up /v1/coupon-list/spring/files",
    ),
    Case("any key, without a comparison", ANY_KEY, twice(401, PAGE), "settled"),
    Case(
        "any key, read",
        ANY_KEY,
        [*twice(401, PAGE), nowhere(401, PAGE), made_up(401, PAGE)],
        "settled",
    ),
    Case("any key, of no layer", ANY_KEY, [*twice(), nowhere(401)], "settled"),
    Case(
        "usual headers",
        FIND_HEADER,
        twice(),
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
        "half of the headers",
        FIND_HEADER,
        [*twice(), with_header("X-A X-B X-C")],
        ("own /v1/coupon-list/spring/files; X-A=workspace; X-B=workspace; tries X-A X-B"),
    ),
    Case("a header is found", FIND_HEADER, [*twice(), with_header("X-A")], "settled"),
    Case("no header is missed", FIND_HEADER, [listed(200, FILES)], "settled"),
    Case(
        "a named header",
        FIND_HEADER,
        twice(401, NAMES_ONE),
        "own /v1/coupon-list/spring/files; X-Tenant=workspace; tries X-Tenant",
    ),
    Case("the other key is accepted", FIND_HEADER, [*twice(), segment()], "settled"),
    Case(
        "the other key is refused",
        FIND_HEADER,
        [*twice(), segment(401)],
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
        "a found header once more",
        CONFIRM_HEADER,
        [*twice(), with_header("X-A")],
        "own /v1/coupon-list/spring/files; X-A=workspace; tries X-A",
    ),
    Case(
        "a found header twice",
        CONFIRM_HEADER,
        [*twice(), with_header("X-A"), with_header("X-A")],
        "settled",
    ),
    Case("no found header", CONFIRM_HEADER, twice(), "settled"),
    Case(
        "the value of a found header",
        HEADER_VALUE,
        [*twice(), with_header("X-A")],
        "own /v1/coupon-list/spring/files; X-A=wes-doctor; tries X-A",
    ),
    Case("the value was read", HEADER_VALUE, FOUND_HEADER, "settled"),
    Case("the value of no header", HEADER_VALUE, twice(), "settled"),
    Case(
        "the value of a chosen header",
        HEADER_VALUE,
        [listed(200, FILES, request=list_at(changed(workspace_header="X-A"), GIVEN, LIST))],
        "own /v1/coupon-list/spring/files; X-A=wes-doctor; tries X-A",
        {"settings": changed(workspace_header="X-A")},
    ),
    Case(
        "the value of a chosen header that is refused",
        HEADER_VALUE,
        [listed(401, request=list_at(changed(workspace_header="X-A"), GIVEN, LIST))],
        "settled",
        {"settings": changed(workspace_header="X-A")},
    ),
    Case(
        "a named header besides",
        HEADER_BESIDES,
        [*twice(401, NAMES_ONE), with_header("X-Tenant", 401, NAMES_ONE)],
        "own /v1/coupon-list/spring/files; X-Tenant=workspace; tries X-Tenant",
    ),
    Case("no header besides", HEADER_BESIDES, twice(), "settled"),
    Case("a refused key", SWAP, [*twice(), segment(401)], "swapped /v1/coupon-list/spring/files"),
    Case(
        "a refused key, tried",
        SWAP,
        [*twice(), segment(401), data_key_on_list()],
        "swapped /v3/custom-segments/wes-doctor",
    ),
    Case(
        "a refused key, tried in vain",
        SWAP,
        [*twice(), segment(401), data_key_on_list(401)],
        "settled",
    ),
    Case(
        "a refused key, both tried",
        SWAP,
        [*twice(), segment(401), data_key_on_list(), campaign_key_on_segment()],
        "settled",
    ),
    Case(
        "a key without access",
        SWAP,
        [listed(403, FORBIDDEN), segment()],
        "swapped /v1/coupon-list/spring/files",
    ),
    Case(
        "a key without access, tried",
        SWAP,
        [listed(403, FORBIDDEN), segment(), data_key_on_list(401)],
        "swapped /v3/custom-segments/wes-doctor",
    ),
    Case(
        "a data key without access",
        SWAP,
        [listed(200, FILES), segment(403, FORBIDDEN)],
        "swapped /v1/coupon-list/spring/files",
    ),
    Case("a data key that is accepted", SWAP, [*twice(), segment(), data_key_on_list()], "settled"),
    Case("an accepted key", SWAP, [listed(200, FILES), segment()], "settled"),
    Case("one key alone", SWAP, twice(), "settled", {"settings": NO_DATA_KEY}),
    Case("a header was found", SWAP, FOUND_HEADER, "settled"),
    Case(
        "the data key with a header",
        DATA_KEY_WITH_HEADER,
        FOUND_HEADER,
        "own /v3/custom-segments/wes-doctor; X-App-Id=workspace",
    ),
    Case("no header was found", DATA_KEY_WITH_HEADER, twice(), "settled"),
    Case(
        "a path that is none",
        NO_SUCH_PATH,
        [listed(200, FILES)],
        "own /v1/wes-doctor-no-such-path/wes-doctor",
    ),
    Case("a path that is none, read", NO_SUCH_PATH, [listed(200, FILES), nowhere()], "settled"),
    Case(
        "a path that is none, refused once",
        NO_SUCH_PATH,
        [listed(200, FILES), nowhere(401)],
        "own /v1/wes-doctor-no-such-path/wes-doctor",
    ),
    Case(
        "a path that is none, refused twice",
        NO_SUCH_PATH,
        [listed(200, FILES), nowhere(401), nowhere(401)],
        "settled",
    ),
    Case(
        "a path that is none, and the key is refused",
        NO_SUCH_PATH,
        twice(),
        "not asked: reads with the Campaign API key are refused",
    ),
    Case(
        "all moved",
        MOVED_ADDRESS,
        [below(listed()), below(nowhere())],
        "own /gw/v1/coupon-list/spring/files; tries https://api.example.com/gw",
    ),
    Case(
        "all moved, read",
        MOVED_ADDRESS,
        [below(listed()), below(nowhere()), elsewhere()],
        "settled",
    ),
    Case("nothing moved", MOVED_ADDRESS, [listed(200, FILES), nowhere()], "settled"),
    Case(
        "a part of the path is missed",
        NAMED_ADDRESS,
        [
            *twice(400, error("", "Use /t/{tenant}/v1 here.")),
            nowhere(400, error("", "Use /t/{tenant}/v1 here.")),
        ],
        ("own /t/workspace/v1/coupon-list/spring/files; tries https://api.example.com/t/workspace"),
    ),
    Case(
        "no address is named",
        NAMED_ADDRESS,
        [*twice(400, STRANGE), nowhere(400, STRANGE)],
        "settled",
    ),
    Case("no objection", NAMED_ADDRESS, [listed(200, FILES)], "settled"),
    Case(
        "a made-up data key",
        MADE_UP_DATA_KEY,
        [segment()],
        "made-up /v3/custom-segments/wes-doctor",
    ),
    Case(
        "a made-up data key, read",
        MADE_UP_DATA_KEY,
        [segment(), made_up_segment(404, NOT_FOUND)],
        "settled",
    ),
    Case("a refused data key", MADE_UP_DATA_KEY, [segment(401)], "settled"),
    Case(
        "files of one other list",
        OTHER_LIST,
        [listed(200, WINTER)],
        "own /v1/coupon-list/winter/files",
    ),
    Case(
        "files of two other lists",
        OTHER_LIST,
        [listed(200, [*WINTER, record("f2", coupons_list_id="autumn")])],
        "settled",
    ),
    Case(
        "a list with another name",
        OTHER_LIST,
        [redirected("/v1/coupon-list/winter/files")],
        "own /v1/coupon-list/winter/files",
    ),
    Case(
        "a list with the same name",
        OTHER_LIST,
        [redirected("/v1/coupon-list/%73pring/files")],
        "settled",
    ),
    Case(
        "another list, read",
        OTHER_LIST,
        [
            listed(200, WINTER),
            reply(
                200,
                WINTER,
                question=Question.OTHER_LIST,
                request=request_for(Question.LIST, list_id="winter"),
            ),
        ],
        "settled",
    ),
    Case("own files", FIND_LIST, [listed(200, OWN_FILES)], "settled"),
    Case(
        "no list at the path",
        FIND_LIST,
        [listed(404, NOT_FOUND), nowhere()],
        (
            "own /v1/coupon-list/spring/coupon-files; tries "
            "/v1/coupon-list/{coupon_list_id}/coupon-files"
        ),
    ),
    Case(
        "no list at two paths",
        FIND_LIST,
        [listed(404, NOT_FOUND), nowhere(), at_path(LIST_PATHS[1], 404, NOT_FOUND)],
        ("own /v1/coupon-lists/spring/files; tries /v1/coupon-lists/{coupon_list_id}/files"),
    ),
    Case(
        "a named path",
        FIND_LIST,
        [listed(404, error("", "Use /v1/x/spring/y here.")), nowhere()],
        "own /v1/x/spring/y; tries /v1/x/{coupon_list_id}/y",
    ),
    Case(
        "a list that is refused",
        FIND_LIST,
        twice(),
        "not asked: reads with the Campaign API key are refused",
    ),
    Case(
        "a list that is lost", FIND_LIST, [lost()], "not asked: the read of the list got no answer"
    ),
    Case(
        "a list that is refused by words",
        FIND_LIST,
        [listed(403, BANNED)],
        "not asked: the read of the list was refused (403)",
    ),
    Case(
        "refused meanwhile",
        FIND_LIST,
        [listed(404, NOT_FOUND), nowhere(), at_path(LIST_PATHS[1], 401)],
        "not asked: the service refused the key meanwhile",
    ),
    Case(
        "another name",
        FIND_LIST,
        [redirected("/v1/coupon-list/winter/files"), nowhere()],
        "not asked: the service redirects to another name of the list",
    ),
    Case(
        "a list that cannot be read",
        FIND_LIST,
        [ODD, nowhere()],
        "not asked: the path is the list's, but what it replies cannot be read",
    ),
    Case(
        "an objection",
        FIND_LIST,
        [listed(400, STRANGE), nowhere()],
        "not asked: the service names another reason",
    ),
    Case(
        "a list whose escapes a web server refuses",
        FIND_LIST,
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
        "a path that is known",
        FIND_LIST,
        [listed(404, NO_LIST), nowhere()],
        "not asked: the service has the path, but not this list",
    ),
    Case(
        "another form",
        FIND_LIST,
        [listed(200, {"hello": "you"}), nowhere()],
        "not asked: the path has something, in another form",
    ),
    Case(
        "the same anywhere",
        FIND_LIST,
        [listed(200, {"hello": "you"}), nowhere(200, {"hello": "you"})],
        (
            "own /v1/coupon-list/spring/coupon-files; tries "
            "/v1/coupon-list/{coupon_list_id}/coupon-files"
        ),
    ),
    Case(
        "a part",
        WHOLE_LIST,
        [listed(200, {"data": OWN_FILES, "total": 9})],
        (
            "own /v1/coupon-list/spring/files?limit=1000; tries "
            "/v1/coupon-list/{coupon_list_id}/files?limit=1000"
        ),
    ),
    Case("a whole list", WHOLE_LIST, [listed(200, OWN_FILES)], "settled"),
    Case(
        "ten files",
        WHOLE_LIST,
        [TEN_FILES],
        (
            "own /v1/coupon-list/spring/files?limit=1000; tries "
            "/v1/coupon-list/{coupon_list_id}/files?limit=1000"
        ),
    ),
    Case(
        "ten files, with a large page, too",
        WHOLE_LIST,
        [TEN_FILES, in_page(1000, TEN)],
        "own /v1/coupon-list/spring/files?limit=1; tries "
        "/v1/coupon-list/{coupon_list_id}/files?limit=1",
    ),
    Case(
        "ten files, and more with a large page",
        WHOLE_LIST,
        [TEN_FILES, in_page(1000, [*TEN, record("f10")])],
        "settled",
    ),
    Case(
        "ten files, with a page for one, too",
        WHOLE_LIST,
        [TEN_FILES, in_page(1000, TEN), in_page(1, TEN)],
        "settled",
    ),
    Case(
        "a made-up list",
        SAME_LIST,
        [listed(200, SILENT)],
        ("own /v1/coupon-list/wes-doctor/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case("a made-up list, read", SAME_LIST, [listed(200, SILENT), made_up_list()], "settled"),
    Case(
        "a made-up list, of files that name theirs", SAME_LIST, [listed(200, OWN_FILES)], "settled"
    ),
    Case(
        "a made-up list, if the list fails alone",
        SAME_LIST,
        [listed(500), nowhere()],
        "own /v1/coupon-list/wes-doctor/files; tries /v1/coupon-list/{coupon_list_id}/files",
    ),
    Case(
        "a made-up list, if the list fails alone, read",
        SAME_LIST,
        [listed(500), nowhere(), made_up_list()],
        "settled",
    ),
    Case(
        "a made-up list, if the list has another name",
        SAME_LIST,
        [redirected("/v1/coupon-list/winter/files")],
        "own /v1/coupon-list/wes-doctor/files; tries /v1/coupon-list/{coupon_list_id}/files",
    ),
    Case(
        "a made-up list, if no list is named",
        SAME_LIST,
        [listed(200, SILENT, request=request_for(Question.LIST, list_id=MADE_UP))],
        "settled",
        {"list_id": MADE_UP},
    ),
    Case(
        "one file",
        FIND_FILE,
        [listed(200, OWN_FILES)],
        (
            "own /v1/coupon-list/spring/files/f1; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    Case(
        "one file, once more",
        FIND_FILE,
        [listed(200, OWN_FILES), given_file(404, NOT_FOUND)],
        (
            "own /v1/coupon-list/spring/files/f1; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    Case(
        "one file at another path",
        FIND_FILE,
        [listed(200, OWN_FILES), *2 * [given_file(404, NOT_FOUND)]],
        "own /v1/coupon-files/f1; tries /v1/coupon-files/{coupon_file_id}",
    ),
    Case(
        "one file at a named path",
        FIND_FILE,
        [listed(200, [{**record("f1"), "href": "/v1/x/f1"}]), *2 * [given_file(404, NOT_FOUND)]],
        "own /v1/x/f1; tries /v1/x/{coupon_file_id}",
    ),
    Case(
        "one file, read",
        FIND_FILE,
        [listed(200, OWN_FILES), given_file(200, record("f1"))],
        "settled",
    ),
    Case(
        "one file that is forbidden",
        FIND_FILE,
        [listed(200, OWN_FILES), given_file(403, FORBIDDEN)],
        "settled",
    ),
    Case(
        "one file that cannot be read",
        FIND_FILE,
        [listed(200, OWN_FILES), given_file(200, "no JSON", headers=JSON)],
        "settled",
    ),
    Case(
        "one file that is refused",
        FIND_FILE,
        [listed(200, OWN_FILES), given_file(401)],
        "not asked: the service refused the key meanwhile",
    ),
    Case(
        "one file, and the key is refused",
        FIND_FILE,
        twice(),
        "not asked: reads with the Campaign API key are refused",
    ),
    Case("no file", FIND_FILE, [listed(200, [])], "settled"),
    Case(
        "a made-up key",
        MADE_UP_KEY,
        [listed(200, OWN_FILES)],
        "made-up /v1/coupon-list/spring/files",
    ),
    Case(
        "a made-up key, of another path",
        MADE_UP_KEY,
        [listed(404, NOT_FOUND), at_path(LIST_PATHS[1], 200, OWN_FILES)],
        "made-up /v1/coupon-list/spring/coupon-files",
    ),
    Case("a made-up key, read", MADE_UP_KEY, [listed(200, OWN_FILES), made_up()], "settled"),
    Case(
        "a made-up key, and the own one is refused",
        MADE_UP_KEY,
        twice(401, error("request-unauthenticated", "Invalid API key.")),
        "not asked: reads with the Campaign API key are refused",
    ),
    Case(
        "a made-up key, and the refusals of the own one say more",
        MADE_UP_KEY,
        twice(),
        "made-up /v1/coupon-list/spring/files",
    ),
    Case(
        "a made-up key, without a read",
        MADE_UP_KEY,
        [lost()],
        "not asked: the read with the own key has no answer",
    ),
    Case(
        "a made-up key, of an error",
        MADE_UP_KEY,
        [listed(404, NOT_FOUND)],
        "made-up /v1/coupon-list/spring/files",
    ),
    Case(
        "a made-up key, and no response since another",
        MADE_UP_KEY,
        [
            listed(200, OWN_FILES),
            made_up_segment(),
            lost(question=Question.FILE_PATH, request=request_for(Question.FILE_PATH)),
        ],
        "not asked: no response came any more since a made-up key was sent",
    ),
    Case(
        "a guessed file",
        GUESS_FILE,
        [listed(404, NOT_FOUND), nowhere()],
        (
            "own /v1/coupon-list/spring/files/wes-doctor; tries "
            "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"
        ),
    ),
    Case(
        "a guessed file, of an objection",
        GUESS_FILE,
        [listed(400, STRANGE), nowhere()],
        "not asked: no list was read, so no file is known",
    ),
    Case("a guessed file, if files are known", GUESS_FILE, [listed(200, OWN_FILES)], "settled"),
    Case(
        "a guessed file that is known",
        GUESS_FILE,
        [listed(404, NOT_FOUND), nowhere(), given_file(404, error("", "No such file."), MADE_UP)],
        "settled",
    ),
    Case(
        "the data key again",
        REPEAT,
        [listed(200, OWN_FILES), segment()],
        "own /v3/custom-segments/wes-doctor",
    ),
    Case(
        "the list again",
        REPEAT,
        [listed(200, OWN_FILES), segment(), segment_again()],
        "own /v1/coupon-list/spring/files",
    ),
    Case(
        "the list a third time",
        REPEAT,
        [*twice(200, OWN_FILES), segment(), segment_again()],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case(
        "the file again",
        REPEAT,
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
        "another path first",
        REPEAT,
        [listed(404, NOT_FOUND), at_path(LIST_PATHS[1], 200, OWN_FILES), segment()],
        ("own /v1/coupon-list/spring/files; tries /v1/coupon-list/{coupon_list_id}/files"),
    ),
    Case(
        "another path again",
        REPEAT,
        [*twice(404, NOT_FOUND), at_path(LIST_PATHS[1], 200, OWN_FILES), segment()],
        (
            "own /v1/coupon-list/spring/coupon-files; tries "
            "/v1/coupon-list/{coupon_list_id}/coupon-files"
        ),
    ),
    Case(
        "the data key again in vain",
        REPEAT,
        [listed(200, OWN_FILES), segment(), segment_again(500)],
        "own /v1/coupon-list/spring/files",
    ),
    Case("uploads", UPLOAD_PATH, [listed(200, OWN_FILES)], "settled"),
    Case(
        "uploads at another path than lists",
        UPLOAD_PATH,
        [listed(200, OWN_FILES, request=request_for(Question.LIST, path="/v1/x/{coupon_list_id}"))],
        "own /v1/coupon-list/spring/files",
        {"settings": changed(coupon_files_path="/v1/x/{coupon_list_id}")},
    ),
    Case(
        "uploads, if no list is named",
        UPLOAD_PATH,
        [
            listed(
                200,
                OWN_FILES,
                request=request_for(Question.LIST, path="/v1/x/{coupon_list_id}", list_id=MADE_UP),
            )
        ],
        "settled",
        {"settings": changed(coupon_files_path="/v1/x/{coupon_list_id}"), "list_id": MADE_UP},
    ),
    Case("uploads, and the key is refused", UPLOAD_PATH, twice(), "settled"),
]


@pytest.mark.parametrize("row", CASES, ids=ids(CASES))
def test_what_a_question_asks_next(row: Case):
    assert next_step(row.row, row.probes, row.known) == row.step


TABLE = [
    (Question.LIST, 0, True),
    (Question.OTHER_ADDRESS, 0, True),
    (Question.NO_SUCH_PATH, 0, True),
    (Question.PAGE, 0, True),
    (Question.COOKIE, 0, True),
    (Question.DATA_KEY, 0, True),
    (Question.DATA_KEY, 0, False),
    (Question.MADE_UP_KEY, 0, False),
    (Question.HEADER, 0, False),
    (Question.HEADER, 0, False),
    (Question.HEADER_VALUE, 0, False),
    (Question.HEADER_BESIDES, 0, False),
    (Question.SWAPPED_KEYS, 0, False),
    (Question.DATA_KEY, 5, False),
    (Question.NO_SUCH_PATH, 1, False),
    (Question.OTHER_ADDRESS, 0, False),
    (Question.OTHER_ADDRESS, 0, True),
    (Question.MADE_UP_DATA_KEY, 2, False),
    (Question.OTHER_LIST, 4, False),
    (Question.LIST_PATH, 4, False),
    (Question.WHOLE_LIST, 4, False),
    (Question.MADE_UP_LIST, 3, False),
    (Question.FILE_PATH, 3, False),
    (Question.MADE_UP_KEY, 1, False),
    (Question.FILE_PATH, 3, False),
    (Question.AGAIN, 0, False),
    (Question.UPLOAD_PATH, 0, False),
]


def test_questions_are_asked_in_this_order():
    rows = [(row.question, row.reserve, row.is_asked_anyway) for row in QUESTIONS]
    assert rows == TABLE


def test_the_likeliest_paths_of_one_file_come_first():
    below_list = "/v1/x/{coupon_list_id}/{coupon_file_id}"
    paths = file_paths("/v9/{coupon_file_id}", "/v1/x/{coupon_list_id}/?limit=9")
    assert paths == ["/v9/{coupon_file_id}", below_list, *questions.FILE_PATHS]
    assert file_paths(GIVEN_FILE, GIVEN) == list(questions.FILE_PATHS)
