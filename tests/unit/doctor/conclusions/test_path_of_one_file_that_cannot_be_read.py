"""
A path of one file replies with 200, but the provider can read no file there. If another reply was
an error of the service, such as its 404 for a path that does not exist, the path is *wrong*, and
the text says why no task can wait for the file: its status is no string, it has no
identifier, or one in another place than the top or data, it is XML, its JSON is wrapped in a call,
or a byte order mark too many comes before it (which is told before a status that is no string). If
no reply was an error of the service, it is *not proved*. The very record of the file without a
status proves the path: what is wrong is said of the records.

It is *not proved* in any case if the body is no JSON at all, or if the record is that of another
file, also after an upload. But a record of another file that names the one that was asked for is
that file, unreadable: *wrong*.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    Said,
    ids,
)
from support.doctor_paths import (
    GIVEN_FILE,
    LIST_WITH_F1,
    NOT_PROVED,
    SURE,
    WRAPPED,
    WRONG,
    PathCase,
    check_file,
    given_file,
    given_list,
)

CALLED_JSON = {"headers": {"content-type": "application/json"}}
FILE_NOT_READABLE = [
    PathCase(
        "a status that is a number",
        [*LIST_WITH_F1, given_file(200, {"_id": "f1", "status": 7})],
        Said(
            WRONG,
            "It has the file with status 7, but the provider reads a string under "
            "status only, so no task can wait for it. Ask the service's support for "
            "such a status.",
        ),
    ),
    PathCase(
        "no status",
        [*LIST_WITH_F1, given_file(200, {"_id": "f1"})],
        Said(SURE, "It has the record of a file: see Records."),
        path=GIVEN_FILE,
    ),
    PathCase(
        "an identifier that is not at the top",
        [*LIST_WITH_F1, given_file(200, {"file": {"_id": "f1", "status": "NEW"}})],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: its _id has to be at "
            "the top or under data, but it is under file. Ask the service's support.",
        ),
    ),
    PathCase(
        "no identifier",
        [*LIST_WITH_F1, given_file(200, {"name": "f1"})],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: the reply is no record "
            "with an _id. Ask the service's support.",
        ),
    ),
    PathCase(
        "XML with the identifier",
        [
            *LIST_WITH_F1,
            given_file(200, "<file><_id>f1</_id></file>", headers={"content-type": "text/xml"}),
        ],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: the reply is XML, and no JSON. Ask "
            "the service's support.",
        ),
    ),
    PathCase(
        "a mark too many",
        [*LIST_WITH_F1, given_file(200, '\ufeff\ufeff{"_id": "f1", "status": "NEW"}')],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: it has a byte order "
            "mark too many before its JSON. Ask the service's support.",
        ),
    ),
    PathCase(
        "a mark too many, and a status that is a number",
        [*LIST_WITH_F1, given_file(200, '\ufeff\ufeff{"_id": "f1", "status": 7}')],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: it has a byte order "
            "mark too many before its JSON. Ask the service's support.",
        ),
    ),
    PathCase(
        "wrapped JSON",
        [*LIST_WITH_F1, given_file(200, WRAPPED)],
        Said(
            WRONG,
            "GET /v1/coupon-list/spring/files/f1: The service replies with JSON in a "
            "call of x(), as JSONP, which the provider cannot read, and no setting "
            "changes that: ask its support for plain JSON. The list can be read, "
            "unlike that.",
        ),
    ),
    PathCase(
        "wrapped JSON, and no reply is an error of the service",
        [given_list(400, {"error": "x"}), given_file(200, WRAPPED)],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    PathCase(
        "no JSON",
        [*LIST_WITH_F1, given_file(200, "no JSON", **CALLED_JSON)],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1: 200 with application/json came, but "
            "its body is text that is no JSON: 'no JSON'. No setting helps: ask "
            "whoever runs what is between, or the service's support. The list can be "
            "read, unlike that.",
        ),
    ),
    PathCase(
        "another file",
        [*LIST_WITH_F1, given_file(200, {"_id": "f9"})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1 gets 200 with the record f9, which is "
            "not the file that was asked for, so a task could not wait for it. Ask the "
            "service's support for the path of one file.",
        ),
    ),
    PathCase(
        "another file after an upload",
        [given_file(200, {"_id": "f9"})],
        Said(
            NOT_PROVED,
            "GET /v1/coupon-list/spring/files/f1 gets 200 with the record f9, which is "
            "not the file that was asked for, so a task could not wait for it. Ask the "
            "service's support for the path of one file.",
        ),
        uploaded="f1",
    ),
    PathCase(
        "a status that is a number, and no reply is an error of the service",
        [given_list(400, {"error": "x"}), given_file(200, {"_id": "f1", "status": 7})],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    PathCase(
        "no status, and no reply is an error of the service",
        [given_list(400, {"error": "x"}), given_file(200, {"_id": "f1"})],
        Said(
            NOT_PROVED,
            "This path does not show a file of the list; --upload URL tries more, or "
            "ask the service's support.",
        ),
    ),
    PathCase(
        "another file, which names the one that was asked for",
        [*LIST_WITH_F1, given_file(200, {"_id": "f9", "of": "f1"})],
        Said(
            WRONG,
            "It has the file, but the provider cannot read it: 200 with coupon file 'f9', status ''. "
            "Ask the service's support.",
        ),
    ),
]


@pytest.mark.parametrize("row", FILE_NOT_READABLE, ids=ids(FILE_NOT_READABLE))
def test_a_file_that_cannot_be_read_is_wrong_if_the_service_shows_itself_by_an_error(row: PathCase):
    check_file(row)
