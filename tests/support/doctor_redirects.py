"""Reads that are redirected."""

from __future__ import annotations

from typing import Any

from support.doctor_findings import (
    LIST_AT,
)
from support.doctor_replies import changed, reply, request_for
from wes_provider.client import requests
from wes_provider.doctor.replies.probes import Probe, Question

HOST = "https://api.example.com"
FILE_AT = f"{LIST_AT}/f1"


def to(location: str, question: Question = Question.LIST, **more: Any) -> Probe:
    """A request that is redirected."""
    return reply(307, headers={"location": location}, question=question, **more)


def of_address(base_url: str, location: str) -> Probe:
    """The read of the list at an address, which is redirected."""
    request = requests.list_coupon_files(changed(base_url=base_url), "spring")
    return to(location, request=request)


OTHER_PORT = to(f"{HOST}:8443{LIST_AT}")


def below(prefix: str, probe: Probe) -> Probe:
    """A request that is redirected below a prefix of this origin."""
    url = probe.request.url.replace("example.com", f"example.com{prefix}", 1)
    return reply(
        307,
        headers={"location": url},
        question=probe.question,
        request=probe.request,
        keys=probe.keys,
    )


SLASHED = request_for(Question.LIST)._replace(url=f"{HOST}{LIST_AT}/")
TO_SLASH, FROM_SLASH = to(f"{LIST_AT}/"), to(LIST_AT, request=SLASHED)


__all__ = [
    "FILE_AT",
    "FROM_SLASH",
    "HOST",
    "OTHER_PORT",
    "SLASHED",
    "TO_SLASH",
    "below",
    "of_address",
    "to",
]
