"""
What the doctor reports of a layer before the service that refuses everybody, of a list or a file that
is redirected to another name, and of text around JSON.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import quote

import pytest

from support.doctor_service import (
    DATA_KEY,
    FILES_PATH,
    LIST,
    Account,
    Call,
    about,
    check_bounds,
    examined_account,
    json_reply,
    page_reply,
    record,
)
from support.servers import Reply
from wes_provider.doctor.findings import Certainty, Topic
from wes_provider.doctor.remedies import asks_for_something
from wes_provider.doctor.report import Report
from wes_provider.doctor.words import hour_in

# -- a layer before the service --------------------------------------------------------------------

NGINX = (
    "<html><head><title>401 Authorization Required</title></head>\r\n<body><center><h1>401 "
    "Authorization Required</h1></center><hr><center>nginx/1.24.0</center></body></html>"
)
NO_KEY = "no reply has the service's JSON, so no key was judged: ask for the address of the service"


def refusal(body: str, media: str = "text/html", **headers: str) -> Reply:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(401, body.encode(), {"Content-Type": media, **named})


def basic(realm: str) -> str:
    return f'Basic realm="{realm}"'


class Layer(NamedTuple):
    """A refusal of each request, and parts of the verdict."""

    name: str
    reply: Reply
    says: tuple[str, ...]


LAYERS = [
    Layer(
        "nginx with a file of passwords",
        refusal(NGINX, WWW_Authenticate=basic("PREVIEW - team access only (htpasswd)")),
        (
            "Not proved: Address. What replied asks for a password of its own (a web page with 401 "
            "to whatever key, and the realm 'PREVIEW - team access only (htpasswd)'); ",
            NO_KEY,
            "or whoever runs it for an exemption; change no key.",
        ),
    ),
    Layer(
        "a realm without quotes",
        refusal(NGINX, WWW_Authenticate="Basic realm=Staging, charset=UTF-8"),
        ("What replied asks for a password of its own", "the realm 'Staging');", NO_KEY),
    ),
    Layer(
        "a login of Windows",
        refusal("<html><h1>401 - Unauthorized</h1></html>", WWW_Authenticate="Negotiate"),
        ("What replied wants a login of its own by Negotiate (a web page", NO_KEY),
    ),
    Layer(
        "a page without a challenge",
        refusal(NGINX, Server="nginx/1.24.0"),
        ("What replied refuses each read (a web page with 401", "'401 Authorization", NO_KEY),
    ),
    Layer(
        "text with a layer's realm",
        refusal("401 Unauthorized\n", "text/plain", WWW_Authenticate=basic("traefik")),
        ("asks for a password of its own (text with 401", "the realm 'traefik'", NO_KEY),
    ),
    Layer(
        "no body with a layer's realm",
        refusal("", "text/plain", WWW_Authenticate=basic("Internal - employees only")),
        ("asks for a password of its own (no body with 401", "'Internal - employees", NO_KEY),
    ),
    Layer(
        "a page that asks for a login",
        refusal("<html><title>Log in</title><input type='password'></html>"),
        (
            "Not ready: Address. The Address is behind a browser login: a login page came",
            "the keys were not judged",
        ),
    ),
]


@pytest.mark.parametrize("layer", LAYERS, ids=[layer.name for layer in LAYERS])
def test_of_what_refuses_whatever_key_and_path_the_address_alone_is_reported(layer: Layer):
    report = examined_account(Account(lambda _: layer.reply))

    for words in layer.says:
        assert words in report.verdict
    assert [finding.topic for finding in report.findings] == [Topic.ADDRESS]
    check_bounds(report)


@pytest.mark.parametrize("layer", LAYERS, ids=[layer.name for layer in LAYERS])
def test_what_refuses_whatever_key_and_path_is_read_five_times(layer: Layer):
    assert examined_account(Account(lambda _: layer.reply)).reads == 5


def refuses_keys(reply: Reply, *keys: str) -> Callable[[Call], Reply | None]:
    """Each request with one of the keys gets a reply."""
    return lambda call: reply if call.key in keys else None


def refuses_coupons(reply: Reply) -> Callable[[Call], Reply | None]:
    """Each request for lists and files gets a reply, whatever its key."""
    return lambda call: reply if call.path.startswith("/v1/") else None


class RefusedKey(NamedTuple):
    """Replies in place of a healthy service's, and how the row of the campaign key begins."""

    name: str
    replies: Callable[[Call], Reply | None]
    begins: str


PARTNERS = refusal(NGINX, WWW_Authenticate=basic("Coupons of partners"))
PARTLY_REFUSED = [
    RefusedKey(
        "for the campaign key alone",
        refuses_keys(PARTNERS, "campaign", "unknown"),
        "Refused 3 times (401: '401 Authorization Required', of the realm 'Coupons of partners')",
    ),
    RefusedKey(
        "for paths of coupons alone",
        refuses_coupons(PARTNERS),
        "Refused 3 times (401: '401 Authorization Required', of the realm 'Coupons of partners')",
    ),
    RefusedKey(
        "for paths of coupons alone, with a realm that tells nothing",
        refuses_coupons(refusal(NGINX, WWW_Authenticate=basic("Restricted area"))),
        "Refused 3 times (401: '401 Authorization Required'), though",
    ),
]


@pytest.mark.parametrize("row", PARTLY_REFUSED, ids=[row.name for row in PARTLY_REFUSED])
def test_a_key_is_wrong_if_a_page_refuses_a_part_of_the_reads_though_it_may_be_before_the_service(
    row: RefusedKey,
):
    report = examined_account(Account(row.replies))

    finding = about(report, Topic.CAMPAIGN_KEY)
    assert finding.text.startswith(row.begins)
    assert "it may be before it: ask whoever runs it" in finding.text
    assert finding.certainty is Certainty.WRONG
    check_bounds(report)


REFUSED_LIKE_BY_THE_SERVICE = [
    RefusedKey(
        "JSON",
        lambda _: json_reply(401, {"message": "Who are you?"}, WWW_Authenticate=basic("API")),
        "Refused 3 times (401: 'Who are you?')",
    ),
    RefusedKey(
        "text of one word, with a realm that tells nothing",
        lambda _: refusal("Unauthorized", "text/plain", WWW_Authenticate=basic("Realm")),
        "Refused 3 times (401: 'Unauthorized')",
    ),
    RefusedKey("no body", lambda _: refusal("", "text/plain"), "Refused 3 times (401)"),
]


@pytest.mark.parametrize(
    "row", REFUSED_LIKE_BY_THE_SERVICE, ids=[row.name for row in REFUSED_LIKE_BY_THE_SERVICE]
)
def test_a_key_is_refused_and_not_proved_if_all_reads_get_a_refusal_that_any_service_may_send(
    row: RefusedKey,
):
    """Nothing is accepted, so the workspace and its header may be wrong as well."""
    report = examined_account(Account(row.replies))

    finding = about(report, Topic.CAMPAIGN_KEY)
    assert finding.text.startswith(row.begins)
    assert finding.certainty is Certainty.NOT_PROVED
    check_bounds(report)


STOCK_SENTENCE = RefusedKey(
    "text of the status, which has a word of what to do",
    lambda _: refusal("Authorization Required", "text/plain", WWW_Authenticate=basic("Realm")),
    "Refused 3 times (401: 'Authorization Required')",
)


@pytest.mark.parametrize(
    "row",
    [*REFUSED_LIKE_BY_THE_SERVICE, STOCK_SENTENCE],
    ids=[row.name for row in [*REFUSED_LIKE_BY_THE_SERVICE, STOCK_SENTENCE]],
)
def test_a_stock_sentence_of_a_refusal_is_not_advised_to_be_followed(row: RefusedKey):
    assert "do what it says" not in examined_account(Account(row.replies)).verdict.lower()


STOCK = [
    "401 Authorization Required",
    "401 Authorization Required: nginx/1.24.0",
    "Authentication required",
    "Forbidden",
    "Unauthorized",
    "HTTP Status 401 – Unauthorized",
    "Error: 402 Payment Required",
    "428 Precondition Required",
]


@pytest.mark.parametrize("words", STOCK)
def test_the_stock_sentence_of_a_status_asks_for_nothing(words: str):
    assert not asks_for_something(words)


@pytest.mark.parametrize("sentence", ["Back at 10.30.", "until 22:00"])
def test_a_sentence_of_a_page_that_names_an_hour_is_found(sentence: str):
    assert hour_in(f"<p>{sentence}</p>") == sentence


@pytest.mark.parametrize("sentence", ["nginx/1.24.0", "Apache 2.4.57"])
def test_a_sentence_of_a_page_with_a_version_names_no_hour(sentence: str):
    assert hour_in(f"<p>{sentence}</p>") == ""


# -- another name of the list ----------------------------------------------------------------------


def redirect(target: str, status: int = 301) -> Reply:
    return Reply(status, b"", {"Location": target})


def files_of(name: str) -> str:
    return FILES_PATH.replace(LIST, quote(name, safe=""))


def renamed_list(
    new: str, *, has_files: bool = True, of_any: bool = False, nowhere: Reply | None = None
) -> Callable[[], Account]:
    """
    A service that redirects the list to another name of it.

    :param has_files: whether there is a list of that name, which has one file.
    :param of_any: redirect each list.
    :param nowhere: what a path that does not exist gets; by default, what a healthy service sends.
    """

    def replies(call: Call) -> Reply | None:
        if call.key != "campaign":
            return None
        if call.path == files_of(new):
            return json_reply(200, [record("f1", coupons_list_id=new)]) if has_files else None
        is_list = call.path.startswith("/v1/coupon-list/") and call.path.endswith("/files")
        if call.path == FILES_PATH or (of_any and is_list):
            return redirect(files_of(new))
        if "no-such-path" in call.path:
            return nowhere
        return None

    return lambda: Account(replies)


class Renamed(NamedTuple):
    """A list that is redirected, and parts of the row of its path."""

    name: str
    account: Callable[[], Account]
    says: tuple[str, ...]


SEEMS = f"The list seems to be called spring-24-eu now: the service redirects {FILES_PATH} to the "
RENAMED = [
    Renamed(
        "another name",
        renamed_list("spring-24-eu"),
        (
            f"{SEEMS}same path with spring-24-eu (301), and a read of that has 1 file.",
            "Name spring-24-eu in --coupon-list, and in your tasks, and run this again.",
        ),
    ),
    Renamed(
        "another name, and a page where no path is",
        renamed_list("spring-24-eu", nowhere=page_reply(404)),
        (SEEMS, "Name spring-24-eu in --coupon-list"),
    ),
    Renamed(
        "another case",
        renamed_list("Spring"),
        ("The list seems to be called Spring now", "Name Spring in --coupon-list"),
    ),
    Renamed(
        "a name with a space",
        renamed_list("spring eu"),
        ("The list seems to be called spring eu now", "Name spring eu in --coupon-list"),
    ),
]
NOT_ADVISED = [
    Renamed(
        "a name under which nothing is",
        renamed_list("spring-24-eu", has_files=False),
        (SEEMS, "but a read of that gets 404", "Ask the service's support what the list is called"),
    ),
    Renamed(
        "one name for any list",
        renamed_list("fallback", of_any=True),
        (
            "and a list that does not exist likewise, so that is no other name of spring",
            "ask the service's support",
        ),
    ),
]


def check_renamed(row: Renamed) -> Report:
    """The path of the list is not proved, and its row has the parts."""
    report = examined_account(row.account())

    finding = about(report, Topic.LIST_PATH)
    for words in row.says:
        assert words in finding.text
    assert finding.certainty is Certainty.NOT_PROVED
    assert report.verdict.startswith("Not proved: Path of the list's files.")
    check_bounds(report)
    return report


@pytest.mark.parametrize("row", RENAMED, ids=[row.name for row in RENAMED])
def test_a_list_is_to_be_named_as_its_redirect_does_if_that_list_has_files(row: Renamed):
    check_renamed(row)


@pytest.mark.parametrize("row", NOT_ADVISED, ids=[row.name for row in NOT_ADVISED])
def test_a_redirect_to_a_list_without_files_or_of_each_list_is_left_to_the_support(row: Renamed):
    assert "in --coupon-list" not in check_renamed(row).verdict


@pytest.mark.parametrize(
    "row", [*RENAMED, *NOT_ADVISED], ids=[row.name for row in [*RENAMED, *NOT_ADVISED]]
)
def test_no_setting_is_proposed_for_a_list_that_is_redirected_to_another_name(row: Renamed):
    assert examined_account(row.account()).extra == {}


def test_an_identifier_that_is_encoded_otherwise_is_no_other_name():
    sent, named = files_of("a:b"), FILES_PATH.replace(LIST, "a:b")
    account = Account(
        lambda call: redirect(named) if call.path == sent and call.key == "campaign" else None
    )

    report = examined_account(account, coupon_list_id="a:b")

    text = about(report, Topic.LIST_PATH).text
    assert "which has the same identifier, encoded otherwise" in text
    assert "ask the service's support to accept it" in text
    check_bounds(report)


class NoName(NamedTuple):
    """Where the list is redirected to: no path of a list of another name."""

    name: str
    target: str


NO_NAMES = [
    NoName("another host", f"https://other.example.com{files_of('spring-24-eu')}"),
    NoName("the file of a page in place of the list", files_of("error.html")),
    NoName("the word of an error in place of the list", files_of("not-found")),
    NoName("the word of a login in place of the list", files_of("login")),
    NoName("a path of another form", "/v1/coupon-list/files/spring-24-eu/all"),
    NoName("a path with another version, too", "/v2/coupon-list/spring-24-eu/files"),
]


@pytest.mark.parametrize("row", NO_NAMES, ids=[row.name for row in NO_NAMES])
def test_a_redirect_to_another_host_form_version_or_page_names_no_list(row: NoName):
    is_list = {FILES_PATH: redirect(row.target)}
    account = Account(lambda call: is_list.get(call.path) if call.key == "campaign" else None)

    report = examined_account(account)

    assert "seems to be called" not in report.to_json()
    assert "--coupon-list" not in report.verdict
    check_bounds(report)


class RenamedFile(NamedTuple):
    """Where one file is redirected to, and parts of the row of its path."""

    target: str
    says: tuple[str, ...]


RENAMED_FILES = {
    "a file of another identifier": RenamedFile(
        f"{FILES_PATH}/F-1",
        ("the file f1 seems to be called F-1 there", "No setting changes that: ask the service's"),
    ),
    "a file of another list": RenamedFile(
        f"{files_of('spring-24-eu')}/f1",
        ("the list spring seems to be called spring-24-eu", "Name spring-24-eu in --coupon-list"),
    ),
}


@pytest.mark.parametrize("row", RENAMED_FILES.values(), ids=RENAMED_FILES)
def test_what_differs_in_the_path_that_a_file_is_redirected_to_is_named(row: RenamedFile):
    is_file = {f"{FILES_PATH}/f1": redirect(row.target)}
    account = Account(
        lambda call: is_file.get(call.path) if call.key == "campaign" else None,
        file_path="/nowhere/{id}",
    )

    report = examined_account(account)

    for words in row.says:
        assert words in about(report, Topic.FILE_PATH).text
    assert "paths" not in report.extra
    check_bounds(report)


# -- text around JSON ------------------------------------------------------------------------------

FILES = json.dumps({"data": [record("f1")]})
WARNING = (
    '<br />\n<b>Warning</b>:  Undefined array key "tz" in <b>/srv/api/ListController.php</b> on '
    "line <b>118</b><br />\n"
)
CHUNKED = f"{len(FILES):x}\r\n{FILES}\r\n0"


def list_gets(body: str, media: str) -> Callable[[Call], Reply | None]:
    """A service whose list has this body and type."""
    reply = Reply(200, body.encode(), {"Content-Type": media})
    return lambda call: reply if call.path == FILES_PATH and call.key == "campaign" else None


class InList(NamedTuple):
    """A body of the list, its type, and what its row has of it."""

    name: str
    media: str
    body: str
    says: str


PAGE, JSON = "text/html", "application/json"
NO_SETTING = "which the provider cannot read, and no setting changes that: "
LISTS = [
    InList(
        "a warning of PHP",
        PAGE,
        WARNING + FILES,
        'JSON after other text (\'Warning: Undefined array key "tz" in '
        f"/srv/api/ListController.php on line 118'), {NO_SETTING}send that line to its support",
    ),
    InList(
        "a comment",
        JSON,
        f"<!-- node 7 -->{FILES}",
        f"JSON after other text ('<!-- node 7 -->'), {NO_SETTING}send that line",
    ),
    InList(
        "a script of a proxy",
        JSON,
        f'{FILES}<script src="//p.example/x.js"></script>',
        "JSON before other text ('<script src=",
    ),
    InList(
        "two documents",
        JSON,
        FILES + FILES,
        f"JSON as 2 documents, one after another, {NO_SETTING}ask its support for plain JSON",
    ),
    InList(
        "chunks",
        JSON,
        CHUNKED,
        f"JSON with the sizes of its chunks in it, {NO_SETTING}ask its support for plain JSON",
    ),
    InList("JSONP", PAGE, f"callback({FILES});", "JSON in a call of callback(), as JSONP, which"),
]


@pytest.mark.parametrize("row", LISTS, ids=[row.name for row in LISTS])
def test_a_list_with_something_around_its_json_is_wrong_and_the_report_says_what(row: InList):
    report = examined_account(Account(list_gets(row.body, row.media)))

    finding = about(report, Topic.LIST_PATH)
    assert f"The service replies with {row.says}" in finding.text
    assert finding.certainty is Certainty.WRONG
    assert "a web page" not in report.to_json()
    check_bounds(report)


@pytest.mark.parametrize("row", LISTS, ids=[row.name for row in LISTS])
def test_something_around_the_json_of_a_list_is_in_the_way_of_nothing_else(row: InList):
    """Other paths reply, so the address and the other key are proved."""
    report = examined_account(Account(list_gets(row.body, row.media)))

    text = about(report, Topic.LIST_PATH).text
    assert text.endswith("Other paths reply here, so the Address is right.")
    for topic in (Topic.ADDRESS, Topic.DATA_KEY):
        assert about(report, topic).certainty is Certainty.SURE
    assert "a made-up key is refused" in about(report, Topic.CAMPAIGN_KEY).text


def test_secrets_in_text_around_json_are_not_printed():
    report = examined_account(Account(list_gets(f"debug: {DATA_KEY}\n{FILES}", PAGE)))

    assert "JSON after other text ('debug: " in about(report, Topic.LIST_PATH).text
    assert DATA_KEY not in report.to_json()


def test_text_around_the_json_of_each_reply_leaves_address_path_and_keys_open():
    report = examined_account(Account(lambda _: Reply(200, (WARNING + FILES).encode(), {})))

    (finding,) = report.findings
    assert finding.topic is Topic.RECORDS
    assert finding.text.startswith("The service replies with JSON after other text ('Warning: ")
    assert "The Address and the path may be right, and no key was judged." in finding.text


def test_text_around_the_json_of_one_file_is_quoted_and_the_list_said_to_be_readable():
    replies: Mapping[str, Reply] = {
        f"{FILES_PATH}/f1": Reply(200, (WARNING + json.dumps(record("f1"))).encode(), {})
    }
    account = Account(lambda call: replies.get(call.path) if call.key == "campaign" else None)

    report = examined_account(account)

    finding = about(report, Topic.FILE_PATH)
    assert "JSON after other text ('Warning: " in finding.text
    assert "The list can be read, unlike that." in finding.text


def test_a_list_after_two_byte_order_marks_is_wrong():
    account = Account(list_gets(f"\ufeff\ufeff{FILES}", JSON))

    finding = about(examined_account(account), Topic.LIST_PATH)

    assert "has the files after a byte order mark too many, which the provider" in finding.text
    assert finding.certainty is Certainty.WRONG
