"""One examination of a service: it reads, it writes what was asked for, and reports both."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Final

from wes_provider.doctor.cleaning import cleaner
from wes_provider.doctor.conclusions.anybodys import (
    anybodys_files,
    files_of_others,
    without_anybodys,
)
from wes_provider.doctor.conclusions.file_conclusions import (
    conclude_from_list,
    conclude_from_upload,
)
from wes_provider.doctor.conclusions.kept_back import is_upload_advised, why_not_sent
from wes_provider.doctor.conclusions.own_queries import without_lag_of_part
from wes_provider.doctor.conclusions.read_conclusions import conclude_from_reads
from wes_provider.doctor.conclusions.silence import conclude_on_silence
from wes_provider.doctor.conclusions.unseen_uploads import without_second_upload
from wes_provider.doctor.findings.advice import (
    CATALOG_SHOWS_IT,
    without_given,
    without_uploads,
    without_writes,
)
from wes_provider.doctor.findings.finding import (
    Certainty,
    Finding,
    Topic,
    changed,
    without_two_answers,
)
from wes_provider.doctor.options import Options
from wes_provider.doctor.questions.table import read_service
from wes_provider.doctor.reads import changes, facts, header, key_facts, redirects
from wes_provider.doctor.reads.changes import TwoAnswers
from wes_provider.doctor.reads.evidence import MADE_UP, Evidence, Places, file_read
from wes_provider.doctor.reads.sending import Ask, Reader, Sender
from wes_provider.doctor.replies.probes import Kind, Probe, Question, same_request
from wes_provider.doctor.report import LONGEST_TEXT, Report
from wes_provider.doctor.writes.upload import Followed, Follower, LookedUp
from wes_provider.doctor.writes.write import Write, conclude_from_write, not_sent, writes_of
from wes_provider.models import CouponFile
from wes_provider.settings import WesSettings
from wes_provider.texts import redact_url, shown

__all__ = ["examine"]

MOST_ON_ONE_CAUSE: Final = 2  # findings, if one cause keeps all else from being examined
ACCEPTED_ANYWAY: Final = {Topic.CAMPAIGN_KEY, Topic.DATA_KEY, Topic.WORKSPACE_HEADER}
OF_FILES: Final = {Topic.FILE_PATH, Topic.STATUSES, Topic.COUNTS}
AFTER_READS: Final = {Question.WRITE, Question.FOLLOW}
STOPPED: Final = "you stopped it"
OBJECTS: Final = "the service objects to each read"
NOT_THE_SERVICE: Final = "no read shows that the service is at this address"


def examine(
    settings: WesSettings,
    given: Mapping[str, Any],
    options: Options,
    on_step: Callable[[str], object] = bool,
    *,
    host: str = "",
) -> Report:
    """
    Examine a service. It writes nothing to what is not the service, and nothing more once the user
    has stopped it.

    :param given: the connection's extra.
    :param host: the connection's, if it has ``{data_center}``.
    :param on_step: called with each step, for people who wait.
    :raises KeyboardInterrupt: if the user stops it while it reads; later, the report has what was
        seen so far.
    """
    return _Examination(settings, given, options, on_step, host).run()


class _Examination:
    def __init__(
        self,
        settings: WesSettings,
        given: Mapping[str, Any],
        options: Options,
        on_step: Callable[[str], object],
        host: str,
    ) -> None:
        self._settings = settings
        self._given = given
        self._options = options
        self._on_step = on_step
        self._host = host
        self._clean = cleaner(settings, options.file_url)
        self._sender = Sender(settings, self._clean)
        self._sent: dict[Topic, Probe] = {}
        self._kept_back: dict[Topic, str] = {}
        self._follower: Follower | None = None

    def _step(self, text: str) -> None:
        self._on_step(shown(self._clean(text), LONGEST_TEXT, quoted=False))

    def run(self) -> Report:
        writes = writes_of(self._options)
        evidence = Evidence(
            self._settings, self._options.coupon_list_id or MADE_UP, host=self._host
        )
        reader = Reader(self._sender)
        evidence = read_service(reader, evidence, self._step)
        obstacle = _obstacle(evidence)
        if not obstacle:
            obstacle = self._write(writes, evidence)
        return Report(
            self._settings,
            self._given,
            self._findings(writes, evidence, obstacle),
            tuple(self._sender.probes),
            reads=sum(probe.question not in AFTER_READS for probe in self._sender.probes),
            writes=len(self._sent),
            stopped=obstacle == STOPPED,
            clean=self._clean,
        )

    def _write(self, writes: Iterable[Write], evidence: Evidence) -> str:
        """Send what the user asked for; what kept the doctor from sending the rest, if anything."""
        settings = header.current_settings(evidence)
        try:
            for write in writes:
                why = why_not_sent(evidence)
                if write.topic is Topic.UPLOAD and why:
                    self._kept_back[write.topic] = why
                    continue
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
        if key_facts.campaign_key(evidence).is_forbidden:
            return  # no read would show the file
        file = file_read(uploaded)
        if file is not None and file.id in _ids_of_known_files(evidence):
            return  # it is no new one
        self._follower = Follower(
            self._sender,
            header.current_settings(evidence),
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

    def _made_by_upload(self) -> list[CouponFile]:
        """Return the new files of the list that have the name of the upload."""
        followed = self._followed()
        if followed is None:
            return []
        return followed.made_by_one_request(self._options.file_name)

    def _seen_last(self) -> CouponFile | None:
        """Return the uploaded file as it was seen last; ``None`` if it was not followed."""
        followed = self._followed()
        if followed is None:
            return None
        return followed.file

    def _looked_up(self) -> LookedUp | None:
        if self._follower is None:
            return None
        return self._follower.looked_up

    def _findings(
        self, writes: Sequence[Write], evidence: Evidence, obstacle: str
    ) -> list[Finding]:
        """Return the findings of the reads, each replaced by that of a write that shows more."""
        since = self._replies_since_upload
        refused = _refused_at_known_paths(evidence, since)
        findings = _with_refusals(self._findings_of_reads(evidence), refused)
        findings = _settled(findings, evidence, since)
        for write in writes:
            findings = _merged(findings, self._findings_of_write(write, evidence, obstacle))
        findings = _without_sure_key(findings, refused)
        if self._followed() is not None:
            findings = changed(findings, Topic.STATUSES, without_second_upload)
        findings = _merged(findings, self._findings_of_silence())
        findings = without_lag_of_part(findings, evidence)
        findings = _without_ready_by_silence(without_given(findings, self._options))
        if not is_upload_advised(evidence):
            findings = without_uploads(findings)
        if key_facts.is_service(evidence) and files_of_others(evidence) is None:
            return findings
        return [*map(_without_proof, without_writes(findings))]

    @property
    def _reads_on_the_way(self) -> list[Probe]:
        """The reads of an uploaded file and of its list; without the polls of a wait."""
        return [probe for probe in self._sender.probes if probe.question is Question.FOLLOW]

    @property
    def _after_reads(self) -> list[Probe]:
        """All changes, and all reads of what was changed, in order."""
        changes_sent = [probe for probe in self._sender.probes if probe.question is Question.WRITE]
        probes = [*changes_sent, *self._replies_since_upload]
        return sorted(probes, key=lambda probe: probe.sent_at)

    @property
    def _replies_since_upload(self) -> list[Probe]:
        """All replies to reads of an uploaded file and of its list, in order."""
        replies = self._reads_on_the_way
        followed = self._followed()
        if followed is not None:
            replies += followed.polls
        return sorted(replies, key=lambda probe: probe.sent_at)

    def _findings_of_silence(self) -> list[Finding]:
        """Return what follows if no read since an upload got an answer."""
        uploaded = self._sent.get(Topic.UPLOAD)
        if uploaded is None:
            return []
        return conclude_on_silence(uploaded, self._replies_since_upload)

    def _findings_of_reads(self, evidence: Evidence) -> list[Finding]:
        """Return what follows from the reads, and from the reads of an uploaded file."""
        followed = self._followed()
        tried = facts.places(evidence)
        if followed is not None:
            tried = followed.places
        findings = conclude_from_reads(evidence, tried, self._after_reads)
        if len(findings) > MOST_ON_ONE_CAUSE:
            catalog = Finding(
                topic=Topic.CATALOG,
                certainty=Certainty.NOT_SHOWN,
                text=str(CATALOG_SHOWS_IT),
            )
            findings = _merged(findings, [catalog, *self._findings_of_files(evidence, tried)])
        anybodys = anybodys_files(evidence)
        if anybodys is not None and followed is None:
            findings = without_anybodys(findings, anybodys)
        return findings

    def _findings_of_files(self, evidence: Evidence, tried: Places) -> list[Finding]:
        """Return what follows from the files: those of the list, or the uploaded one."""
        followed = self._followed()
        if followed is None:
            return conclude_from_list(self._settings, tried, evidence.probes)
        replies = [*evidence.probes, *self._reads_on_the_way]
        return conclude_from_upload(self._settings, followed, self._options.file_name, replies)

    def _findings_of_write(self, write: Write, evidence: Evidence, obstacle: str) -> list[Finding]:
        """
        Return what follows from a write, or why it was not sent.

        :param obstacle: what kept the doctor from sending any further write.
        """
        probe = self._sent.get(write.topic)
        if probe is None:
            why = self._kept_back.get(write.topic, obstacle)
            return [not_sent(write, why, stopped=why == STOPPED)]
        return conclude_from_write(
            write,
            probe,
            header.current_settings(evidence),
            self._options,
            looked_up=self._looked_up(),
            known=_ids_of_known_files(evidence),
            made=self._made_by_upload(),
            seen=self._seen_last(),
        )


def _ids_of_known_files(evidence: Evidence) -> frozenset[str]:
    """Return the identifiers of the files that reads have found in the list."""
    return frozenset(file.id for file in facts.places(evidence).seen_files)


def _without_ready_by_silence(findings: Sequence[Finding]) -> list[Finding]:
    """
    Return findings of which no account is ready without a proof of its list's path: if nothing else
    is in its way, a path that was not read is not proved.
    """
    if any(finding.is_trouble for finding in findings):
        return [*findings]
    return changed(findings, Topic.LIST_PATH, _required)


def _required(finding: Finding) -> Finding:
    if finding.certainty is Certainty.NOT_SHOWN:
        return replace(finding, certainty=Certainty.NOT_PROVED)
    return finding


def _without_proof(finding: Finding) -> Finding:
    """Return a finding that is not sure of files, while nothing shows that the service has them."""
    if finding.certainty is not Certainty.SURE or finding.topic not in OF_FILES:
        return finding
    guesses = {**finding.guesses, **finding.settings}
    return replace(finding, certainty=Certainty.NOT_SHOWN, settings={}, guesses=guesses)


def _obstacle(evidence: Evidence) -> str:
    """Tell what keeps the doctor from writing anything; empty if nothing does."""
    if facts.is_unexaminable(evidence):
        return NOT_THE_SERVICE
    demanded = header.demanded_header(evidence)
    if demanded:
        return f"the service demands {demanded}, which the provider cannot send"
    objection = key_facts.objection(evidence)
    if objection is not None:
        if objection.is_documented_error:
            return OBJECTS
        return NOT_THE_SERVICE
    if redirects.versionless(evidence) is not None:
        return "the Address has a version too many"
    moved = redirects.moved(evidence) or redirects.moved_coupons(evidence)
    if moved is not None:
        return f"reads are redirected to {redact_url(moved.address)}"
    if changes.lockout(evidence) is not None:
        return "the service refuses the keys since a made-up one was sent"
    others = files_of_others(evidence)
    if others is not None:
        return others.why_nothing_is_written
    if key_facts.is_service(evidence):
        return ""
    return NOT_THE_SERVICE


def _refused_at_known_paths(evidence: Evidence, since: Sequence[Probe]) -> list[Probe]:
    """
    Return the reads since an upload that were refused, but for those at paths that the doctor has
    guessed: many gateways refuse what they do not know, whatever the key is.
    """
    settings = header.current_settings(evidence)
    known = {"", settings.coupon_files_path, settings.coupon_file_path}
    tried = facts.places(evidence)
    known.add(tried.file_path)
    if tried.listed is not None:
        known.add(tried.listed.path)
    refused = [probe for probe in since if probe.kind is Kind.REFUSED]
    return [probe for probe in refused if probe.tried in known]


def _with_refusals(findings: Sequence[Finding], refused: Sequence[Probe]) -> list[Finding]:
    """Return findings of which that on the campaign key rests on refusals since an upload, too."""
    return changed(
        findings,
        Topic.CAMPAIGN_KEY,
        lambda key: replace(key, probes=(*key.probes, *refused)),
    )


def _without_sure_key(findings: Sequence[Finding], refused: Sequence[Probe]) -> list[Finding]:
    """Return findings of which none is sure of a campaign key that was refused since an upload."""
    if not refused:
        return [*findings]
    return changed(findings, Topic.CAMPAIGN_KEY, partial(_doubted, refused[0]))


def _doubted(refused: Probe, key: Finding) -> Finding:
    """Return a finding that is not sure of a key, since a read was refused after an upload."""
    if key.certainty is not Certainty.SURE:
        return key
    text = (
        f"{key.text} But since the upload, {refused.sent} is refused ({refused.answer}): the key "
        "may not read a new file, or may have been revoked meanwhile. Check it in the service's "
        "dashboard."
    )
    return replace(key, certainty=Certainty.NOT_PROVED, text=text)


def _settled(
    findings: Sequence[Finding], evidence: Evidence, followed: Sequence[Probe]
) -> list[Finding]:
    """
    Return the findings without what rests on requests with two answers; a lock-out comes first.
    """
    two_answers = changes.two_answers(evidence, followed)
    locked = changes.lockout(evidence)
    if any(two.scope is changes.Scope.PATHS for two in two_answers):
        # Both keys are accepted either way, so what differs is said of the paths.
        findings = sorted(findings, key=lambda finding: finding.topic in ACCEPTED_ANYWAY)
    if locked is None:
        return _settled_by_shapes(findings, two_answers)
    lockout = Finding(
        topic=Topic.ACCOUNT,
        certainty=Certainty.NOT_PROVED,
        text=locked.text,
        probes=tuple(locked.refused),
        has_two_answers=True,
    )
    return [lockout, *without_two_answers(findings, two_answers, said=[locked.text])]


def _settled_by_shapes(
    findings: Sequence[Finding], two_answers: Sequence[TwoAnswers]
) -> list[Finding]:
    """
    Return the findings after one on records of two shapes, if a list has such, or a file that no
    finding rests on.
    """
    shapes = []
    for two in two_answers:
        is_alone = two.is_about_list or not _has_finding(findings, two)
        if two.is_of_shapes and is_alone:
            shapes.append(two)
    if not shapes:
        return without_two_answers(findings, two_answers)
    first = shapes[0]
    leading = Finding(
        topic=Topic.RECORDS,
        certainty=Certainty.NOT_PROVED,
        text=first.text,
        probes=tuple(first.answers),
        has_two_answers=True,
    )
    others = [finding for finding in findings if finding.topic is not Topic.RECORDS]
    return [leading, *without_two_answers(others, two_answers, said=[first.text])]


def _has_finding(findings: Sequence[Finding], two: TwoAnswers) -> bool:
    """Tell whether a finding rests on a request with two answers."""
    probes = chain.from_iterable(finding.probes for finding in findings)
    return any(same_request(two.answers[0], probe) for probe in probes)


def _merged(findings: Sequence[Finding], later: Sequence[Finding]) -> list[Finding]:
    """
    Return the findings with those of a change, which count more than those of reads, but for
    requests that were answered in two ways.
    """
    merged = {finding.topic: finding for finding in findings}
    for finding in later:
        before = merged.get(finding.topic)
        if before is None or _counts_more(finding, before):
            merged[finding.topic] = finding
    return list(merged.values())


def _counts_more(finding: Finding, before: Finding) -> bool:
    """Tell whether a finding from a change replaces one from reads."""
    if before.has_two_answers:
        return False
    if finding.is_trouble:
        return True
    # That a change is accepted does not mend what is wrong for reads; and a setting that has to
    # change was sent as it has to be.
    return before.certainty in (Certainty.NOT_PROVED, Certainty.NOT_SHOWN)
