"""
If the path of an uploaded file gets a 403 about a scope, and other paths get 404, the path is
right, and the verdict quotes the scope, and asks for a key with it.
"""

from __future__ import annotations

from support.doctor_service import FILES_PATH, Call, json_reply
from support.doctor_uploads import Uploads
from support.servers import Reply


class WithoutScope(Uploads):
    """An account whose key may not read a file alone."""

    def answer(self, call: Call) -> Reply | None:
        if call.key == "campaign" and call.path.startswith(f"{FILES_PATH}/"):
            message = "Scope files:read missing."
            return json_reply(403, {"error": {"code": "request-forbidden", "message": message}})
        return super().answer(call)


def test_a_403_of_a_file_where_other_paths_get_404_is_about_a_permission_of_the_key():
    verdict = WithoutScope().examine().verdict
    assert verdict.startswith("Not proved: Path of one file. The service replies 403 request-forb")
    assert "'Scope files:read missing', and other paths get 404, so the path is right" in verdict
    assert "Ask an administrator of the account for a key with what it lacks." in verdict
