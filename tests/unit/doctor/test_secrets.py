"""No output of ``wes-doctor`` holds a secret."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from support.doctor_service import OLD_LIST
from wes_provider.doctor.cli import main
from wes_provider.emulator import Emulator, faults


@pytest.fixture(autouse=True)
def _no_secrets_in_messages() -> None:
    """
    In place of the suite's check of error messages, which the doctor does not print as they are.

    An error quotes the response, and the service of this test repeats the keys in it. What is
    printed is checked below.
    """


ECHOES: list[Any] = [
    None,
    b"{echo}",
    b'{"error": {"code": "{echo}", "message": "' + b"no " * 60 + b"{echo}" + b" no" * 60 + b'"}}',
    b"<html>{echo}</html>",
    b'{"_id": "{echo}", "status": "{echo}", "data": [{"_id": "{echo}", "status": "{echo}", '
    b'"error": "{echo}"}]}',
]


@pytest.mark.parametrize("status", [200, 302, 401, 500])
@pytest.mark.parametrize("echo", ECHOES, ids=["plain", "text", "error", "page", "records"])
def test_no_secret_is_in_any_output(
    status: int,
    echo: bytes | None,
    emulator: Emulator,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    """Even if the service repeats all of it, in a body and in headers."""
    hidden = ["SECRET-SIGNATURE"]
    for key in (emulator.api_key, emulator.data_api_key):
        basic = base64.b64encode(f"{emulator.workspace_id}:{key}".encode()).decode()
        hidden += [key, quote(key), basic, basic.rstrip("="), quote(basic)]
    if echo is not None:
        body = echo.replace(b"{echo}", " ".join(hidden).encode())
        headers = {"Location": f"https://elsewhere.example.com/?k={hidden[0]}"}
        emulator.fail("*", faults.error(status, body=body, headers=headers), times=None)
    saved = tmp_path / "extra.json"
    url = f"{emulator.files_url}/good.csv?signature=SECRET-SIGNATURE"
    argv = ["--coupon-list", OLD_LIST, "--upload", url, "--catalog", "c", "--segment", "s", "--yes"]
    for more in ([], ["--json"]):
        main([*argv, "--timeout", "0.2", "--save-extra", str(saved), *more])
        captured = capsys.readouterr()
        output = captured.out + captured.err + saved.read_text()
        for secret in hidden:
            assert secret not in output
