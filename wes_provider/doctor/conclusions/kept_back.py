"""Why an upload is kept back, or not advised, since reads show what would come of it. Pure."""

from __future__ import annotations

from wes_provider.doctor.conclusions.hidden_statuses import why_not_followed
from wes_provider.doctor.conclusions.path_conclusions import closed_list
from wes_provider.doctor.conclusions.waits_that_read_nothing import why_no_wait_follows
from wes_provider.doctor.reads import facts, redirects
from wes_provider.doctor.reads.evidence import Evidence, Places
from wes_provider.doctor.reads.fallbacks import what_speaks_for_fallback
from wes_provider.doctor.reads.masked_lists import masked_identifiers
from wes_provider.doctor.replies.other_forms import says_empty
from wes_provider.doctor.replies.probes import Form, Kind

__all__ = ["is_upload_advised", "why_not_sent"]


def why_not_sent(evidence: Evidence) -> str:
    """
    Tell why no file is uploaded, as reads show: it could not be followed, or the list takes none;
    empty if nothing shows that.
    """
    tried = facts.places(evidence)
    closed = closed_list(tried)
    # The first row that holds says why.
    rows = (
        (
            facts.is_version_away(evidence),
            "the service replies to no read with the key of uploads, so run this again later",
        ),
        (
            _is_redirected_here(evidence),
            "the list's path, which uploads go to as well, is redirected to another one",
        ),
        (
            _is_unreadable(evidence, tried),
            "the list cannot be read, so an upload without a response could not be found",
        ),
        (
            _has_no_readable_record(tried),
            "the provider cannot read the list's records, so it could not follow the new file",
        ),
        (
            tried.listed is not None and masked_identifiers(tried.listed) is not None,
            "the list has no identifiers of files, so the new one could not be followed",
        ),
        (
            bool(tried.odd_status),
            f"files have {tried.odd_status} in place of a status that the provider reads, so it "
            "could not follow the new one",
        ),
        (bool(why_not_followed(tried)), why_not_followed(tried)),
        (
            bool(what_speaks_for_fallback(evidence, tried)),
            "what comes as the list may be a fallback while the service behind is away, so run "
            "this again later",
        ),
        (bool(why_no_wait_follows(evidence)), why_no_wait_follows(evidence)),
        (bool(closed), closed),
        (
            any(map(facts.is_list_closed, evidence.list_answers)),
            "the service says that the list takes no files: name another one, or have this one "
            "opened in the service's dashboard",
        ),
    )
    return next((why for holds, why in rows if holds), "")


def _is_redirected_here(evidence: Evidence) -> bool:
    """Tell whether the list alone is redirected, within the scheme, host and port."""
    is_odd = facts.is_list_odd_alone(evidence)
    return is_odd and redirects.leads_to_same_origin(evidence.list_answers[-1])


def _is_unreadable(evidence: Evidence, tried: Places) -> bool:
    """Tell whether the list alone comes in a form that the provider cannot read, with files."""
    if tried.listed is not None or not facts.is_list_odd_alone(evidence):
        return False
    listing = evidence.list_answers[-1]
    if listing.kind is Kind.ELSEWHERE or listing.form is Form.PAGE:
        return False
    return not says_empty(listing)


def _has_no_readable_record(tried: Places) -> bool:
    """Tell whether the list has records, and the provider can read none of them."""
    listed = tried.listed
    return listed is not None and bool(listed.records.number) and not listed.files


def is_upload_advised(evidence: Evidence) -> bool:
    """Tell whether an upload may show more: it would not be kept back."""
    return not why_not_sent(evidence)
