"""What a list shows of an upload: each row is a line of the table in docs/uploads.md."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.attempts import TaskInstance as Attempts
from wes_provider.uploads.identity import TaskInstance, UploadName, parse, suffix_of
from wes_provider.uploads.recognition import Absent, BeforeClear, Own, Sought, Undecided, recognise
from wes_provider.uploads.request import UploadRequest, canonical_url

NAME = UploadName("aaaaaaaa", 3, "bbbb", "cccccc")
URL, ELSEWHERE = "https://files.example.com/a.csv", "https://files.example.com/b.csv"


def file(name: Any = None, url: str | None = URL, file_id: str = "f1") -> dict[str, Any]:
    return {"_id": file_id, "name": str(name), "file_url": url}


def by_name(*records: dict[str, Any], incomplete: str = "", **sought: Any) -> Any:
    return recognise(list(records), incomplete, Sought(**{"name": NAME, "url": URL, **sought}))


OTHER = NAME._replace(hash="dddddddd")
OF_A_NEIGHBOUR = NAME._replace(origin="eeeeee")
BEFORE_THE_CLEAR = NAME._replace(generation=2, start="ffff")

ROWS: list[tuple[list[dict[str, Any]], dict[str, Any], type]] = [
    ([], {}, Absent),
    ([file(NAME)], {}, Own),
    ([file(f"{NAME}.csv")], {}, Own),
    ([file(f" {str(NAME).upper()}.CSV")], {}, Own),
    ([file(f"{NAME}.csv")], {"incomplete": "too long"}, Own),
    ([file(NAME), file(BEFORE_THE_CLEAR, file_id="f0")], {"run_cleared": True}, Own),
    ([], {"incomplete": "too long"}, Undecided),
    ([file(OTHER)], {"incomplete": "too long", "siblings": ["dddddddd"]}, Undecided),
    # Before a clear, and of other tasks.
    ([file(BEFORE_THE_CLEAR)], {"run_cleared": True}, BeforeClear),
    ([file(BEFORE_THE_CLEAR)], {"run_cleared": None}, BeforeClear),
    ([file(BEFORE_THE_CLEAR)], {"run_cleared": False}, Absent),
    ([file(OF_A_NEIGHBOUR)], {"run_cleared": True}, BeforeClear),
    ([file(OF_A_NEIGHBOUR)], {"run_cleared": False}, Absent),
    ([file(OTHER)], {"run_cleared": True, "siblings": ["dddddddd"]}, Absent),
    (
        [file(BEFORE_THE_CLEAR), file(BEFORE_THE_CLEAR._replace(start="gggg"), file_id="f2")],
        {"run_cleared": True},
        Undecided,  # a run of this id was deleted
    ),
    # A URL that changes with each rendering.
    ([file(OTHER)], {"single": True}, Own),
    ([file(OTHER)], {"single": True, "maybe_sent": False}, Absent),
    ([file(OTHER)], {"single": False}, Undecided),
    ([file(OTHER), file(OTHER._replace(hash="eeeeeeee"))], {"single": True}, Undecided),
    # Names that the service cuts or does not show.
    *(
        ([file(cut, url=ELSEWHERE)], {}, Undecided)
        for cut in (str(NAME)[:12], str(NAME)[:4], str(BEFORE_THE_CLEAR)[:20])
    ),
    ([file("sale")], {}, Undecided),
    ([file("sale")], {"url": ""}, Undecided),  # signed
    ([file("sale", url=ELSEWHERE)], {}, Absent),
    ([file(None)], {}, Undecided),
    ([file("sale", url=None)], {}, Undecided),
    ([file("sale", url=None), file(OTHER._replace(origin="hhhhhh"))], {}, Absent),
]


@pytest.mark.parametrize(("records", "sought", "expected"), ROWS)
def test_what_a_list_shows_of_an_upload_with_our_name(
    records: Any, sought: dict[str, Any], expected: type
):
    sought = dict(sought)
    incomplete = sought.pop("incomplete", "")
    found = by_name(*records, incomplete=incomplete, **sought)
    assert isinstance(found, expected)
    if isinstance(found, Undecided):
        assert found.why


def test_of_files_of_before_a_clear_the_task_instances_latest_counts():
    earliest, neighbours = (
        BEFORE_THE_CLEAR._replace(generation=1),
        OF_A_NEIGHBOUR._replace(generation=9),
    )
    names = {"f0": neighbours, "f1": earliest, "f2": BEFORE_THE_CLEAR}
    records = [file(name, file_id=file_id) for file_id, name in names.items()]
    for listed in (records, records[::-1]):
        assert by_name(*listed, run_cleared=True) == BeforeClear(records[-1])


GIVEN: list[tuple[str, list[dict[str, Any]], dict[str, Any], type]] = [
    ("sale.csv", [], {}, Absent),
    ("sale.csv", [file("sale.csv")], {}, Undecided),
    ("sale.csv", [file("other.csv")], {}, Undecided),  # its name may be changed, and it has the URL
    ("sale.csv", [file("other.csv", url=ELSEWHERE)], {}, Absent),
    ("Sale-Run-1.csv", [file(" sale-run-1.CSV ")], {"run_cleared": False, "adopts": False}, Own),
    ("sale-run-1.csv", [file("sale-run-1.csv")], {"run_cleared": True}, Own),
    ("sale-run-1.csv", [file("sale-run-1.csv")], {"run_cleared": True, "adopts": False}, Undecided),
    (
        "sale-run-1.csv",
        [file("sale-run-1.csv")],
        {"run_cleared": True, "maybe_sent": False},
        BeforeClear,
    ),
    ("sale-run-1.csv", [file("sale-run-1.csv")] * 2, {"run_cleared": False}, Undecided),
    (
        "sale-run-1.csv",
        [file("sale-run-1.csv", url="https://other.example.com/a.csv")],
        {},
        Undecided,
    ),
    ("sale-run-1.csv", [file("sale-run-1.csv", url=None)], {"url": ""}, Undecided),
    ("sale-run-1.csv", [], {"incomplete": "too long"}, Undecided),
    (
        "sale-run-1.csv",
        [file("sale-run-1.csv")],
        {"incomplete": "too long", "run_cleared": False},
        Undecided,
    ),
]


@pytest.mark.parametrize(("name", "records", "sought", "expected"), GIVEN)
def test_what_a_list_shows_of_a_file_that_a_user_named(
    name: str, records: Any, sought: dict[str, Any], expected: type
):
    sought = dict(sought)
    incomplete = sought.pop("incomplete", "")
    found = by_name(*records, incomplete=incomplete, given_name=name, run_id="Run-1", **sought)
    assert isinstance(found, expected)


@given(
    st.lists(
        st.fixed_dictionaries(
            {}, optional=dict.fromkeys(("_id", "name", "file_url"), st.none() | st.text())
        )
    )
)
def test_whatever_records_hold_they_are_no_file_of_ours(records: list[dict[str, Any]]):
    assert isinstance(by_name(*records, run_cleared=True), (Absent, Undecided))
    assert isinstance(by_name(*records, given_name="sale.csv"), (Absent, Undecided))


def test_a_few_identifiers_are_enough():
    named = [{**file(OTHER), "_id": f"f{number}"} for number in range(7)]
    for count, ids in (
        (2, "f0, f1 from"),
        (5, "f0, f1, f2, f3, f4 from"),
        (7, "f0, f1, f2, f3, f4 and 2 more from"),
    ):
        found = by_name(*named[:count])
        assert isinstance(found, Undecided)
        assert f"an earlier attempt uploaded {ids} other URLs" in found.why


# -- identity ------------------------------------------------------------------------------------


def instance(**fields: Any) -> TaskInstance:
    return TaskInstance.of(Attempts(**fields).context())


def name(list_id: str = "l", key: str = URL, **fields: Any) -> UploadName:
    return instance(**fields).upload("w", list_id, key)


def test_the_identity_is_the_file_of_the_run_and_its_list():
    base = name()
    assert parse(f"{str(base).upper()}.CSV") == base
    assert len(str(base)) <= 24 + 2
    for same in ({"task_id": "other"}, {"map_index": 4}, {"max_tries": 9}, {"try_number": 2}):
        assert name(**same).hash == base.hash
    for other in ({"dag_id": "x"}, {"run_id": "x"}, {"list_id": "x"}, {"key": URL + "x"}):
        assert name(**other).hash != base.hash
    assert instance().upload("another workspace", "l", URL).hash != base.hash
    assert name(task_id="other").origin != base.origin
    assert name(map_index=4).origin != base.origin
    assert parse(str(name(max_tries=12))) == base._replace(generation=12)
    # Airflow 3.4.
    looped = TaskInstance.of({**Attempts().context(), "loop": SimpleNamespace(index=1)})
    assert looped.upload("w", "l", URL).hash != base.hash
    assert name(start_date=Attempts().start_date.replace(hour=3)).start != base.start


@pytest.mark.parametrize(
    ("clear_number", "max_tries", "cleared"),
    [(0, 3, False), (0, 4, None), (1, 3, True), (2, 9, True)],
)
def test_whether_a_run_was_cleared(clear_number: int, max_tries: int, cleared: bool | None):
    assert instance(clear_number=clear_number, max_tries=max_tries).run_cleared is cleared


@pytest.mark.parametrize(
    "shown", ["sale.csv", "", None, 7, "aaaaaaaa-g1-bbbb", "AAAAAAAA-1-bbbb-cccccc"]
)
def test_other_names_are_none_of_ours(shown: Any):
    assert parse(shown) is None


@pytest.mark.parametrize(
    ("path", "suffix"), [("a/b.csv", ".csv"), ("b.csv.gz", ".gz"), ("b", ""), ("b.c v", "")]
)
def test_a_name_keeps_the_files_suffix(path: str, suffix: str):
    assert suffix_of(path) == suffix


URLS = [
    ("https://H.example.com:443/a%20b.csv?sig=x#y", "https://h.example.com/a%20b.csv"),
    ("https://u:p@h.example.com/%41.csv;sig=x", "https://h.example.com/A.csv"),
    ("http://h.example.com:8080", "http://h.example.com:8080/"),
    ("http://h.example.com:80", "http://h.example.com/"),
    ("https://h.example.com/a/b%2Fc", "https://h.example.com/a/b%2Fc"),
]


@pytest.mark.parametrize(("url", "canonical"), URLS)
def test_a_url_is_one_file_however_it_is_signed_and_spelled(url: str, canonical: str):
    assert canonical_url(url) == canonical
    assert UploadRequest.of("l", {"file_url": url}).key == canonical
    assert UploadRequest.of("l", {"file_url": url, "name": "n"}).key == "n"
