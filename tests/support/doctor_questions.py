"""The questions of the doctor by name, and rows of what each asks next by what is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from support.doctor_findings import (
    FILES,
    UNAUTHENTICATED,
    again,
    listed,
    one_file,
    with_headers,
    with_made_up_value,
)
from support.doctor_replies import SETTINGS, changed, error_body, evidence_of, reply, request_for
from support.doctor_service import CAMPAIGN_KEY, LIST, record
from wes_provider import contract
from wes_provider.doctor.questions.table import QUESTIONS, QuestionRow
from wes_provider.doctor.reads.evidence import list_at
from wes_provider.doctor.reads.sending import Ask
from wes_provider.doctor.replies.probes import Probe, Question

(
    READ_LIST,
    OTHER_ADDRESS,
    ADDRESS_WITHOUT_VERSION,
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
    MADE_UP_LIST,
    WITHOUT_QUERY,
    FIND_FILE,
    MADE_UP_KEY,
    GUESS_FILE,
    REPEAT,
    UPLOAD_PATH,
    NEXT_PAGE,
) = QUESTIONS
GIVEN, GIVEN_FILE = contract.COUPON_FILES_PATH, contract.COUPON_FILE_PATH
NO_DATA_KEY = changed(data_api_key=CAMPAIGN_KEY)
JSON = {"content-type": "application/json"}
STRANGE = error_body("teapot", "Moon phase is unfavourable.")
NO_LIST = error_body("not-found", "No such list.")
NAMES_ONE = error_body("", "Header X-Tenant is required.")
NO_MORE = error_body("request-unauthenticated", "Invalid API key.")
NO_SCOPE = error_body("not-found", "Nothing here that your permissions show.")
BANNED = error_body("", "Your IP is not on the allow-list.")
AWAY = "https://api.example.com/away"
NAMING_SPRING = [record("f1"), record("f2")]
TEN = [record(f"f{number}") for number in range(10)]
TEN_FILES = listed(200, TEN)
NAMING_NO_LIST = [{"_id": "f1", "status": "SUCCESS"}]
NAMING_WINTER = [record("f1", coupons_list_id="winter")]
ODD = listed(200, "no JSON", headers=JSON)
NO_SUCH = "/v1/wes-doctor-no-such-path/wes-doctor"
SPRING_AT = "/v1/coupon-list/spring/files"


def list_read_twice(status: int, content: Any, **more: Any) -> list[Probe]:
    """The read of the list, twice with the same reply."""
    return [listed(status, content, **more), again(status, content, **more)]


def list_refused_twice(content: Any = UNAUTHENTICATED) -> list[Probe]:
    """The read of the list, twice with 401."""
    return list_read_twice(401, content)


PROVED_HEADER = [
    *list_refused_twice(),
    *2 * [with_headers("X-App-Id")],
    with_made_up_value("X-App-Id"),
]
WITH_PROVED_HEADER = changed(workspace_header="X-App-Id")


def below(probe: Probe) -> Probe:
    url = probe.request.url.replace("example.com", "example.com/gw", 1)
    return reply(301, headers={"location": url}, question=probe.question, request=probe.request)


def in_page(size: int | str, content: Any) -> Probe:
    """The read of a list with a page of a size, and perhaps with another parameter behind it."""
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
    content = error_body("", f"At most {allowed}.")
    return reply(400, content, question=Question.WHOLE_LIST, request=request, tried=path)


TWO_OF_NINE = {"data": NAMING_SPRING, "total": 9}
REFUSED_PAGES = [refused_page(1000, 500), refused_page(500, 400), refused_page(400, 300)]


class QuestionCase(NamedTuple):
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


def next_step(question: QuestionRow, row: QuestionCase) -> str:
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
