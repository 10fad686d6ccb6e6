"""What a list proves about an upload: that it is there, that it is not, or nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider.uploads.identity import GivenName, TaskIdentity
from wes_provider.uploads.recognition import Absent, Found, Listing, OwnName, Undecided, UsersName, same_url
from wes_provider.uploads.request import UploadRequest

URL = "https://files.example.com/coupons.csv"
FILE = UploadRequest.of("list", {"file_url": URL}).file
TASK = TaskIdentity("shop", "replenish", "nightly", -1, None, "aaaaaa", run_cleared=False)
CLEARED = replace(TASK, mark="cccccc", run_cleared=True)
IN_LOOP = replace(CLEARED, iteration=2)
OTHER = {"_id": "other", "name": "other.csv", "file_url": "https://files.example.com/other.csv"}


def own(task: TaskIdentity = TASK, generation: int = 3, *, earlier: bool = True) -> OwnName:
    return OwnName(task, "", URL, GivenName(generation, task.mark, FILE), earlier)


def file(generation: int = 3, *, task: TaskIdentity = TASK, **changes: Any) -> dict[str, Any]:
    return {"_id": f"g{generation}", "name": task.name("", generation, URL, FILE), "file_url": URL, **changes}


def found(answer: Any) -> tuple[str, int]:
    assert isinstance(answer, Found), answer
    return answer.record["_id"], answer.generation


# -- names of the provider's


def test_the_file_of_this_generation_and_start_of_the_run_is_found(caplog: pytest.LogCaptureFixture):
    assert found(own().recognise(Listing([OTHER, file(2), file(3)]))) == ("g3", 3)
    assert caplog.messages == []


def test_it_is_found_in_an_incomplete_list_too():
    assert found(own().recognise(Listing([file()], incomplete="has_more is true"))) == ("g3", 3)


def test_a_whole_list_without_it_proves_that_it_is_absent():
    assert own().recognise(Listing([OTHER])) == Absent()
    assert own().recognise(Listing([])) == Absent()


def test_an_incomplete_list_proves_nothing():
    assert own().recognise(Listing([OTHER], incomplete="total is 300")) == Undecided("total is 300")
    assert own(CLEARED, 7).recognise(Listing([file(3)], incomplete="cut")) == Undecided("cut")


def test_a_run_of_the_same_id_that_was_deleted_is_another_one():
    deleted = replace(TASK, mark="dddddd")
    assert own().recognise(Listing([file(task=deleted), file(2, task=deleted)])) == Absent()


def test_after_a_clear_the_newest_earlier_generation_counts_unless_it_is_not_wanted():
    listing = Listing([file(3), file(7), file(5)])
    assert found(own(CLEARED, 9).recognise(listing)) == ("g7", 7)
    assert own(CLEARED, 9, earlier=False).recognise(listing) == Absent()


def test_a_clear_of_a_running_run_is_told_by_the_same_start():
    task = replace(TASK, run_cleared=None)
    assert found(own(task, 5).recognise(Listing([file(3)]))) == ("g3", 3)


def test_a_clear_after_retries_were_lowered_and_a_deleted_run_cannot_be_told_apart():
    for generation in (9, 12):
        assert isinstance(own(CLEARED, 9).recognise(Listing([file(generation)])), Undecided)


def test_files_of_one_generation_with_two_marks_cannot_be_told_apart():
    """Another task's clear changes the mark of the run; so does creating a deleted run again."""
    deleted = replace(TASK, mark="dddddd")
    assert isinstance(own(CLEARED, 9).recognise(Listing([file(3), file(3, task=deleted)])), Undecided)
    for earlier in (True, False):
        assert isinstance(own(CLEARED, 3, earlier=earlier).recognise(Listing([file(3)])), Undecided)


def test_a_replaced_iteration_of_a_loop_finds_what_was_uploaded_before_the_clear():
    """Its generation is the same, and it must be told that it follows a clear: its URL may have changed."""
    before = replace(IN_LOOP, mark="bbbbbb")
    assert found(own(IN_LOOP).recognise(Listing([file(3, task=before)]))) == ("g3", 2)
    assert own(IN_LOOP, earlier=False).recognise(Listing([file(3, task=before)])) == Absent()


def test_if_names_are_not_shown_nothing_is_known():
    for nameless in ({"_id": "x", "file_url": URL}, {"_id": "x"}, {"_id": "x", "name": None}):
        assert own().recognise(Listing([nameless], names_shown=False)) == Undecided("the list shows no names")


def test_a_file_without_a_name_among_named_ones_is_it_only_if_its_url_may_be():
    elsewhere = {"_id": "x", "file_url": OTHER["file_url"]}
    assert own().recognise(Listing([OTHER, elsewhere])) == Absent()
    for nameless in ({"_id": "x", "file_url": URL}, {"_id": "x"}):
        assert isinstance(own().recognise(Listing([OTHER, nameless])), Undecided)


def test_a_name_that_was_cut_within_its_hash_is_no_proof():
    assert isinstance(own().recognise(Listing([file(name=file()["name"][:12])])), Undecided)


def test_a_file_of_its_url_with_a_name_of_the_services_is_no_proof_of_absence():
    renamed = {"_id": "x", "name": "coupons.csv", "file_url": URL}
    for record in (renamed, {**renamed, "file_url": None}):
        assert isinstance(own().recognise(Listing([OTHER, record])), Undecided)
        assert own().recognise(Listing([OTHER, record], names_kept=True)) == Absent()


def test_after_a_clear_the_file_is_told_by_its_digest_if_the_list_shows_no_url():
    name = file(3)["name"]
    hidden = {"_id": "g3", "name": name}
    assert own(CLEARED, 7).recognise(Listing([hidden])) == Found(hidden, 3)
    other = {**hidden, "name": name.replace(FILE, "0f0f0f")}
    assert own(CLEARED, 7).recognise(Listing([other])) == Found(other, 3, other["name"])
    cut = {**hidden, "name": name[:26]}
    assert isinstance(own(CLEARED, 7).recognise(Listing([cut])), Undecided)
    assert found(own().recognise(Listing([cut]))) == ("g3", 3)


def test_a_name_cut_within_the_digest_of_its_file_is_told_by_its_url():
    cut = {**file(3), "name": file(3)["name"][:26]}
    assert own(CLEARED, 7).recognise(Listing([cut])) == Found(cut, 3)
    other = {**cut, "file_url": OTHER["file_url"]}
    assert own(CLEARED, 7).recognise(Listing([other])) == Found(other, 3, OTHER["file_url"])
    assert replace(own(CLEARED, 7), url="").recognise(Listing([other])) == Undecided(
        "the list does not show the URL of a file of before the clear: g3"
    )
    assert replace(own(), url="").recognise(Listing([other])) == Found(other, 3)


def test_an_unknown_url_may_be_that_of_any_file_with_another_name():
    assert isinstance(replace(own(), url="").recognise(Listing([OTHER])), Undecided)
    assert replace(own(), url="").recognise(Listing([OTHER], names_kept=True)) == Absent()


def test_more_files_of_one_upload_are_warned_of(caplog: pytest.LogCaptureFixture):
    assert found(own().recognise(Listing([file(), file(_id="again")]))) == ("g3", 3)
    assert caplog.messages == ["The service carried out more than one request of this upload: g3, again"]


def test_at_most_five_files_are_named():
    files = [{"_id": f"{number}", "file_url": URL} for number in range(7)]
    for number, named in ((5, "0, 1, 2, 3, 4"), (7, "0, 1, 2, 3, 4 and 2 more")):
        assert own().recognise(Listing(files[:number])) == Undecided(f"files without a name may be it: {named}")


# -- names of the user's


def users(**changes: Any) -> UsersName:
    return UsersName(**{"name": "coupons.csv", "url": URL, "generation": 3, "known": (), **changes})


NAMED = {"_id": "new", "name": "coupons.csv", "file_url": URL}


@pytest.mark.parametrize(
    "shown",
    [
        {},
        {"name": "COUPONS.CSV"},
        {"file_url": None},
        {"file_url": "HTTPS://Files.Example.com:443/coupons.csv?sig=1"},
    ],
    ids=["as sent", "case", "no url", "equivalent url"],
)
def test_one_new_file_of_its_name_and_url_is_it(shown: dict[str, Any]):
    old = {**NAMED, "_id": "old"}
    listing = Listing([OTHER, old, {**NAMED, **shown}])
    assert found(users(known=("old",)).recognise(listing)) == ("new", 3)


@pytest.mark.parametrize(
    "shown",
    [
        {"file_url": OTHER["file_url"]},
        {"name": None},
        {"name": ""},
        {"name": "renamed.csv"},
        {"name": "coup", "file_url": None},
        {"name": "coupons.c"},
        {"name": "coupons.c", "file_url": OTHER["file_url"]},
        {"name": "coupons"},
    ],
    ids=[
        *("other url", "no name", "empty name", "other name", "cut short, no url", "cut", "cut, other url"),
        "no extension",
    ],
)
def test_a_new_file_that_may_be_it_is_no_proof_of_absence(shown: dict[str, Any]):
    assert isinstance(users().recognise(Listing([{**NAMED, **shown}])), Undecided)


def test_files_that_were_there_before_and_others_prove_nothing_against_it():
    assert users(known=("new",)).recognise(Listing([NAMED, OTHER])) == Absent()


def test_a_file_that_was_there_before_is_not_the_one_of_a_response():
    assert users(known=("old",)).may_match(NAMED)
    assert not users(known=("new",)).may_match(NAMED)
    assert not users(known=("new",)).may_match({"_id": "new"})


@pytest.mark.parametrize(
    ("shown", "matters"),
    [
        ({"name": "coupons.csv", "file_url": OTHER["file_url"]}, True),
        ({"name": "coup", "file_url": OTHER["file_url"]}, False),
        ({"name": "coup", "file_url": None}, True),
        ({"name": "other.csv", "file_url": None}, False),
        ({"name": "other.csv", "file_url": OTHER["file_url"]}, False),
        ({"name": "other.csv"}, True),
        ({"name": " ", "file_url": OTHER["file_url"]}, True),
        ({"name": 7, "file_url": OTHER["file_url"]}, True),
    ],
)
def test_a_name_that_was_cut_matters_if_it_is_long_enough_or_no_url_is_shown(shown: dict[str, Any], matters: bool):
    assert users().may_match({**NAMED, **shown}) is matters


def test_two_new_ones_cannot_be_told_apart():
    assert isinstance(users().recognise(Listing([NAMED, {**NAMED, "_id": "newer"}])), Undecided)


def test_without_knowing_what_was_there_only_a_unique_name_is_found():
    assert isinstance(users(known=None).recognise(Listing([NAMED])), Undecided)
    assert found(users(known=None, unique="coupons").recognise(Listing([NAMED]))) == ("new", 3)
    cut = {**NAMED, "name": "coupons-o"}
    name = "coupons-of-run-7.csv"
    assert isinstance(users(name=name, known=None, unique="run-7").recognise(Listing([cut])), Undecided)
    old_without_a_name = {"_id": "old", "file_url": OTHER["file_url"]}
    assert users(known=None).recognise(Listing([OTHER, old_without_a_name])) == Absent()


def test_a_file_of_before_a_clear_is_it_only_if_its_url_is_shown():
    cleared = users(known=None, unique="coupons", cleared=True)
    assert found(cleared.recognise(Listing([NAMED]))) == ("new", 3)
    assert cleared.recognise(Listing([{**NAMED, "file_url": None}])) == Undecided(
        "the list does not show the URLs of files of before the clear: new"
    )


@given(
    st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                key: st.none() | st.text(max_size=9) | st.just(URL) | st.integers()
                for key in ("_id", "name", "file_url")
            },
        )
    ),
    st.booleans(),
)
def test_no_list_breaks_it(records: list[dict[str, Any]], incomplete: bool):
    listing = Listing(records, "cut" if incomplete else "")
    for matcher in (own(), own(CLEARED), users(), users(known=None)):
        answer = matcher.recognise(listing)
        assert isinstance(answer, (Found, Absent, Undecided))
        assert not (incomplete and isinstance(answer, Absent))
        kept = replace(listing, records=[record for record in records if matcher.may_match(record)])
        assert type(matcher.recognise(kept)) is type(answer)  # what is left out while reading changes nothing


# -- URLs


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (URL, URL + "?sig=1#x", True),
        (URL, "HTTPS://FILES.example.COM/coupons.csv", True),
        (URL, "https://files.example.com:443/coupons.csv", True),
        ("http://h/a", "http://h:80/a", True),
        ("https://h/a%20b~", "https://h/a b%7E", True),
        ("https://h/%c3%a9", "https://h/%C3%A9", True),
        ("https://h", "https://h/", True),
        ("https://u:p@h/a", "https://h/a", True),
        (URL, "http://files.example.com/coupons.csv", False),
        (URL, "https://files.example.com:8443/coupons.csv", False),
        (URL, "https://files.example.com/Coupons.csv", False),
        ("https://h/a%2Fb", "https://h/a/b", False),
        ("https://h:x/a", "https://h/a", False),
    ],
)
def test_equivalent_urls(one: str, other: str, same: bool):
    assert same_url(one, other) is same
    assert same_url(other, one) is same
