"""
No output of ``wes-doctor`` (for people or JSON, errors, the saved extra) has a secret: neither key,
as it is, encoded or as Basic credentials, nor the signature of an uploaded URL. That holds for what
the command sends, and if the service repeats all of them in each body (text, an error, a page,
records) and in a Location, with status 200, 302, 401 or 500.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import NamedTuple
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


class Echo(NamedTuple):
    """A body that has secrets, in the place of ``{echo}``."""

    name: str
    body: bytes


ECHOES = [
    Echo("text", b"{echo}"),
    Echo(
        "an error",
        b'{"error": {"code": "{echo}", "message": "'
        + b"no " * 60
        + b"{echo}"
        + b" no" * 60
        + b'"}}',
    ),
    Echo("a page", b"<html>{echo}</html>"),
    Echo(
        "records",
        b'{"_id": "{echo}", "status": "{echo}", "data": [{"_id": "{echo}", "status": "{echo}", '
        b'"error": "{echo}"}]}',
    ),
]
SIGNATURE = "SECRET-SIGNATURE"


def secrets_of(emulator: Emulator) -> list[str]:
    """The signature of the uploaded URL, and both keys, as they are and as they are sent."""
    secrets = [SIGNATURE]
    for key in (emulator.api_key, emulator.data_api_key):
        basic = base64.b64encode(f"{emulator.workspace_id}:{key}".encode()).decode()
        secrets += [key, quote(key), basic, basic.rstrip("="), quote(basic)]
    return secrets


def output_of(
    emulator: Emulator, option: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> str:
    """All that the command prints and saves that reads and changes everything."""
    url = f"{emulator.files_url}/good.csv?signature={SIGNATURE}"
    argv = ["--coupon-list", OLD_LIST, "--upload", url, "--catalog", "c", "--segment", "s", "--yes"]
    main([*argv, "--timeout", "0.2", "--save-extra", str(file), *option.split()])
    captured = capsys.readouterr()
    return captured.out + captured.err + file.read_text()


OUTPUTS = pytest.mark.parametrize("option", ["", "--json"], ids=["for people", "JSON"])


@OUTPUTS
@pytest.mark.parametrize("status", [200, 302, 401, 500])
@pytest.mark.parametrize("echo", ECHOES, ids=[echo.name for echo in ECHOES])
def test_no_secret_that_the_service_repeats_is_in_any_output(
    echo: Echo,
    status: int,
    option: str,
    emulator: Emulator,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    """It repeats all of them, in each body, and the signature in a header."""
    secrets = secrets_of(emulator)
    body = echo.body.replace(b"{echo}", " ".join(secrets).encode())
    headers = {"Location": f"https://elsewhere.example.com/?k={SIGNATURE}"}
    emulator.fail("*", faults.error(status, body=body, headers=headers), times=None)
    output = output_of(emulator, option, tmp_path / "extra.json", capsys)
    assert [secret for secret in secrets if secret in output] == []


@OUTPUTS
def test_no_secret_that_the_command_sends_is_in_any_output(
    option: str, emulator: Emulator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    output = output_of(emulator, option, tmp_path / "extra.json", capsys)
    assert "good.csv" in output
    assert [secret for secret in secrets_of(emulator) if secret in output] == []
