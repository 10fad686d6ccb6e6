"""One examination of a service: it reads, it writes what was asked for, and reports both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from wes_provider.doctor import facts
from wes_provider.doctor.cleaning import cleaner
from wes_provider.doctor.conclusions import conclude_from_reads
from wes_provider.doctor.evidence import MADE_UP, Evidence
from wes_provider.doctor.file_conclusions import conclude_from_list, conclude_from_upload
from wes_provider.doctor.findings import (
    Certainty,
    Finding,
    Topic,
    without_two_answers,
)
from wes_provider.doctor.options import Options
from wes_provider.doctor.probes import Probe, Question
from wes_provider.doctor.questions import read_service
from wes_provider.doctor.report import LONGEST_TEXT, Report
from wes_provider.doctor.sending import Ask, Reader, Sender
from wes_provider.doctor.upload import Followed, Follower
from wes_provider.doctor.writes import Write, conclude_from_write, not_sent, writes_of
from wes_provider.settings import WesSettings
from wes_provider.texts import shown

__all__ = ["examine"]

STOPPED: Final = "you stopped it"
NOT_THE_SERVICE: Final = "no read shows that the service is at this address"


def examine(
    settings: WesSettings,
    given: Mapping[str, Any],
    options: Options,
    on_step: Callable[[str], object] = bool,
) -> Report:
    """
    Examine a service. It writes nothing to what is not the service, and nothing more once the user
    has stopped it.

    :param given: the connection's extra.
    :param on_step: called with each step, for people who wait.
    :raises KeyboardInterrupt: if the user stops it while it reads; later, the report has what was
        seen so far.
    """
    return _Examination(settings, given, options, on_step).run()


class _Examination:
    def __init__(
        self,
        settings: WesSettings,
        given: Mapping[str, Any],
        options: Options,
        on_step: Callable[[str], object],
    ) -> None:
        self._settings = settings
        self._given = given
        self._options = options
        self._on_step = on_step
        self._clean = cleaner(settings, options.file_url)
        self._sender = Sender(settings)
        self._sent: dict[Topic, Probe] = {}
        self._follower: Follower | None = None

    def _step(self, text: str) -> None:
        self._on_step(shown(self._clean(text), LONGEST_TEXT, quoted=False))

    def run(self) -> Report:
        writes = writes_of(self._options)
        evidence = Evidence(self._settings, self._options.coupon_list_id or MADE_UP)
        reader = Reader(self._sender)
        evidence = read_service(reader, evidence, self._step)
        obstacle = "" if facts.is_service(evidence) else NOT_THE_SERVICE
        if not obstacle:
            obstacle = self._write(writes, evidence)
        return Report(
            self._settings,
            self._given,
            self._findings(writes, evidence, obstacle),
            tuple(self._sender.probes),
            reads=len(evidence.probes),
            writes=len(self._sent),
            stopped=obstacle == STOPPED,
            clean=self._clean,
        )

    def _write(self, writes: Iterable[Write], evidence: Evidence) -> str:
        """Send what the user asked for; what kept the doctor from sending the rest, if anything."""
        settings = facts.current_settings(evidence)
        try:
            for write in writes:
                self._step(write.text)
                request = write.request(settings)
                self._sent[write.topic] = Probe(
                    Question.WRITE, request, problem="stopped before a response came"
                )
                probe = self._sender.send(Question.WRITE, Ask(request))
                self._sent[write.topic] = probe
                if write.topic is Topic.UPLOAD:
                    self._follow(probe, evidence)
        except KeyboardInterrupt:
            return STOPPED
        return ""

    def _follow(self, uploaded: Probe, evidence: Evidence) -> None:
        self._follower = Follower(
            self._sender,
            facts.current_settings(evidence),
            evidence.list_id,
            facts.places(evidence),
            timeout=self._options.timeout,
            final_after=self._options.final_after,
            on_step=self._step,
        )
        self._follower.follow(uploaded)

    def _followed(self) -> Followed | None:
        if self._follower is None:
            return None
        return self._follower.followed

    def _findings(
        self, writes: Sequence[Write], evidence: Evidence, obstacle: str
    ) -> list[Finding]:
        followed = self._followed()
        tried = facts.places(evidence)
        if followed is not None:
            tried = followed.places
        findings = conclude_from_reads(evidence, tried)
        if not facts.is_unexaminable(evidence):
            findings.append(
                Finding(
                    Topic.CATALOG,
                    Certainty.NOT_ASKED,
                    "Reads cannot show it; --catalog NAME does.",
                )
            )
            if followed is None:
                findings += conclude_from_list(self._settings, tried)
            else:
                name = self._options.file_name
                findings += conclude_from_upload(self._settings, followed, name)
        findings = without_two_answers(findings, facts.two_answers(evidence))
        for write in writes:
            probe = self._sent.get(write.topic)
            if probe is None:
                later = [not_sent(write, obstacle, stopped=obstacle == STOPPED)]
            else:
                later = conclude_from_write(write, probe, self._settings, self._options)
            findings = _merged(findings, later)
        return findings


def _merged(findings: Sequence[Finding], later: Sequence[Finding]) -> list[Finding]:
    """
    The findings with those of a change, which count more than those of reads, but for requests that
    were answered in two ways, and for what is sure already.
    """
    merged = {finding.topic: finding for finding in findings}
    for finding in later:
        before = merged.get(finding.topic)
        is_settled = before is not None and (
            before.has_two_answers or before.certainty is Certainty.SURE
        )
        if not is_settled:
            merged[finding.topic] = finding
    return list(merged.values())
