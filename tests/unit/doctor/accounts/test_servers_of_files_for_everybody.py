"""
If a server gives the list's files to any key, also to a made-up one, and every path but the list's
and its files' gets an empty 503, the Address is *Not proved*, since no reply shows that it is the
service: a web server gives files to anybody, too.
"""

from __future__ import annotations

from support.doctor_service import (
    FILES_PATH,
    Account,
    Call,
    about,
    check_what_holds_of_each_report,
    examined_account,
)
from support.servers import Reply
from wes_provider.doctor.findings.finding import Certainty, Topic


def files_for_everybody(call: Call) -> Reply | None:
    """Give the list and its files to whoever asks, as a web server does, and else an empty 503."""
    if call.path == FILES_PATH or call.path.startswith(f"{FILES_PATH}/"):
        return Account().reply(call._replace(key="campaign"))
    return Reply(503, b"")


def test_files_for_any_key_do_not_show_the_service_if_every_other_path_gets_503():
    report = examined_account(Account(files_for_everybody))
    check_what_holds_of_each_report(report)
    address = about(report, Topic.ADDRESS)
    assert address.certainty is Certainty.NOT_PROVED
    assert "no reply shows that it is the service" in address.text
