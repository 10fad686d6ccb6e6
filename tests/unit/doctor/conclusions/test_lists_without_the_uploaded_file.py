"""
If lists came after an upload, and none has the uploaded file, the path of the list is *Not proved*:
the support is to say where and when a list has a new file, at one path or several. If the list is a
part, it says so, and asks for a path with all files; if it has no file at all, where files are.
Files of other lists alone are named before that.
"""

from __future__ import annotations

import pytest

from support.doctor_findings import Said, ids
from support.doctor_paths import (
    NAMING_OTHERS,
    NAMING_SPRING,
    NOT_PROVED,
    PathCase,
    check_list,
    given_list,
    list_elsewhere,
)

WITHOUT_UPLOADED_FILE = [
    PathCase(
        "other files",
        [given_list(200, NAMING_SPRING)],
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file. Ask the service's support "
            "where and when a list has a new file.",
        ),
        uploaded="f9",
    ),
    PathCase(
        "other files at two paths",
        [given_list(200, NAMING_SPRING), list_elsewhere(200, NAMING_SPRING)],
        Said(
            NOT_PROVED,
            "None of these paths shows the uploaded file. Ask the service's support "
            "where and when a list has a new file.",
        ),
        uploaded="f9",
    ),
    PathCase(
        "other files in a part",
        [given_list(200, {"data": NAMING_SPRING, "total": 9})],
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file: "
            "/v1/coupon-list/{coupon_list_id}/files has a part of the list only: 2 of "
            "9 files. Ask the service's support for a path that has all files.",
        ),
        uploaded="f9",
    ),
    PathCase(
        "no file",
        [given_list(200, [])],
        Said(
            NOT_PROVED,
            "This path does not show the uploaded file: "
            "/v1/coupon-list/{coupon_list_id}/files has no file at all. Ask the "
            "service's support where the files of a list are.",
        ),
        uploaded="f9",
    ),
    PathCase(
        "files of other lists",
        [given_list(200, NAMING_OTHERS)],
        Said(
            NOT_PROVED,
            "/v1/coupon-list/{coupon_list_id}/files has 2 files, none of them of the "
            "list spring, but of autumn, winter. Name the list as the service does, or "
            "ask its support for the path of one list's files.",
        ),
        uploaded="f9",
    ),
]


@pytest.mark.parametrize("row", WITHOUT_UPLOADED_FILE, ids=ids(WITHOUT_UPLOADED_FILE))
def test_lists_without_the_uploaded_file_leave_the_path_open(row: PathCase):
    check_list(row)
