"""What is known after some reads: which of them answer what, lists, pages and the places of files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from support.doctor_replies import changed, error, evidence_of, reply, request_for
from support.doctor_service import record
from wes_provider.client import responses
from wes_provider.doctor.evidence import (
    MADE_UP,
    Listed,
    Places,
    file_read,
    listed_in,
    record_in,
    unreadable,
)
from wes_provider.doctor.probes import Keys, Probe, Question

FILES = [record("f1"), record("f2")]
WINTER = [record("f1", coupons_list_id="winter")]


class Center(NamedTuple):
    """An address, the host of the connection, its digits, and the address with another number."""

    name: str
    address: str
    host: str
    digits: int
    other: str


CENTERS = [
    Center("none", "https://api.example.com", "", 0, ""),
    Center(
        "two digits",
        "https://api-01.example.com",
        "https://api-{data_center}.example.com",
        2,
        "https://api-77.example.com",
    ),
    Center(
        "three digits",
        "https://api-012.example.com",
        "https://api-{data_center}.example.com/",
        3,
        "https://api-77.example.com",
    ),
    Center(
        "one digit", "https://api-1.example.com", "https://api-{data_center}.example.com", 0, ""
    ),
    Center(
        "a port with the same digits",
        "https://api-01.example.com:101",
        "api-{data_center}.example.com",
        2,
        "https://api-77.example.com:101",
    ),
    Center(
        "no number in the host", "https://api-01.example.com", "https://api-01.example.com", 0, ""
    ),
    Center("two numbers", "https://01.02.com", "https://{data_center}.{data_center}.com", 0, ""),
    Center(
        "a dot is a dot",
        "https://api-01xexample.com",
        "https://api-{data_center}.example.com",
        0,
        "",
    ),
]


@pytest.mark.parametrize("row", CENTERS, ids=[row.name for row in CENTERS])
def test_the_address_is_made_of_a_data_center_if_that_is_the_only_number_of_the_host(row: Center):
    evidence = evidence_of(settings=changed(base_url=row.address), host=row.host)
    assert evidence.digits_of_data_center == row.digits
    assert evidence.is_made_of_data_center is bool(row.digits)


@pytest.mark.parametrize("row", CENTERS, ids=[row.name for row in CENTERS])
def test_the_address_in_another_data_center_has_its_number(row: Center):
    evidence = evidence_of(settings=changed(base_url=row.address), host=row.host)
    assert evidence.address_in("77") == row.other


def test_a_list_is_named_if_it_is_not_made_up():
    assert evidence_of().names_a_list


def test_no_list_is_named_if_it_is_made_up():
    assert not evidence_of(list_id=MADE_UP).names_a_list


class Why(NamedTuple):
    """How many reads there were, a reason for a question, and why it was not asked."""

    reads: int
    given: Mapping[Question, str]
    why: str


WHYS = [
    Why(11, {}, "other replies left it open"),
    Why(12, {}, "the other questions took all 12 reads"),
    Why(13, {}, "the other questions took all 12 reads"),
    Why(12, {Question.AGAIN: "no time"}, "no time"),
    Why(0, {Question.AGAIN: ""}, "other replies left it open"),
    Why(0, {Question.LIST: "no time"}, "other replies left it open"),
]


@pytest.mark.parametrize("row", WHYS, ids=[f"{row.reads}, {row.given}" for row in WHYS])
def test_a_question_was_not_asked_for_the_given_reason_or_else_for_the_12_reads(row: Why):
    evidence = evidence_of(*row.reads * [reply()], not_asked=row.given)
    assert evidence.why_not_asked(Question.AGAIN) == row.why


def test_evidence_grows_by_reads_and_reasons_and_stays_as_it_was_itself():
    first, second = reply(), reply(404)
    evidence = evidence_of(first, not_asked={Question.LIST: "a", Question.AGAIN: "b"})
    grown = evidence.plus([second]).without(Question.LIST, "c")
    assert [probe.status for probe in grown.probes] == [200, 404]
    assert grown.not_asked == {Question.LIST: "c", Question.AGAIN: "b"}
    assert evidence.probes == (first,)


READS = {
    "list 503": reply(503),
    "list 404": reply(404),
    "nowhere 200": reply(200, question=Question.NO_SUCH_PATH),
    "list 200 to a made-up key": reply(200, question=Question.AGAIN, keys=Keys.MADE_UP),
    "list 200": reply(200),
    "nowhere 429": reply(429, question=Question.NO_SUCH_PATH),
    "segment 500": reply(500, question=Question.DATA_KEY),
    "list again 401": reply(401, question=Question.AGAIN),
}
EVIDENCE = evidence_of(*READS.values())
READ_OF_LIST = request_for(Question.LIST)


class Told(NamedTuple):
    """Some of the reads, and how these are called."""

    name: str
    probes: Sequence[Probe]
    called: Sequence[str]


TOLD = [
    Told("answers for a question", EVIDENCE.of(Question.LIST), ["list 404", "list 200"]),
    Told(
        "answers for two questions",
        EVIDENCE.of(Question.LIST, Question.NO_SUCH_PATH),
        ["list 404", "nowhere 200", "list 200"],
    ),
    Told(
        "all that was sent for a question",
        EVIDENCE.sent_for(Question.LIST),
        ["list 503", "list 404", "list 200"],
    ),
    Told(
        "answers to the list, whatever they were asked for",
        EVIDENCE.list_answers,
        ["list 404", "list 200", "list again 401"],
    ),
    Told(
        "answers to a request with the own keys",
        EVIDENCE.answers_to(READ_OF_LIST),
        ["list 404", "list 200", "list again 401"],
    ),
    Told(
        "answers to a request with made-up keys",
        EVIDENCE.answers_to(READ_OF_LIST, Keys.MADE_UP),
        ["list 200 to a made-up key"],
    ),
    Told("reads without an answer", EVIDENCE.lost_reads(READ_OF_LIST), ["list 503"]),
    Told("a request that was not sent", EVIDENCE.answers_to(request_for(Question.FILE_PATH)), []),
]


@pytest.mark.parametrize("row", TOLD, ids=[row.name for row in TOLD])
def test_reads_are_told_apart_by_question_request_and_reply(row: Told):
    names = {id(probe): name for name, probe in READS.items()}
    assert [names[id(probe)] for probe in row.probes] == [*row.called]


def test_answers_are_grouped_by_requests_with_the_own_keys_that_got_any():
    of_list, of_nowhere = EVIDENCE.answers_by_request()
    assert of_list == EVIDENCE.list_answers
    assert of_nowhere == [READS["nowhere 200"]]


def test_the_answers_to_the_list_are_those_at_the_path_of_the_connection():
    settings = changed(coupon_files_path="/a/{coupon_list_id}")
    there = reply(request=request_for(Question.LIST, path="/a/{coupon_list_id}"))
    assert evidence_of(reply(), there, settings=settings).list_answers == [there]


# -- what a reply has ------------------------------------------------------------------------------


class Reading(NamedTuple):
    """A reply, and why it cannot be read as the record of a file; empty if it can."""

    name: str
    probe: Probe
    why: str


def file_reply(status: int, content: Any, **more: Any) -> Probe:
    return reply(status, content, question=Question.FILE_PATH, **more)


READINGS = [
    Reading("a record", file_reply(200, FILES[0]), ""),
    Reading("no response", file_reply(0, b"", problem="a reset"), "a reset"),
]


@pytest.mark.parametrize("row", READINGS, ids=[row.name for row in READINGS])
def test_why_a_reply_cannot_be_read(row: Reading):
    assert unreadable(responses.record, row.probe) == row.why


def test_a_file_is_read_if_the_provider_can():
    file = file_read(file_reply(200, FILES[0]))
    assert file is not None
    assert (file.id, file.status) == ("f1", "SUCCESS")
    assert file_read(file_reply(404, error("x", "y"))) is None
    assert file_read(file_reply(200, {"id": "f1"})) is None
    assert record_in(file_reply(200, FILES[0])) == FILES[0]
    assert record_in(file_reply(404, error("x", "y"))) is None
    assert record_in(None) is None
    assert "404" in unreadable(responses.record, file_reply(404, error("x", "y")))


DEEP = {"x": {"y": {"z": FILES}}}


class Contents(NamedTuple):
    """
    What the list of a reply has.

    :ivar files: how many.
    :ivar is_unreadable: whether the provider cannot read it.
    :ivar announces_more: whether it announces more files.
    :ivar names_list: whether a file names the list that was read; ``others``: which else.
    """

    files: int
    is_unreadable: bool = False
    announces_more: bool = False
    names_list: bool = False
    others: Sequence[str] = ()


class Has(NamedTuple):
    """A reply, and what its list has; ``None`` if it has no list."""

    name: str
    probe: Probe
    has: Contents | None


HAS = [
    Has("files", reply(200, FILES), Contents(2, names_list=True)),
    Has("no file", reply(200, []), Contents(0)),
    Has("no content", reply(204), Contents(0, is_unreadable=True)),
    Has("null", reply(200, "null"), Contents(0, is_unreadable=True)),
    Has("no array", reply(200, {"a": 1}), None),
    Has("an error", reply(404, []), None),
    Has("an error in a success", reply(200, {"error": "x", "success": False}), None),
    Has("a refusal", reply(401, []), None),
    Has("a page", reply(200, "<html>"), None),
    Has("another list", reply(200, WINTER), Contents(1, others=("winter",))),
    Has(
        "several lists in order",
        reply(
            200, [*FILES[:1], record("f2", coupons_list_id="w"), record("f3", coupons_list_id="a")]
        ),
        Contents(
            3,
            names_list=True,
            others=(
                "a",
                "w",
            ),
        ),
    ),
    Has(
        "files without a list",
        reply(200, [record("f1", coupons_list_id="")]),
        Contents(1),
    ),
    Has(
        "more files",
        reply(200, FILES, {"link": '<https://a>; rel="next"'}),
        Contents(2, announces_more=True, names_list=True),
    ),
    Has("records without an identifier", reply(200, [{"id": 1}]), Contents(0)),
    Has("an unusual place", reply(200, DEEP), Contents(2, is_unreadable=True, names_list=True)),
]


@pytest.mark.parametrize("row", HAS, ids=[row.name for row in HAS])
def test_a_success_with_an_array_or_nothing_has_a_list_and_any_other_reply_none(row: Has):
    listed = listed_in("/a", row.probe)
    if row.has is None:
        assert listed is None
        return
    assert listed is not None
    assert (listed.path, listed.probe) == ("/a", row.probe)
    assert row.has == Contents(
        len(listed.files),
        bool(listed.unreadable),
        bool(listed.incomplete),
        listed.names_list,
        tuple(listed.other_lists),
    )


LISTS = [row for row in HAS if row.has is not None]


@pytest.mark.parametrize("row", LISTS, ids=[row.name for row in LISTS])
def test_a_list_is_of_other_lists_if_files_name_others_and_none_the_list(row: Has):
    listed = listed_in("/a", row.probe)
    assert listed is not None
    assert row.has is not None
    assert listed.is_of_other_lists is (bool(row.has.others) and not row.has.names_list)


@pytest.mark.parametrize("row", LISTS, ids=[row.name for row in LISTS])
def test_a_list_works_if_it_can_be_read_and_announces_no_more(row: Has):
    listed = listed_in("/a", row.probe)
    assert listed is not None
    assert row.has is not None
    assert listed.works is not (row.has.is_unreadable or row.has.announces_more)


class Page(NamedTuple):
    """
    A path and a body, and what it says of its page: the size that has more places than files, the
    full page, and whether it is smaller than was asked for.
    """

    name: str
    path: str
    beside: Mapping[str, Any]
    size: int = 0
    full: str = ""
    is_smaller: bool = False


PAGES = [
    Page("nothing", "/a", {}),
    Page("more places than files", "/a", {"limit": 3}, 3),
    Page("as many places as files", "/a", {"limit": 2}, 0, "limit: 2"),
    Page("fewer places than files", "/a", {"limit": 1}),
    Page("further down", "/a", {"meta": {"Per_Page": 3}}, 3),
    Page("as many, further down", "/a", {"meta": {"Per_Page": 2}}, 0, "Per_Page: 2"),
    *(
        Page(name, "/a", {name: 3}, 3)
        for name in ("per_page", "perPage", "page_size", "pageSize", "size", "max_results")
    ),
    Page("another name", "/a", {"pages": 3, "limits": 3}),
    Page(
        "no size", "/a", {"limit": 0, "size": -1, "per_page": "3", "pagesize": True, "perpage": 3.5}
    ),
    Page("the first of two", "/a", {"limit": 3, "size": 9}, 3),
    Page(
        "the one that was asked for",
        "/a?x=1&size=9",
        {"limit": 3, "size": 9},
        9,
        "",
        is_smaller=False,
    ),
    Page(
        "the one that was asked for alone",
        "/a?size=20",
        {"limit": 3, "size": 9},
        9,
        "",
        is_smaller=True,
    ),
    Page("the first of a name", "/a", {"limit": 3, "b": {"limit": 4}}, 3),
    Page("the first that is full", "/a", {"size": 2, "limit": 2}, 0, "size: 2"),
    Page("the second is full", "/a", {"size": 9, "limit": 2}, 9, "limit: 2"),
    Page("a full page of a known number", "/a", {"limit": 2, "total": 2}),
    Page("a full page with a next one", "/a", {"limit": 2, "next": None}),
    Page("a full page that says if it is the last", "/a", {"limit": 2, "meta": {"last": True}}),
    Page("smaller than asked for", "/a?limit=4", {"limit": 3}, 3, "", is_smaller=True),
    Page("as asked for", "/a?limit=3", {"limit": 3}, 3),
    Page("larger than asked for", "/a?limit=2", {"limit": 3}, 3),
    Page("no number was asked for", "/a?limit=all", {"limit": 3}, 3),
    Page("full, and smaller than asked for", "/a?limit=3", {"limit": 2}, 0, "limit: 2"),
]


def listed_of(path: str, body: Any) -> Listed:
    listed = listed_in(path, reply(200, body))
    assert listed is not None
    return listed


# Each page has two files.
@pytest.mark.parametrize("row", PAGES, ids=[row.name for row in PAGES])
def test_the_size_of_a_page_is_one_that_has_more_places_than_files(row: Page):
    assert listed_of(row.path, {**row.beside, "data": FILES}).page_size == row.size


@pytest.mark.parametrize("row", PAGES, ids=[row.name for row in PAGES])
def test_a_page_is_full_that_has_as_many_files_as_places_and_does_not_say_how_many_there_are(
    row: Page,
):
    assert listed_of(row.path, {**row.beside, "data": FILES}).full_page == row.full


@pytest.mark.parametrize("row", PAGES, ids=[row.name for row in PAGES])
def test_a_page_is_smaller_that_has_fewer_places_than_were_asked_for(row: Page):
    listed = listed_of(row.path, {**row.beside, "data": FILES})
    assert listed.is_page_smaller is row.is_smaller


def test_an_empty_page_is_not_full():
    listed = listed_of("/a", {"limit": 0, "data": []})
    assert (listed.page_size, listed.full_page) == (0, "")


# -- the places of files ---------------------------------------------------------------------------


class Best(NamedTuple):
    """What came at paths, and which of them shows the list; empty if none does."""

    name: str
    lists: Mapping[str, Probe]
    path: str
    uploaded: str = ""


MORE = reply(200, FILES, {"link": '<https://a>; rel="next"'})
ODD = [{"id": 1}]
BESTS = [
    Best("none", {}, ""),
    Best("no list", {"a": reply(404)}, ""),
    Best("one", {"a": reply(200, FILES)}, "a"),
    Best("the first of two alike", {"a": reply(200, FILES), "b": reply(200, FILES)}, "a"),
    Best("with files", {"a": reply(200, []), "b": reply(200, FILES)}, "b"),
    Best("readable", {"a": reply(200, DEEP), "b": MORE}, "b"),
    Best("whole", {"a": MORE, "b": reply(200, FILES)}, "b"),
    Best("with files, though not whole", {"a": reply(200, []), "b": MORE}, "b"),
    Best(
        "with a page as large as asked for",
        {"a?limit=9": reply(200, {"limit": 5, "data": FILES}), "b": reply(200, FILES)},
        "b",
    ),
    Best("of another list", {"a": reply(200, WINTER)}, ""),
    Best("of another list, then of none", {"a": reply(200, WINTER), "b": reply(200, [])}, "b"),
    Best("odd ones first", {"a": reply(200, ODD)}, "a"),
    Best("odd ones later", {"a": reply(404), "b": reply(200, ODD)}, ""),
    Best("no file later", {"a": reply(404), "b": reply(200, [])}, "b"),
    Best("what was uploaded", {"a": reply(200, FILES), "b": reply(200, WINTER)}, "a", "f2"),
    Best(
        "what was uploaded, of another list",
        {"a": reply(200, []), "b": reply(200, WINTER)},
        "b",
        "f1",
    ),
    Best("what was uploaded is in none", {"a": reply(200, FILES)}, "", "f9"),
]


@pytest.mark.parametrize("row", BESTS, ids=[row.name for row in BESTS])
def test_the_best_list_has_files_can_be_read_is_whole_and_has_what_was_uploaded(row: Best):
    places = Places(row.lists, {}, uploaded=row.uploaded)
    listed = places.listed
    assert (listed.path if listed else "") == row.path
    assert places.listed_files == (listed.files if listed else [])


class Firsts(NamedTuple):
    """What came at paths, and the first that is of other lists, is empty or announces more files."""

    name: str
    lists: Mapping[str, Probe]
    of_others: str = ""
    empty: str = ""
    partial: str = ""


FIRSTS = [
    Firsts("none", {}),
    Firsts("files", {"a": reply(200, FILES)}),
    Firsts(
        "of others", {"a": reply(200, FILES), "b": reply(200, WINTER), "c": reply(200, WINTER)}, "b"
    ),
    Firsts("empty", {"a": reply(200, FILES), "b": reply(200, []), "c": reply(200, [])}, "", "b"),
    Firsts("odd", {"a": reply(200, ODD)}),
    Firsts("partial", {"a": reply(200, FILES), "b": MORE, "c": MORE}, "", "", "b"),
]


@pytest.mark.parametrize("row", FIRSTS, ids=[row.name for row in FIRSTS])
def test_the_first_list_with_files_of_other_lists_alone_is_found(row: Firsts):
    found = Places(row.lists, {}).of_other_lists
    assert (found.path if found else "") == row.of_others


@pytest.mark.parametrize("row", FIRSTS, ids=[row.name for row in FIRSTS])
def test_the_first_list_without_a_file_is_found(row: Firsts):
    found = Places(row.lists, {}).empty
    assert (found.path if found else "") == row.empty


@pytest.mark.parametrize("row", FIRSTS, ids=[row.name for row in FIRSTS])
def test_the_first_list_that_announces_more_files_is_found(row: Firsts):
    found = Places(row.lists, {}).partial
    assert (found.path if found else "") == row.partial


class Unusable(NamedTuple):
    """What came at paths, and whether reads of files are refused or show nothing that is read."""

    name: str
    lists: Mapping[str, Probe]
    is_unusable: bool


UNUSABLE = [
    Unusable("nothing", {}, is_unusable=False),
    Unusable("files", {"a": reply(200, FILES)}, is_unusable=False),
    Unusable("some that are odd", {"a": reply(200, [*ODD, *FILES])}, is_unusable=True),
    Unusable("a refusal", {"a": reply(401)}, is_unusable=True),
    Unusable("a 403", {"a": reply(403)}, is_unusable=True),
    Unusable("a 404", {"a": reply(404)}, is_unusable=False),
    Unusable("a refusal, then files", {"a": reply(401), "b": reply(200, FILES)}, is_unusable=False),
    Unusable("a 404, then a refusal", {"a": reply(404), "b": reply(401)}, is_unusable=False),
]


@pytest.mark.parametrize("row", UNUSABLE, ids=[row.name for row in UNUSABLE])
def test_files_are_unusable_if_records_of_the_list_cannot_be_read_or_its_first_read_is_kept_out(
    row: Unusable,
):
    assert Places(row.lists, {}).is_unusable is row.is_unusable


class OneFile(NamedTuple):
    """
    What came at the paths of one file, and what is known of it.

    :ivar path: the first that shows it.
    :ivar odd: the path whose reply has it, though it cannot be read; and what its status is.
    :ivar other: the file that the first path shows in its place.
    """

    name: str
    files: Mapping[str, Probe]
    path: str = ""
    odd: str = ""
    other: str = ""
    file_id: str = "f1"
    status: str = ""


F1, F2 = file_reply(200, FILES[0]), file_reply(200, FILES[1])
IN_DATA = file_reply(200, {"file": [{"id": "f1"}]})
ODD_STATUS = file_reply(200, record("f1", status=7))
NONE = file_reply(404, error("x", "f1"))
ONE_FILES = [
    OneFile("none", {}),
    OneFile("the first of two", {"a": F1, "b": F1}, "a"),
    OneFile("the second", {"a": NONE, "b": F1}, "b"),
    OneFile("another one", {"a": F2}, "", "", "f2"),
    OneFile("another one, later", {"a": F1, "b": F2}, "a"),
    OneFile("another one, then it", {"a": F2, "b": F1}, "b", "", "f2"),
    OneFile("another one, of none that was read", {"a": F2}, file_id=MADE_UP),
    OneFile("it cannot be read", {"a": NONE, "b": IN_DATA}, "", "b"),
    OneFile("it can be read elsewhere", {"a": IN_DATA, "b": F1}, "b"),
    OneFile("an error with its identifier", {"a": NONE}),
    OneFile("a success without it", {"a": file_reply(200, {"file": []})}),
    OneFile(
        "a success for a made-up one", {"a": file_reply(200, {"file": [MADE_UP]})}, file_id=MADE_UP
    ),
    OneFile("the first of two that cannot be read", {"a": IN_DATA, "b": IN_DATA}, "", "a"),
    OneFile("a status that is no string", {"a": ODD_STATUS}, "", "a", status="status 7"),
]


@pytest.mark.parametrize("row", ONE_FILES, ids=[row.name for row in ONE_FILES])
def test_the_path_of_one_file_is_the_first_that_shows_it(row: OneFile):
    assert Places({}, row.files, file_id=row.file_id).file_path == row.path


@pytest.mark.parametrize("row", ONE_FILES, ids=[row.name for row in ONE_FILES])
def test_an_odd_file_is_the_first_reply_that_has_it_and_cannot_be_read(row: OneFile):
    places = Places({}, row.files, file_id=row.file_id)
    assert places.odd_file is (row.files[row.odd] if row.odd else None)


@pytest.mark.parametrize("row", ONE_FILES, ids=[row.name for row in ONE_FILES])
def test_another_file_is_one_that_the_first_path_shows_in_its_place(row: OneFile):
    assert Places({}, row.files, file_id=row.file_id).other_file == row.other


@pytest.mark.parametrize("row", ONE_FILES, ids=[row.name for row in ONE_FILES])
def test_an_odd_status_is_what_an_odd_file_has_in_place_of_one(row: OneFile):
    assert Places({}, row.files, file_id=row.file_id).odd_status == row.status
