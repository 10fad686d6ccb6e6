"""
A redirect of a read to the same path names another address if that is below or above a prefix of
this host, another port of it, https in place of http, or the same host name with other digits in
its first label (another data center). It names none if the path differs, even by a slash at its end
(unless https comes in place of http), if it leads to http or another scheme, or to another host,
domain or IP address. A reply that is no redirect names none. It leads to another port if host and
scheme are the same, whatever the path. The last read of the list names an address of another
origin; an answer after the redirect ends that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest

from support.doctor_findings import (
    LIST_AT,
    again,
    ids,
    listed,
)
from support.doctor_redirects import (
    HOST,
    OTHER_PORT,
    of_address,
    to,
)
from support.doctor_replies import SETTINGS, changed, evidence_of, reply
from wes_provider.doctor.reads import redirects
from wes_provider.doctor.replies.probes import Probe, Question


class Named(NamedTuple):
    """The connection's address, where the list is redirected to, and the address that names."""

    name: str
    base_url: str
    location: str
    address: str = ""


OF_ONE = "https://api-01.example.com"
NAMED = [
    Named("below a prefix", HOST, f"{HOST}/gw{LIST_AT}", f"{HOST}/gw"),
    Named("above a prefix", f"{HOST}/gw", f"{HOST}{LIST_AT}", HOST),
    Named("another port", HOST, f"{HOST}:8443{LIST_AT}", f"{HOST}:8443"),
    Named("https", "http://api.example.com", f"{HOST}{LIST_AT}", HOST),
    Named("https, and a slash more", "http://api.example.com", f"{HOST}{LIST_AT}/", HOST),
    Named(
        "another data center",
        OF_ONE,
        f"https://api-2.example.com{LIST_AT}",
        "https://api-2.example.com",
    ),
]
NOT_NAMED = [
    Named("a slash more of the same origin", HOST, f"{HOST}{LIST_AT}/"),
    Named("a slash more of another port", HOST, f"{HOST}:8443{LIST_AT}/"),
    Named("a slash more below a prefix", HOST, f"{HOST}/gw{LIST_AT}/"),
    Named("another path", HOST, f"{HOST}/gw/other"),
    Named("the path itself, with a query", HOST, f"{HOST}{LIST_AT}?a=1"),
    Named("http", HOST, f"http://api.example.com{LIST_AT}"),
    Named("another scheme", HOST, f"ftp://api.example.com{LIST_AT}"),
    Named("another host", HOST, f"https://files.example.com{LIST_AT}"),
    Named("another domain", OF_ONE, f"https://api-02.example.org{LIST_AT}"),
    Named("other letters before the digits", OF_ONE, f"https://app-02.example.com{LIST_AT}"),
    Named("another IP address", "https://10.0.0.1", f"https://11.0.0.1{LIST_AT}"),
    Named("a host of one label", "https://api1", f"https://api2{LIST_AT}"),
]


@pytest.mark.parametrize("row", NAMED, ids=ids(NAMED))
def test_a_redirect_with_the_same_path_names_an_address_of_this_host_or_another_data_center(
    row: Named,
):
    """A slash at the end is another path, unless there is another host or https, too."""
    read = of_address(row.base_url, row.location)
    assert redirects.named_address(changed(base_url=row.base_url), read) == row.address


@pytest.mark.parametrize("row", NOT_NAMED, ids=ids(NOT_NAMED))
def test_a_redirect_to_another_path_or_where_no_key_may_go_names_no_address(row: Named):
    read = of_address(row.base_url, row.location)
    assert redirects.named_address(changed(base_url=row.base_url), read) == ""


def test_a_reply_that_is_no_redirect_names_no_address():
    read = reply(404, headers={"location": f"{HOST}/gw{LIST_AT}"})
    assert redirects.named_address(SETTINGS, read) == ""


class Port(NamedTuple):
    """Where the read of the list of ``https://api.example.com`` is redirected to."""

    name: str
    location: str
    is_other: bool = False


PORTS = [
    Port("another port", f"{HOST}:8443{LIST_AT}", is_other=True),
    Port("another port and path", f"{HOST}:8443/x", is_other=True),
    Port("the same origin", f"{HOST}/x"),
    Port("another scheme", f"http://api.example.com{LIST_AT}"),
    Port("another host with a port", f"https://files.example.com:8443{LIST_AT}"),
]


@pytest.mark.parametrize("row", PORTS, ids=ids(PORTS))
def test_a_redirect_leads_to_another_port_if_host_and_scheme_are_the_same(row: Port):
    assert redirects.is_other_port(to(row.location)) is row.is_other


class Other(NamedTuple):
    """Reads, and the address of another origin that the last of the list names."""

    name: str
    probes: Sequence[Probe]
    address: str = ""


OTHERS = [
    Other("a redirect to another port", [OTHER_PORT], f"{HOST}:8443"),
    Other(
        "an answer, then a redirect to another port",
        [listed(404), to(f"{HOST}:8443{LIST_AT}", Question.AGAIN)],
        f"{HOST}:8443",
    ),
    Other("a redirect to another port, then an answer", [OTHER_PORT, again(404)]),
    Other("a redirect below a prefix of this origin", [to(f"{HOST}/gw{LIST_AT}")]),
    Other("no read", []),
]


@pytest.mark.parametrize("row", OTHERS, ids=ids(OTHERS))
def test_the_last_read_of_the_list_names_an_address_of_another_origin(row: Other):
    assert redirects.other_address(evidence_of(*row.probes)) == row.address
