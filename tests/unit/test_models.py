"""What crosses the wire: checked, dumped, parsed."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wes_provider import arguments, contract, models
from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesConfigurationError
from wes_provider.filters import segment_body
from wes_provider.hooks import WesHook
from wes_provider.models import CatalogAttribute, CouponFile, all_of, user_attribute

URL = "https://files.example.com/coupons.csv"
EVERY_FIELD: dict[str, Any] = {
    "file_url": URL,
    "name": "n",
    "file_url_auth_username": "u",
    "file_url_auth_password": "p",
    "created_by": "c",
    "callback_url": URL,
}
ATTRIBUTES = [{"name": "id", "type": "string"}]
FILTERS = all_of(user_attribute("city", ["Oslo"]))

UPLOADS: list[tuple[Any, dict[str, Any], str]] = [
    ("", {}, "file_url is empty"),
    ("  ", {}, "file_url is empty"),
    (None, {}, "file_url takes an absolute URL, exactly one, not None"),
    (7, {}, "file_url takes an absolute URL, exactly one, not 7"),
    ("/files/c.csv", {}, "file_url is a local file, which the service cannot fetch"),
    ("https:///c.csv", {}, "file_url takes an absolute URL"),
    ("https://a:x/c.csv", {}, "file_url takes an absolute URL"),
    (f"{URL},{URL}", {}, "takes an absolute URL, exactly one"),
    (f"{URL} {URL}", {}, "takes an absolute URL, exactly one"),
    (
        "https://u:hunter2@a/c.csv?sig=topsecret https://b/",
        {},
        "exactly one, not 'https://a/c.csv https://b/'",
    ),
    ([URL, URL], {}, "Several files are for WesReplenish"),
    (URL, {"name": ""}, "name is empty"),
    (URL, {"name": "a\0b"}, "name holds U+0000, NUL 'a b'"),
    (URL, {"name": 2025}, "name takes a string, not int 2025"),
    (URL, {"created_by": "Ana\nMaria"}, "created_by holds U+000A, LINE FEED"),
    (URL, {"created_by": "Ana\u2028Maria"}, "created_by holds U+2028, LINE SEPARATOR"),
    (URL, {"created_by": "Ana\ud83d"}, "created_by holds U+D83D, half of a character"),
    (URL, {"created_by": "Ana\x9b"}, "created_by holds U+009B, a control character"),
    ("https://a.example/\u200bc.csv", {}, "file_url holds U+200B, ZERO WIDTH SPACE"),
    (URL, {"callback_url": "x"}, "callback_url takes an absolute"),
    (
        URL,
        {"file_url_auth_username": "u", "file_url_auth_password": "hunter2\n"},
        "_password holds U+000A, LINE FEED\n",
    ),
    (
        URL,
        {"file_url_auth_password": "p"},
        "file_url_auth_password is given without file_url_auth_username",
    ),
]
IDENTIFIERS = [
    ("", "coupon_list_id is empty"),
    ("..", "coupon_list_id is '..', which is no identifier"),
    (
        "rep-{{ params.region }}",
        "it was not rendered: is the argument one of the operator's template_fields?",
    ),
    ("a\r\nb", "coupon_list_id holds U+000D, CARRIAGE RETURN"),
    ("l\u00a0", "coupon_list_id holds U+00A0, NO-BREAK SPACE"),
    ("l\ufeff", "coupon_list_id holds U+FEFF, ZERO WIDTH NO-BREAK SPACE"),
    (
        202611,
        "coupon_list_id takes a string, not int 202611\nIt takes a string. With render_template",
    ),
    (1.0, "coupon_list_id takes a string, not float 1.0\nIt takes a string. With render_template"),
    (True, "coupon_list_id takes a string, not bool True"),
    ("x" * 10**6, "which is no identifier"),
]
CATALOGS: list[tuple[str, str, Any, str]] = [
    ("c", "XXX", ATTRIBUTES, "price_currency 'XXX' is not a currency"),
    ("c", "eur", ATTRIBUTES, "Write it in capitals"),
    ("", "EUR", ATTRIBUTES, "name is empty"),
    ("c", "EUR", "id", "attributes takes a list"),
    ("c", "EUR", {"id": "string"}, "attributes takes a list"),
    ("c", "EUR", ["id"], "attributes[0] takes an object"),
    ("c", "EUR", [{"name": "", "type": "string"}], "attributes[0].name is empty"),
    ("c", "EUR", [*ATTRIBUTES, *ATTRIBUTES], "attributes[1].name 'id' occurs twice"),
    ("c", "EUR", [{"name": "price", "Type": "double"}], "attributes[0] has 'Type'\nWrite type"),
    ("c", "EUR", [{"NAME": "price", "type": "double"}], "attributes[0] has 'NAME'\nWrite name"),
    ("c", "EUR", [{"name": "a", "type ": "bool"}], "attributes[0] has 'type '\nWrite type"),
    (
        "c",
        "EUR",
        [{"name": "id", "type": None}],
        "attributes[0].type takes a string, not NoneType",
    ),
    ("c", "EUR", [CatalogAttribute("id", "")], "attributes[0].type is empty"),
    ("c", "EUR", [CatalogAttribute("x" * 6_000_000)], "more than the 5242880"),
]


def test_an_attribute_without_a_type_is_a_string_as_an_object_or_not():
    expected = [{"name": "id", "type": "string"}]
    for attributes in ([{"name": "id"}], [CatalogAttribute("id")]):
        assert models.catalog_body("c", "EUR", attributes)["attributes"] == expected


HOLDS_NONE = "included_filters.filters[0].value holds None\nA row of the query"
NO_OBJECT, NO_VALUE = (
    "included_filters takes an object",
    "included_filters.filters[0].value is empty",
)
A_TEXT = "included_filters.filters[0].value is the text of a Python or JSON object"
SEGMENTS: list[tuple[Any, str]] = [
    ({}, NO_OBJECT),
    ("x", NO_OBJECT),
    ({"filters": ["x"]}, NO_OBJECT),
    ({"filters": [[]]}, NO_OBJECT),
    (all_of(), "included_filters.filters is empty"),
    ({"filters": [{}]}, NO_VALUE),
    *((all_of({"value": value}), NO_VALUE) for value in (" ", None, [], ["", " "], [[]], [{}])),
    *(
        (all_of({"value": value}), HOLDS_NONE)
        for value in (["Oslo", None], [None], [None, None], ["", None], (None, "Oslo"), [0, None])
    ),
    *(
        (all_of({"value": value}), A_TEXT)
        for value in ("[]", "['Oslo', 'Rome']", "{'a': 1}", "None", "null")
    ),
    (all_of({"filters": []}), "included_filters.filters[0].filters is empty"),
    (all_of({"name": "city", "operator": "in"}), NO_VALUE),
    (
        all_of({"filters": "x"}),
        "included_filters.filters[0] takes an object with filter_operator and filters",
    ),
    (
        all_of({"filters": [{"value": 1}, {"value": []}]}),
        "included_filters.filters[0].filters[1].value is empty",
    ),
    *(
        (all_of({"value": [value]}), "included_filters.filters[0].value[0] cannot be sent as JSON")
        for value in (object(), float("nan"))
    ),
]
OTHERS = [
    (lambda: segment_body(), "nothing to update"),
    (lambda: segment_body(name=""), "name is empty"),
    (lambda: user_attribute("city", "Oslo"), "values takes a list, not the text 'Oslo'"),
    (lambda: user_attribute("", ["Oslo"]), "name is empty"),
    (lambda: arguments.from_json("attributes", " null "), "attributes is the JSON text null"),
    (lambda: arguments.from_json("attributes", "[{"), "attributes is a string that is not JSON"),
]
BAD_INPUT = [
    *(
        (partial(models.coupon_file_body, {"file_url": url, **fields}), message)
        for url, fields, message in UPLOADS
    ),
    *(
        (partial(arguments.identifier, "coupon_list_id", value), message)
        for value, message in IDENTIFIERS
    ),
    *((partial(models.catalog_body, *given), message) for *given, message in CATALOGS),
    *((partial(segment_body, included_filters=filters), message) for filters, message in SEGMENTS),
    *OTHERS,
]


@pytest.mark.parametrize(("build", "message"), BAD_INPUT)
def test_bad_input_names_the_field(build: Any, message: str):
    with pytest.raises(WesConfigurationError, match=re.escape(message)) as raised:
        build()
    assert len(str(raised.value)) < 500
    assert not re.search("hunter2|topsecret", str(raised.value))
    assert isinstance(raised.value, ValueError)


def test_an_upload_has_exactly_the_fields_that_are_given():
    assert models.coupon_file_body({"file_url": URL}) == {"file_url": URL}
    assert not arguments.in_storage(URL.replace("https", "HTTPS"))
    assert models.coupon_file_body(EVERY_FIELD) == EVERY_FIELD


def test_the_hook_sends_every_field_of_an_upload(wes_emulator: Emulator):
    assert set(EVERY_FIELD) == set(contract.UPLOAD_FIELDS)
    WesHook().upload_coupon_file("l", **EVERY_FIELD)
    assert json.loads(wes_emulator.requests[0].body) == EVERY_FIELD


@pytest.mark.parametrize(
    "url",
    [URL, "http://127.0.0.1:8099/a%20b.csv?sig=a,b&x=http://y", "s3://bucket/key", "ftp://[::1]/x"],
)
def test_one_absolute_url_passes(url: str):
    assert models.coupon_file_body({"file_url": url}) == {"file_url": url}


BLANKS = [" ", "\n", "\t", "\r\n", "\u00a0", "\u3000"]


@pytest.mark.parametrize("blank", BLANKS, ids=ascii)
def test_blanks_around_a_url_are_taken_off(blank: str):
    given = {"file_url": f"{blank}{URL}{blank}", "callback_url": f"{URL}{blank}"}
    assert models.coupon_file_body(given) == {"file_url": URL, "callback_url": URL}


NAMES = {
    "ideographic space": "山田\u3000太郎",
    "zero width non-joiner": "می\u200cخواهم",
    "zero width joiner": "क्\u200dष",
    "no-break space": "10\u00a0%",
    "soft hyphen": "Gut\u00adschein",
    "emoji of a family": "👨\u200d👩\u200d👧",
    "right-to-left mark": "\u200fשלום",
}


@pytest.mark.parametrize("text", NAMES.values(), ids=NAMES)
def test_a_name_in_any_script_is_sent_as_it_is(text: str):
    body = models.coupon_file_body({"file_url": URL, "name": text, "created_by": text})
    assert (body["name"], body["created_by"]) == (text, text)
    assert models.catalog_body(text, "EUR", ATTRIBUTES)["name"] == text
    assert segment_body(name=text)["name"] == text


def test_no_advice_for_none_in_values_switches_a_safety_off():
    with pytest.raises(WesConfigurationError) as raised:
        segment_body(included_filters=all_of({"value": ["Lisbon", None]}))
    assert "allow_empty" not in str(raised.value)


EARLY = [
    {"file_url": "{{ url }}", "name": "n"},
    {"file_url": "s3://promo/a.csv", "callback_url": "{{ url }}"},
    {"file_url": URL, "file_url_auth_username": "{{ u }}", "file_url_auth_password": "{{ p }}"},
    {"file_url": f"{URL} ", "created_by": None},
]


@pytest.mark.parametrize("fields", EARLY, ids=str)
def test_what_is_filled_in_later_is_not_checked_early(fields: dict[str, Any]):
    models.check_upload_early(fields)


WRONG_EARLY = [
    ({"file_url": None}, "file_url takes an absolute URL"),
    ({"file_url": "{{ url }}", "name": ""}, "name is empty"),
    ({"file_url": "{{ url }}", "callback_url": "x"}, "callback_url takes an absolute URL"),
    ({"file_url": "s3://promo/a.csv", "created_by": 7}, "created_by takes a string, not int"),
    ({"file_url": URL, "file_url_auth_password": "{{ p }}"}, "without file_url_auth_username"),
]


@pytest.mark.parametrize(("fields", "message"), WRONG_EARLY, ids=str)
def test_what_the_dag_gives_is_checked_early(fields: dict[str, Any], message: str):
    with pytest.raises(WesConfigurationError, match=message):
        models.check_upload_early(fields)


def test_a_filter_as_the_contract_shows_it():
    assert all_of(user_attribute("city", {"Rome", "Oslo"}, negate=True)) == {
        "filter_operator": "and",
        "filters": [
            {
                "filter_type": "user_attributes",
                "name": "city",
                "data_type": "string",
                "operator": "in",
                "value": ["Oslo", "Rome"],
                "negate": True,
                "case_sensitive": False,
            }
        ],
    }


def test_a_coupon_file_is_read_from_either_spelling_of_the_list():
    record = {
        "_id": "f1",
        "status": "PENDING",
        "name": "n",
        "coupons_list_id": "l1",
        "file_url": f"{URL}?sig=x",
    }
    assert CouponFile.from_record(record) == CouponFile("f1", "l1", "n", "PENDING", URL)
    other = {
        "_id": "f1",
        "status": "PENDING",
        "coupon_list_id": "l2",
        "coupons_added": 7,
        "big": True,
        "error": "y",
    }
    file = CouponFile.from_record(other)
    assert file == CouponFile("f1", "l2", "", "PENDING", counts={"coupons_added": 7}, reason="y")
    assert file.summary()["coupons_added"] == 7
    assert CouponFile.from_summary(file.summary()) == file
    assert CouponFile.from_record({"_id": "f1"}, "l3").coupon_list_id == "l3"
    with pytest.raises(ValueError, match="without an _id"):
        CouponFile.from_record({"status": "PENDING"})


def test_counts_below_a_property_have_a_dotted_name():
    stats = {"imported": 7, "rows": {"bad": 6}}
    file = CouponFile.from_record(
        {"_id": "f", "stats": stats, "rows": 9, "error": {"code": 7}, "ok": True, "share": 0.5}
    )
    assert file.counts == {"rows": 9, "stats.imported": 7}
    assert CouponFile.from_summary(file.summary()) == file
    assert CouponFile.from_record({"_id": "f", "id": 7}).summary()["id"] == "f"
    assert (
        len(
            CouponFile.from_record(
                {"_id": "f", **{str(number): number for number in range(1000)}}
            ).counts
        )
        == 50
    )


REASONS = [
    ({"error": "the host returned 404"}, "the host returned 404"),
    ({"message": "row 3\nis empty"}, "row 3 is empty"),
    ({"error": {"code": "E7", "detail": "row 3"}}, "E7; row 3"),
    ({"error": "a", "message": "a", "reason": "b"}, "a; b"),
    (
        {"error": "404 of https://user:pw@h.example/a.csv?sig=s3cret"},
        "404 of https://h.example/a.csv",
    ),
    ({"error": "x" * 1000}, "x" * 299 + "…"),
    ({"error": "", "message": None, "reason": 7, "note": "not read"}, ""),
]


@pytest.mark.parametrize(("record", "reason"), REASONS)
def test_the_texts_of_a_record_explain_why_the_file_failed(record: dict[str, Any], reason: str):
    assert CouponFile.from_record({"_id": "f", **record}).reason == reason


TITLES = [
    ("https://h.example/summer%20coupons.csv?sig=x", "summer coupons.csv"),
    ("https://h.example/a/b/%E6%97%A5.csv", "b/日.csv"),
    ("https://h.example/", "h.example"),
    ("https://h.example/https%3A%2F%2Fs3.example%2Fa.csv%3Fsig%3Ds3cret", "s3.example/a.csv"),
    ("", "f1"),
]


@pytest.mark.parametrize(("url", "title"), TITLES)
def test_a_file_is_known_by_the_end_of_its_url(url: str, title: str):
    assert CouponFile("f1", file_url=url).title == title


@given(st.text(min_size=1, max_size=50).filter(str.strip))
def test_an_identifier_passes_unchanged_or_is_refused(text: str):
    try:
        passed = arguments.identifier("id", text)
    except WesConfigurationError as error:
        assert str(error).startswith("id ")  # noqa: PT017 - either is right
    else:
        assert passed == text


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
    )
)
def test_any_filter_is_sent_as_it_is_or_refused(value: Any):
    filters = {"filters": [{"filter_type": "x", "nested": value}]}
    try:
        sent = json.loads(arguments.json_bytes(segment_body(included_filters=filters)))
    except WesConfigurationError as error:
        assert str(error).startswith("included_filters")  # noqa: PT017 - either is right
    else:
        assert sent == {"included_filters": filters}


PASS = [  # included_filters, and allow_empty
    *(
        ({"filters": [{"name": "n", "value": value}]}, False)
        for value in ("Oslo", "no.json", "[abc]+", "{x", 0, 1.5)
    ),
    *(
        ({"filters": [{"value": value}]}, False)
        for value in (False, True, {"from": None}, [["a"], []])
    ),
    (
        {
            "filters": [{"filter_type": "events", "count": 3, "attributes": {"filters": []}}],
            "extra": True,
        },
        False,
    ),
    (
        {
            "filters": [{"operator": "between", "value": [1, 2], "nested": []}],
            "filter_operator": "or",
        },
        False,
    ),
    (
        {"filters": [{"filter_type": "user_attributes", "name": "city", "operator": "exists"}]},
        False,
    ),
    *(({"filters": [{"value": value}]}, True) for value in ([], ["Oslo", None], [""], ["a", ""])),
    *(({"filters": filters}, True) for filters in ([], [{}], [{"filters": []}])),
    ({"filters": [{"filters": [{"value": ["Oslo"]}], "filter_operator": "or"}]}, False),
]


@pytest.mark.parametrize(("filters", "allow_empty"), PASS, ids=str)
def test_what_the_contract_does_not_list_passes_untouched_and_what_is_empty_where_it_is_meant(
    filters: dict[str, Any], allow_empty: bool
):
    assert segment_body(included_filters=filters, allow_empty=allow_empty) == {
        "included_filters": filters
    }


def test_filters_that_are_nested_without_an_end_are_refused():
    filters: dict[str, Any] = {"filters": []}
    filters["filters"].append(filters)
    with pytest.raises(WesConfigurationError, match="cannot be sent as JSON: it holds itself"):
        segment_body(included_filters=filters)


def test_a_builder_takes_one_text_for_an_operator_that_compares_with_one():
    assert user_attribute("city", "Os", operator="starts_with")["value"] == "Os"
    assert set(user_attribute("n", {1, "1", None})["value"]) == {1, "1", None}, (
        "kinds that do not compare"
    )
