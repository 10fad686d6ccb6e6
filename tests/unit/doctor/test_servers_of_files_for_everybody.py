"""
If a server gives the list's files to every key, and has no answer at other paths, the Address says
that no reply shows that it is the service.
"""

from __future__ import annotations

from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_bounds,
    examined_account,
)
from support.servers import Reply
from wes_provider.doctor.findings import Topic


def files_for_everybody(call: Call) -> Reply | None:
    """Give files to whoever asks, as a web server does, and no answer at other paths."""
    if call.path == FILES_PATH or call.path.startswith(f"{FILES_PATH}/"):
        return Account().reply(call._replace(key="campaign"))
    return Reply(503, b"")


def test_what_lists_files_to_everybody_is_no_service_if_no_path_was_compared():
    report = examined_account(Account(files_for_everybody))
    check_bounds(report)
    assert "no reply shows that it is the service" in about(report, Topic.ADDRESS).text
