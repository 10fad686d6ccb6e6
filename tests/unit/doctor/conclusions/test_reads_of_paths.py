"""
Which reads a finding about a path rests on, and names, in their order; nowhere is short for a path
that does not exist.

The path of lists rests on the first read of the connection's path, that of the path with the list
or the last one tried, a larger page, the first of nowhere, and the other or made-up list; each
stands there though it is the same read. The path of one file rests on the first read of a file and
the one that has it, or all that were tried. Upload rests on the read of a list that is closed or
redirected, and, if words say that any path is redirected, on nowhere; without a redirect on none.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import LIST_AT, RestsOn, again, ids, made_up_list, nowhere
from support.doctor_paths import (
    F1,
    NAMING_SPRING,
    file_elsewhere,
    given_file,
    given_list,
    larger_page,
    list_elsewhere,
    list_moved,
    other_list,
)
from wes_provider.doctor.conclusions.list_conclusions import list_path
from wes_provider.doctor.conclusions.path_conclusions import file_path, upload_path
from wes_provider.doctor.reads import facts

SLASH = f"{LIST_AT}/"
GONE = {"message": "This path is gone."}
MOVED_NOWHERE = nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"})


OF_LISTS = [
    RestsOn("nothing was read", {}, []),
    # The read of the connection's path, and that of the path that has the list: here the same.
    RestsOn(
        "files at the connection's path",
        {
            "list": given_list(200, NAMING_SPRING),
            "list again": again(200, NAMING_SPRING),
            "nowhere": nowhere(),
            "made-up list": made_up_list(),
        },
        ["list", "list", "nowhere", "made-up list"],
    ),
    RestsOn(
        "a second read of nowhere",
        {
            "list": given_list(200, NAMING_SPRING),
            "nowhere": nowhere(),
            "second nowhere": nowhere(),
        },
        ["list", "list", "nowhere"],
    ),
    RestsOn(
        "files at another path, and a larger page",
        {
            "list": given_list(404),
            "elsewhere": list_elsewhere(200, NAMING_SPRING),
            "larger page": larger_page(200, b""),
            "nowhere": nowhere(),
            "made-up list": made_up_list(),
        },
        ["list", "elsewhere", "larger page", "nowhere", "made-up list"],
    ),
    RestsOn(
        "no path has the list",
        {
            "list": given_list(404),
            "elsewhere": list_elsewhere(404),
            "nowhere": nowhere(),
            "second nowhere": nowhere(),
            "other list": other_list(404, b""),
        },
        ["list", "elsewhere", "nowhere", "other list"],
    ),
]


@pytest.mark.parametrize("row", OF_LISTS, ids=ids(OF_LISTS))
def test_a_finding_about_the_path_of_lists_rests_on_these_reads(row: RestsOn):
    row.check(lambda evidence: list_path(evidence, facts.places(evidence)))


OF_FILES = [
    RestsOn("nothing was read", {}, []),
    # The read of the connection's path, and that of the path that has the file: here the same.
    RestsOn(
        "a file at the connection's path",
        {
            "list": given_list(200, NAMING_SPRING),
            "nowhere": nowhere(),
            "file": given_file(200, F1),
        },
        ["file", "file"],
    ),
    RestsOn(
        "a file at another path",
        {
            "list": given_list(200, NAMING_SPRING),
            "file": given_file(404),
            "elsewhere": file_elsewhere(200, F1),
        },
        ["file", "elsewhere"],
    ),
    RestsOn(
        "no path has the file",
        {
            "list": given_list(200, NAMING_SPRING),
            "file": given_file(404),
            "elsewhere": file_elsewhere(404),
        },
        ["file", "elsewhere"],
    ),
]


@pytest.mark.parametrize("row", OF_FILES, ids=ids(OF_FILES))
def test_a_finding_about_the_path_of_one_file_rests_on_these_reads(row: RestsOn):
    row.check(lambda evidence: file_path(evidence, facts.places(evidence)))


OF_UPLOADS = [
    RestsOn("nothing was read", {}, []),
    RestsOn("no redirect", {"list": given_list(200, NAMING_SPRING)}, []),
    RestsOn(
        "a list that is closed",
        {"list": given_list(200, {"data": NAMING_SPRING, "list_status": "CLOSED"})},
        ["list"],
    ),
    RestsOn(
        "a redirect with words, and one of nowhere",
        {
            "list": list_moved(SLASH, GONE),
            "nowhere": MOVED_NOWHERE,
            "second nowhere": nowhere(),
        },
        ["list", "nowhere"],
    ),
    RestsOn(
        "a redirect of the list only",
        {"list": list_moved(SLASH, GONE), "nowhere": nowhere()},
        ["list"],
    ),
    RestsOn(
        "a redirect below another address",
        {"list": list_moved(f"/gw{LIST_AT}"), "nowhere": nowhere()},
        ["list"],
    ),
]


@pytest.mark.parametrize("row", OF_UPLOADS, ids=ids(OF_UPLOADS))
def test_a_finding_about_the_path_of_uploads_rests_on_these_reads(row: RestsOn):
    row.check(lambda evidence: upload_path(evidence, facts.places(evidence)))
