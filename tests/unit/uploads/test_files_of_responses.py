"""
The file in a 201 is taken unless it cannot be the one that was uploaded.

It cannot be if

- it is of another list;
- it has another name, and another URL or none; the beginning of the name that was sent is no other;
- it has another URL, and no name;
- it has a name that only this provider gives, of another upload, whatever the URL is;
- the user gives the name, and it is from another place on the URL's host;
- its identifier is that of a file which was there before;
- the body says that the upload has failed, by an error, a member such as ``success``, or, around
  the record, a ``code`` or a ``status``.

Then the file that the list shows is taken.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from support.attempts import TaskInstance
from unit.uploads.conftest import HOST, UPLOAD, replenish, upload, urls
from wes_provider.emulator import Emulator, faults

OF_ANOTHER_UPLOAD: dict[str, dict[str, Any]] = {
    "another name and URL": {"name": "theirs.csv", "file_url": f"{HOST}/theirs.csv"},
    "another URL, without a name": {"file_url": f"{HOST}/theirs.csv"},
    "another name, without a URL": {"name": "theirs.csv"},
    "the end of its name, and a URL of the service's": {
        "name": "coupons.csv",
        "file_url": "s3://theirs/17",
    },
    "its URL, and the name of another upload of ours": {
        "file_url": f"{HOST}/a.csv",
        "name": "hhhhhhhh-g3-bbbb-iiiiii.csv",
    },
    "another list": {"file_url": f"{HOST}/a.csv", "coupons_list_id": "winter"},
    "another list without a word of it, which is a key": {
        "file_url": f"{HOST}/a.csv",
        "coupons_list_id": "win***",
    },
}
WITH_ERROR: dict[str, dict[str, Any]] = {
    "an error": {"file_url": f"{HOST}/a.csv", "error": {"message": "not stored"}},
    "success is false": {"file_url": f"{HOST}/a.csv", "success": False},
    "ok is false, around the record": {"_id": None, "ok": False, "data": {"_id": "theirs"}},
    "status is error, around the record": {
        "_id": None,
        "status": "error",
        "data": {"_id": "theirs"},
    },
    "code is 500, around the record": {"_id": None, "code": 500, "data": {"_id": "theirs"}},
}


def upload_with_201(wes_emulator: Emulator, ti: TaskInstance, shown: dict[str, Any]) -> str:
    """
    Upload a file, whose request takes effect and gets a 201.

    :param shown: of the record in it, besides the identifier ``theirs``.
    :return: the file that the task has then.
    """
    body = json.dumps({"_id": "theirs", "status": "SUCCESS", **shown}).encode()
    wes_emulator.fail(UPLOAD, faults.Fault(effect=True, status=201, body=body), times=1)
    return str(ti.run(upload()))


@pytest.mark.parametrize("shown", OF_ANOTHER_UPLOAD.values(), ids=OF_ANOTHER_UPLOAD)
def test_the_file_of_a_response_with_another_name_url_or_list_is_not_taken(
    wes_emulator: Emulator, ti: TaskInstance, shown: dict[str, Any]
):
    """The one that the list shows is."""
    file_id = upload_with_201(wes_emulator, ti, shown)
    assert [file["_id"] for file in wes_emulator.files("summer")] == [file_id]


@pytest.mark.parametrize("shown", WITH_ERROR.values(), ids=WITH_ERROR)
def test_the_file_of_a_201_that_says_it_has_failed_is_not_taken(
    wes_emulator: Emulator, ti: TaskInstance, shown: dict[str, Any]
):
    """The one that the list shows is."""
    file_id = upload_with_201(wes_emulator, ti, shown)
    assert [file["_id"] for file in wes_emulator.files("summer")] == [file_id]


OF_THIS_UPLOAD: dict[str, dict[str, Any]] = {
    "its URL, and the list without a word of it, which is a key": {
        "file_url": f"{HOST}/a.csv",
        "coupons_list_id": "sum***",
    },
    "its name without a word of it, which is a key": {"name": "***.csv"},
    "neither a name nor a URL": {},
    "its URL, and a name of the service's": {"file_url": f"{HOST}/a.csv", "name": "file-17"},
    "the beginning of its name, and a URL of the service's": {
        "file_url": "s3://theirs/17",
        "name": "summer-co",
    },
    "members that say that there is no error": {"error": None, "errors": [], "success": True},
    "a code in the record itself, which may be the coupons'": {"code": 500},
    "a wrapper that says so": {"_id": "", "status": "success", "data": {"_id": "ours"}},
    "a wrapper with a code of success": {"_id": "", "code": 0, "data": {"_id": "ours"}},
}


@pytest.mark.parametrize("shown", OF_THIS_UPLOAD.values(), ids=OF_THIS_UPLOAD)
def test_the_file_of_a_response_that_may_describe_the_upload_is_taken(
    wes_emulator: Emulator, ti: TaskInstance, shown: dict[str, Any]
):
    body = json.dumps({"_id": "ours", "status": "PENDING", **shown}).encode()
    wes_emulator.fail(UPLOAD, faults.Fault(effect=True, status=201, body=body), times=1)
    assert ti.run(upload(name="summer-coupons.csv")) == "ours"


def test_the_file_of_a_response_from_another_place_on_the_host_is_not_taken_under_a_given_name(
    wes_emulator: Emulator, ti: TaskInstance
):
    """It has the same name, but may be that of an earlier run. The one that the list shows is."""
    name = "summer-nightly.csv"
    shown = {"_id": "theirs", "name": name, "file_url": f"{HOST}/older.csv"}
    fault = faults.Fault(effect=True, status=201, body=json.dumps(shown).encode())
    wes_emulator.fail(UPLOAD, fault, times=1)
    file_id = ti.run(upload(name=name))
    assert [file["_id"] for file in wes_emulator.files("summer")] == [file_id]


def test_the_file_of_a_response_with_the_identifier_of_an_earlier_one_is_not_taken(
    wes_emulator: Emulator, ti: TaskInstance
):
    """As of a service that replies with what it has, or a gateway that replays a response."""
    (first,) = ti.run(replenish(urls(1)))
    body = json.dumps({"_id": first, "status": "PENDING"}).encode()
    wes_emulator.fail(UPLOAD, faults.Fault(effect=True, status=201, body=body), times=1)
    ids = ti.run(replenish(urls(2)))
    assert [file["_id"] for file in wes_emulator.files("summer")] == ids
    assert len(set(ids)) == 2
