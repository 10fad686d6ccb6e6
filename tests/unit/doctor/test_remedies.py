"""What to do about a refusal, as its words say, in each of the ways that services say it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest

from wes_provider.doctor import remedies


class Words(NamedTuple):
    """What a function makes of words; ``True`` and ``False`` if it only tells whether they fit."""

    tells: Callable[..., Any]
    expected: Any
    texts: Sequence[str]


WAIT = "wait until it is valid, or put in the one that is valid now."
APPROVE = "have it approved or activated, as the service says: the key may be right."
COPY = "copy the current key from where the service shows it, and put it in."
EXTEND = "make a new key, or have its time extended, and put it in."
ENABLE = "make a new key, or have this one enabled, and put it in."

FROM = (
    *("request", "requests", "access", "calls", "traffic", "connections"),
    *("client", "source", "remote", "you", "your"),
)
WORDS = [
    Words(remedies.new_key, WAIT, ["The key is not yet valid"]),
    Words(remedies.is_firewall, True, ["Protected by Cloudflare"]),
    Words(
        remedies.references_in,
        "IP address 203.0.113.7",
        [*(f"Blocked {word} from 203.0.113.7" for word in FROM), "So your ip:  203.0.113.7"],
    ),
    Words(
        remedies.references_in,
        "IP address 2001:db8:0:0:0:0:0:7",
        ["Your IP 2001:db8:0:0:0:0:0:7"],
    ),
    Words(remedies.references_in, "", ["requests from 203.0.113.0/24", "others from 203.0.113.7"]),
    Words(
        remedies.new_key,
        WAIT,
        [
            *("not yet valid", "NOT_YET_USABLE", "not-yet-in-effect", "cannot be used yet"),
            *("cannot be used before May", "cannot be used until May", "becomes active in May"),
            *("becomes valid", "not valid before May", "not active until May", "not usable before"),
            *(
                "not enabled until",
                "valid from May",
                "only active from May",
                "usable only from May",
            ),
            *("used before its start", "noch nicht gültig", "gültig ab Mai", "gültig erst im Mai"),
        ],
    ),
    Words(
        remedies.new_key,
        APPROVE,
        [
            *("awaiting approval", "awaits the final review", "pending activation"),
            *("requires confirmation", "require review", "needs verification", "need approval"),
            *("waiting for an admin approval", "approval pending", "activation is required"),
            *(
                "confirmation needed",
                "verification outstanding",
                "not approved",
                "not yet activated",
            ),
            *("not yet been confirmed", "not verified", "not active", "noch nicht freigegeben"),
            *("noch nicht freigeschaltet", "noch nicht aktiv", "Freigabe fehlt"),
        ],
    ),
    Words(
        remedies.new_key,
        COPY,
        [
            *(
                "replaced",
                "Superseded",
                "rotated",
                "after a rotation",
                "rolled over",
                "rolled to x",
            ),
            *("obsolete", "outdated", "newer", "ersetzt", "reemplazada", "remplacée"),
            *("use the current one", "a new key is there", "the latest token", "the active secret"),
            *("the current version", "expired and replaced"),
        ],
    ),
    Words(remedies.new_key, EXTEND, ["expired", "Abgelaufen", "caducada", "vencida", "has lapsed"]),
    Words(remedies.new_key, ENABLE, ["revoked", "", "rolled up", "requires nothing", "inactive"]),
    Words(
        remedies.names_reason,
        True,
        [
            *("expired", "REVOKED", "disabled", "deactivated", "inactive", "suspended", "retired"),
            *("rotated", "rotation", "deleted", "locked", "abgelaufen", "gesperrt", "widerrufen"),
            *("deaktiviert", "caducada", "vencida", "replaced", "superseded", "obsolete"),
            *("outdated", "rolled", "ersetzt", "reemplazada", "remplacé", "not approved"),
            "not yet valid",
        ],
    ),
    Words(
        remedies.names_reason,
        False,
        [
            *("", "unknown key", "missing or expired", "invalid or expired", "expired or invalid"),
            "Invalid or not approved",
        ],
    ),
    Words(remedies.is_awaited, True, ["pending review"]),
    Words(remedies.is_awaited, False, ["needs a b c d approval", "needs more", "approval given"]),
    Words(
        remedies.is_retired,
        True,
        [
            *("version 1 is retired", "v1 has its sunset", "This API is deprecated"),
            *("endpoint discontinued", "release decommissioned", "version removed"),
            *("version turned off", "version shut down", "API shutdown", "API no longer works"),
            *("API end-of-life", "API is gone", "API abgeschaltet", "API eingestellt"),
            *("API retirada", "version unsupported", "version not supported", "retired version"),
            *("sunset of version 1", "deprecated v1", "discontinued v1", "decommissioned v1"),
            *("unsupported v1", "no longer supported: v1"),
        ],
    ),
    Words(
        remedies.is_retired,
        False,
        ["", "key retired", "version 1. Key retired", "retired; version", "v is gone", "apis gone"],
    ),
    Words(
        remedies.takes_no_writes,
        True,
        [
            *("read-only", "Read only", "readonly", "read_only", "writes are disabled"),
            *("write blocked", "changes suspended", "updates paused", "uploads frozen"),
            *("upload turned off", "modifications switched off", "imports closed"),
            *("import is not accepted", "writes not allowed", "writes not possible"),
            *("writes not available", "Schreibschutz", "nur lesend", "nur-lesend", "sólo lectura"),
            "solo lectura",
        ],
    ),
    Words(
        remedies.takes_no_writes, False, ["", "reads only", "writes. All disabled", "not allowed"]
    ),
    Words(remedies.wanted_form, "UUID", ["not a UUID", "invalid UUID", "must be a valid UUID"]),
    Words(
        remedies.wanted_form,
        "guid",
        [
            *("malformed guid", "should be a guid", "expected guid", "expects a guid", "need guid"),
            *("needs a guid", "wants guid", "want a guid", "has to be a guid", "valid guid"),
            *("keine guid", "gültige guid"),
        ],
    ),
    *(
        Words(remedies.wanted_form, form, [f"must be a {form}"])
        for form in (
            *("ulid", "integer", "numeric", "number", "Ganzzahl", "24 digits", "24-digits"),
            *(
                "24 hex digits",
                "8 characters",
                "24 hexadecimal",
                "hex",
                "hexadecimal",
                "slug",
                "urn",
            ),
        )
    ),
    Words(remedies.wanted_form, "", ["", "UUID", "not one; a UUID", "must be a uuids"]),
    Words(remedies.references_in, "Ray ID 7a-b8", ["Ray ID: 7a-b8", "Ray ID: is 7a-b8."]),
    *(
        Words(remedies.references_in, f"{name} a1b", [f"See {name}: a1b."])
        for name in (
            *("request id", "support-id", "incident number", "event no", "trace no.", "error #"),
            *("reference ID", "correlation id", "block id", "case number", "transaction id"),
            *("reference", "incident", "supportid"),
        )
    ),
    Words(
        remedies.references_in,
        "incident 12, Ray ID 9x, IP address 203.0.113.7",
        ["incident #12, Ray ID: 9x; incident 12. Your IP is 203.0.113.7"],
    ),
    Words(
        remedies.references_in,
        "IP address 203.0.113.7",
        ["Your IP address: 203.0.113.7", "client ip 203.0.113.7/"],
    ),
    Words(remedies.references_in, "", ["", "support id: none", "202.0.113.7", "Ray: 12"]),
    Words(
        remedies.asks_for_something,
        True,
        [
            *(
                "please",
                "it must be",
                "you should",
                "it needs to be",
                "need to",
                "has to",
                "have to",
            ),
            *("is required", "requires", "require", "bitte", "muss", "müssen", "veuillez", "debe"),
            "por favor",
            *(
                f"No; {word} it"
                for word in (
                    "accept activate add ask choose complete confirm contact create enable include "
                    "pay provide renew retry see send set sign specify supply try upgrade use "
                    "verify visit wait"
                ).split()
            ),
            *(
                "No. Ask",
                "No: ask",
                "No! Ask",
                "a, ask",
                "(ask",
                "a - ask",
                "retry or ask",
                "x and ask",
            ),
            *("can be activated", "can activate", "can add", "can be allowed", "can change"),
            *("can be enabled", "can grant", "can be set", "can unlock", "see it under settings"),
            "in settings",
        ],
    ),
    Words(
        remedies.asks_for_something,
        False,
        ["", "accepted", "you asked", "a settings page", "can be activity", "No ask", "mustard"],
    ),
    Words(
        remedies.is_maintenance,
        True,
        [
            *(
                "Maintenance",
                "Wartung",
                "mantenimiento",
                "manutenzione",
                "manutenção",
                "manutencao",
            ),
            *("unavailable", "temporarily", "nicht verfügbar", "nicht erreichbar", "indisponible"),
            *("back soon", "back shortly", "back at", "back in", "downtime", "down until 10:00"),
            *("offline from 9.30", "closed at 9h00", "upgrading till 10 uhr", "until 9am"),
            *("bis 10 Uhr", "till 9pm", "until 12 UTC"),
        ],
    ),
    Words(remedies.is_maintenance, False, ["", "back", "until May", "from 10:00", "log in"]),
    Words(
        remedies.lasts_until,
        True,
        ["until 2027-01-01", "Till 10:00", "bis 10h00", "hasta 9.30", "jusqu'à 9pm"],
    ),
    Words(remedies.lasts_until, False, ["", "until May", "from 10:00", "still 10:00x", "at 9 am"]),
    Words(
        remedies.wait_of,
        "until then",
        ["2027-01-01", "10:00", "9.30", "9h05", "9 am", "12pm", "10 Uhr", "10 utc"],
    ),
    Words(
        remedies.wait_of, "until it is over", ["", "May", "27-01-01", "10:0", "123:00", "9 amps"]
    ),
    Words(remedies.is_dated, True, ["2027-01-01"]),
    Words(
        remedies.is_of_other_mode,
        True,
        [
            *("a test key", "the live API key", "sandbox key", "production key", "staging key"),
            *(
                "demo key",
                "key is of test",
                "key for live",
                "key of the sandbox",
                "key: production",
            ),
            *("key of staging", "key of a Demo"),
        ],
    ),
    Words(
        remedies.is_of_other_mode,
        False,
        ["", "key", "test", "tested key", "test keys", "monkey of test"],
    ),
    Words(
        remedies.is_of_fetching,
        True,
        [
            *("could not fetch", "download failed", "retrieve", "retrieving", "file_url", "GET x"),
            *(
                "HTTP 404",
                "unknown host",
                "DNS",
                "connection",
                "certificate",
                "timeout",
                "timed out",
            ),
            *("time out", "unreachable", "nicht abgerufen", "nicht herunterladbar"),
        ],
    ),
    Words(remedies.is_of_fetching, False, ["", "no header", "targets", "hosts"]),
    Words(
        remedies.may_lack_access,
        True,
        [
            *("not there or no access", "or you lack permission", "or not permitted"),
            *("or not allowed", "or not authorized", "or not authorised", "or not visible"),
            *("or not shared", "or does not belong", "no access or does not exist"),
            *("no permission or not found", "no Access, or it does not exist"),
        ],
    ),
    Words(
        remedies.may_lack_access,
        False,
        ["", "no access", "or else", "not found or gone", "for access"],
    ),
    Words(
        remedies.says_https_only,
        True,
        [
            *("plain HTTP request was sent to HTTPS port", "http request to an https port"),
            *("https required", "HTTPS is required", "https-only"),
            *("https_only", "ssl required", "TLS is required", "requires https", "require ssl"),
            *("required tls", "use HTTPS", "over tls", "via ssl", "through https"),
            "insecure connection",
        ],
    ),
    Words(remedies.says_https_only, False, ["", "use https://a", "https", "use httpsx", "secure"]),
    Words(
        remedies.is_firewall,
        True,
        [
            *(
                "Cloudflare",
                "incapsula",
                "imperva",
                "akamai",
                "edgesuite",
                "sucuri",
                "mod_security",
            ),
            *("web application firewall", "request blocked", "request is blocked"),
            *("request was rejected", "request has been blocked", "requested url was rejected"),
            *(
                "you have been blocked",
                "your support id is",
                "error 1020",
                "error 1009",
                "error 1010",
            ),
        ],
    ),
    Words(
        remedies.is_firewall,
        False,
        ["", "error 1030", "error 102", "error 10201", "blocked", "url rejected"],
    ),
    Words(
        remedies.misses_credentials,
        True,
        [
            *("Authorization header is missing", "authorization missing", "Authorization not set"),
            *("Authorization: not provided", "The authorization header was not found"),
            *(
                "Missing authorization",
                "No Authorization header",
                "Without an authorization header",
            ),
            *("No credentials were provided", "no authentication given", "credentials not sent"),
        ],
    ),
    Words(
        remedies.misses_credentials,
        False,
        [
            *("", "Authorization required", "Missing or invalid credentials", "Unauthorized"),
            *("Authorization failed. The list is missing", "invalid credentials"),
        ],
    ),
    Words(
        remedies.names_list,
        True,
        [
            *("coupon_list_id must be hex", "list id", "the coupon list identifier", "lists_id"),
            *("coupon-list-id", "listid is wrong", "CouponListId"),
        ],
    ),
    Words(remedies.names_list, False, ["", "the list is empty", "list of ids", "playlistid"]),
    Words(
        remedies.is_bare_refusal,
        True,
        [
            "",
            "Forbidden",
            "403: access denied!",
            "AccessDenied",
            "error: request is not allowed",
            "was blocked",
            "rejected",
        ],
    ),
    Words(remedies.is_bare_refusal, False, ["Forbidden key", "404", "denied for you"]),
    Words(
        remedies.names_account,
        True,
        [
            *(
                "workspace mismatch",
                "tenant does not match",
                "account not found",
                "project unknown",
            ),
            *("organization not served", "organisation not known", "app id does not exist"),
            *(
                "application key unknown",
                "client id unknown",
            ),
            *("account notexist", "another workspace", "other tenant", "different account"),
            *(
                "wrong project",
                "key issued for a tenant",
                "belongs to an account",
                "belong to app id",
            ),
            *("mismatched account", "no such account", "unknown workspace", "unknown_app_id"),
        ],
    ),
    Words(
        remedies.names_account,
        False,
        ["", "workspace", "unknown key", "wrong key"],
    ),
    Words(
        remedies.is_account,
        True,
        [
            "workspace",
            "Tenant",
            "account_id",
            "organizationId",
            "organisation-name",
            "projectKey",
            "app_id",
            "applicationkey",
            "clientId",
            "client id",
        ],
    ),
    Words(
        remedies.is_account, False, ["", "app", "workspaces", "list", "my_workspace", "account__id"]
    ),
    Words(
        remedies.other_place,
        "shard",
        [
            *("account is not in this shard", "no tenant on shard 3", "Account nicht in shard 3"),
            *("this isn't the Shard of the account", "account doesn't live in shard 1"),
            *("unknown workspace in shard", "account is in another shard", "other shard: account"),
            *(
                "account of a different shard",
                "wrong shard for account",
                "incorrect shard, account",
            ),
        ],
    ),
    *(
        Words(remedies.other_place, place, [f"account is not in this {place.upper()}"])
        for place in (
            *("data center", "datacentre", "data-center", "region", "cluster", "cell", "pod"),
            *("stack", "silo", "stamp", "dc"),
        )
    ),
    Words(
        remedies.other_place,
        "",
        [
            *("", "not in this shard", "account in this shard", "account is not here. Shard 3"),
            *(
                "account is unknown",
                "another account",
                "account not in this sharded",
            ),
        ],
    ),
    Words(
        remedies.data_centers_in,
        ["03"],
        [
            *("data center 03", "datacentre: 03", "region 03", "cluster is 03", "zone 03", "dc 03"),
            *("api-03.example.com", "homed in eu03", "home at eu03", "hosted in west-03"),
            *("located at eu03", "lives in eu-03", "moved to the eu-03", "served from us03"),
            *("belongs to us-03", "eu-03", "emea03", "us03", "na-03", "amer03", "ap03", "apac03"),
            *("asia-03", "sa03", "latam03", "me03", "af03", "uk03", "de03", "pod-03", "cell03"),
            *("shard03", "region 03 and region 03"),
        ],
    ),
    Words(
        remedies.data_centers_in,
        ["3"],
        [
            *("data center 3", "region: 3", "cluster #3", "cell=3", "shard '3'", "pod no. 3"),
            *("stack number 3", "silo id 3", "stamp eu-3", "dc (3)", "home_region: eu-3"),
            "my_dc_x: 3",
        ],
    ),
    Words(remedies.data_centers_in, ["03", "4"], ["data center 03 or shard 4"]),
    Words(
        remedies.data_centers_in,
        [],
        [
            *("", "no", "eu-west-1", "data center 1234", "region eu-west-1", "03", "pod 3-4"),
            *("us33", "us 0"),
        ],
    ),
]


@pytest.mark.parametrize(
    ("tells", "text", "expected"),
    [(row.tells, text, row.expected) for row in WORDS for text in row.texts],
    ids=[f"{row.tells.__name__} {text}" for row in WORDS for text in row.texts],
)
def test_what_words_say(tells: Callable[[str], Any], text: str, expected: Any):
    assert tells(text) == expected


class Method(NamedTuple):
    """Words, and the method of HTTP that they ask for in place of POST."""

    words: str
    method: str


METHODS = [
    *(
        Method(f"{word} PUT", "PUT")
        for word in (
            *("Use", "use", "Via", "via", "With", "with", "By", "by", "Send", "send", "require"),
            *("requires", "Require", "Requires", "Only", "only", "Allowed", "allowed:", "Allowed:"),
        )
    ),
    *(Method(f"use {method}", method) for method in ("GET", "PUT", "PATCH", "DELETE")),
    Method("use POST", ""),
    Method("use HEAD", ""),
    Method("use put", ""),
    Method("PUT it", ""),
    Method("use it. PUT", ""),
    Method("use PUTS", ""),
    Method("", ""),
]


@pytest.mark.parametrize("row", METHODS, ids=[row.words for row in METHODS])
def test_another_method_that_words_ask_for(row: Method):
    assert remedies.other_method(row.words, "POST") == row.method


MEMBERS = [
    *(
        (f"{word} field colour", "colour")
        for word in (
            *("missing", "required", "lack", "lacks", "need", "needs", "add", "include"),
            *("provide", "send the"),
        )
    ),
    *(
        (f"missing {noun}: 'colour'", "colour")
        for noun in ("property", "member", "attribute", "key")
    ),
    *(
        (f"the {noun} colour{end}", "colour")
        for noun in ("field", "property:", "member", "attribute")
        for end in (" is required", "` was missing", " must be given")
    ),
    *(
        (f"field colour must be {word}", "colour")
        for word in ("set", "present", "sent", "provided")
    ),
    *(
        (f"{name} {middle}{end}", "my_colour")
        for name in ("'my_colour'", "my_colour")
        for middle in ("is ", "is a ", "field is ", "property is ")
        for end in ("required", "missing", "mandatory")
    ),
    ("'colour' is required", "colour"),
    ("colour is required", ""),
    ("field colour must be red", ""),
    ("missing. The field colour", ""),
    ("missing Field", ""),
    ("the key colour is missing", ""),
    ("", ""),
]


@pytest.mark.parametrize(("words", "member"), MEMBERS, ids=[words for words, _ in MEMBERS])
def test_the_member_that_words_miss(words: str, member: str):
    assert remedies.missing_member(words) == member


class Named(NamedTuple):
    """Words, and the account besides ``mine`` that they name."""

    words: str
    account: str


NAMED = [
    Named("workspace demo", "demo"),
    Named("Workspace id: 'demo'", "demo"),
    Named('tenant "a.b-c".', "a.b-c"),
    Named("account = demo", "demo"),
    Named("organization demo", "demo"),
    Named("project `demo`", "demo"),
    Named("app id demo", "demo"),
    Named("client-id demo", "demo"),
    Named("workspace MINE is not workspace demo", "demo"),
    Named("workspace a is not workspace b1 or tenant c1", ""),
    Named("workspace demo and tenant demo", "demo"),
    Named("workspace mine", ""),
    *(
        Named(f"the workspace {word}", "")
        for word in (
            "a an and but does has id in is mismatch named not of or than that the this to was "
            "Which with"
        ).split()
    ),
    Named("", ""),
]


@pytest.mark.parametrize("row", NAMED, ids=[row.words for row in NAMED])
def test_the_only_other_account_that_words_name(row: Named):
    assert remedies.other_account(row.words, "Mine") == row.account


BARE = (
    "api apikey authentication authorization bad credentials failed incorrect invalid key login "
    "missing no not or password permitted provided required secret token unauthorised unauthorized "
    "unknown user username wrong your"
).split()


@pytest.mark.parametrize("word", [*BARE, "Denied", "forbidden"])
def test_a_refusal_of_a_key_that_says_nothing_else(word: str):
    assert remedies.is_bare_refusal_of_key(f"{word.title()}!")
    assert not remedies.is_bare_refusal_of_key(f"{word} expired")
