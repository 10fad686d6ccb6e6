"""What services of this kind usually call things: what is tried if the defaults do not fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wes_provider import contract

__all__ = ["LIST_PATHS", "WORKSPACE_HEADERS", "file_paths"]

WORKSPACE_HEADERS: Final = (
    contract.WORKSPACE_HEADER,
    "X-SVC-APPKEY",
    "SVC-APP-KEY",
    "SVC-WORKSPACE-ID",
    "X-Workspace-Id",
    "X-Workspace",
    "Workspace-Id",
    "X-App-Id",
    "X-App-Key",
    "X-AppKey",
    "APPKEY",
    "X-Application-Id",
    "X-Account-Id",
    "X-Tenant-Id",
    "X-Project-Id",
    "X-Client-Id",
)

LIST_PATHS: Final = (
    contract.COUPON_FILES_PATH,
    "/v1/coupon-list/{coupon_list_id}/coupon-files",
    "/v1/coupon-lists/{coupon_list_id}/files",
    "/v2/coupon-list/{coupon_list_id}/files",
    "/v1/coupon-files/{coupon_list_id}",
    "/v1/coupon-list/{coupon_list_id}",
    "/v1/coupon-list/{coupon_list_id}/uploads",
    "/v1/coupon-list/{coupon_list_id}/file",
    "/v1/coupon-files/list/{coupon_list_id}",
    "/v1/coupons/{coupon_list_id}/files",
)


def file_paths(list_path: str) -> Iterator[str]:
    """
    Paths of a coupon file, the likeliest first.

    :param list_path: the path of the list's files, below which a file usually is.
    """
    paths = (
        f"{list_path}/{{coupon_file_id}}",
        contract.COUPON_FILE_PATH,
        "/v1/coupon-files/{coupon_file_id}",
        "/v1/coupon-file/{coupon_file_id}",
        "/v1/coupon-list/{coupon_list_id}/file/{coupon_file_id}",
        "/v1/files/{coupon_file_id}",
        "/v1/coupon-list/files/{coupon_file_id}",
        "/v2/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
        "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}/status",
    )
    yield from dict.fromkeys(paths)
