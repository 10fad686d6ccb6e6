"""Accounts whose lists, pages, paths and statuses differ from the contract: the cause is named first,
and no setting is proposed or certain without proof.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_gateways import (
    ELSEWHERE,
    FILE_TEMPLATE,
    FORBIDDEN,
    GARBLED,
    LIST_TEMPLATE,
    LOGIN,
    NOT_PROVED,
    NOT_READY,
    OF_OTHERS,
    READY,
    THREE,
    UNNAMED,
    WITH_SLASH,
    Row,
    any_list,
    any_list_is_empty,
    check_not_wrong,
    check_open,
    check_pasted,
    check_proposed,
    check_verdict,
    error,
    in_charset,
    in_page_object,
    only_get,
    only_path,
    page_at_most,
    page_of,
    pages_for_no_path,
    redirect,
    with_slash,
    zipped,
)
from support.doctor_service import (
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    examined_account,
    json_reply,
    not_found,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings import Certainty, Topic

ACCOUNTS = [
    Row("healthy", Account, READY, ("Ready, as far as reads show: ", "uploads were not tried.")),
    # -- statuses that are no words
    Row(
        "numbers as statuses",
        lambda: Account(records=[record("f1", 7), record("f2", 9)]),
        NOT_READY,
        (Topic.FILE_PATH.value, "It has the file with status 7, but the provider reads a string"),
    ),
    Row(
        "objects as statuses",
        lambda: Account(records=[record("f1", {"code": "DONE"})]),
        NOT_READY,
        (Topic.FILE_PATH.value, 'with status {"code":"DONE"}, but the provider reads a string'),
    ),
    Row(
        "null as a status, and a state beside it",
        lambda: Account(records=[record("f1", None, state="DONE")]),
        NOT_READY,
        (Topic.FILE_PATH.value, 'with state "DONE", but the provider reads a string under status'),
    ),
    Row(
        "null as a status",
        lambda: Account(records=[record("f1", None)]),
        NOT_READY,
        (Topic.FILE_PATH.value, "its record has no status"),
    ),
    Row(
        "numbers as statuses in the list only",
        lambda: Account(list_body=lambda records: [{**file, "status": 7} for file in records]),
        NOT_PROVED,
        (Topic.STATUSES.value, "Files have status 7 in the list, but a status that the provider"),
        not_sure=(Topic.STATUSES,),
    ),
    # -- shapes
    Row(
        "records without _id",
        lambda: Account(
            records=[{"id": "a", "status": "DONE"}, {"id": "b", "status": "DONE"}],
            list_body=lambda records: {"data": {"items": records}},
        ),
        NOT_READY,
        (Topic.RECORDS.value, "2 objects under data.items without _id"),
    ),
    Row(
        "a number as _id",
        lambda: Account(records=[{"_id": 7, "status": "DONE"}]),
        NOT_READY,
        (Topic.RECORDS.value, "1 object without a usable _id"),
    ),
    Row(
        "identifiers only",
        lambda: Account(list_body=lambda _: {"data": {"items": ["f1", "f2"]}}),
        NOT_READY,
        (Topic.LIST_PATH.value, "2 strings under data.items, but the provider reads an array"),
    ),
    Row(
        "files by identifier",
        lambda: Account(list_body=lambda records: {file["_id"]: file for file in records}),
        NOT_READY,
        (Topic.LIST_PATH.value, "an object without an array"),
    ),
    Row(
        "files deep below",
        lambda: Account(list_body=lambda records: {"x": {"files": records}}),
        NOT_READY,
        (Topic.LIST_PATH.value, "the files under x.files, but the provider reads an array"),
    ),
    Row(
        "another charset",
        lambda: Account(in_charset("latin-1")),
        READY,
    ),
    Row("zipped", lambda: Account(zipped), READY),
    # -- pages
    Row(
        "a link to a next page, whatever the size",
        lambda: Account(list_headers={"Link": f'<{FILES_PATH}?per_page=2&page=2>; rel="next"'}),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "names a next page; per_page=1000 does not show all"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "a total above the length",
        lambda: Account(list_body=lambda records: {"data": records[:1], "total": 2}),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "a part of the list only", "1 of 2 files"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "pages of one, in an object that names its size",
        in_page_object("size"),
        NOT_READY,
        (Topic.LIST_PATH.value, "with size=500, it has all of it, which is enough up to 500"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?size=500"},
    ),
    Row(
        "pages of one, in an object with another name",
        in_page_object("perPage"),
        NOT_READY,
        (Topic.LIST_PATH.value, "with perPage=500, it has all of it, which is enough up to 500"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?perPage=500"},
    ),
    Row(
        "pages of one, of another parameter",
        in_page_object("chunk"),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "1 of 3 files; limit=1000 does not show all", "Ask the"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "a status in bytes that are no text",
        lambda: Account(
            lambda call: (
                only_path(FILES_PATH, Reply(200, GARBLED))(call)
                if call.path == FILES_PATH
                else None
            )
        ),
        NOT_PROVED,
        (Topic.STATUSES.value, "cannot be read: its bytes are not text in the charset"),
        not_sure=(Topic.STATUSES,),
    ),
    Row(
        "pages of one",
        lambda: Account(page_of(1), records=THREE),
        NOT_READY,
        (Topic.LIST_PATH.value, "with limit=1000, it has all of it"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?limit=1000"},
    ),
    Row(
        "pages of one, in an object with another name than the parameter",
        lambda: Account(page_at_most(1000), records=THREE),
        NOT_READY,
        (Topic.LIST_PATH.value, "with limit=1000, it has all of it"),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?limit=1000"},
    ),
    Row(
        "pages of a hundred at most, which a refusal says",
        lambda: Account(page_at_most(100), records=THREE),
        NOT_READY,
        (
            Topic.LIST_PATH.value,
            "with limit=100, it has all of it, which is enough up to 100 files; there are 3",
        ),
        {"paths.coupon_files": f"{LIST_TEMPLATE}?limit=100"},
    ),
    Row(
        "pages of two at most of three",
        lambda: Account(page_at_most(2), records=THREE),
        NOT_PROVED,
        (
            Topic.LIST_PATH.value,
            "1 of 3 files; perPage=1000 does not show all, limit=1000 gets 422: 'at most 2'. Use",
        ),
        not_sure=(Topic.LIST_PATH,),
    ),
    # -- statuses
    Row(
        "one status for success and failure",
        lambda: Account(
            records=[record("f1", "OVER"), record("f2", "OVER", error="bad", coupons_added=0)]
        ),
        NOT_PROVED,
        (Topic.STATUSES.value, "OVER cannot be told apart: failure or success"),
    ),
    Row(
        "a file with success that has a reason and no coupons",
        lambda: Account(records=[record("f1"), record("f2", error="no header", coupons_added=0)]),
        NOT_PROVED,
        (Topic.STATUSES.value, "1 of 2 files", "the service names: 'no header'"),
    ),
    Row(
        "an unknown status of a file with a reason",
        lambda: Account(records=[record("f1"), {"_id": "f2", "status": "BROKEN", "error": "bad"}]),
        NOT_PROVED,
        (Topic.STATUSES.value, "BROKEN seems to mean failure (file f2: the service names 'bad')"),
        {
            "coupon_file_statuses.failure": [
                "BROKEN",
                "CANCELLED",
                "ERROR",
                "EXPIRED",
                "FAILED",
                "FAILURE",
                "REJECTED",
            ]
        },
    ),
    Row(
        "nothing but files on their way",
        lambda: Account(records=[record("f1", "PENDING")]),
        NOT_PROVED,
        (Topic.STATUSES.value, "Only PENDING in the list"),
    ),
    Row(
        "an unknown stage, which is harmless",
        lambda: Account(records=[record("f1"), record("f2", "VALIDATING")]),
        READY,
        changed={
            "coupon_file_statuses.pending": [
                "IN_PROGRESS",
                "PENDING",
                "PROCESSING",
                "QUEUED",
                "RUNNING",
                "VALIDATING",
            ]
        },
    ),
    # -- paths
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
            only_get(FILES_PATH, error(405, "method-not-allowed", "POST only.")),
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
        "the file forbidden",
        lambda: Account(only_path("/files/f1", json_reply(403, FORBIDDEN))),
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
    Row(
        "404 to a list without files",
        lambda: Account(only_path("/files", not_found("such list")), records=[]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "replies so to a list without files: name a list with files"),
    ),
    Row(
        "an empty list, and any other one as well",
        lambda: Account(any_list_is_empty, records=[]),
        NOT_PROVED,
        (
            Topic.LIST_PATH.value,
            f"has no file, and a list that does not exist gets the same, so {LIST} may not exist",
            "before anything is uploaded into it",
        ),
    ),
    Row(
        "an empty list",
        lambda: Account(records=[]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "has no file, so it may list something else"),
    ),
    Row(
        "an empty list at another path",
        lambda: Account(records=[], list_path=f"/v1/coupon-list/{LIST}/coupon-files"),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "coupon-files has no file", "name a list with files"),
        {"paths.coupon_files": "/v1/coupon-list/{coupon_list_id}/coupon-files"},
        not_sure=(Topic.LIST_PATH,),
    ),
    # -- envelopes
    Row(
        "records below result",
        lambda: Account(
            lambda call: (
                json_reply(200, {"result": record("f1")}) if call.path.endswith("/f1") else None
            )
        ),
        NOT_READY,
        (Topic.FILE_PATH.value, "its _id has to be at the top or under data, but it is under res"),
    ),
    Row(
        "one file as an array",
        lambda: Account(only_path("/f1", json_reply(200, [record("f1")]))),
        NOT_READY,
        (Topic.FILE_PATH.value, "at the top or under data, but it is in an array"),
    ),
    Row(
        "a number as the identifier of one file",
        lambda: Account(only_path("/f1", json_reply(200, {**record("f1"), "_id": 71}))),
        NOT_READY,
        (Topic.FILE_PATH.value, "but it is 71, which is no string"),
    ),
    Row(
        "success true beside the data",
        lambda: Account(
            list_body=lambda records: {"success": True, "error": None, "data": records}
        ),
        READY,
    ),
    # -- lists of others
    Row(
        "another path has files of other lists",
        lambda: Account(list_path="/v1/coupon-lists/spring/files", records=OF_OTHERS),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "none of them of the list spring, but of autumn, winter"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the path has files of other lists",
        lambda: Account(records=OF_OTHERS),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "none of them of the list spring, but of autumn, winter"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the path has files of other lists, too",
        lambda: Account(records=[*OF_OTHERS, record("f1")]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "3 files, of other lists, too: autumn, winter"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row("files that name no list", lambda: Account(records=UNNAMED), READY),
    Row(
        "files that name no list, and are those of any list",
        lambda: Account(any_list, records=UNNAMED),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "and the same for a list that does not exist"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "files that name no list, and are those of any list at another path",
        lambda: Account(any_list, records=UNNAMED, list_path="/v1/coupon-lists/spring/files"),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "and the same for a list that does not exist"),
        not_sure=(Topic.LIST_PATH,),
    ),
    Row(
        "the list has another name in its files",
        lambda: Account(records=[record("f1", coupons_list_id="64af")]),
        NOT_PROVED,
        (Topic.LIST_PATH.value, "but of 64af", "Name the list as the service does"),
        not_sure=(Topic.LIST_PATH,),
    ),
]


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


class Upload(NamedTuple):
    """The reply to an upload, and how the verdict begins with it."""

    name: str
    reply: Reply
    says: str


UPLOADS = [
    Upload("accepted", json_reply(201, record("new")), "Ready: everything that your tasks need"),
    Upload(
        "a key that may only read",
        error(403, "read-only-key", "This API key is read-only."),
        "Not ready: Upload. The service replies 403 read-only-key",
    ),
    Upload("a path without uploads", not_found("path"), "Not ready: Upload. The service replies"),
]


@pytest.mark.parametrize("row", UPLOADS, ids=ids(UPLOADS))
def test_only_an_upload_proves_that_uploads_work(row: Upload):
    """By reads alone, all of these accounts are the same."""

    def nasty(call: Call) -> Reply | None:
        if call.method == "POST":
            return row.reply
        if any(earlier.method == "POST" for earlier in account.calls):
            return Account(records=(record("new"), *account.records)).reply(call)
        return None

    account = Account(nasty)
    before = examined_account(account)
    assert before.verdict.startswith("Ready, as far as reads show: ")
    upload = about(before, Topic.UPLOAD)
    assert upload.certainty is Certainty.NOT_ASKED
    assert "--upload URL proves it" in upload.text
    report = examined_account(account, file_url="https://files.example.com/new.csv")
    assert report.verdict.startswith(row.says)
