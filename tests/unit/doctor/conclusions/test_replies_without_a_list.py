"""
If no reply has a list, its path is *not shown* if nothing was read or the key was refused. Else the
first of these holds, each *not proved*. Refused after an upload: that is about no path. A
documented 403: the path may be right. After an upload: the path does not show the uploaded file.
The first path that does not
exist gets the same JSON: the path is to be asked for. No list was named: name one. A 202: a job
collects the list; its properties and Location are quoted, without secrets. JSON as a string under
body: a gateway's envelope. An object without an array: the path may be right; this is *wrong* if it
came twice, and a made-up key was refused. So do one file alone, and files by their identifiers: if
the path of one file has it, the path of the list is right. Nowhere is short for a path that does
not exist.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import (
    NOT_FOUND,
    Said,
    ids,
    made_up,
    nowhere,
)
from support.doctor_paths import (
    F1,
    NOT_PROVED,
    NOT_SHOWN,
    WRONG,
    PathCase,
    check_list,
    given_file,
    given_list,
    given_list_twice,
    without_sesame,
)
from support.doctor_replies import error_body, request_for
from support.doctor_service import record
from wes_provider import contract
from wes_provider.doctor.reads.evidence import MADE_UP
from wes_provider.doctor.replies.probes import Question

NOT_READ = [
    PathCase(
        "nothing was read", [], Said(NOT_SHOWN, "Not asked, because other replies left it open.")
    ),
    PathCase(
        "nothing was read, since the time ran out",
        [],
        Said(NOT_SHOWN, "Not asked, because the time ran out."),
        not_asked={Question.LIST_PATH: "the time ran out"},
    ),
    PathCase(
        "refused",
        [given_list(401)],
        Said(NOT_SHOWN, "Not asked, because other replies left it open."),
    ),
]


@pytest.mark.parametrize("row", NOT_READ, ids=ids(NOT_READ))
def test_the_path_is_not_asked_if_nothing_was_read_or_the_list_is_refused(row: PathCase):
    check_list(row)


UNNAMED = [
    PathCase(
        "an object, and no list is named",
        [
            given_list(200, {"hello": "you"}, request=request_for(Question.LIST, list_id=MADE_UP)),
            nowhere(),
        ],
        Said(NOT_PROVED, "Name a list that exists in --coupon-list; the path may be right."),
        list_id=MADE_UP,
    ),
    PathCase(
        "an object, and nowhere the same, and no list is named",
        [
            given_list(200, {"hello": "you"}, request=request_for(Question.LIST, list_id=MADE_UP)),
            nowhere(200, {"hello": "you"}),
        ],
        Said(
            NOT_PROVED,
            "The service replies with the same JSON to a path that it cannot have: ask "
            "its support for the path.",
        ),
        list_id=MADE_UP,
    ),
    PathCase(
        "404, and no list is named",
        [
            given_list(404, NOT_FOUND, request=request_for(Question.LIST, list_id=MADE_UP)),
            nowhere(),
        ],
        Said(NOT_PROVED, "Name a list that exists in --coupon-list; the path may be right."),
        list_id=MADE_UP,
    ),
]


@pytest.mark.parametrize("row", UNNAMED, ids=ids(UNNAMED))
def test_without_a_named_list_the_path_may_be_right_unless_any_path_gets_the_same(row: PathCase):
    check_list(row)


NO_ARRAY = [
    PathCase(
        "an object",
        [given_list(200, {"hello": "you"}), nowhere()],
        Said(
            NOT_PROVED,
            "It has an object without an array, but the provider reads an array of objects, or "
            "one under data: ask the service's support for an array of files, or an "
            "object with it under data, each file with a string under _id and one "
            "under status, and its counts of coupons as numbers; the path of "
            "one file has to reply with such a file, too. The path itself may be right.",
        ),
    ),
    PathCase(
        "an object once, and a made-up key is refused",
        [given_list(200, {"hello": "you"}), nowhere(), made_up(401)],
        Said(
            NOT_PROVED,
            "It has an object without an array, but the provider reads an array of objects, or "
            "one under data: ask the service's support for an array of files, or an "
            "object with it under data, each file with a string under _id and one "
            "under status, and its counts of coupons as numbers; the path of "
            "one file has to reply with such a file, too. The path itself may be right.",
        ),
    ),
    PathCase(
        "an object twice, and no made-up key was read",
        [*given_list_twice(200, {"hello": "you"}), nowhere()],
        Said(
            NOT_PROVED,
            "It has an object without an array, but the provider reads an array of objects, or "
            "one under data: ask the service's support for an array of files, or an "
            "object with it under data, each file with a string under _id and one "
            "under status, and its counts of coupons as numbers; the path of "
            "one file has to reply with such a file, too. The path itself may be right.",
        ),
    ),
    PathCase(
        "an object twice, and a made-up key is refused",
        [*given_list_twice(200, {"hello": "you"}), nowhere(), made_up(401)],
        Said(
            WRONG,
            "It has an object without an array, but the provider reads an array of objects, or "
            "one under data: ask the service's support for an array of files, or an "
            "object with it under data, each file with a string under _id and one "
            "under status, and its counts of coupons as numbers; the path of "
            "one file has to reply with such a file, too. The path itself may be right.",
        ),
    ),
]


@pytest.mark.parametrize("row", NO_ARRAY, ids=ids(NO_ARRAY))
def test_json_without_a_list_leaves_the_path_open_unless_it_came_twice_and_the_key_is_accepted(
    row: PathCase,
):
    check_list(row)


READS = (
    "but the provider reads an array of objects, or one under data: ask the service's support for"
)
ONE = f"It has one file alone under data, and no array, {READS} an array, even for one file."
KEYED = f"It has 2 files keyed by their identifiers, and no array, {READS} an array of these files."
MAY_BE_ARRAY = "a list with two files or more may come as an array."
WITHOUT_ARRAY = [
    PathCase(
        "one file",
        [given_list(200, {"data": F1}), nowhere()],
        Said(NOT_PROVED, f"{ONE} The path itself may be right; {MAY_BE_ARRAY}"),
    ),
    PathCase(
        "one file, which its own path has",
        [given_list(200, {"data": F1}), nowhere(), given_file(200, F1)],
        Said(NOT_PROVED, f"{ONE} The path is right; {MAY_BE_ARRAY}"),
    ),
    PathCase(
        "one file twice, and a made-up key is refused",
        [*given_list_twice(200, {"data": F1}), nowhere(), made_up(401)],
        Said(WRONG, f"{ONE} The path itself may be right; {MAY_BE_ARRAY}"),
    ),
    PathCase(
        "one file after an upload",
        [given_list(200, {"data": F1}), nowhere()],
        Said(NOT_PROVED, f"{ONE} The path itself may be right; {MAY_BE_ARRAY}"),
        uploaded="f2",
    ),
    PathCase(
        "one file, and nowhere the same",
        [given_list(200, {"data": F1}), nowhere(200, {"data": F1})],
        Said(
            NOT_PROVED,
            "The service replies with the same JSON to a path that it cannot have: ask its support "
            "for the path.",
        ),
    ),
    PathCase(
        "two files by identifier",
        [given_list(200, {"f1": F1, "f2": record("f2")}), nowhere()],
        Said(NOT_PROVED, f"{KEYED} The path itself may be right."),
    ),
]


@pytest.mark.parametrize("row", WITHOUT_ARRAY, ids=ids(WITHOUT_ARRAY))
def test_files_without_an_array_are_said_and_the_path_is_right_if_one_is_found_at_its_own(
    row: PathCase,
):
    check_list(row)


JOBS = [
    PathCase(
        "a job that collects the list",
        [
            given_list(
                202,
                {"job": "e1", "state": "queued", "by": "x", "more": 1},
                headers={"location": "/v1/exports/e1"},
            ),
            nowhere(),
        ],
        Said(
            NOT_PROVED,
            "The list does not come at once: the service replies 202 to GET "
            "/v1/coupon-list/spring/files, with https://api.example.com/v1/exports/e1 as its "
            "Location (job e1, state queued, by x), as if a job collected it, and the provider "
            "cannot fetch what a job has made. The path may be right: ask the service's support "
            "for one that replies with the files themselves.",
        ),
    ),
    PathCase(
        "an object with 202 that says nothing",
        [given_list(202, {"a": []}), nowhere()],
        Said(
            NOT_PROVED,
            "The list does not come at once: the service replies 202 to GET "
            "/v1/coupon-list/spring/files, as if a job collected it, and the provider cannot fetch "
            "what a job has made. The path may be right: ask the service's support for one that "
            "replies with the files themselves.",
        ),
    ),
    PathCase(
        "a job whose state has a secret",
        [given_list(202, {"state": "for sesame"}, clean=without_sesame), nowhere()],
        Said(
            NOT_PROVED,
            "The list does not come at once: the service replies 202 to GET "
            "/v1/coupon-list/spring/files (state for ***), as if a job collected it, and the "
            "provider cannot fetch what a job has made. The path may be right: ask the service's "
            "support for one that replies with the files themselves.",
        ),
    ),
    PathCase(
        "a job with a number",
        [given_list(202, {"job": 7}), nowhere()],
        Said(
            NOT_PROVED,
            "The list does not come at once: the service replies 202 to GET "
            "/v1/coupon-list/spring/files (job 7), as if a job collected it, and the provider "
            "cannot fetch what a job has made. The path may be right: ask the service's support "
            "for one that replies with the files themselves.",
        ),
    ),
]


@pytest.mark.parametrize("row", JOBS, ids=ids(JOBS))
def test_a_success_with_202_is_taken_for_a_list_that_a_job_collects(row: PathCase):
    check_list(row)


def test_of_an_envelope_of_a_gateway_is_said_where_its_json_is():
    check_list(
        PathCase(
            "an envelope of a gateway",
            [given_list(200, {"statusCode": 200, "body": '[{"_id": "f1"}]'}), nowhere()],
            Said(
                NOT_PROVED,
                "It has JSON as a string under body, as the envelope of a function has it, which the "
                "provider does not open: ask whoever runs the gateway to send what is in it. The path "
                "itself may be right.",
            ),
        )
    )


SAME_NOWHERE = [
    PathCase(
        "an object, and nowhere the same",
        [given_list(200, {"hello": "you"}), nowhere(200, {"hello": "you"})],
        Said(
            NOT_PROVED,
            "The service replies with the same JSON to a path that it cannot have: ask "
            "its support for the path.",
        ),
    ),
    PathCase(
        "an object, and the same at the first of two paths nowhere",
        [given_list(200, {"hello": "you"}), nowhere(200, {"hello": "you"}), nowhere()],
        Said(
            NOT_PROVED,
            "The service replies with the same JSON to a path that it cannot have: ask "
            "its support for the path.",
        ),
    ),
]


@pytest.mark.parametrize("row", SAME_NOWHERE, ids=ids(SAME_NOWHERE))
def test_the_path_is_open_if_the_first_path_that_does_not_exist_gets_the_same_json(row: PathCase):
    check_list(row)


AFTER_UPLOAD = [
    PathCase(
        "an object, and nowhere the same",
        [given_list(200, {"hello": "you"}), nowhere(200, {"hello": "you"})],
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file. Ask the service's support "
            "where and when a list has a new file.",
        ),
        uploaded="f9",
    ),
]


@pytest.mark.parametrize("row", AFTER_UPLOAD, ids=ids(AFTER_UPLOAD))
def test_after_an_upload_an_answer_without_a_list_does_not_show_the_uploaded_file(row: PathCase):
    check_list(row)


def test_a_refusal_of_the_list_after_an_upload_is_about_no_path():
    check_list(
        PathCase(
            "refused",
            [given_list(401)],
            Said(
                NOT_PROVED,
                "Not shown: reads of the list since the upload got 401 request-unauthenticated: "
                "'Credentials are missing or invalid', which is about no path. Run this again without "
                "--upload, once the service answers.",
            ),
            uploaded="f1",
        )
    )


def test_a_documented_403_may_come_from_the_right_path_even_after_an_upload():
    check_list(
        PathCase(
            "403 as documented, after an upload",
            [given_list(403, error_body(contract.REQUEST_FORBIDDEN, "No.")), nowhere()],
            Said(
                NOT_PROVED,
                "The service replies 403 request-forbidden to GET "
                "/v1/coupon-list/spring/files: 'No'. The path may be right. Ask the "
                "service's support for access.",
            ),
            uploaded="f9",
        )
    )
