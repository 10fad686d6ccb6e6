"""Lists that may be pages, and reads of larger ones."""

from __future__ import annotations

from typing import Any

from support.doctor_reads import error_body, probe
from wes_provider.doctor.reads.evidence import Listed, listed_in
from wes_provider.doctor.replies.probes import Probe, Question

PATH = "/v1/coupon-list/{coupon_list_id}/files"


def files(number: int) -> list[dict[str, Any]]:
    return [{"_id": f"f{each}", "status": "SUCCESS"} for each in range(number)]


def page_of(number: int, **beside: Any) -> dict[str, Any]:
    """A body with files, and what it says beside them."""
    return {"data": files(number), **beside}


def larger(body: Any, tried: str = f"{PATH}?limit=1000", status: int = 200) -> Probe:
    """The read of a larger page."""
    return probe(status, body, question=Question.WHOLE_LIST, tried=tried)


def listed(reply: Probe, path: str = PATH) -> Listed:
    """The list that a reply is."""
    read = listed_in(path, reply)
    assert read is not None
    return read


TOO_LARGE = error_body("too-large", "limit is at most 500, not 1000")


__all__ = ["PATH", "TOO_LARGE", "files", "larger", "listed", "page_of"]
