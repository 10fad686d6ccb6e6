"""
What follows from the reads: a table for each topic, of what holds and how certain it is.

Pure: facts in, findings out. A key or a path is ``sure`` only if a wrong one gets another reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from wes_provider.doctor.conclusions.address_conclusions import (
    conclude_on_address,
    conclude_on_moved,
    conclude_on_moved_coupons,
    conclude_on_outage,
    conclude_on_unexaminable,
    conclude_on_versionless,
    conclude_on_what_is_before,
)
from wes_provider.doctor.conclusions.anybodys import conclude_on_anybodys
from wes_provider.doctor.conclusions.header_conclusions import (
    conclude_on_demanded_header,
    conclude_on_header,
    missed_header_says,
)
from wes_provider.doctor.conclusions.hidden_statuses import conclude_on_hidden_status
from wes_provider.doctor.conclusions.key_conclusions import (
    conclude_on_campaign_key,
    conclude_on_data_key,
)
from wes_provider.doctor.conclusions.limit_conclusions import conclude_on_errors, conclude_on_limits
from wes_provider.doctor.conclusions.list_conclusions import list_path, records
from wes_provider.doctor.conclusions.notices import conclude_on_notices
from wes_provider.doctor.conclusions.objections import conclude_on_objection
from wes_provider.doctor.conclusions.path_conclusions import file_path, upload_path
from wes_provider.doctor.conclusions.refusals import conclude_on_refusals
from wes_provider.doctor.conclusions.unseen_uploads import warned
from wes_provider.doctor.conclusions.waits_that_read_nothing import with_polls_that_read_nothing
from wes_provider.doctor.findings.finding import Certainty, Finding, Topic
from wes_provider.doctor.in_front.layers import conclude_on_layer
from wes_provider.doctor.in_front.mocks import conclude_on_mock
from wes_provider.doctor.in_front.proxy_conclusions import conclude_on_proxy_error
from wes_provider.doctor.reads import facts, header, key_facts, redirects
from wes_provider.doctor.reads.evidence import Evidence, Places
from wes_provider.doctor.replies.amounts import too_few
from wes_provider.doctor.replies.probes import Probe, named_headers
from wes_provider.doctor.replies.remedies import AFTER_LIMIT, AGAIN

__all__ = ["conclude_from_reads"]

NOT_PROVED: Final = Certainty.NOT_PROVED


def conclude_from_reads(
    evidence: Evidence, tried: Places, later: Sequence[Probe] = ()
) -> list[Finding]:
    """
    Conclude on address, keys, header, paths and limits.

    :param tried: the paths that were tried; after an upload, those that were tried for its file.
    :param later: changes, and reads of what was changed, in order: they show limits, too.
    """
    of_proxy = conclude_on_proxy_error(evidence)
    if of_proxy is not None:
        return [of_proxy]
    refusals = conclude_on_refusals(evidence)
    if facts.is_unexaminable(evidence):
        return refusals or [conclude_on_unexaminable(evidence)]
    alone = _on_one_cause(evidence)
    if alone:
        return alone
    topics = [finding.topic for finding in refusals]
    if Topic.ACCOUNT not in topics:
        refusals += conclude_on_mock(evidence) or conclude_on_anybodys(evidence)
    findings = [
        *refusals,
        _address(evidence),
        *_keys_and_header(evidence, tried),
        warned(list_path(evidence, tried), tried, is_shown=tried.listed is not None),
        *records(tried),
        *conclude_on_hidden_status(evidence, tried),
        warned(file_path(evidence, tried), tried, is_shown=bool(tried.file_path)),
        upload_path(evidence, tried),
    ]
    if Topic.LIMITS not in topics:
        findings.append(conclude_on_limits(evidence, later))
    findings += conclude_on_errors(evidence)
    findings += conclude_on_notices(evidence, later)
    moved_coupons = redirects.moved_coupons(evidence)
    if moved_coupons is not None:
        findings = _in_place_of(findings, conclude_on_moved_coupons(moved_coupons))
    findings = [*with_polls_that_read_nothing(findings, evidence)]
    if any(probe.is_limit and too_few(probe) for probe in evidence.probes):
        return _without_again(findings, Topic.LIMITS)
    if facts.is_shut_out(evidence):
        return _without_again(findings, Topic.ADDRESS)
    return findings


def _in_place_of(findings: Iterable[Finding], better: Iterable[Finding]) -> list[Finding]:
    """Return findings with others in place of those on the same topics."""
    by_topic = {finding.topic: finding for finding in better}
    return [by_topic.get(finding.topic, finding) for finding in findings]


def _address(evidence: Evidence) -> Finding:
    lost = facts.outage(evidence)
    if lost:
        return conclude_on_outage(evidence, lost)
    return conclude_on_address(evidence)


def _on_one_cause(evidence: Evidence) -> list[Finding]:
    """Conclude on the one cause that keeps all else from being examined; nothing without one."""
    layer = conclude_on_layer(evidence)
    if layer is not None:
        return [conclude_on_what_is_before(evidence) or layer]
    objection = key_facts.objection(evidence)
    missed = header.missed_header(evidence)
    if objection is not None and missed is not None and not named_headers(missed):
        text = missed_header_says(evidence, missed)
        return [
            Finding(
                topic=Topic.WORKSPACE_HEADER,
                certainty=NOT_PROVED,
                text=text,
                probes=(missed,),
            )
        ]
    if objection is not None:
        return [conclude_on_objection(evidence, objection)]
    moved = redirects.moved(evidence)
    if moved is not None:
        return [conclude_on_moved(evidence, moved)]
    versionless = redirects.versionless(evidence)
    if versionless is not None:
        return [conclude_on_versionless(evidence, versionless)]
    demanded = header.demanded_header(evidence)
    if demanded:
        return [conclude_on_address(evidence), conclude_on_demanded_header(evidence, demanded)]
    return []


def _without_again(findings: Iterable[Finding], said_in: Topic) -> list[Finding]:
    """
    Return findings without the advice to run the command again, which does not help yet.

    :param said_in: the topic whose finding says what helps instead.
    """
    without = []
    for finding in findings:
        text = finding.text
        if finding.topic is not said_in:
            for again in (AGAIN, AFTER_LIMIT):
                text = text.replace(again, f"See {said_in.value}.")
        without.append(replace(finding, text=text))
    return without


def _keys_and_header(evidence: Evidence, tried: Places) -> list[Finding]:
    """Return the keys, then the header; it comes first if the service says that it misses one."""
    keys = [conclude_on_campaign_key(evidence, tried), conclude_on_data_key(evidence)]
    if header.missed_header(evidence) is None:
        return [*keys, conclude_on_header(evidence)]
    return [conclude_on_header(evidence), *keys]
