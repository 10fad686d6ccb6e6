"""
What crosses the wire. WesConfigurationError, short, without a secret, and with the name or place of
what is wrong, refuses an upload (no absolute URL, a local file, several files, control characters,
no string, a password without a username), an identifier (empty, not rendered, a path, no string), a
catalog (no currency, a property in other letters, an attribute twice, more than 5 MB) and filters
(no object, a value that is empty, None, or the text of an object, unless ``allow_empty`` means it).
What a template fills in later is not refused early; the rest is.

All else is sent as it is: exactly the fields that are given, names in any script; only blanks
around URLs are taken off. An attribute without a type is a string.

A coupon file is read from its record: identifier, list, name, URL without query, up to 50 whole
numbers as counts, and the texts of errors as the reason, of 300 characters at most, without secrets
of URLs. It is called by the end of its URL, or else by its identifier.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

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


@contextmanager
def refuses(message: str) -> Iterator[None]:
    """Check that bad input is refused with this message, in a short error without a secret."""
    with pytest.raises(WesConfigurationError, match=re.escape(message)) as raised:
        yield
    assert len(str(raised.value)) < 500
    assert not re.search("hunter2|topsecret", str(raised.value))
    assert isinstance(raised.value, ValueError)


class BadUpload(NamedTuple):
    """The fields of an upload that is refused, and what the error says of them."""

    message: str
    file_url: Any = URL
    fields: dict[str, Any] = {}  # noqa: RUF012 - never changed


UPLOADS = [
    BadUpload("file_url is empty", ""),
    BadUpload("file_url is empty", "  "),
    BadUpload("file_url takes an absolute URL, exactly one, not None", None),
    BadUpload("file_url takes an absolute URL, exactly one, not 7", 7),
    BadUpload("file_url is a local file, which the service cannot fetch", "/files/c.csv"),
    BadUpload("file_url takes an absolute URL", "https:///c.csv"),
    BadUpload("file_url takes an absolute URL", "https://a:x/c.csv"),
    BadUpload("takes an absolute URL, exactly one", f"{URL},{URL}"),
    BadUpload("takes an absolute URL, exactly one", f"{URL} {URL}"),
    BadUpload(
        "exactly one, not 'https://a/c.csv https://b/'",
        "https://u:hunter2@a/c.csv?sig=topsecret https://b/",
    ),
    BadUpload("Several files are for WesReplenish", [URL, URL]),
    BadUpload("file_url holds U+200B, ZERO WIDTH SPACE", "https://a.example/\u200bc.csv"),
    BadUpload("name is empty", fields={"name": ""}),
    BadUpload("name holds U+0000, NUL 'a b'", fields={"name": "a\0b"}),
    BadUpload("name takes a string, not int 2025", fields={"name": 2025}),
    BadUpload("created_by holds U+000A, LINE FEED", fields={"created_by": "Ana\nMaria"}),
    BadUpload("created_by holds U+2028, LINE SEPARATOR", fields={"created_by": "Ana\u2028Maria"}),
    BadUpload("created_by holds U+D83D, half of a character", fields={"created_by": "Ana\ud83d"}),
    BadUpload("created_by holds U+009B, a control character", fields={"created_by": "Ana\x9b"}),
    BadUpload("callback_url takes an absolute", fields={"callback_url": "x"}),
    BadUpload(
        "_password holds U+000A, LINE FEED\n",
        fields={"file_url_auth_username": "u", "file_url_auth_password": "hunter2\n"},
    ),
    BadUpload(
        "file_url_auth_password is given without file_url_auth_username",
        fields={"file_url_auth_password": "p"},
    ),
]


@pytest.mark.parametrize("row", UPLOADS, ids=lambda row: str(row.fields or repr(row.file_url)))
def test_a_bad_upload_is_refused_by_the_name_of_the_field(row: BadUpload):
    with refuses(row.message):
        models.coupon_file_body({"file_url": row.file_url, **row.fields})


class BadIdentifier(NamedTuple):
    """An identifier of a list that is refused, and what the error says of it."""

    given: Any
    message: str


NO_STRING = "\nIt takes a string. With render_template"
IDENTIFIERS = {
    "empty": BadIdentifier("", "coupon_list_id is empty"),
    "a path": BadIdentifier("..", "coupon_list_id is '..', which is no identifier"),
    "a template": BadIdentifier(
        "rep-{{ params.region }}",
        "it was not rendered: is the argument one of the operator's template_fields?",
    ),
    "a line's end": BadIdentifier("a\r\nb", "coupon_list_id holds U+000D, CARRIAGE RETURN"),
    "a no-break space": BadIdentifier("l\u00a0", "coupon_list_id holds U+00A0, NO-BREAK SPACE"),
    "a mark of byte order": BadIdentifier(
        "l\ufeff", "coupon_list_id holds U+FEFF, ZERO WIDTH NO-BREAK SPACE"
    ),
    "a whole number": BadIdentifier(
        202611, f"coupon_list_id takes a string, not int 202611{NO_STRING}"
    ),
    "a number": BadIdentifier(1.0, f"coupon_list_id takes a string, not float 1.0{NO_STRING}"),
    "a boolean": BadIdentifier(True, "coupon_list_id takes a string, not bool True"),
    "too many characters": BadIdentifier("x" * 10**6, "which is no identifier"),
}


@pytest.mark.parametrize("row", IDENTIFIERS.values(), ids=IDENTIFIERS)
def test_a_bad_identifier_is_refused_by_the_name_of_the_argument(row: BadIdentifier):
    with refuses(row.message):
        arguments.identifier("coupon_list_id", row.given)


class BadCatalog(NamedTuple):
    """A catalog that is refused, and what the error says of it."""

    message: str
    attributes: Any = ATTRIBUTES
    name: str = "c"
    price_currency: str = "EUR"


CATALOGS = {
    "no currency": BadCatalog("price_currency 'XXX' is not a currency", price_currency="XXX"),
    "currency in small letters": BadCatalog("Write it in capitals", price_currency="eur"),
    "no name": BadCatalog("name is empty", name=""),
    "attributes as a string": BadCatalog("attributes takes a list", "id"),
    "attributes as an object": BadCatalog("attributes takes a list", {"id": "string"}),
    "an attribute as a string": BadCatalog("attributes[0] takes an object", ["id"]),
    "an attribute without a name": BadCatalog(
        "attributes[0].name is empty", [{"name": "", "type": "string"}]
    ),
    "an attribute twice": BadCatalog(
        "attributes[1].name 'id' occurs twice", [*ATTRIBUTES, *ATTRIBUTES]
    ),
    "Type": BadCatalog(
        "attributes[0] has 'Type'\nWrite type", [{"name": "price", "Type": "double"}]
    ),
    "NAME": BadCatalog(
        "attributes[0] has 'NAME'\nWrite name", [{"NAME": "price", "type": "double"}]
    ),
    "type with a blank": BadCatalog(
        "attributes[0] has 'type '\nWrite type", [{"name": "a", "type ": "bool"}]
    ),
    "a type that is None": BadCatalog(
        "attributes[0].type takes a string, not NoneType", [{"name": "id", "type": None}]
    ),
    "an empty type": BadCatalog("attributes[0].type is empty", [CatalogAttribute("id", "")]),
    "a name of 6 MB": BadCatalog("more than the 5242880", [CatalogAttribute("x" * 6_000_000)]),
}


@pytest.mark.parametrize("row", CATALOGS.values(), ids=CATALOGS)
def test_a_bad_catalog_is_refused_by_the_name_of_the_argument(row: BadCatalog):
    with refuses(row.message):
        models.catalog_body(row.name, row.price_currency, row.attributes)


def test_an_attribute_without_a_type_is_a_string_as_an_object_or_not():
    expected = [{"name": "id", "type": "string"}]
    for attributes in ([{"name": "id"}], [CatalogAttribute("id")]):
        assert models.catalog_body("c", "EUR", attributes)["attributes"] == expected


VALUE = "included_filters.filters[0].value"


@pytest.mark.parametrize("filters", [{}, "x", {"filters": ["x"]}, {"filters": [[]]}], ids=str)
def test_filters_that_are_no_objects_are_refused(filters: Any):
    with refuses("included_filters takes an object"):
        segment_body(included_filters=filters)


@pytest.mark.parametrize("value", [" ", None, [], ["", " "], [[]], [{}]], ids=repr)
def test_an_empty_value_of_a_filter_is_refused(value: Any):
    with refuses(f"{VALUE} is empty"):
        segment_body(included_filters=all_of({"value": value}))


@pytest.mark.parametrize(
    "value", [["Oslo", None], [None], [None, None], ["", None], (None, "Oslo"), [0, None]], ids=repr
)
def test_none_in_a_value_of_a_filter_is_refused(value: Any):
    with refuses(f"{VALUE} holds None\nA row of the query"):
        segment_body(included_filters=all_of({"value": value}))


@pytest.mark.parametrize("value", ["[]", "['Oslo', 'Rome']", "{'a': 1}", "None", "null"])
def test_the_text_of_an_object_as_a_value_of_a_filter_is_refused(value: str):
    with refuses(f"{VALUE} is the text of a Python or JSON object"):
        segment_body(included_filters=all_of({"value": value}))


@pytest.mark.parametrize("value", [object(), float("nan")], ids=["object", "nan"])
def test_a_value_of_a_filter_that_json_does_not_have_is_refused(value: Any):
    with refuses(f"{VALUE}[0] cannot be sent as JSON"):
        segment_body(included_filters=all_of({"value": [value]}))


class BadFilters(NamedTuple):
    """Filters that are refused, and what the error says of them."""

    filters: Any
    message: str


FILTERS_WITHOUT_SENSE = {
    "no filter": BadFilters(all_of(), "included_filters.filters is empty"),
    "an empty filter": BadFilters({"filters": [{}]}, f"{VALUE} is empty"),
    "a group without a filter": BadFilters(
        all_of({"filters": []}), "included_filters.filters[0].filters is empty"
    ),
    "a filter without a value": BadFilters(
        all_of({"name": "city", "operator": "in"}), f"{VALUE} is empty"
    ),
    "a group of a string": BadFilters(
        all_of({"filters": "x"}),
        "included_filters.filters[0] takes an object with filter_operator and filters",
    ),
    "an empty value in a group": BadFilters(
        all_of({"filters": [{"value": 1}, {"value": []}]}),
        "included_filters.filters[0].filters[1].value is empty",
    ),
}


@pytest.mark.parametrize("row", FILTERS_WITHOUT_SENSE.values(), ids=FILTERS_WITHOUT_SENSE)
def test_filters_that_make_no_sense_are_refused(row: BadFilters):
    with refuses(row.message):
        segment_body(included_filters=row.filters)


def test_an_update_of_nothing_is_refused():
    with refuses("nothing to update"):
        segment_body()


def test_an_empty_name_of_a_segment_is_refused():
    with refuses("name is empty"):
        segment_body(name="")


def test_a_builder_refuses_one_string_for_an_operator_that_takes_several():
    with refuses("values takes a list, not the text 'Oslo'"):
        user_attribute("city", "Oslo")


def test_a_builder_refuses_an_empty_name():
    with refuses("name is empty"):
        user_attribute("", ["Oslo"])


def test_json_null_is_refused():
    with refuses("attributes is the JSON text null"):
        arguments.from_json("attributes", " null ")


def test_a_string_that_is_not_json_is_refused():
    with refuses("attributes is a string that is not JSON"):
        arguments.from_json("attributes", "[{")


def test_an_upload_has_exactly_the_fields_that_are_given():
    assert models.coupon_file_body({"file_url": URL}) == {"file_url": URL}
    assert models.coupon_file_body(EVERY_FIELD) == EVERY_FIELD


def test_a_url_of_the_web_is_not_in_storage_whatever_the_case_of_its_scheme():
    assert not arguments.in_storage("HTTPS://files.example.com/coupons.csv")


def test_the_hook_sends_every_field_of_an_upload(wes_emulator: Emulator):
    assert set(EVERY_FIELD) == set(contract.UPLOAD_FIELDS)
    WesHook().upload_coupon_file("l", **EVERY_FIELD)
    assert json.loads(wes_emulator.requests[0].body) == EVERY_FIELD


@pytest.mark.parametrize(
    "url",
    [URL, "http://127.0.0.1:8099/a%20b.csv?sig=a,b&x=http://y", "s3://bucket/key", "ftp://[::1]/x"],
    ids=["https", "http with an escape and a URL in its query", "s3", "ftp with an IPv6 address"],
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


EARLY: dict[str, dict[str, Any]] = {
    "a template for the URL": {"file_url": "{{ url }}", "name": "n"},
    "a template for the callback": {"file_url": "s3://promo/a.csv", "callback_url": "{{ url }}"},
    "templates for the credentials": {
        "file_url": URL,
        "file_url_auth_username": "{{ u }}",
        "file_url_auth_password": "{{ p }}",
    },
    "a space around the URL, and a field that is None": {"file_url": f"{URL} ", "created_by": None},
}


@pytest.mark.parametrize("fields", EARLY.values(), ids=EARLY)
def test_what_is_filled_in_or_left_out_later_is_not_refused_early(fields: dict[str, Any]):
    models.check_upload_early(fields)


class WrongEarly(NamedTuple):
    """The fields of an upload as the DAG gives them, and what the error says of them."""

    fields: dict[str, Any]
    message: str


WRONG_EARLY = {
    "no URL": WrongEarly({"file_url": None}, "file_url takes an absolute URL"),
    "an empty name beside a template": WrongEarly(
        {"file_url": "{{ url }}", "name": ""}, "name is empty"
    ),
    "a callback that is no URL, beside a template": WrongEarly(
        {"file_url": "{{ url }}", "callback_url": "x"}, "callback_url takes an absolute URL"
    ),
    "a number, beside a URL of storage": WrongEarly(
        {"file_url": "s3://promo/a.csv", "created_by": 7}, "created_by takes a string, not int"
    ),
    "a template for a password without a username": WrongEarly(
        {"file_url": URL, "file_url_auth_password": "{{ p }}"}, "without file_url_auth_username"
    ),
}


@pytest.mark.parametrize("row", WRONG_EARLY.values(), ids=WRONG_EARLY)
def test_what_the_dag_gives_is_checked_early(row: WrongEarly):
    with pytest.raises(WesConfigurationError, match=row.message):
        models.check_upload_early(row.fields)


def test_the_builders_make_a_filter_as_the_contract_shows_it():
    """Values of a set are sorted."""
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


class Record(NamedTuple):
    """What a record has besides its identifier and its status, and the file that is read of it."""

    more: dict[str, Any]
    file: CouponFile


PENDING = {"_id": "f1", "status": "PENDING"}
RECORDS = {
    "coupons_list_id": Record({"coupons_list_id": "l1"}, CouponFile("f1", "l1", status="PENDING")),
    "coupon_list_id": Record({"coupon_list_id": "l1"}, CouponFile("f1", "l1", status="PENDING")),
    "a name, and a URL with a query": Record(
        {"name": "n", "file_url": f"{URL}?sig=x"}, CouponFile("f1", "", "n", "PENDING", URL)
    ),
    "a count, a boolean and an error": Record(
        {"coupons_added": 7, "big": True, "error": "y"},
        CouponFile("f1", "", "", "PENDING", counts={"coupons_added": 7}, reason="y"),
    ),
}


@pytest.mark.parametrize("row", RECORDS.values(), ids=RECORDS)
def test_a_coupon_file_is_read_from_its_record(row: Record):
    assert CouponFile.from_record({**PENDING, **row.more}) == row.file


def test_a_record_without_a_list_is_of_the_list_that_was_asked_about():
    assert CouponFile.from_record(PENDING, "l3").coupon_list_id == "l3"


def test_a_record_without_an_identifier_is_an_error():
    with pytest.raises(ValueError, match="without an _id"):
        CouponFile.from_record({"status": "PENDING"})


STATS = {"_id": "f", "rows": 9, "stats": {"imported": 7, "rows": {"bad": 6}}}


def test_counts_are_whole_numbers_and_those_below_a_property_have_a_dotted_name():
    """Numbers below two properties, below an error, booleans and shares are none."""
    others = {"error": {"code": 7}, "ok": True, "share": 0.5}
    counts = CouponFile.from_record({**STATS, **others}).counts
    assert counts == {"rows": 9, "stats.imported": 7}


def test_fifty_counts_of_a_record_are_read_at_most():
    record = {"_id": "f", **{str(number): number for number in range(1000)}}
    assert len(CouponFile.from_record(record).counts) == 50


@pytest.mark.parametrize(
    "record", [{**PENDING, "error": "y", "coupons_added": 7}, STATS], ids=["an error", "counts"]
)
def test_a_file_is_read_from_its_summary_as_it_was(record: dict[str, Any]):
    file = CouponFile.from_record(record)
    assert CouponFile.from_summary(file.summary()) == file


def test_the_summary_of_a_file_has_its_counts_beside_its_identifier():
    assert CouponFile.from_record({**PENDING, "coupons_added": 7}).summary()["coupons_added"] == 7


def test_a_count_that_is_called_id_does_not_replace_the_identifier_in_the_summary():
    assert CouponFile.from_record({"_id": "f", "id": 7}).summary()["id"] == "f"


class Explained(NamedTuple):
    """What the record of a failed file has, and the reason that is read of it."""

    record: dict[str, Any]
    reason: str


REASONS = {
    "a string": Explained({"error": "the host returned 404"}, "the host returned 404"),
    "two lines": Explained({"message": "row 3\nis empty"}, "row 3 is empty"),
    "an object": Explained({"error": {"code": "E7", "detail": "row 3"}}, "E7; row 3"),
    "several, two the same": Explained({"error": "a", "message": "a", "reason": "b"}, "a; b"),
    "a URL with secrets": Explained(
        {"error": "404 of https://user:pw@h.example/a.csv?sig=s3cret"},
        "404 of https://h.example/a.csv",
    ),
    "a long string": Explained({"error": "x" * 1000}, "x" * 299 + "…"),
    "the first of several": Explained(
        {"errors": ["Line 3: no code", "Line 4: no code"]}, "Line 3: no code"
    ),
    "the first object of several": Explained(
        {"errors": [{"line": 3, "code": "E7", "message": "no code"}, {"message": "x"}]},
        "E7; no code",
    ),
    "an array without an entry": Explained({"errors": [], "reason": "why"}, "why"),
    "an array of numbers": Explained({"errors": [3]}, ""),
    "none": Explained({"error": "", "message": None, "reason": 7, "note": "not read"}, ""),
}


@pytest.mark.parametrize("row", REASONS.values(), ids=REASONS)
def test_the_texts_of_a_record_explain_why_the_file_failed(row: Explained):
    assert CouponFile.from_record({"_id": "f", **row.record}).reason == row.reason


class Title(NamedTuple):
    """The URL of a file, and what the file is called by it."""

    url: str
    title: str


TITLES = {
    "a name": Title("https://h.example/summer%20coupons.csv?sig=x", "summer coupons.csv"),
    "a short name with its folder": Title("https://h.example/a/b/%E6%97%A5.csv", "b/日.csv"),
    "a host": Title("https://h.example/", "h.example"),
    "a URL within the URL": Title(
        "https://h.example/https%3A%2F%2Fs3.example%2Fa.csv%3Fsig%3Ds3cret", "s3.example/a.csv"
    ),
    "no URL": Title("", "f1"),
}


@pytest.mark.parametrize("row", TITLES.values(), ids=TITLES)
def test_a_file_is_known_by_the_end_of_its_url(row: Title):
    assert CouponFile("f1", file_url=row.url).title == row.title


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


OTHER_FILTERS: dict[str, Any] = {
    "a number of events, and a property of the group": {
        "filters": [{"filter_type": "events", "count": 3, "attributes": {"filters": []}}],
        "extra": True,
    },
    "a range and a list": {
        "filters": [{"operator": "between", "value": [1, 2], "nested": []}],
        "filter_operator": "or",
    },
    "no value, of an operator that takes none": {
        "filters": [{"filter_type": "user_attributes", "name": "city", "operator": "exists"}]
    },
    "a group in a group": {
        "filters": [{"filters": [{"value": ["Oslo"]}], "filter_operator": "or"}]
    },
    **{
        f"{value!r} of a name": {"filters": [{"name": "n", "value": value}]}
        for value in ("Oslo", "no.json", "[abc]+", "{x", 0, 1.5)
    },
    **{
        f"{value!r}": {"filters": [{"value": value}]}
        for value in (False, True, {"from": None}, [["a"], []])
    },
}
EMPTY_FILTERS: list[Any] = [
    *([{"value": value}] for value in ([], ["Oslo", None], [""], ["a", ""])),
    *([], [{}], [{"filters": []}]),
]


@pytest.mark.parametrize("filters", OTHER_FILTERS.values(), ids=OTHER_FILTERS)
def test_what_the_contract_does_not_list_passes_untouched(filters: dict[str, Any]):
    assert segment_body(included_filters=filters) == {"included_filters": filters}


@pytest.mark.parametrize("filters", EMPTY_FILTERS, ids=str)
def test_empty_filters_pass_with_allow_empty(filters: list[Any]):
    body = segment_body(included_filters={"filters": filters}, allow_empty=True)
    assert body == {"included_filters": {"filters": filters}}


def test_filters_that_are_nested_without_an_end_are_refused():
    filters: dict[str, Any] = {"filters": []}
    filters["filters"].append(filters)
    with pytest.raises(WesConfigurationError, match="cannot be sent as JSON: it holds itself"):
        segment_body(included_filters=filters)


def test_a_builder_takes_one_text_for_an_operator_that_compares_with_one():
    assert user_attribute("city", "Os", operator="starts_with")["value"] == "Os"


def test_a_builder_takes_a_set_of_values_that_cannot_be_sorted():
    assert set(user_attribute("n", {1, "1", None})["value"]) == {1, "1", None}


NO_FILTERS = ("a string", ["city"], None, 7)


@pytest.mark.parametrize("item", NO_FILTERS, ids=map(repr, NO_FILTERS))
def test_what_is_no_filter_is_named_with_its_place(item: Any):
    with pytest.raises(WesConfigurationError, match=r"filter 1 of all_of\(\) is no object, but "):
        all_of(user_attribute("city", ["Wien"]), item)
