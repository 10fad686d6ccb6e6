"""
If the connection trusts the service's certificate, the Address is *sure*. If it does not, the
examination ends after one read, and advises to set Verify TLS to a bundle. That a certificate has
expired is said in the row of its read. A problem is one of the certificate if it is about verifying
one, and not if it is another one of TLS. An address where nothing listens is *Not ready*, since the
service was not reached.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.doctor_replies import reply
from support.doctor_service import (
    about,
    diagnose,
    examined,
    service,
)
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.replies.probes import is_certificate
from wes_provider.emulator import Emulator


@pytest.fixture
def tls_service() -> Iterator[Emulator]:
    """A service that speaks TLS with a certificate of its own, which nobody trusts by default."""
    with service(tls=True) as emulator:
        yield emulator


def test_a_certificate_that_the_connection_trusts_proves_the_address(tls_service: Emulator):
    """The connection of the service has ``verify`` set to the bundle."""
    report = diagnose(tls_service, coupon_list_id="old-list")
    assert about(report, Topic.ADDRESS).certainty is Certainty.SURE


def test_a_certificate_that_is_not_trusted_ends_the_examination_after_one_read(
    tls_service: Emulator,
):
    """The advice is to set Verify TLS to a bundle."""
    report = diagnose(tls_service, extra={"verify": True})
    assert report.reads == 1
    assert "Set Verify TLS to the bundle" in report.verdict


def test_a_certificate_that_has_expired_is_said_to_have_in_the_row_of_its_read():
    with Emulator(tls="expired") as emulator:
        report = diagnose(emulator)
    assert "certificate has expired" in str(about(report, Topic.ADDRESS).probes[0])


def test_an_address_where_nothing_listens_is_not_reached():
    with service(tls=True) as emulator:
        url_of_closed_port = emulator.url
    assert examined(url_of_closed_port).verdict.startswith(
        "Not ready: Address. The service was not reached"
    )


def test_a_problem_that_is_about_verifying_a_certificate_is_one_of_the_certificate():
    assert is_certificate(reply(0, problem="SSLCertVerificationError: x"))


def test_another_problem_of_tls_is_none_of_the_certificate():
    assert not is_certificate(reply(0, problem="SSLError: x"))
