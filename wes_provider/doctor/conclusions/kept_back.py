"""Why an upload is kept back, or not advised, since reads show what would come of it. Pure."""

from __future__ import annotations

from wes_provider.doctor.conclusions.path_conclusions import closed_list
from wes_provider.doctor.reads import facts, redirects
from wes_provider.doctor.reads.evidence import Evidence
from wes_provider.doctor.reads.masked_lists import masked_identifiers
from wes_provider.doctor.replies.other_forms import says_empty
from wes_provider.doctor.replies.probes import Form, Kind, Probe

__all__ = ["is_upload_advised", "why_not_followed"]


def why_not_followed(evidence: Evidence) -> str:
    """
    Tell why an uploaded file could not be followed, as reads show; empty if nothing shows that.
    """
    is_odd = facts.is_list_odd_alone(evidence)
    tried = facts.places(evidence)
    listed = tried.listed
    if is_odd and redirects.leads_to_same_origin(evidence.list_answers[-1]):
        return "the list's path, which uploads go to as well, is redirected to another one"
    if is_odd and listed is None and _is_unreadable(evidence.list_answers[-1]):
        return "the list cannot be read, so an upload without a response could not be found"
    if listed is not None and listed.records.number and not listed.files:
        return "the provider cannot read the list's records, so it could not follow the new file"
    if listed is not None and masked_identifiers(listed) is not None:
        return "the list has no identifiers of files, so the new one could not be followed"
    if tried.odd_status:
        return (
            f"files have {tried.odd_status} in place of a status that the provider reads, so it "
            "could not follow the new one"
        )
    return ""


def _is_unreadable(listing: Probe) -> bool:
    """Tell whether a list comes in a form that the provider cannot read, and has files in it."""
    if listing.kind is Kind.ELSEWHERE or listing.form is Form.PAGE:
        return False
    return not says_empty(listing)


def is_upload_advised(evidence: Evidence) -> bool:
    """
    Tell whether an upload may show more: it would not be kept back, and the list does not say that
    it takes none.
    """
    if why_not_followed(evidence) or closed_list(facts.places(evidence)):
        return False
    return not any(map(facts.is_list_closed, evidence.list_answers))
