"""
What follows from the reads about the two keys. Pure.

A key is ``sure`` only if a wrong one gets another reply.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from wes_provider import contract
from wes_provider.connection_form import LABELS
from wes_provider.doctor.conclusions.anybodys import files_of_others
from wes_provider.doctor.conclusions.failing_lists import failing_key_says, failing_list_says
from wes_provider.doctor.conclusions.objections import about_account
from wes_provider.doctor.conclusions.refusals import why_not_judged
from wes_provider.doctor.findings import advice
from wes_provider.doctor.findings.finding import Certainty, Finding, Row, Topic, conclude
from wes_provider.doctor.in_front.layers import came_by, telling_realm
from wes_provider.doctor.reads import facts, header, key_facts, sayings
from wes_provider.doctor.reads.caches import says_cached
from wes_provider.doctor.reads.clocks import clock_of_service
from wes_provider.doctor.reads.escapes import (
    NAME_LIST_OTHERWISE,
    escaped_in,
    is_list_refused_for_escapes,
)
from wes_provider.doctor.reads.evidence import Evidence, Places
from wes_provider.doctor.reads.key_facts import KeyFact, Standing
from wes_provider.doctor.reads.key_turns import key_in_turn
from wes_provider.doctor.reads.sending import no_answer, resets_in, retry_after
from wes_provider.doctor.replies import remedies
from wes_provider.doctor.replies.probes import Form, Keys, Kind, Probe, Question, same_reply
from wes_provider.doctor.replies.remedies import AFTER_LIMIT, AGAIN
from wes_provider.doctor.replies.subjects import Subject
from wes_provider.doctor.replies.unreached import cause_of
from wes_provider.doctor.replies.words import other_scheme
from wes_provider.texts import redact_url

__all__ = ["conclude_on_campaign_key", "conclude_on_data_key"]

KEY: Final = Topic.CAMPAIGN_KEY.value
DATA_KEY: Final = Topic.DATA_KEY.value
HEADER: Final = Topic.WORKSPACE_HEADER.value
WORKSPACE: Final = LABELS["login"]
HEADER_FIRST: Final = f"Not settled: see {HEADER}."
# What the refusals of one key are about, if those of the other are not.
CONCERNED: Final = {
    Topic.CAMPAIGN_KEY: "Until then, tasks with coupons cannot run; those with segments can.",
    Topic.DATA_KEY: "Until then, tasks that update segments cannot run; those with coupons can.",
}
LONG_LIMIT: Final = 3600.0  # seconds; a shorter one is over when the command is run again
# What becomes of a made-up key.
KEPT_OUT: Final = {
    Kind.ELSEWHERE: "is sent elsewhere",
    Kind.NOT_SERVICE: "gets a page",
}
KNOWN_BUT_KEPT_OUT: Final = (
    "So it knows this key, and the account may have no access to coupons, or the key may be for "
    "something else. Change no key yet, but ask the service's support for access to coupons, with "
    "these words."
)
FOR_SOMETHING_ELSE: Final = (
    "So it knows this key, which may be for something else, such as segments: look in the "
    "service's dashboard for the key for coupons. If this is it, ask the service's support for "
    "access to coupons, with these words."
)
NO_KEYS_CHECKED: Final = (
    "Whatever was read, made-up keys get what the own ones get: a gateway may not check keys, or "
    "may keep for a time what it decided of the workspace. Ask whoever runs it before tasks rely "
    "on the keys: a write that is accepted shows no more of them."
)
WRITE_PROVES: Final = {
    Question.MADE_UP_KEY: advice.UPLOAD_SHOWS,
    Question.MADE_UP_DATA_KEY: advice.UPDATE_SHOWS,
}


def conclude_on_campaign_key(evidence: Evidence, tried: Places) -> Finding:
    """Conclude on the campaign API key."""
    fact = key_facts.campaign_key(evidence)
    swaps = evidence.of(Question.SWAPPED_KEYS)
    alike = facts.reads_failing_alike(evidence)
    elsewhere = [probe for probe in alike if probe.question is Question.NO_SUCH_PATH]
    return conclude(
        Topic.CAMPAIGN_KEY,
        [*fact.probes, *swaps, *key_facts.refused_elsewhere(evidence), *elsewhere],
        *_rows_of_swapped_campaign_key(evidence, fact),
        *_rows_of_refused_campaign_key(evidence, fact),
        Row(
            applies=fact.standing is Standing.ACCEPTED and _is_about_one_list(evidence),
            certainty=Certainty.NOT_SHOWN,
            text=(
                f"Known: a made-up key {_kept_out(fact)}. This list alone is refused: see "
                f"{Topic.LIST_PATH.value}."
            ),
        ),
        Row(
            applies=fact.standing is Standing.ACCEPTED and fact.is_hidden,
            certainty=Certainty.NOT_PROVED,
            text=_forbidden(evidence, fact),
        ),
        Row(
            applies=fact.standing is Standing.ACCEPTED and fact.is_forbidden,
            certainty=Certainty.WRONG,
            text=_forbidden(evidence, fact),
        ),
        Row(
            applies=fact.standing is Standing.ACCEPTED and not _has_got_files(evidence, tried),
            certainty=Certainty.NOT_SHOWN,
            text=(
                f"Known: a made-up key {_kept_out(fact)}. But no read with it got a list or a "
                "file, so whether it may read coupons is not shown."
            ),
        ),
        Row(
            applies=fact.standing is Standing.NOT_SHOWN and facts.is_list_odd(evidence),
            certainty=Certainty.NOT_SHOWN,
            text=f"Not judged, since the list cannot be read: see {Topic.LIST_PATH.value}.",
        ),
        _row_of_key(evidence, fact, Question.MADE_UP_KEY),
    )


def _rows_of_swapped_campaign_key(evidence: Evidence, fact: KeyFact) -> list[Row]:
    """Tell what holds if a key that has no access is accepted, or replaced, in another place."""
    swapped = key_facts.swapped_keys(evidence)
    denied = f"The service replies {fact.own_says}"
    if fact.standing is Standing.REFUSED:
        denied = _refused(evidence, fact)
    elif not key_facts.may_be_another_key(fact):
        return []
    return [
        Row(
            applies=swapped.are_both,
            certainty=Certainty.WRONG,
            text=(
                f"{denied}, while each key is accepted in the other's place: swap {KEY} and "
                f"{DATA_KEY}."
            ),
        ),
        Row(
            applies=swapped.data,
            certainty=Certainty.WRONG,
            text=f"{denied}. The {DATA_KEY} is accepted in its place: paste the right one.",
        ),
        Row(
            applies=swapped.campaign,
            certainty=Certainty.WRONG,
            text=(
                f"{denied}, but it is accepted as {DATA_KEY}: paste the key for coupons in its "
                "place."
            ),
        ),
    ]


def _rows_of_refused_campaign_key(evidence: Evidence, fact: KeyFact) -> list[Row]:
    """Tell what holds if each read with the campaign key is refused."""
    if fact.standing is not Standing.REFUSED:
        return []
    refused = _refused(evidence, fact)
    return [
        _row_of_cached_refusals(fact),
        _row_of_other_scheme(fact, key_facts.data_key(evidence), Topic.CAMPAIGN_KEY),
        Row(
            applies=key_facts.data_key(evidence).is_accepted,
            certainty=Certainty.WRONG,
            text=f"{refused}, though the {DATA_KEY} is accepted: {_about_refused(evidence, fact)}",
        ),
        *_rows_of_reasons(evidence, fact, f"{refused}: {_new_key(fact)}"),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Refused {_times(len(fact.own))} ({_says_with_realm(fact)}). "
                f"{_to_check(evidence, fact, KEY)}"
            ),
        ),
    ]


def _row_of_other_scheme(fact: KeyFact, other: KeyFact, topic: Topic) -> Row:
    """
    Tell what holds if refusals of a key want other credentials than keys, and the other key is
    accepted without them: then that is about what this key is for, and about no key.
    """
    advice_of_scheme = _advice_of_other_scheme(fact, other)
    made_up = ""
    if fact.own and fact.made_up is not None and same_reply(fact.own[0], fact.made_up):
        made_up = ", as a made-up key is"
    return Row(
        applies=other.is_accepted and bool(advice_of_scheme),
        certainty=Certainty.NOT_PROVED,
        text=(
            f"Refused {_times(len(fact.own))} ({fact.own_says}){made_up}. {advice_of_scheme} "
            f"{CONCERNED[topic]}"
        ),
    )


def _advice_of_other_scheme(fact: KeyFact, other: KeyFact) -> str:
    """
    Tell what to do about refusals of a key that want another scheme, by their words or by their
    challenge; empty if they do not, or what takes the other key has the same challenge.
    """
    if not fact.own:
        return ""
    first = fact.own[0]
    if first.is_about(Subject.SCHEME):
        return sayings.advice_of(first)
    scheme = _scheme_of(first)
    if _scheme_of(other.made_up) == scheme or _scheme_of(fact.made_up or first) != scheme:
        return ""
    return sayings.advice_of_scheme(first)


def _scheme_of(refused: Probe | None) -> str:
    """Return the scheme that a challenge offers in place of Basic; empty without a reply."""
    if refused is None:
        return ""
    return other_scheme(refused.response.headers)


def _row_of_cached_refusals(fact: KeyFact) -> Row:
    """Tell what holds if a cache had each refusal of a key, perhaps from before it was right."""
    cached = [says_cached(probe) for probe in fact.own]
    kept = ""
    if cached:
        kept = cached[0]
    return Row(
        applies=fact.standing is Standing.REFUSED and bool(cached) and all(cached),
        certainty=Certainty.NOT_PROVED,
        text=(
            f"Refused {_times(len(fact.own))}, by replies that a cache had kept ({kept}), so they "
            "say nothing of this key. Ask whoever runs the cache not to keep refusals, and run "
            "this again once it has dropped these."
        ),
    )


def _rows_of_reasons(evidence: Evidence, fact: KeyFact, new_key: str) -> list[Row]:
    """Tell what holds if refusals of a key say why, or that another thing is missed."""
    is_about_key = fact.names_a_reason and not _is_of_gateway(evidence)
    is_header_missed = header.missed_header(evidence) is not None
    return [
        Row(
            applies=is_about_key,
            certainty=Certainty.NOT_PROVED,
            text=new_key,
        ),
        Row(
            applies=is_header_missed,
            certainty=Certainty.NOT_PROVED,
            text=HEADER_FIRST,
        ),
    ]


def _is_about_one_list(evidence: Evidence) -> bool:
    """Tell whether a 403 is about the named list alone, since another list gets another error."""
    return facts.answer_beside_forbidden_list(evidence) is not None


def _has_got_files(evidence: Evidence, tried: Places) -> bool:
    """Tell whether the campaign key got a list or a file: in a read, or after an upload."""
    return key_facts.has_got_files(evidence) or bool(tried.file_path or tried.listed_files)


def _forbidden(evidence: Evidence, fact: KeyFact) -> str:
    """Tell what to say of a campaign key that is told from a made-up one, and gets 403."""
    refusal = fact.without_access or next(iter(fact.own), None)
    if refusal is None:
        return ""
    is_documented = not key_facts.may_be_another_key(fact) and not fact.is_hidden
    if is_documented and remedies.is_of_coupons(refusal.message):
        return (
            f"Accepted, but the account has no access to coupons ({fact.says_without_access}): ask "
            "support."
        )
    if is_documented:
        return (
            f"Accepted, but it may not read the list ({fact.says_without_access}). Do what it "
            "says, or ask the service's support, with these words, what the key may read."
        )
    came = f"The service replies {fact.says_without_access}, while a made-up key {_kept_out(fact)}."
    what_to_do = about_account(evidence, refusal) or sayings.advice_by_words(refusal)
    if what_to_do:
        return f"{came} {what_to_do}"
    if key_facts.is_about_key(refusal):
        return f"{came} {FOR_SOMETHING_ELSE}"
    # Its words tell nothing, perhaps in another language; the two statuses do.
    return f"{came} {KNOWN_BUT_KEPT_OUT}{sayings.hand_over(refusal)}"


def conclude_on_data_key(evidence: Evidence) -> Finding:
    """Conclude on the data API key."""
    settings = evidence.settings
    fact = key_facts.data_key(evidence)
    name = header.proved_header(evidence)
    tried = evidence.of(Question.SWAPPED_KEYS)
    swapped = key_facts.swapped_keys(evidence)
    why = evidence.why_not_asked(Question.DATA_KEY)
    is_unanswered = fact.standing is Standing.NO_ANSWER
    return conclude(
        Topic.DATA_KEY,
        [*fact.probes, *tried],
        Row(
            applies=settings.data_api_key == settings.api_key,
            certainty=Certainty.SURE,
            text=f"None is given: segments use the {KEY}.",
        ),
        _row_of_cached_refusals(fact),
        Row(
            applies=is_unanswered and bool(name),
            certainty=Certainty.NOT_PROVED,
            text=f"Not asked with {name}: put the extra in, and run this again.",
        ),
        Row(
            applies=is_unanswered,
            certainty=Certainty.NOT_PROVED,
            text=_no_answer_says(fact, why),
        ),
        Row(
            applies=key_facts.is_on_other_host(evidence, fact),
            certainty=Certainty.NOT_PROVED,
            text=f"{_on_other_host(fact)} The key is not judged here.",
        ),
        Row(
            applies=swapped.are_both,
            certainty=Certainty.WRONG,
            text=f"{KEY} is accepted in its place: swap the two.",
        ),
        *_rows_of_refused_data_key(evidence, fact),
        Row(
            applies=fact.standing is Standing.REFUSED_ONCE and not name,
            certainty=Certainty.NOT_PROVED,
            text=f"Refused once ({fact.own_says}). {_to_check(evidence, fact, DATA_KEY)}",
        ),
        Row(
            applies=key_facts.may_be_another_key(fact) and swapped.data,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"The service replies {fact.own_says}, and accepts it for coupons: it may be a key "
                f"for coupons. Paste the one for segments{advice.UPDATE_IS_TRIED}"
            ),
        ),
        Row(
            applies=fact.standing is Standing.ACCEPTED and (fact.is_forbidden or fact.is_hidden),
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Reads of segments get {fact.says_without_access}, while a made-up key "
                f"{_kept_out(fact)}"
                f"{advice.UPDATE_TRIES_AN_UPDATE}{_of_data_key(fact)}"
            ),
        ),
        _row_of_key(evidence, fact, Question.MADE_UP_DATA_KEY),
    )


def _rows_of_refused_data_key(evidence: Evidence, fact: KeyFact) -> list[Row]:
    """Tell what holds if each read with the data key is refused."""
    if fact.standing is not Standing.REFUSED:
        return []
    refused = _refused(evidence, fact)
    often = _times(len(fact.own))
    return [
        Row(
            applies=key_facts.swapped_keys(evidence).campaign,
            certainty=Certainty.WRONG,
            text=f"{refused}, while the {KEY} is accepted in its place: paste that one.",
        ),
        _row_of_other_scheme(fact, key_facts.campaign_key(evidence), Topic.DATA_KEY),
        Row(
            applies=key_facts.campaign_key(evidence).is_accepted,
            certainty=Certainty.WRONG,
            text=f"{refused}, though the {KEY} is accepted: {_about_refused(evidence, fact)}",
        ),
        *_rows_of_reasons(evidence, fact, f"{refused}: {_new_key(fact)}"),
        Row(
            applies=_is_of_gateway(evidence),
            certainty=Certainty.NOT_PROVED,
            text=f"{refused}: see {KEY}.",
        ),
        Row(
            applies=True,
            certainty=Certainty.NOT_PROVED,
            text=(
                f"Refused {often} ({_says_with_realm(fact)}). {_to_check(evidence, fact, DATA_KEY)}"
            ),
        ),
    ]


def _on_other_host(fact: KeyFact) -> str:
    """Tell what to do about what is on another host, with what came."""
    if not fact.own:
        return ""
    first = fact.own[0]
    came = f"{first.answer}{sayings.words_of(first)}"
    if first.kind is Kind.ELSEWHERE:
        came = f"{first.status} to {redact_url(first.location)}"
    return f"Reads get {came}. {sayings.advice_of(first)}"


def _to_check(evidence: Evidence, fact: KeyFact, key: str) -> str:
    """Tell what to check if a key is refused, and nothing shows whether it is the cause."""
    if not fact.own:
        return ""
    refused = fact.own[0]
    about = about_account(evidence, refused)
    if about:
        return about
    if refused.subject is not None and not _is_of_gateway(evidence):
        return sayings.advice_of(refused)
    of_scheme = sayings.advice_of_scheme(refused)
    if of_scheme:
        return of_scheme
    if remedies.misses_credentials(refused.message):
        return (
            "Each request had an Authorization header (Basic), so something between may take it "
            f"out{came_by(refused)}: change no key, and ask whoever runs it to pass that header "
            "on. No key was judged."
        )
    if remedies.asks_for_something(refused.message):
        return f"Do what it says; if that does not help, check {key}, {WORKSPACE} and {HEADER}."
    return (
        f"{key}, {WORKSPACE} or {HEADER} may be wrong, or a gateway refuses everybody: check each "
        "of them."
    )


def _demanded_scheme(fact: KeyFact) -> str:
    """
    Tell how the refusals of a key want their reader to authenticate, if not by Basic credentials.
    """
    if fact.own:
        return other_scheme(fact.own[0].response.headers)
    return ""


def _is_of_gateway(evidence: Evidence) -> bool:
    """
    Tell whether both keys are refused in the same words, with a challenge that offers no Basic:
    what the words say of a token is about none of the keys.
    """
    campaign, data = key_facts.campaign_key(evidence), key_facts.data_key(evidence)
    return bool(_demanded_scheme(campaign)) and campaign.own_says == data.own_says


def _of_data_key(fact: KeyFact) -> str:
    """Tell what to do about a data key by the service's words, after a text; empty if nothing."""
    if not fact.own:
        return ""
    if fact.own[0].subject is None:
        return ""
    return f" {sayings.advice_of(fact.own[0])}"


def _row_of_key(evidence: Evidence, fact: KeyFact, made_up: Question) -> Row:
    """Tell what holds of a key that was not refused twice."""
    certainty = Certainty.NOT_PROVED
    if fact.standing is Standing.ACCEPTED:
        certainty = Certainty.SURE
    return Row(
        applies=True,
        certainty=certainty,
        text=_key_says(evidence, fact, made_up),
    )


def _key_says(evidence: Evidence, fact: KeyFact, made_up: Question) -> str:
    """Tell how the service takes a key that was not refused twice."""
    kept_out = f"a made-up key {_kept_out(fact)}"
    if fact.standing is Standing.ACCEPTED:
        return f"Accepted {_times(len(fact.own))}; {kept_out}."
    if fact.standing is Standing.ACCEPTED_ONCE:
        why = _why_not_repeated(evidence, fact, Question.AGAIN)
        return f"Accepted once; {kept_out}. Not proved by a second read: {why}. {AGAIN}"
    if fact.standing is Standing.REFUSED_ONCE:
        why = _why_not_repeated(evidence, fact, fact.own[0].question)
        return f"Refused once. Not proved by a second read: {why}. {AGAIN}"
    if fact.standing is Standing.NO_ANSWER:
        failing = failing_key_says(evidence, KEY)
        if failing and made_up is Question.MADE_UP_KEY:
            return failing
        says = _no_answer_says(fact, evidence.why_not_asked(Question.LIST))
        if not facts.is_list_failing_alone(evidence):
            return says
        for other_list in evidence.of(Question.MADE_UP_LIST)[:1]:
            if facts.is_refused(other_list):
                return f"{says} Another list is refused ({other_list.answer})."
        return failing_list_says(evidence)
    if fact.standing is Standing.BOTH:
        return _both(evidence, fact)
    return f"No reply shows whether it is accepted: {_unshown(evidence, fact, made_up)}"


def _kept_out(fact: KeyFact) -> str:
    """Tell what becomes of a made-up key, if it was sent."""
    if fact.made_up is None:
        return "was not sent"
    is_another_answer = fact.made_up.kind is Kind.ANSWER and fact.made_up.error_status != 403
    if is_another_answer:
        return f"gets {fact.made_up.answer}"
    return KEPT_OUT.get(fact.made_up.kind, "is refused")


def _why_not_repeated(evidence: Evidence, fact: KeyFact, question: Question) -> str:
    """Tell why a read with the own key has one answer only."""
    lost = [probe for probe in fact.lost if probe.sent_at > fact.own[0].sent_at]
    if lost:
        return no_answer(lost)
    why = evidence.not_asked.get(question) or evidence.why_not_asked(Question.AGAIN)
    failing = facts.failing_replies(evidence)
    if failing:
        return f"{why}, and {failing}"
    return why


def _no_answer_says(fact: KeyFact, why: str) -> str:
    """Tell why nothing shows how the service takes a key, and what to do."""
    elsewhere = why_not_judged(fact.lost)
    return elsewhere or f"Not settled, because {why}{_words_of_lost(fact)}. {_after_lost(fact)}"


def _after_lost(fact: KeyFact) -> str:
    """Tell what to do if a read got no answer."""
    last = None
    if fact.lost:
        last = fact.lost[-1]
    if last is not None and not last.status:
        return cause_of(last).text
    if last is not None and last.subject is not None and not last.is_limit:
        return sayings.advice_of(last)
    return _after_limit(fact)


def _words_of_lost(fact: KeyFact) -> str:
    """Return the words of what came in place of an answer, as the end of a sentence."""
    if fact.lost:
        return sayings.words_of(fact.lost[-1])
    return ""


def _after_limit(fact: KeyFact) -> str:
    """Tell what to do after a rate limit that lasts for an hour or more, or another reason."""
    last = None
    if fact.lost:
        last = fact.lost[-1]
    if last is None or last.status != 429:
        return AGAIN
    lasts = max(retry_after(last, last.sent_at) or 0.0, resets_in(last) or 0.0)
    if lasts < LONG_LIMIT:
        return AGAIN
    return AFTER_LIMIT


def _both(evidence: Evidence, fact: KeyFact) -> str:
    """Tell which reads with one key are accepted, and which are refused."""
    refused = [*key_facts.refused_elsewhere(evidence), *filter(facts.is_refused, fact.own)]
    accepted = [probe for probe in fact.own if not facts.is_refused(probe)]
    in_turn = key_in_turn(evidence, accepted[0].request.operation.key)
    came = (
        f"Accepted at {accepted[0].time} UTC ({accepted[0].path}), refused at {refused[0].time} "
        f"({refused[0].path})"
    )
    if in_turn.node_says:
        return f"{came}. {in_turn.node_says}"
    if in_turn.is_accepted_later:
        return (
            f"{came}, and accepted later: one of several nodes may not know the key yet, or a "
            "gateway may refuse at times. Change nothing, and run this again later."
        )
    return (
        f"{came}: one of several nodes may not know the key, or it was revoked: check it in the "
        "service's dashboard, and run this again later."
    )


def _is_sent_where_made_up_keys_are(evidence: Evidence, own: Probe) -> bool:
    """
    Tell whether a read is redirected to where a made-up key is redirected to at the list, which the
    own campaign key reads.
    """
    if own.kind is not Kind.ELSEWHERE or facts.places(evidence).listed is None:
        return False
    target = own.location.partition("?")[0]
    made_up = [probe.location.partition("?")[0] for probe in evidence.of(Question.MADE_UP_KEY)]
    return target in made_up


def _unshown(evidence: Evidence, fact: KeyFact, made_up: Question) -> str:
    """Tell why reads do not show how the service takes a key."""
    own = fact.own[0]
    if fact.made_up is None:
        why = evidence.why_not_asked(made_up)
        return f"a made-up key was not compared, because {why}. {AGAIN}"
    if key_facts.are_no_keys_checked(evidence) and files_of_others(evidence) is None:
        return f"a made-up key gets the same ({fact.own_says}). {NO_KEYS_CHECKED}"
    proves = _what_shows_more(evidence, own, made_up)
    if same_reply(fact.made_up, own):
        return f"a made-up key gets the same ({fact.own_says}). {proves}"
    if fact.made_up.answer != own.answer:
        return f"it gets {own.answer}, a made-up key {fact.made_up.answer}. {proves}"
    return (
        f"it gets {fact.own_says}, and a made-up key {fact.made_up.answer}"
        f"{sayings.words_of(fact.made_up)}. {proves}"
    )


def _what_shows_more(evidence: Evidence, own: Probe, made_up: Question) -> str:
    """
    Tell what would show more of a key that reads leave open, or what to do first.

    :param own: the first reply to the own key.
    """
    is_data_key = made_up is Question.MADE_UP_DATA_KEY
    about_its_account = about_account(evidence, own)
    if about_its_account:
        return about_its_account
    if own.is_about(Subject.PLAN, Subject.POLICY, Subject.VERSION):
        return sayings.advice_of(own)  # no write would show more
    if is_data_key and _is_sent_where_made_up_keys_are(evidence, own):
        return (
            f"A made-up key for coupons is sent there, too, and the {KEY} is not, so the service "
            f"seems to refuse keys so: paste the {DATA_KEY} again, and change no path."
        )
    if is_list_refused_for_escapes(evidence, own):
        return (
            f"The list's identifier has {escaped_in(evidence.list_id)}, which the provider "
            "sends escaped, and other paths reply as the service does: a gateway may refuse such "
            f"paths. {NAME_LIST_OTHERWISE}"
        )
    if not is_data_key and _is_about_one_list(evidence):
        return f"This list alone is refused: see {Topic.LIST_PATH.value}."
    proves = str(WRITE_PROVES[made_up])
    if files_of_others(evidence) is not None:
        proves = f"See {Topic.ACCOUNT.value}."
    if own.kind is Kind.ELSEWHERE and is_data_key:
        return (
            "Updates go to that path, too: ask the service's support whether it takes them. "
            f"{proves}"
        )
    return proves


def _refused(evidence: Evidence, fact: KeyFact) -> str:
    """Tell how often a key was refused, with the words unless they say only that it is refused."""
    said = f"Refused {_times(len(fact.own))}"
    if not fact.own or not fact.own[0].message:
        return said
    is_usual_code = fact.own[0].code == contract.REQUEST_UNAUTHENTICATED
    is_usual = is_usual_code and fact.own[0].is_documented_error and not fact.names_a_reason
    if is_usual and _words_of_key(evidence, fact) is KeyWords.USUAL:
        return said
    return f"{said} ({_says_with_realm(fact)})"


def _says_with_realm(fact: KeyFact) -> str:
    """Return what came first with a key, with the realm of its refusal if that tells something."""
    realm = ""
    if fact.own:
        realm = telling_realm(fact.own[0])
    if realm:
        return f"{fact.own_says}, of the realm {realm!r}"
    return fact.own_says


def _about_refused(evidence: Evidence, fact: KeyFact) -> str:
    """Tell what to do about a refused key while the other one is accepted."""
    if fact.names_a_reason:
        return _new_key(fact)
    if fact.own[0].form is Form.PAGE:
        return (
            "what replied sent a web page and no JSON of the service's, so it may be before it: "
            "ask whoever runs it to let requests through, or paste the key again."
        )
    words = _words_of_key(evidence, fact)
    if words is KeyWords.OF_THIS_KEY:
        return (
            "do what it says, since another key gets other words; or ask the service's support "
            "which key this needs."
        )
    if words is KeyWords.USUAL:
        return "paste it again."
    if fact.own[0].code == contract.REQUEST_UNAUTHENTICATED:
        return "paste it again, or do what it says."
    return "do what it says, or ask the service's support which key this needs."


class KeyWords(Enum):
    """What the words of a refusal are about."""

    USUAL = "say only that a key is not accepted"
    OF_THIS_KEY = "another key gets other words"
    UNKNOWN = "no other key was refused, and they may say more"


def _words_of_key(evidence: Evidence, fact: KeyFact) -> KeyWords:
    """Tell what the words are about that a refused key gets: other keys are the evidence."""
    if not key_facts.says_more_than_refused(fact):
        return KeyWords.USUAL
    first = fact.own[0]
    others = _refusals_of_other_keys(evidence, first)
    if others and not any(same_reply(first, other) for other in others):
        return KeyWords.OF_THIS_KEY
    if others:
        return KeyWords.USUAL
    return KeyWords.UNKNOWN


def _refusals_of_other_keys(evidence: Evidence, refused: Probe) -> list[Probe]:
    """Return the refusals that the same request got with another key."""
    # The account's other key may be refused for the same reason; a made-up one cannot be.
    for keys in (Keys.MADE_UP, Keys.SWAPPED):
        refusals = filter(facts.is_refused, evidence.answers_to(refused.request, keys))
        with_words = [probe for probe in refusals if probe.message]
        if with_words:
            return with_words
    return []


def _new_key(fact: KeyFact) -> str:
    """Tell what to do about a refused key by what became of it."""
    if not fact.own:
        return ""
    first = fact.own[0]
    words = f"{first.code} {first.message}"
    what_to_do = remedies.new_key(words)
    if remedies.is_about_time(words):
        what_to_do += clock_of_service(first)
    return what_to_do


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")
