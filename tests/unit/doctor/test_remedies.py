"""What to do about a refusal, as its words say, in each of the ways that services say it."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from support.doctor_words import Tells, each_of
from wes_provider.doctor import remedies

WAIT = "wait until it is valid, or put in the one that is valid now."
APPROVE = "have it approved or activated, as the service says: the key may be right."
COPY = "copy the current key from where the service shows it, and put it in."
EXTEND = "make a new key, or have its time extended, and put it in."
ENABLE = "make a new key, or have this one enabled, and put it in."

FROM = (
    "request",
    "requests",
    "access",
    "calls",
    "traffic",
    "connections",
    "client",
    "source",
    "remote",
    "you",
    "your",
)
NEW_KEYS = [
    Tells(WAIT, ["The key is not yet valid"]),
    Tells(
        WAIT,
        [
            "not yet valid",
            "NOT_YET_USABLE",
            "not-yet-in-effect",
            "cannot be used yet",
            "cannot be used before May",
            "cannot be used until May",
            "becomes active in May",
            "becomes valid",
            "not valid before May",
            "not active until May",
            "not usable before",
            "not enabled until",
            "valid from May",
            "only active from May",
            "usable only from May",
            "used before its start",
            "noch nicht gültig",
            "gültig ab Mai",
            "gültig erst im Mai",
        ],
    ),
    Tells(
        APPROVE,
        [
            "awaiting approval",
            "awaits the final review",
            "pending activation",
            "requires confirmation",
            "require review",
            "needs verification",
            "need approval",
            "waiting for an admin approval",
            "approval pending",
            "activation is required",
            "confirmation needed",
            "verification outstanding",
            "not approved",
            "not yet activated",
            "not yet been confirmed",
            "not verified",
            "not active",
            "noch nicht freigegeben",
            "noch nicht freigeschaltet",
            "noch nicht aktiv",
            "Freigabe fehlt",
        ],
    ),
    Tells(
        COPY,
        [
            "replaced",
            "Superseded",
            "rotated",
            "after a rotation",
            "rolled over",
            "rolled to x",
            "obsolete",
            "outdated",
            "newer",
            "ersetzt",
            "reemplazada",
            "remplacée",
            "use the current one",
            "a new key is there",
            "the latest token",
            "the active secret",
            "the current version",
            "expired and replaced",
        ],
    ),
    Tells(EXTEND, ["expired", "Abgelaufen", "caducada", "vencida", "has lapsed"]),
    Tells(ENABLE, ["revoked", "", "rolled up", "requires nothing", "inactive"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(NEW_KEYS))
def test_what_to_do_about_a_key_follows_from_what_became_of_it(text: str, expected: Any):
    assert remedies.new_key(text) == expected


IS_FIREWALL = [
    Tells(True, ["Protected by Cloudflare"]),
    Tells(
        True,
        [
            "Cloudflare",
            "incapsula",
            "imperva",
            "akamai",
            "edgesuite",
            "sucuri",
            "mod_security",
            "web application firewall",
            "request blocked",
            "request is blocked",
            "request was rejected",
            "request has been blocked",
            "requested url was rejected",
            "you have been blocked",
            "your support id is",
            "error 1020",
            "error 1009",
            "error 1010",
        ],
    ),
    Tells(
        False,
        ["", "error 1030", "error 102", "error 10201", "blocked", "url rejected"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_FIREWALL))
def test_words_of_a_firewalls_page_are_known(text: str, expected: Any):
    assert remedies.is_firewall(text) == expected


REFERENCES_IN = [
    Tells(
        "IP address 203.0.113.7",
        [*(f"Blocked {word} from 203.0.113.7" for word in FROM), "So your ip:  203.0.113.7"],
    ),
    Tells(
        "IP address 2001:db8:0:0:0:0:0:7",
        ["Your IP 2001:db8:0:0:0:0:0:7"],
    ),
    Tells("", ["requests from 203.0.113.0/24", "others from 203.0.113.7"]),
    Tells("Ray ID 7a-b8", ["Ray ID: 7a-b8", "Ray ID: is 7a-b8."]),
    *(
        Tells(f"{name} a1b", [f"See {name}: a1b."])
        for name in (
            "request id",
            "support-id",
            "incident number",
            "event no",
            "trace no.",
            "error #",
            "reference ID",
            "correlation id",
            "block id",
            "case number",
            "transaction id",
            "reference",
            "incident",
            "supportid",
        )
    ),
    Tells(
        "incident 12, Ray ID 9x, IP address 203.0.113.7",
        ["incident #12, Ray ID: 9x; incident 12. Your IP is 203.0.113.7"],
    ),
    Tells(
        "IP address 203.0.113.7",
        ["Your IP address: 203.0.113.7", "client ip 203.0.113.7/"],
    ),
    Tells("", ["", "support id: none", "202.0.113.7", "Ray: 12"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(REFERENCES_IN))
def test_what_support_looks_a_refusal_up_by_is_named_once(text: str, expected: Any):
    assert remedies.references_in(text) == expected


NAMES_REASON = [
    Tells(
        True,
        [
            "expired",
            "REVOKED",
            "disabled",
            "deactivated",
            "inactive",
            "suspended",
            "retired",
            "rotated",
            "rotation",
            "deleted",
            "locked",
            "abgelaufen",
            "gesperrt",
            "widerrufen",
            "deaktiviert",
            "caducada",
            "vencida",
            "replaced",
            "superseded",
            "obsolete",
            "outdated",
            "rolled",
            "ersetzt",
            "reemplazada",
            "remplacé",
            "not approved",
            "not yet valid",
        ],
    ),
    Tells(
        False,
        [
            "",
            "unknown key",
            "missing or expired",
            "invalid or expired",
            "expired or invalid",
            "Invalid or not approved",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(NAMES_REASON))
def test_words_of_what_became_of_a_key_are_told_from_those_that_only_refuse_it(
    text: str, expected: Any
):
    assert remedies.names_reason(text) == expected


IS_AWAITED = [
    Tells(True, ["pending review"]),
    Tells(False, ["needs a b c d approval", "needs more", "approval given"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_AWAITED))
def test_words_of_an_approval_that_is_awaited_are_known(text: str, expected: Any):
    assert remedies.is_awaited(text) == expected


IS_RETIRED = [
    Tells(
        True,
        [
            "version 1 is retired",
            "v1 has its sunset",
            "This API is deprecated",
            "endpoint discontinued",
            "release decommissioned",
            "version removed",
            "version turned off",
            "version shut down",
            "API shutdown",
            "API no longer works",
            "API end-of-life",
            "API is gone",
            "API abgeschaltet",
            "API eingestellt",
            "API retirada",
            "version unsupported",
            "version not supported",
            "retired version",
            "sunset of version 1",
            "deprecated v1",
            "discontinued v1",
            "decommissioned v1",
            "unsupported v1",
            "no longer supported: v1",
        ],
    ),
    Tells(
        False,
        ["", "key retired", "version 1. Key retired", "retired; version", "v is gone", "apis gone"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_RETIRED))
def test_words_of_a_version_that_has_ended_are_known(text: str, expected: Any):
    assert remedies.is_retired(text) == expected


TAKES_NO_WRITES = [
    Tells(
        True,
        [
            "read-only",
            "Read only",
            "readonly",
            "read_only",
            "writes are disabled",
            "write blocked",
            "changes suspended",
            "updates paused",
            "uploads frozen",
            "upload turned off",
            "modifications switched off",
            "imports closed",
            "import is not accepted",
            "writes not allowed",
            "writes not possible",
            "writes not available",
            "Schreibschutz",
            "nur lesend",
            "nur-lesend",
            "sólo lectura",
            "solo lectura",
        ],
    ),
    Tells(False, ["", "reads only", "writes. All disabled", "not allowed"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(TAKES_NO_WRITES))
def test_words_of_a_service_that_takes_no_changes_are_known(text: str, expected: Any):
    assert remedies.takes_no_writes(text) == expected


WANTED_FORM = [
    Tells("UUID", ["not a UUID", "invalid UUID", "must be a valid UUID"]),
    Tells(
        "guid",
        [
            "malformed guid",
            "should be a guid",
            "expected guid",
            "expects a guid",
            "need guid",
            "needs a guid",
            "wants guid",
            "want a guid",
            "has to be a guid",
            "valid guid",
            "keine guid",
            "gültige guid",
        ],
    ),
    *(
        Tells(form, [f"must be a {form}"])
        for form in (
            "ulid",
            "integer",
            "numeric",
            "number",
            "Ganzzahl",
            "24 digits",
            "24-digits",
            "24 hex digits",
            "8 characters",
            "24 hexadecimal",
            "hex",
            "hexadecimal",
            "slug",
            "urn",
        )
    ),
    Tells("", ["", "UUID", "not one; a UUID", "must be a uuids"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(WANTED_FORM))
def test_the_form_that_a_value_has_to_have_is_read(text: str, expected: Any):
    assert remedies.wanted_form(text) == expected


ASKS_FOR_SOMETHING = [
    Tells(
        True,
        [
            "please",
            "it must be",
            "you should",
            "it needs to be",
            "need to",
            "has to",
            "have to",
            "is required",
            "requires",
            "require",
            "bitte",
            "muss",
            "müssen",
            "veuillez",
            "debe",
            "por favor",
            *(
                f"No; {word} it"
                for word in (
                    "accept activate add ask choose complete confirm contact create enable include "
                    "pay provide renew retry see send set sign specify supply try upgrade use "
                    "verify visit wait"
                ).split()
            ),
            "No. Ask",
            "No: ask",
            "No! Ask",
            "a, ask",
            "(ask",
            "a - ask",
            "retry or ask",
            "x and ask",
            "can be activated",
            "can activate",
            "can add",
            "can be allowed",
            "can change",
            "can be enabled",
            "can grant",
            "can be set",
            "can unlock",
            "see it under settings",
            "in settings",
        ],
    ),
    Tells(
        False,
        ["", "accepted", "you asked", "a settings page", "can be activity", "No ask", "mustard"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(ASKS_FOR_SOMETHING))
def test_words_that_ask_their_reader_to_do_something_are_known(text: str, expected: Any):
    assert remedies.asks_for_something(text) == expected


IS_MAINTENANCE = [
    Tells(
        True,
        [
            "Maintenance",
            "Wartung",
            "mantenimiento",
            "manutenzione",
            "manutenção",
            "manutencao",
            "unavailable",
            "temporarily",
            "nicht verfügbar",
            "nicht erreichbar",
            "indisponible",
            "back soon",
            "back shortly",
            "back at",
            "back in",
            "downtime",
            "down until 10:00",
            "offline from 9.30",
            "closed at 9h00",
            "upgrading till 10 uhr",
            "until 9am",
            "bis 10 Uhr",
            "till 9pm",
            "until 12 UTC",
        ],
    ),
    Tells(False, ["", "back", "until May", "from 10:00", "log in"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_MAINTENANCE))
def test_words_of_a_service_that_is_away_for_a_time_are_known(text: str, expected: Any):
    assert remedies.is_maintenance(text) == expected


LASTS_UNTIL = [
    Tells(
        True,
        ["until 2027-01-01", "Till 10:00", "bis 10h00", "hasta 9.30", "jusqu'à 9pm"],
    ),
    Tells(False, ["", "until May", "from 10:00", "still 10:00x", "at 9 am"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(LASTS_UNTIL))
def test_words_that_say_until_when_something_lasts_have_a_date_or_an_hour(text: str, expected: Any):
    assert remedies.lasts_until(text) == expected


WAIT_OF = [
    Tells(
        "until then",
        ["2027-01-01", "10:00", "9.30", "9h05", "9 am", "12pm", "10 Uhr", "10 utc"],
    ),
    Tells("until it is over", ["", "May", "27-01-01", "10:0", "123:00", "9 amps"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(WAIT_OF))
def test_how_long_to_wait_is_until_then_if_words_are_dated(text: str, expected: Any):
    assert remedies.wait_of(text) == expected


IS_DATED = [
    Tells(True, ["2027-01-01"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_DATED))
def test_a_date_or_an_hour_is_known(text: str, expected: Any):
    assert remedies.is_dated(text) == expected


IS_OF_OTHER_MODE = [
    Tells(
        True,
        [
            "a test key",
            "the live API key",
            "sandbox key",
            "production key",
            "staging key",
            "demo key",
            "key is of test",
            "key for live",
            "key of the sandbox",
            "key: production",
            "key of staging",
            "key of a Demo",
        ],
    ),
    Tells(
        False,
        ["", "key", "test", "tested key", "test keys", "monkey of test"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_OF_OTHER_MODE))
def test_words_of_a_key_of_another_mode_are_known(text: str, expected: Any):
    assert remedies.is_of_other_mode(text) == expected


IS_OF_FETCHING = [
    Tells(
        True,
        [
            "could not fetch",
            "download failed",
            "retrieve",
            "retrieving",
            "file_url",
            "GET x",
            "HTTP 404",
            "unknown host",
            "DNS",
            "connection",
            "certificate",
            "timeout",
            "timed out",
            "time out",
            "unreachable",
            "nicht abgerufen",
            "nicht herunterladbar",
        ],
    ),
    Tells(False, ["", "no header", "targets", "hosts"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_OF_FETCHING))
def test_reasons_of_a_file_that_was_not_fetched_are_known(text: str, expected: Any):
    assert remedies.is_of_fetching(text) == expected


MAY_LACK_ACCESS = [
    Tells(
        True,
        [
            "not there or no access",
            "or you lack permission",
            "or not permitted",
            "or not allowed",
            "or not authorized",
            "or not authorised",
            "or not visible",
            "or not shared",
            "or does not belong",
            "no access or does not exist",
            "no permission or not found",
            "no Access, or it does not exist",
        ],
    ),
    Tells(
        False,
        ["", "no access", "or else", "not found or gone", "for access"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(MAY_LACK_ACCESS))
def test_words_that_leave_open_whether_access_or_a_thing_is_lacking_are_known(
    text: str, expected: Any
):
    assert remedies.may_lack_access(text) == expected


SAYS_HTTPS_ONLY = [
    Tells(
        True,
        [
            "plain HTTP request was sent to HTTPS port",
            "http request to an https port",
            "https required",
            "HTTPS is required",
            "https-only",
            "https_only",
            "ssl required",
            "TLS is required",
            "requires https",
            "require ssl",
            "required tls",
            "use HTTPS",
            "over tls",
            "via ssl",
            "through https",
            "insecure connection",
        ],
    ),
    Tells(False, ["", "use https://a", "https", "use httpsx", "secure"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(SAYS_HTTPS_ONLY))
def test_words_that_want_https_are_known(text: str, expected: Any):
    assert remedies.says_https_only(text) == expected


MISSES_CREDENTIALS = [
    Tells(
        True,
        [
            "Authorization header is missing",
            "authorization missing",
            "Authorization not set",
            "Authorization: not provided",
            "The authorization header was not found",
            "Missing authorization",
            "No Authorization header",
            "Without an authorization header",
            "No credentials were provided",
            "no authentication given",
            "credentials not sent",
        ],
    ),
    Tells(
        False,
        [
            "",
            "Authorization required",
            "Missing or invalid credentials",
            "Unauthorized",
            "Authorization failed. The list is missing",
            "invalid credentials",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(MISSES_CREDENTIALS))
def test_words_that_no_credentials_came_are_told_from_those_that_they_are_wrong(
    text: str, expected: Any
):
    assert remedies.misses_credentials(text) == expected


NAMES_LIST = [
    Tells(
        True,
        [
            "coupon_list_id must be hex",
            "list id",
            "the coupon list identifier",
            "lists_id",
            "coupon-list-id",
            "listid is wrong",
            "CouponListId",
        ],
    ),
    Tells(False, ["", "the list is empty", "list of ids", "playlistid"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(NAMES_LIST))
def test_words_that_name_the_identifier_of_a_list_are_known(text: str, expected: Any):
    assert remedies.names_list(text) == expected


IS_BARE_REFUSAL = [
    Tells(
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
    Tells(False, ["Forbidden key", "404", "denied for you"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_BARE_REFUSAL))
def test_a_refusal_that_says_nothing_else_is_bare(text: str, expected: Any):
    assert remedies.is_bare_refusal(text) == expected


NAMES_ACCOUNT = [
    Tells(
        True,
        [
            "workspace mismatch",
            "tenant does not match",
            "account not found",
            "project unknown",
            "organization not served",
            "organisation not known",
            "app id does not exist",
            "application key unknown",
            "client id unknown",
            "account notexist",
            "another workspace",
            "other tenant",
            "different account",
            "wrong project",
            "key issued for a tenant",
            "belongs to an account",
            "belong to app id",
            "mismatched account",
            "no such account",
            "unknown workspace",
            "unknown_app_id",
        ],
    ),
    Tells(
        False,
        ["", "workspace", "unknown key", "wrong key"],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(NAMES_ACCOUNT))
def test_words_about_an_account_that_keys_are_not_of_are_known(text: str, expected: Any):
    assert remedies.names_account(text) == expected


IS_ACCOUNT = [
    Tells(
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
    Tells(False, ["", "app", "workspaces", "list", "my_workspace", "account__id"]),
]


@pytest.mark.parametrize(("text", "expected"), each_of(IS_ACCOUNT))
def test_what_an_account_is_called_is_known(text: str, expected: Any):
    assert remedies.is_account(text) == expected


OTHER_PLACE = [
    Tells(
        "shard",
        [
            "account is not in this shard",
            "no tenant on shard 3",
            "Account nicht in shard 3",
            "this isn't the Shard of the account",
            "account doesn't live in shard 1",
            "unknown workspace in shard",
            "account is in another shard",
            "other shard: account",
            "account of a different shard",
            "wrong shard for account",
            "incorrect shard, account",
        ],
    ),
    *(
        Tells(place, [f"account is not in this {place.upper()}"])
        for place in (
            "data center",
            "datacentre",
            "data-center",
            "region",
            "cluster",
            "cell",
            "pod",
            "stack",
            "silo",
            "stamp",
            "dc",
        )
    ),
    Tells(
        "",
        [
            "",
            "not in this shard",
            "account in this shard",
            "account is not here. Shard 3",
            "account is unknown",
            "another account",
            "account not in this sharded",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(OTHER_PLACE))
def test_the_place_that_an_account_is_not_in_is_named(text: str, expected: Any):
    assert remedies.other_place(text) == expected


DATA_CENTERS_IN = [
    Tells(
        ["03"],
        [
            "data center 03",
            "datacentre: 03",
            "region 03",
            "cluster is 03",
            "zone 03",
            "dc 03",
            "api-03.example.com",
            "homed in eu03",
            "home at eu03",
            "hosted in west-03",
            "located at eu03",
            "lives in eu-03",
            "moved to the eu-03",
            "served from us03",
            "belongs to us-03",
            "eu-03",
            "emea03",
            "us03",
            "na-03",
            "amer03",
            "ap03",
            "apac03",
            "asia-03",
            "sa03",
            "latam03",
            "me03",
            "af03",
            "uk03",
            "de03",
            "pod-03",
            "cell03",
            "shard03",
            "region 03 and region 03",
        ],
    ),
    Tells(
        ["3"],
        [
            "data center 3",
            "region: 3",
            "cluster #3",
            "cell=3",
            "shard '3'",
            "pod no. 3",
            "stack number 3",
            "silo id 3",
            "stamp eu-3",
            "dc (3)",
            "home_region: eu-3",
            "my_dc_x: 3",
        ],
    ),
    Tells(["03", "4"], ["data center 03 or shard 4"]),
    Tells(
        [],
        [
            "",
            "no",
            "eu-west-1",
            "data center 1234",
            "region eu-west-1",
            "03",
            "pod 3-4",
            "us33",
            "us 0",
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), each_of(DATA_CENTERS_IN))
def test_the_numbers_of_data_centers_are_read_once_each(text: str, expected: Any):
    assert remedies.data_centers_in(text) == expected


class Method(NamedTuple):
    """Words, and the method of HTTP that they ask for in place of POST."""

    words: str
    method: str


METHODS = [
    *(
        Method(f"{word} PUT", "PUT")
        for word in (
            "Use",
            "use",
            "Via",
            "via",
            "With",
            "with",
            "By",
            "by",
            "Send",
            "send",
            "require",
            "requires",
            "Require",
            "Requires",
            "Only",
            "only",
            "Allowed",
            "allowed:",
            "Allowed:",
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
def test_another_method_is_read_in_capitals_after_a_word_that_asks_for_it(row: Method):
    assert remedies.other_method(row.words, "POST") == row.method


MEMBERS = [
    *(
        (f"{word} field colour", "colour")
        for word in (
            "missing",
            "required",
            "lack",
            "lacks",
            "need",
            "needs",
            "add",
            "include",
            "provide",
            "send the",
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
def test_a_member_is_read_in_words_that_miss_it(words: str, member: str):
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
def test_the_only_other_account_that_words_name_is_read(row: Named):
    assert remedies.other_account(row.words, "Mine") == row.account


BARE = (
    "api apikey authentication authorization bad credentials failed incorrect invalid key login "
    "missing no not or password permitted provided required secret token unauthorised unauthorized "
    "unknown user username wrong your"
).split()


@pytest.mark.parametrize("word", [*BARE, "Denied", "forbidden"])
def test_a_refusal_of_a_key_that_says_nothing_else_is_bare(word: str):
    assert remedies.is_bare_refusal_of_key(f"{word.title()}!")


@pytest.mark.parametrize("word", [*BARE, "Denied", "forbidden"])
def test_a_refusal_of_a_key_with_any_other_word_is_not_bare(word: str):
    assert not remedies.is_bare_refusal_of_key(f"{word} expired")
