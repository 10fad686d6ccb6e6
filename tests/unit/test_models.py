"""What crosses the wire: checked, dumped, parsed."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wes_provider import models
from wes_provider.exceptions import WesConfigurationError
from wes_provider.models import CatalogAttribute, CouponFile, all_of, user_attribute

URL = "https://files.example.com/coupons.csv"
ATTRIBUTES = [{"name": "id", "type": "string"}]
FILTERS = all_of(user_attribute("city", ["Oslo"]))

BAD_INPUT = {
    "file_url empty": (lambda: models.coupon_file_body(""), "file_url is empty"),
    "file_url blank": (lambda: models.coupon_file_body("  "), "file_url is empty"),
    "file_url none": (lambda: models.coupon_file_body(None), "file_url takes a text, not NoneType"),
    "file_url relative": (
        lambda: models.coupon_file_body("/files/c.csv"),
        "file_url is a local file, which the service cannot fetch",
    ),
    "file_url without host": (lambda: models.coupon_file_body("https:///c.csv"), "file_url takes an absolute URL"),
    "file_url bad port": (lambda: models.coupon_file_body("https://a:x/c.csv"), "file_url is not a valid URL"),
    "file_url two with comma": (lambda: models.coupon_file_body(f"{URL},{URL}"), "file_url takes exactly one URL"),
    "file_url two with space": (lambda: models.coupon_file_body(f"{URL} {URL}"), "file_url takes exactly one URL"),
    "file_url two lines": (lambda: models.coupon_file_body(f"{URL}\n{URL}"), "file_url holds control characters"),
    "file_url list": (lambda: models.coupon_file_body([URL, URL]), "file_url takes exactly one URL, not 2 in a list"),
    "file_url number": (lambda: models.coupon_file_body(7), "file_url takes a text, not int 7"),
    "name empty": (lambda: models.coupon_file_body(URL, name=""), "name is empty"),
    "name NUL": (lambda: models.coupon_file_body(URL, name="a\0b"), "name holds control characters"),
    "name surrogate": (lambda: models.coupon_file_body(URL, name="\ud800"), "name holds half of a surrogate pair"),
    "created_by number": (lambda: models.coupon_file_body(URL, created_by=1), "created_by takes a text"),
    "callback_url relative": (lambda: models.coupon_file_body(URL, callback_url="x"), "callback_url takes an absolute"),
    "password alone": (
        lambda: models.coupon_file_body(URL, file_url_auth_password="p"),
        "file_url_auth_password is given without file_url_auth_username",
    ),
    "list id empty": (lambda: models.identifier("coupon_list_id", ""), "coupon_list_id is empty"),
    "list id dots": (lambda: models.identifier("coupon_list_id", ".."), "coupon_list_id is '..'"),
    "list id CR LF": (lambda: models.identifier("coupon_list_id", "a\r\nb"), "coupon_list_id holds control"),
    "list id long": (lambda: models.identifier("coupon_list_id", "x" * 10**6), "coupon_list_id has 1000000 char"),
    "currency unknown": (lambda: models.catalog_body("c", "XXX", ATTRIBUTES), "price_currency 'XXX' is not a currency"),
    "currency small": (lambda: models.catalog_body("c", "eur", ATTRIBUTES), "Write it in capitals"),
    "catalog name empty": (lambda: models.catalog_body("", "EUR", ATTRIBUTES), "name is empty"),
    "attributes text": (lambda: models.catalog_body("c", "EUR", "id"), "attributes takes a list"),
    "attributes object": (lambda: models.catalog_body("c", "EUR", {"id": "string"}), "attributes takes a list"),
    "attribute name empty": (
        lambda: models.catalog_body("c", "EUR", [{"name": "", "type": "string"}]),
        "attributes[0].name is empty",
    ),
    "attribute name twice": (
        lambda: models.catalog_body("c", "EUR", [*ATTRIBUTES, *ATTRIBUTES]),
        "attributes[1].name 'id' occurs twice",
    ),
    "attribute without type": (
        lambda: models.catalog_body("c", "EUR", [{"name": "id"}]),
        "attributes[0].type takes a text, not NoneType",
    ),
    "attribute type empty": (
        lambda: models.catalog_body("c", "EUR", [CatalogAttribute("id", "")]),
        "attributes[0].type is empty",
    ),
    "attribute no object": (lambda: models.catalog_body("c", "EUR", ["id"]), "attributes[0] takes an object"),
    "catalog over 5 MB": (
        lambda: models.catalog_body("c", "EUR", [CatalogAttribute("x" * 6_000_000)]),
        "more than the 5242880",
    ),
    "segment nothing": (lambda: models.segment_body(), "nothing to update"),
    "segment name empty": (lambda: models.segment_body(name=""), "name is empty"),
    "segment no filters": (lambda: models.segment_body(included_filters=all_of()), "included_filters.filters is empty"),
    "segment filters missing": (lambda: models.segment_body(included_filters={}), "included_filters.filters takes"),
    "segment filters text": (lambda: models.segment_body(included_filters="x"), "included_filters takes an object"),
    "segment filter text": (
        lambda: models.segment_body(included_filters={"filters": ["x"]}),
        "included_filters.filters[0] takes a filter object",
    ),
    "segment value empty": (
        lambda: models.segment_body(included_filters=all_of(user_attribute("city", []))),
        "included_filters.filters[0].value is empty",
    ),
    "segment value blank text": (
        lambda: models.segment_body(included_filters={"filters": [{"name": "city", "value": " "}]}),
        "included_filters.filters[0].value is empty",
    ),
    "segment value null": (
        lambda: models.segment_body(included_filters={"filters": [{"name": "city", "value": None}]}),
        "included_filters.filters[0].value is empty",
    ),
    "segment value text of a list": (
        lambda: models.segment_body(included_filters={"filters": [{"name": "city", "value": "[]"}]}),
        "included_filters.filters[0].value is the text of a Python or JSON object",
    ),
    "segment not JSON": (
        lambda: models.segment_body(included_filters={"filters": [{"value": [object()]}]}),
        "included_filters cannot be sent as JSON",
    ),
    "segment NaN": (
        lambda: models.segment_body(included_filters={"filters": [{"value": [float("nan")]}]}),
        "included_filters cannot be sent as JSON",
    ),
    "segment value text of a Python list": (
        lambda: models.segment_body(included_filters={"filters": [{"value": "['Oslo', 'Rome']"}]}, allow_empty=True),
        "included_filters.filters[0].value is the text of a Python or JSON object",
    ),
    "segment value text of a dictionary": (
        lambda: models.segment_body(included_filters={"filters": [{"value": "{'a': 1}"}]}),
        "included_filters.filters[0].value is the text of a Python or JSON object",
    ),
    "segment value None as a text": (
        lambda: models.segment_body(included_filters={"filters": [{"value": "None"}]}),
        "included_filters.filters[0].value is the text of a Python or JSON object",
    ),
    "segment value text of a long list": (
        lambda: models.segment_body(included_filters={"filters": [{"value": str(["x" * 9] * 9999)}]}),
        "included_filters.filters[0].value is the text of a Python or JSON object",
    ),
    "segment value None in a list": (
        lambda: models.segment_body(included_filters=all_of(user_attribute("city", ["Oslo", "None"]))),
        "included_filters.filters[0].value[1] is the text of a Python or JSON object",
    ),
    "segment value text of a Python list in a list": (
        lambda: models.segment_body(included_filters=all_of(user_attribute("city", ["['a', 'b']"]))),
        "included_filters.filters[0].value[0] is the text of a Python or JSON object",
    ),
    "segment value text of a dictionary in a list": (
        lambda: models.segment_body(included_filters=all_of(user_attribute("city", ["{'a': 1}"])), allow_empty=True),
        "included_filters.filters[0].value[0] is the text of a Python or JSON object",
    ),
    "segment value None in an object": (
        lambda: models.segment_body(included_filters=all_of(user_attribute("city", [{"from": [1, "None"]}]))),
        "included_filters.filters[0].value[0].from[1] is the text of a Python or JSON object",
    ),
    "segment value None in an event's attributes": (
        lambda: models.segment_body(
            included_filters={"filters": [{"attributes": {"filters": [{"value": ["None"]}]}, "count": 1}]}
        ),
        "\nincluded_filters.filters[0].attributes.filters[0].value[0]",
    ),
    "segment value null in a list of lists": (
        lambda: models.segment_body(included_filters=all_of(user_attribute("city", [["Oslo", None]]))),
        "included_filters.filters[0].value[0][1] is null",
    ),
    "segment value null in a list": (
        lambda: models.segment_body(included_filters=all_of(user_attribute("city", ["Oslo", None]))),
        "included_filters.filters[0].value[1] is null",
    ),
    "segment value of nothing but empty texts": (
        lambda: models.segment_body(included_filters=all_of(user_attribute("city", ["", " "]))),
        "included_filters.filters[0].value is empty",
    ),
    "segment value of an empty list in a list": (
        lambda: models.segment_body(included_filters=all_of(user_attribute("city", [[]]))),
        "included_filters.filters[0].value is empty",
    ),
    "segment value of an empty object in a list": (
        lambda: models.segment_body(included_filters=all_of(user_attribute("city", [{}]))),
        "included_filters.filters[0].value is empty",
    ),
    "segment filter empty": (
        lambda: models.segment_body(included_filters={"filters": [{}]}),
        "included_filters.filters[0] is empty",
    ),
    "segment filter list": (
        lambda: models.segment_body(included_filters={"filters": [[]]}),
        "included_filters.filters[0] takes a filter object, not list",
    ),
    "segment filter name null": (
        lambda: models.segment_body(included_filters={"filters": [{"name": None, "value": ["a"]}]}, allow_empty=True),
        "included_filters.filters[0].name is None",
    ),
    "segment filter name None as a text": (
        lambda: models.segment_body(included_filters={"filters": [{"name": "None", "value": ["a"]}]}),
        "included_filters.filters[0].name is None",
    ),
    "segment group empty": (
        lambda: models.segment_body(included_filters={"filters": [{"filter_operator": "or", "filters": []}]}),
        "included_filters.filters[0].filters is empty",
    ),
    "segment group of an empty filter": (
        lambda: models.segment_body(included_filters={"filters": [all_of(all_of({}))]}),
        "included_filters.filters[0].filters[0].filters[0] is empty",
    ),
    "segment group of a list": (
        lambda: models.segment_body(included_filters={"filters": [{"filters": [[]]}]}),
        "included_filters.filters[0].filters[0] is empty",
    ),
    "segment group with an empty value": (
        lambda: models.segment_body(included_filters={"filters": [all_of(user_attribute("city", []))]}),
        "included_filters.filters[0].filters[0].value is empty",
    ),
    "filter values text": (lambda: user_attribute("city", "Oslo"), "values takes a list, not the text 'Oslo'"),
    "filter name empty": (lambda: user_attribute("", ["Oslo"]), "name is empty"),
    "attributes null": (lambda: models.from_json("attributes", " null "), "attributes is the JSON text null"),
    "attributes no JSON": (lambda: models.from_json("attributes", "[{"), "attributes is a text that is not JSON"),
}


@pytest.mark.parametrize(("build", "message"), BAD_INPUT.values(), ids=BAD_INPUT)
def test_bad_input_names_the_field(build: Any, message: str):
    with pytest.raises(WesConfigurationError, match=re.escape(message)) as raised:
        build()
    assert len(str(raised.value)) < 500
    assert isinstance(raised.value, ValueError)


def test_an_upload_has_exactly_the_fields_that_are_given():
    assert models.coupon_file_body(URL) == {"file_url": URL}
    given_fields = {
        "name": "n",
        "file_url_auth_username": "u",
        "file_url_auth_password": "p",
        "created_by": "c",
        "callback_url": URL,
    }
    assert models.coupon_file_body(URL, **given_fields) == {"file_url": URL, **given_fields}


@pytest.mark.parametrize(
    "url", [URL, "http://127.0.0.1:8099/a%20b.csv?sig=a,b&x=http://y", "s3://bucket/key", "ftp://[::1]/x"]
)
def test_one_absolute_url_passes(url: str):
    assert models.coupon_file_body(url) == {"file_url": url}


def test_messages_show_urls_without_their_query():
    with pytest.raises(WesConfigurationError) as raised:
        models.coupon_file_body("https://user:hunter2@a/c.csv?sig=topsecret https://b/")
    assert "topsecret" not in str(raised.value)
    assert "hunter2" not in str(raised.value)
    assert "https://a/c.csv" in str(raised.value)


def test_attributes_may_be_objects_or_dataclasses():
    attributes = [CatalogAttribute("id"), {"name": "price", "type": "double"}]
    assert models.catalog_body("c", "EUR", attributes) == {
        "name": "c",
        "price_currency": "EUR",
        "attributes": [{"name": "id", "type": "string"}, {"name": "price", "type": "double"}],
    }


def test_what_the_contract_leaves_open_about_attributes_passes_with_a_word():
    attributes = models.catalog_attributes(
        [{"name": "id", "type": "double"}, {"name": "d", "type": "date", "unit": "s"}]
        + [CatalogAttribute(f"a{i}") for i in range(49)]
    )
    warnings = models.catalog_warnings(attributes)
    assert len(warnings) == 4
    assert "date" in warnings[0]
    assert "unit" in warnings[1]
    assert "51 attributes" in warnings[2]
    assert "attribute id has type double" in warnings[3]
    assert models.catalog_warnings(models.catalog_attributes(ATTRIBUTES)) == []


def test_a_filter_as_the_contract_shows_it():
    assert all_of(user_attribute("city", ("Oslo", "Rome"), negate=True)) == {
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


def test_empty_filters_pass_where_they_are_meant():
    empty = {"filters": [], "filter_operator": "and"}
    assert models.segment_body(included_filters=empty, allow_empty=True) == {"included_filters": empty}
    no_values = {"filters": [{"value": []}]}
    assert models.segment_body(included_filters=no_values, allow_empty=True) == {"included_filters": no_values}


def test_unknown_filter_kinds_pass_untouched():
    filters = {
        "filter_operator": "or",
        "filters": [
            {"filter_type": "events", "count": 3, "attributes": {"filters": []}},
            {"operator": "between", "value": [1, 2], "nested": []},
        ],
        "extra": True,
    }
    assert models.segment_body(included_filters=filters) == {"included_filters": filters}


def test_a_coupon_file_is_read_from_either_spelling_of_the_list():
    record = {"_id": "f1", "status": "PENDING", "name": "n", "coupons_list_id": "l1", "file_url": URL}
    assert CouponFile.from_record(record) == CouponFile("f1", "l1", "n", "PENDING", file_url=models.redact_url(URL))
    other = {"_id": "f1", "status": "PENDING", "coupon_list_id": "l2", "coupons_added": 7, "big": True, "error": "y"}
    file = CouponFile.from_record(other)
    assert file == CouponFile("f1", "l2", "", "PENDING", (("coupons_added", 7),), "", (("error", "y"),))
    assert file.summary() == {
        "id": "f1",
        "coupon_list_id": "l2",
        "name": "",
        "status": "PENDING",
        "file_url": "",
        "coupons_added": 7,
        "error": "y",
    }
    assert CouponFile.from_summary(file.summary()) == file
    with pytest.raises(ValueError, match="without an _id"):
        CouponFile.from_record({"status": "PENDING"})


def test_counts_below_a_property_have_a_dotted_name():
    stats = {"imported": 7, "rows": {"bad": 6, "far": {"down": 1}}}
    record = {"_id": "f", "stats": stats, "rows": 9, "error": {"code": 7}, "ok": True, "share": 0.5}
    file = CouponFile.from_record(record)
    assert file.counts == (("rows", 9), ("stats.imported", 7), ("stats.rows.bad", 6))
    assert CouponFile.from_summary(file.summary()) == file
    assert (
        len(CouponFile.from_record({"_id": "f", "rows": {str(number): number for number in range(1000)}}).counts) == 50
    )


def test_a_summary_of_an_earlier_version_is_read():
    summary = {"id": "f1", "coupon_list_id": "l2", "name": "n", "status": "DONE", "coupons_added": 7}
    assert CouponFile.from_summary(summary) == CouponFile("f1", "l2", "n", "DONE", (("coupons_added", 7),))


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"error": "the host returned 404"}, "the host returned 404"),
        ({"status_message": "no header", "note": "not shown beside it"}, "no header"),
        ({"note": "the only text"}, "the only text"),
        ({"errorMessage": "row 3\nis empty"}, "row 3 is empty"),
        ({"error": {"code": 7, "details": ["row 3"]}}, "code 7, details row 3"),
        ({"error": {"message": "login failed", "password": "hunter2"}}, "login failed, password ***"),
        ({"errors": [{"text": "row 3"}, "row 4"]}, "row 3; row 4"),
        ({"result": {"reason": "nested one"}}, "nested one"),
        ({"failure": {"details": {"reason": "deep"}}}, "deep"),
        ({"result": {"errors": ["a b", "c"], "note": "not shown"}}, "a b; c"),
        ({"message": "my nightly file", "meta": {"reason": "no header"}}, "no header; my nightly file"),
        ({"error": "<html><body><h1>Bad</h1> gateway</body></html>"}, "Bad gateway"),
        ({"error": "None", "locale": "en_US", "uploader": "ana"}, ""),
        ({"file_url": "https://h.example/a?sig=a1b2c3d4e5", "error": "not with a1b2c3d4e5"}, "not with ***"),
        ({"error": {"a": {"b": {"c": {"d": {"e": "far down"}}}}}}, 'a b c d {"e": "far down"}'),
        ({"error": "404 of https://user:pw@h.example/a.csv?sig=s3cret"}, "404 of https://h.example/a.csv"),
        ({"error": "the key s3cret-key is wrong"}, "the key *** is wrong"),
        ({"error": "x" * 1000}, "x" * 299 + "…"),
        ({"message_id": "5f2b", "file_type": "csv", "updatedAt": "now", "created_by": "ana", "api_key": "k"}, ""),
        ({"started": "2026-11-22T06:00:00Z", "where": "https://h.example/a"}, ""),
        ({"error": "", "message": None, "reason": 7, "description": []}, ""),
    ],
)
def test_the_texts_of_a_record_explain_why_the_file_failed(record, reason):
    assert CouponFile.from_record({"_id": "f", **record}, secrets=["s3cret-key"]).reason == reason


def test_a_file_is_known_by_the_end_of_its_url():
    assert CouponFile("f1", file_url="https://h.example/summer%20coupons.csv").title == "summer coupons.csv"
    assert CouponFile("f1", file_url="https://h.example/a/%E6%97%A5.csv").title == "a/日.csv"
    assert CouponFile("f1", file_url=f"https://h.example/{'long' * 5}/coupons.csv").title == "coupons.csv"
    assert CouponFile("f1", file_url="https://h.example/").title == "h.example"
    assert CouponFile("f1").title == "f1"
    assert models.file_title("https://h.example/https%3A%2F%2Fs3.example%2Fa.csv%3Fsig%3Ds3cret").endswith("/a.csv")


def test_the_files_of_a_task_are_told_apart_by_as_much_as_it_takes():
    urls = {
        "https://h.example/good/coupons.csv": "good/coupons.csv",
        "https://h.example/bad/coupons.csv": "bad/coupons.csv",
        "https://h.example/bad/other.csv": "other.csv",
        "https://a.example/": "a.example",
        "https://b.example/spring.csv": "b.example/spring.csv",
        "https://c.example/spring.csv": "c.example/spring.csv",
    }
    assert models.file_titles(list(urls)) == list(urls.values())
    assert len(set(models.file_titles(["https://h.example/a.csv"] * 2))) == 1


@given(
    st.text(max_size=300),
    st.text(min_size=1, max_size=300),
    st.text(min_size=1, max_size=300),
    st.text(),
    st.sampled_from([70, 90]),
)
@example("0" * 19, "1" * 14, "2" * 28, "", 70)
def test_a_headline_fits_into_the_log_and_names_list_and_file(
    cause: str, list_id: str, file_id: str, title: str, longest: int
):
    line = models.headline(cause, list_id, file_id, title, longest)
    assert len(line) <= longest
    assert (title or file_id)[:13] in line
    assert list_id[-5:] in line
    assert line.startswith(cause.removesuffix(".")[:15])  # the least that the longest file and list leave


def test_a_headline_cuts_a_long_lists_name_then_the_reason_and_never_the_files():
    cause = "FAILED: fetching the file: its host returned 404."
    assert models.headline(cause, "summer-sale", "id000014", "coupons.csv", 70) == (
        "FAILED: fetching the file: its host… (coupons.csv of list summer-sale)"
    )
    line = models.headline(cause, "the-list-of-the-spring-newsletter-of-all-shops", "f", "north/coupons.csv", 70)
    assert line == "FAILED: fetching the file:… (north/coupons.csv of list the-lis…-shops)"
    assert models.headline("3 files failed.", "summer-sale") == "3 files failed (list summer-sale)"


def test_a_headline_names_the_identifier_beside_the_title_if_there_is_room():
    assert models.headline("PENDING", "l", "f", "a.csv") == "PENDING (a.csv, f of list l)"
    assert models.headline("PENDING", "l", "f" * 80, "a.csv") == "PENDING (a.csv of list l)"


@given(st.text())
def test_redacting_never_fails_and_leaves_no_query(text: str):
    assert "secret" not in models.redact(f"https://h.example/{text.replace('secret', '')} https://a/b?s=secret")


@given(st.text(min_size=1, max_size=50).filter(str.strip))
def test_an_identifier_passes_unchanged_or_is_refused(text: str):
    try:
        passed = models.identifier("id", text)
    except WesConfigurationError as error:
        assert str(error).startswith("id ")  # noqa: PT017 - either is right
    else:
        assert passed == text


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_any_filter_is_sent_as_it_is_or_refused(value: Any):
    filters = {"filters": [{"filter_type": "x", "nested": value}]}
    try:
        sent = json.loads(models.json_bytes(models.segment_body(included_filters=filters)))
    except WesConfigurationError as error:
        assert str(error).startswith("included_filters")  # noqa: PT017 - either is right
    else:
        assert sent == {"included_filters": filters}


@pytest.mark.parametrize(
    "value",
    ["Oslo", "no.json", "[abc]+", "[0-9]", "{x", 0, 1.5, False, True, {"from": None}, [["a"], []], ["a", ""]],
    ids=str,
)
def test_a_filter_value_may_be_any_json(value: Any):
    filters = {"filters": [{"name": "n", "value": value}]}
    assert models.segment_body(included_filters=filters) == {"included_filters": filters}


@pytest.mark.parametrize(
    "filters", [[], [{}], [{"filters": []}], [{"value": ["Oslo", None]}], [{"value": [""]}]], ids=str
)
def test_what_is_empty_passes_where_it_is_meant(filters: Any):
    whole = {"filters": filters}
    assert models.segment_body(included_filters=whole, allow_empty=True) == {"included_filters": whole}


def test_the_text_none_passes_where_a_dag_has_it_by_itself():
    city = {"filters": [{"name": "None", "value": ["Oslo", "None", {"x": "None"}], "more": {"value": "None"}}]}
    nested = {"filters": [city, {"name": "n", "value": "None"}]}
    assert models.segment_body(included_filters=nested, written=nested) == {"included_filters": nested}
    checked = models.segment_filters(nested, written=nested)
    assert models.segment_filters(checked) == nested
    for written in (None, "{{ x }}", {"filters": "{{ x }}"}, {"filters": [{"filters": [{"value": ["{{ x }}"]}]}]}):
        with pytest.raises(WesConfigurationError, match="None"):
            models.segment_body(included_filters=nested, written=written)


def test_filters_that_are_nested_without_an_end_are_refused():
    filters: dict[str, Any] = {"filters": []}
    filters["filters"].append(filters)
    with pytest.raises(WesConfigurationError, match="included_filters is nested too deeply"):
        models.segment_body(included_filters=filters)


def test_a_builder_takes_one_text_for_an_operator_that_compares_with_one():
    assert user_attribute("city", "Os", operator="starts_with")["value"] == "Os"


def test_numbers_of_things_are_counted_in_plain_english():
    assert [models.counted(number, "poll") for number in (0, 1, 2)] == ["0 polls", "1 poll", "2 polls"]
