"""An emulator that speaks TLS; ``WES_EMULATOR_TLS=1`` has every test of the fixture run over it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import requests

from support.serving import serving
from support.wire import Session
from wes_provider.emulator import Emulator, EmulatorControl, faults
from wes_provider.emulator.cli import main
from wes_provider.hooks import WesHook


@pytest.mark.parametrize("fault", [faults.reply_lost(), faults.reset(effect=True)], ids=["lost", "reset"])
@pytest.mark.wes(tls=True)
def test_faults_are_the_same_over_tls(wes_emulator: Emulator, session: Session, fault: faults.Fault) -> None:
    wes_emulator.fail("upload_coupon_file", fault)
    with pytest.raises(requests.ConnectionError):
        session.upload()
    assert len(wes_emulator.files("list-1")) == 1


@pytest.mark.wes(tls=True, processing_time=0)
def test_the_marker_chooses_tls_and_the_connection_is_enough_for_a_hook(wes_emulator: Emulator) -> None:
    assert wes_emulator.url.startswith("https://")
    file = WesHook().upload_coupon_file("list-1", wes_emulator.host("c.csv", b"A\nB\n"))
    assert WesHook().get_coupon_file("list-1", file["_id"])["coupons_added"] == 2  # fetched over TLS, too


def test_an_expired_certificate_is_not_trusted() -> None:
    with Emulator(tls="expired") as emulator, Session(emulator) as session:
        with pytest.raises(requests.exceptions.SSLError, match="expired"):
            session.upload()
        assert emulator.counts == {}


def test_control_of_another_process_speaks_tls(tmp_path: Path) -> None:
    ca_file = str(tmp_path / "ca.pem")
    with serving("--tls", "--ca-file", ca_file) as (_, emulator):
        assert emulator.url.startswith("https://")
        assert emulator.connection()["extra"]["verify"] == ca_file


def test_certificate_is_for_the_loopback_interface_and_its_ca_goes_with_the_emulator() -> None:
    with Emulator(tls=True) as emulator:
        path = Path(emulator.ca_file or "")
        assert path.read_text().startswith("-----BEGIN CERTIFICATE-----")
        assert "PRIVATE" not in path.read_text()
        for host in ("127.0.0.1", "localhost"):
            assert EmulatorControl(emulator.url.replace("127.0.0.1", host), emulator.ca_file).counts == {}
    assert not path.exists()


def test_a_machine_without_cryptography_is_told_what_tls_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    monkeypatch.delitem(sys.modules, "wes_provider.emulator.tls", raising=False)
    with pytest.raises(SystemExit):
        main(["serve", "--tls", "--port", "0"])
    assert capsys.readouterr().err.endswith("error: --tls needs cryptography, which is not installed\n")


def test_tls_is_checked() -> None:
    with pytest.raises(ValueError, match="tls must be"):
        Emulator(tls="maybe")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="needs tls"):
        Emulator(ca_file="ca.pem")
