"""
If the list's path is redirected to itself with a slash at its end, the path with the slash is
proposed, even if the redirect names a host that only the service knows. The Address is not to be
changed.
"""

from __future__ import annotations

from support.doctor_service import (
    Account,
    Call,
)
from support.doctor_verdicts import (
    Case,
    check,
)
from support.servers import Reply


def slash_elsewhere() -> Account:
    """A service that wants a slash at the end, and redirects to a host that only it knows."""

    def replies(call: Call) -> Reply | None:
        if not call.path.startswith("/v1/coupon-list/") or call.key != "campaign":
            return None
        if call.path.endswith("/"):
            return Account().reply(call._replace(path=call.path.rstrip("/")))
        return Reply(301, b"", {"Location": f"http://files.internal:8080{call.path}/"})

    return Account(replies)


def test_a_path_with_a_slash_more_is_found_by_a_redirect_to_a_host_that_only_the_service_knows():
    check(
        Case(
            "a slash that redirects add, to a host that only the service knows",
            slash_elsewhere,
            (
                "Path of the list's files. The service names /v1/coupon-list/{coupon_list_id}/files/",
                "Put the extra below into the connection",
            ),
            ("No setting helps", "put that into the Address"),
        )
    )
