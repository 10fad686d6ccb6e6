"""What tests of conclusions about the two keys share: rows, replies, and checks of whole sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from support.doctor_findings import (
    FILES,
    UNAUTHENTICATED,
    Said,
    again,
    listed,
    made_up,
    made_up_segment,
    segment,
    segment_again,
)
from support.doctor_replies import (
    SETTINGS,
    error_body,
    evidence_of,
)
from support.doctor_service import LIST
from wes_provider import contract
from wes_provider.doctor.conclusions.key_conclusions import (
    conclude_on_campaign_key,
    conclude_on_data_key,
)
from wes_provider.doctor.findings.finding import Certainty, Topic
from wes_provider.doctor.reads import facts
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.replies.probes import Probe, Question

WRONG, NOT_PROVED = Certainty.WRONG, Certainty.NOT_PROVED
NOT_SHOWN, SURE = Certainty.NOT_SHOWN, Certainty.SURE

DOCUMENTED_403 = error_body(contract.REQUEST_FORBIDDEN, "No access to coupons.")
KEY_EXPIRED = error_body("key-expired", "Your key has expired.")
OTHER_CODE = error_body("teapot", "Moon phase is unfavourable.")
OTHER_CODE_OTHERWISE = error_body("teapot", "Saturn is in retrograde.")
PERMISSIONS_LACK = error_body("not-found", "Nothing here that your permissions show.")
WANTS_BEARER = {"www-authenticate": 'Bearer error="invalid_token"'}
TOKEN_EXPIRED = error_body("", "The token has expired.")
ROLE_TOO_SMALL = error_body("", "Your role is too small.")
OTHER_WORKSPACE = error_body("", "The keys belong to another workspace.")
USUAL_CODE_EXPIRED = error_body("request-unauthenticated", "Your key has expired.")
USUAL_CODE_MARS = error_body("request-unauthenticated", "Mars is near.")
USUAL_CODE_IN_OTHER_FORM = {"code": "request-unauthenticated", "message": "Mars is near."}
TENANT_HEADER_MISSING = error_body("", "Missing tenant header")
CHECK_IT = (
    "The Workspace identifier (login) is workspace: check it, whether the keys are of it, and the "
    "Address, and run this again."
)


LIST_ACCEPTED_TWICE = [listed(200, FILES), again(200, FILES)]


class Case(NamedTuple):
    """Replies, and what is said of a key."""

    name: str
    probes: Sequence[Probe]
    said: Said
    settings: Any = SETTINGS
    not_asked: Mapping[Question, str] = {}
    list_id: str = LIST

    @property
    def evidence(self) -> Evidence:
        return evidence_of(
            *self.probes,
            settings=self.settings,
            not_asked=self.not_asked,
            list_id=self.list_id,
        )


def listed_twice(status: int, content: Any, **more: Any) -> list[Probe]:
    """The read of the list, twice with the same reply."""
    return [listed(status, content, **more), again(status, content, **more)]


def list_refused_twice(content: Any = UNAUTHENTICATED, **more: Any) -> list[Probe]:
    """The read of the list, twice with 401."""
    return listed_twice(401, content, **more)


def segment_twice(status: int, content: Any, **more: Any) -> list[Probe]:
    """The read of a segment with the data key, twice with the same reply."""
    return [segment(status, content, **more), segment_again(status, content, **more)]


def segment_refused_twice(content: Any = UNAUTHENTICATED, **more: Any) -> list[Probe]:
    """The read of a segment with the data key, twice with 401."""
    return segment_twice(401, content, **more)


DATA_KEY_ACCEPTED_TWICE = [segment(), segment_again(), made_up_segment()]
DATA_KEY_REFUSED_TWICE = segment_refused_twice(error_body("no-segments", "Segments want another."))


FROM_CACHE = {"age": "30"}


def check_campaign_key(row: Case) -> None:
    """The finding about the campaign key says what the row says, word for word."""
    evidence = row.evidence
    finding = conclude_on_campaign_key(evidence, facts.places(evidence))
    assert finding.topic is Topic.CAMPAIGN_KEY
    assert Said.of(finding) == row.said


CAMPAIGN_KEY_ACCEPTED_TWICE = [*LIST_ACCEPTED_TWICE, made_up()]


def check_data_key(row: Case) -> None:
    """The finding about the data key says what the row says, word for word."""
    finding = conclude_on_data_key(row.evidence)
    assert finding.topic is Topic.DATA_KEY
    assert Said.of(finding) == row.said
