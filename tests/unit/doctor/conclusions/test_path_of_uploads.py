"""
What reads show of Upload; nothing is proposed. Without a redirect they show nothing (*not shown*),
but a list whose reply says that it is closed may take no files (*Not proved*).

If the read of the list is redirected, uploads go to that path, too, and no setting changes it: *Not
proved*. It says what the redirect adds to the query, or below which other address it leads, unless
segments are here. A redirect to another name of the list, unless that is only encoded otherwise, is
settled first (*not shown*); one to another host shows nothing unless the files are elsewhere at
this one, and neither does one if that of segments leads to another address. It is wrong if a path
that does not exist is redirected, too, and the list's redirect has words; it then says if the extra
repairs reads at other paths, and no upload.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    LIST_AT,
    Said,
    ids,
    nowhere,
    segment,
)
from support.doctor_paths import (
    F1,
    NAMING_SPRING,
    NOT_PROVED,
    NOT_SHOWN,
    WRONG,
    PathCase,
    file_elsewhere,
    given_file,
    given_list,
    list_elsewhere,
    list_moved,
)
from wes_provider.doctor.conclusions.path_conclusions import upload_path
from wes_provider.doctor.findings.finding import Topic

SLASH = f"{LIST_AT}/"
GONE = {"message": "This path is gone."}


def check_upload(row: PathCase) -> None:
    """The finding about uploads says what the row says, word for word, and proposes nothing."""
    finding = upload_path(row.evidence, row.tried)
    assert finding.topic is Topic.UPLOAD
    assert Said.of(finding) == row.said
    assert (finding.settings, finding.guesses) == ({}, {})


NOT_REDIRECTED = [
    PathCase(
        "nothing was read",
        [],
        Said(NOT_SHOWN, "Reads cannot show that uploads work; --upload URL proves it."),
    ),
    PathCase(
        "no redirect",
        [given_list(200, NAMING_SPRING)],
        Said(NOT_SHOWN, "Reads cannot show that uploads work; --upload URL proves it."),
    ),
    PathCase(
        "a list whose reply says that it is closed",
        [given_list(200, {"data": NAMING_SPRING, "list_status": "ARCHIVED"})],
        Said(
            NOT_PROVED,
            "It may take no files, since the list's reply has list_status: ARCHIVED: name a list that "
            "takes files, or have this one opened in the service's dashboard.",
        ),
    ),
]


@pytest.mark.parametrize("row", NOT_REDIRECTED, ids=ids(NOT_REDIRECTED))
def test_reads_without_a_redirect_show_nothing_of_uploads_but_a_list_that_is_closed(row: PathCase):
    check_upload(row)


REDIRECTED = [
    PathCase(
        "a redirect that adds to the query",
        [list_moved(f"{LIST_AT}?wid=acme", status=307)],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected to the same path with wid in its "
            "query (307). Uploads go to that path, too, and have no query, and no setting adds "
            "one: ask whoever runs it, or the service's support, to take uploads without.",
        ),
    ),
    PathCase(
        "a redirect to another path",
        [list_moved(SLASH)],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301). Uploads go to "
            "that path, too, and no setting changes it: ask the service's support "
            "whether it takes them there, or let --upload URL prove it.",
        ),
    ),
    PathCase(
        "a redirect to another path, with words",
        [list_moved(SLASH, GONE)],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301): 'This path is "
            "gone'. Uploads go to that path, too, and no setting changes it: ask the "
            "service's support whether it takes them there, or let --upload URL prove "
            "it.",
        ),
    ),
    PathCase(
        "a redirect to another host",
        [list_moved(f"https://files.example.org{SLASH}")],
        Said(NOT_SHOWN, "Reads cannot show that uploads work; --upload URL proves it."),
    ),
    PathCase(
        "a redirect to another host, and files elsewhere at this one",
        [list_moved(f"https://files.example.org{SLASH}"), list_elsewhere(200, NAMING_SPRING)],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301 to "
            "https://files.example.org/v1/coupon-list/spring/files/). Uploads go to that path, "
            "too, and no setting changes it: ask the service's support whether it takes them "
            "there, or let --upload URL prove it.",
        ),
    ),
    PathCase(
        "a redirect to another name",
        [list_moved("/v1/coupon-list/winter/files")],
        Said(
            NOT_SHOWN,
            "A read of /v1/coupon-list/spring/files, which uploads go to, is "
            "redirected to the same path with winter (301): settle the name of the "
            "list first.",
        ),
    ),
    PathCase(
        "a redirect to the same name, encoded otherwise",
        [list_moved("/v1/coupon-list/%73pring/files")],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301). Uploads go to "
            "that path, too, and no setting changes it: ask the service's support "
            "whether it takes them there, or let --upload URL prove it.",
        ),
    ),
    PathCase(
        "a redirect below another address",
        [list_moved(f"/gw{LIST_AT}")],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected to the same path "
            "below https://api.example.com/gw (301, Location "
            "https://api.example.com/gw/v1/coupon-list/spring/files). If uploads are, "
            "too, put that into the Address, and take it out of paths.",
        ),
    ),
    PathCase(
        "a redirect below another address, but segments are here",
        [list_moved(f"/gw{LIST_AT}"), segment()],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301). Uploads go to "
            "that path, too, and no setting changes it: ask the service's support "
            "whether it takes them there, or let --upload URL prove it.",
        ),
    ),
    PathCase(
        "a redirect to another path, and of segments below another address",
        [list_moved(SLASH), segment(301, b"", headers={"location": "/gw/a"})],
        Said(NOT_SHOWN, "Reads cannot show that uploads work; --upload URL proves it."),
    ),
]


@pytest.mark.parametrize("row", REDIRECTED, ids=ids(REDIRECTED))
def test_a_redirect_of_the_list_leaves_uploads_open(row: PathCase):
    check_upload(row)


REDIRECTED_NOWHERE = [
    PathCase(
        "a redirect, and nowhere, too",
        [list_moved(SLASH), nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"})],
        Said(
            NOT_PROVED,
            "A read of /v1/coupon-list/spring/files is redirected (301). Uploads go to "
            "that path, too, and no setting changes it: ask the service's support "
            "whether it takes them there, or let --upload URL prove it.",
        ),
    ),
    PathCase(
        "a redirect with words, and nowhere, too",
        [
            list_moved(SLASH, GONE),
            nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"}),
        ],
        Said(
            WRONG,
            "The service replies 301 to GET /v1/coupon-list/spring/files: 'This path "
            "is gone'. Any path of that kind is redirected, and uploads go to one, "
            "which no setting changes: ask the service's support to take uploads "
            "there, or for a newer provider.",
        ),
    ),
    PathCase(
        "a redirect with words, and nowhere, too, and files elsewhere",
        [
            list_moved(SLASH, GONE),
            nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"}),
            list_elsewhere(200, NAMING_SPRING),
        ],
        Said(
            WRONG,
            "The service replies 301 to GET /v1/coupon-list/spring/files: 'This path "
            "is gone'. Any path of that kind is redirected, and uploads go to one, "
            "which no setting changes: ask the service's support to take uploads "
            "there, or for a newer provider. The extra repairs reads of lists and of "
            "files, and no upload.",
        ),
    ),
    PathCase(
        "a redirect with words, and nowhere, too, and a file elsewhere",
        [
            list_moved(SLASH, GONE),
            nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"}),
            file_elsewhere(200, F1),
        ],
        Said(
            WRONG,
            "The service replies 301 to GET /v1/coupon-list/spring/files: 'This path "
            "is gone'. Any path of that kind is redirected, and uploads go to one, "
            "which no setting changes: ask the service's support to take uploads "
            "there, or for a newer provider. The extra repairs reads of lists and of "
            "files, and no upload.",
        ),
    ),
    PathCase(
        "a redirect with words, and nowhere, too, and a file where it should be",
        [
            list_moved(SLASH, GONE),
            nowhere(301, b"", headers={"location": "/v1/wes-doctor/spring/"}),
            given_file(200, F1),
        ],
        Said(
            WRONG,
            "The service replies 301 to GET /v1/coupon-list/spring/files: 'This path "
            "is gone'. Any path of that kind is redirected, and uploads go to one, "
            "which no setting changes: ask the service's support to take uploads "
            "there, or for a newer provider.",
        ),
    ),
]


@pytest.mark.parametrize("row", REDIRECTED_NOWHERE, ids=ids(REDIRECTED_NOWHERE))
def test_uploads_are_wrong_if_nowhere_is_redirected_too_and_words_say_why(row: PathCase):
    check_upload(row)
