"""
Accounts whose paths end in a slash, are redirected, refused, or elsewhere. A path is proposed if a
read there has the files, also if a gateway has its own words for paths that it does not have. If a
list is redirected to records that the provider cannot read, that is said, and not proposed. An upload is *Not proved* if reads of its path are redirected, since no
setting changes that path; it is left alone if they get 404 or 405.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    ELSEWHERE,
    FILE_TEMPLATE,
    FORBIDDEN,
    LIST_TEMPLATE,
    LOGIN,
    NOT_PROVED,
    NOT_READY,
    READY,
    WITH_SLASH,
    Row,
    check_not_wrong,
    check_open,
    check_pasted,
    check_proposed,
    check_verdict,
    only_get,
    only_path,
    pages_for_no_path,
    redirect,
    report_on,
    with_slash,
)
from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    error_reply,
    json_reply,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic

OTHER_FILES = f"/v1/coupon-list/{LIST}/coupon-files"


def without_route(call: Call) -> Reply | None:
    """A gateway whose words for paths that it does not have come before any key is looked at."""
    is_routed = call.path.startswith((OTHER_FILES, f"{FILES_PATH}/"))
    return None if is_routed else json_reply(403, {"message": "Missing Authentication Token"})


def moved_to_another_shape(call: Call) -> Reply | None:
    """A list that moved to another version, whose records have other names."""
    if call.path.startswith("/v1/coupon-list/"):
        return redirect(call.path.replace("/v1/coupon-list/", "/v2/coupon-lists/"), 301)
    if call.path == f"/v2/coupon-lists/{LIST}/files":
        return json_reply(200, {"items": [{"id": "f1", "state": "imported"}]})
    return None


def moved_to_two_paths(call: Call) -> Reply | None:
    """The paths of the list and of one file moved to different ones of a newer version."""
    if call.path == FILES_PATH:
        return redirect(f"/v2/coupon-lists/{LIST}/files")
    if call.path.startswith(f"{FILES_PATH}/"):
        return redirect(call.path.replace(FILES_PATH, "/v2/coupon-files"))
    return None


ACCOUNTS = [
    Row(
        "paths redirected to two others",
        lambda: Account(
            moved_to_two_paths,
            list_path=f"/v2/coupon-lists/{LIST}/files",
            file_path="/v2/coupon-files/{id}",
        ),
        NOT_READY,
        (Topic.LIST_PATH.value, "The service names /v2/coupon-lists/{coupon_list_id}/files, which"),
        {
            "paths.coupon_files": "/v2/coupon-lists/{coupon_list_id}/files",
            "paths.coupon_file": "/v2/coupon-files/{coupon_file_id}",
        },
        not_sure=(Topic.UPLOAD,),
    ),
    Row(
        "a gateway without the usual path",
        lambda: Account(without_route, list_path=OTHER_FILES),
        NOT_READY,
        (Topic.LIST_PATH.value, "It is /v1/coupon-list/{coupon_list_id}/coupon-files"),
        {"paths.coupon_files": "/v1/coupon-list/{coupon_list_id}/coupon-files"},
        not_sure=(Topic.DATA_KEY,),
    ),
    Row(
        "a list redirected to records of another shape",
        lambda: Account(moved_to_another_shape),
        NOT_PROVED,
        (Topic.UPLOAD.value, f"A read of {FILES_PATH} is redirected (301). Uploads go to that"),
        not_sure=(Topic.UPLOAD, Topic.LIST_PATH, Topic.CAMPAIGN_KEY),
    ),
    Row(
        "a slash at the list's end",
        lambda: Account(
            lambda call: redirect(f"{FILES_PATH}/") if call.path == FILES_PATH else None,
            list_path=f"{FILES_PATH}/",
        ),
        NOT_READY,
        (Topic.LIST_PATH.value, f"The service names {LIST_TEMPLATE}/, which has 2 files"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}/"},
    ),
    Row(
        "a slash at each path's end, which is set",
        lambda: Account(with_slash, list_path=f"{FILES_PATH}/", file_path=f"{FILES_PATH}/{{id}}/"),
        NOT_PROVED,
        (
            Topic.UPLOAD.value,
            f"A read of {FILES_PATH} is redirected (301). Uploads go to that path, too, and no "
            "setting changes it",
        ),
        extra=WITH_SLASH,
        not_sure=(Topic.UPLOAD,),
    ),
    Row(
        "uploads moved, and lists elsewhere",
        lambda: Account(only_get(FILES_PATH, redirect("/v2/uploads", 307)), list_path=ELSEWHERE),
        NOT_PROVED,
        (Topic.UPLOAD.value, f"A read of {FILES_PATH} is redirected (307)"),
        extra={"paths": {"coupon_files": "/v1/lists/{coupon_list_id}"}},
        not_sure=(Topic.UPLOAD,),
    ),
    Row(
        "the path of uploads not found, and lists elsewhere",
        lambda: Account(list_path=ELSEWHERE),
        READY,
        ("Ready, as far as reads show: ",),
        extra={"paths": {"coupon_files": "/v1/lists/{coupon_list_id}"}},
    ),
    Row(
        "the path of uploads not readable, and lists elsewhere",
        lambda: Account(
            only_get(FILES_PATH, error_reply(405, "method-not-allowed", "POST only.")),
            list_path=ELSEWHERE,
        ),
        READY,
        ("Ready, as far as reads show: ",),
        extra={"paths": {"coupon_files": "/v1/lists/{coupon_list_id}"}},
    ),
    Row(
        "reads of the path of uploads led to a login page, and lists elsewhere",
        lambda: Account(only_get(FILES_PATH, redirect(LOGIN, 302)), list_path=ELSEWHERE),
        NOT_PROVED,
        (
            Topic.UPLOAD.value,
            f"A read of {FILES_PATH} is redirected (302 to https://login.example.net/authorize). Uploads go to that path, too",
        ),
        extra={"paths": {"coupon_files": "/v1/lists/{coupon_list_id}"}},
    ),
    Row(
        "a slash at the file's end",
        lambda: Account(
            lambda call: redirect(f"{call.path}/") if call.path == f"{FILES_PATH}/f1" else None,
            file_path=f"{FILES_PATH}/{{id}}/",
        ),
        NOT_READY,
        (Topic.FILE_PATH.value, f"The service names {FILE_TEMPLATE}/"),
        {"paths.coupon_file": f"{FILE_TEMPLATE}/"},
    ),
    Row(
        "the file nowhere",
        lambda: Account(file_path="/v9/{id}"),
        NOT_PROVED,
        (Topic.FILE_PATH.value, "None of these paths shows a file of the list"),
    ),
    Row(
        "one file forbidden, and another one not",
        lambda: Account(only_path("/files/f1", json_reply(403, FORBIDDEN))),
        READY,
    ),
    Row(
        "all files forbidden",
        lambda: Account(only_path("/files/", json_reply(403, FORBIDDEN))),
        NOT_PROVED,
        (Topic.FILE_PATH.value, "replies 403 request-forbidden", "The path may be right"),
    ),
    Row(
        "another path beside web pages",
        lambda: Account(pages_for_no_path, file_path=f"{FILES_PATH}/{{id}}"),
        NOT_READY,
        (Topic.LIST_PATH.value, "It is /v1/coupon-list/{coupon_list_id}/coupon-files"),
        {"paths.coupon_files": "/v1/coupon-list/{coupon_list_id}/coupon-files"},
    ),
]


def test_the_upload_is_not_proved_and_the_address_is_sure_if_paths_lead_to_two_others():
    (row,) = [row for row in ACCOUNTS if row.name == "paths redirected to two others"]
    report = report_on(row)
    assert about(report, Topic.ADDRESS).certainty is Certainty.SURE
    upload = about(report, Topic.UPLOAD)
    assert upload.certainty is Certainty.NOT_PROVED
    assert upload.text.startswith(f"A read of {FILES_PATH} is redirected (308). Uploads go to that")


def test_what_a_list_has_where_it_is_redirected_to_is_said_if_it_cannot_be_read():
    (row,) = [
        row for row in ACCOUNTS if row.name == "a list redirected to records of another shape"
    ]
    assert about(report_on(row), Topic.LIST_PATH).text.startswith(
        f"{FILES_PATH} is redirected to /v2/coupon-lists/{{coupon_list_id}}/files, which has records "
        "that the provider cannot read: 1 object under items without _id. Do not put that path in, "
    )


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_the_verdict_says_these_words_in_this_order(row: Row):
    check_verdict(row)


@pytest.mark.parametrize("row", ACCOUNTS, ids=ids(ACCOUNTS))
def test_no_other_settings_are_proposed_than_replies_show(row: Row):
    check_proposed(row)


LEFT_OPEN = [row for row in ACCOUNTS if row.not_sure]


@pytest.mark.parametrize("row", LEFT_OPEN, ids=ids(LEFT_OPEN))
def test_nothing_is_sure_that_replies_leave_open(row: Row):
    check_open(row)


NOT_WRONG = [row for row in ACCOUNTS if row.state is NOT_PROVED]


@pytest.mark.parametrize("row", NOT_WRONG, ids=ids(NOT_WRONG))
def test_nothing_is_wrong_of_an_account_that_is_not_proved(row: Row):
    check_not_wrong(row)


TO_PASTE = [row for row in ACCOUNTS if row.state is NOT_READY and row.changed]


@pytest.mark.weekly("the first run of each account has the extra that is printed")
@pytest.mark.parametrize("row", TO_PASTE, ids=ids(TO_PASTE))
def test_with_the_extra_that_is_printed_nothing_is_wrong_and_nothing_else_proposed(row: Row):
    check_pasted(row)


def test_a_file_that_is_forbidden_is_named_beside_one_that_is_not():
    report = report_on(next(row for row in ACCOUNTS if row.name.startswith("one file forbidden")))
    text = about(report, Topic.FILE_PATH).text
    assert text.startswith("It has a file and its status. But the key may not read file f1 (403 ")
