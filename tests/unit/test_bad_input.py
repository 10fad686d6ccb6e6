"""
Bad input of tasks is WesConfigurationError, with its argument and place. What the DAG gives is
refused when it is parsed, but for an argument of which any part is filled in later: by a template,
or from a file. That is refused when the task runs; then nothing is sent, and Airflow retries
nothing. ``tests/unit/test_models.py`` has the errors of all values.

Refused once rendered are: what is empty; None, or a part that is None; a line break; a list in a
string; and a filter's field of another type. So is a value that native rendering makes no string
of, where a string is taken, with its template: a filter of strings takes a list that one expression
gives as it is. JSON text of the DAG or of a file that would lose a key or digits is refused, too.
No password is shown.

What is meant is sent: native booleans and numbers, digits in quotes, the word "None" of the DAG
(but in ``files``, where it is taken for a template's None), no filters with ``allow_empty``. A
string that ends like the name of a file stays as it is; ``files``, ``attributes`` and
``included_filters`` are read from one. Guards are rendered in a copy.
"""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowFailException

from support.airflow_site import AIRFLOW_VERSION
from support.attempts import TaskInstance
from wes_provider.arguments import KEEP_STRING
from wes_provider.emulator import Emulator
from wes_provider.exceptions import WesConfigurationError
from wes_provider.guards import SegmentGuard
from wes_provider.models import all_of, user_attribute
from wes_provider.operators import (
    WesCreateCatalogOperator,
    WesReplenishCouponListOperator,
    WesUpdateSegmentOperator,
    WesUploadCouponFileOperator,
)
from wes_provider.sensors import WesCouponFileSensor
from wes_provider.storage import Preflight

URL = "https://files.example.com/coupons.csv"
# The tasks of this module, by kind: operator, and the least arguments that it takes.
KINDS: dict[str, tuple[Any, dict[str, Any]]] = {
    "upload": (WesUploadCouponFileOperator, {"coupon_list_id": "l", "file_url": URL}),
    "files": (WesReplenishCouponListOperator, {"coupon_list_id": "l", "files": [URL]}),
    "catalog": (WesCreateCatalogOperator, {"name": "c", "price_currency": "EUR", "attributes": []}),
    "segment": (WesUpdateSegmentOperator, {"segment_id": "s"}),
    "sensor": (WesCouponFileSensor, {"coupon_list_id": "l", "coupon_file_id": "f"}),
}


def task(kind: str, *, native: bool = False, **arguments: Any) -> Any:
    """A task in a DAG, which renders templates to strings or to native objects."""
    operator, given = KINDS[kind]
    with DAG("d", schedule=None, render_template_as_native_obj=native):
        return operator(task_id="t", **{**given, **arguments})


def rendered(kind: str, *, native: bool = False, **arguments: Any) -> Any:
    """A task whose templates are rendered, as before it runs."""
    made = task(kind, native=native, **arguments)
    made.render_template_fields({})
    return made


def message_of_refusal(refused: Any, wes_emulator: Emulator) -> str:
    """
    Run a rendered task, which fails with ``WesConfigurationError`` and sends nothing, and return
    the error's message.

    Before Airflow 3.3, ``AirflowFailException`` stops the retries, and has the error as its cause.
    """
    stops_retries: type[Exception] = WesConfigurationError
    if AIRFLOW_VERSION < (3, 3):
        stops_retries = AirflowFailException
    with pytest.raises(stops_retries) as raised:
        refused.execute(TaskInstance(task_id="t").context())
    error: BaseException | None = raised.value
    if stops_retries is AirflowFailException:
        error = raised.value.__cause__
    assert isinstance(error, WesConfigurationError)
    assert wes_emulator.requests == []
    return str(error)


CITY = user_attribute("city", ["Lisbon"])


class Refused(NamedTuple):
    """Arguments of a task that are refused, and what the error says of them."""

    kind: str
    arguments: dict[str, Any]
    message: str

    @property
    def name(self) -> str:
        return f"{self.kind} {self.arguments}"


PARSED_UPLOADS = [
    Refused("upload", {"file_url": ""}, "file_url is empty"),
    Refused("upload", {"multiple_outputs": True}, "multiple_outputs takes an object"),
    Refused("upload", {"file_url": "c.csv", "name": "{{ ds }}"}, "file_url takes an absolute URL"),
    Refused("upload", {"coupon_list_id": ""}, "coupon_list_id is empty"),
    Refused(
        "upload",
        {"file_url_auth_username": "u", "file_url_auth_conn_id": "c"},
        "Give either the connection, or file_url",
    ),
    Refused(
        "upload",
        {"file_url_auth_password": "hunter2"},
        "file_url_auth_password is given without file_url_auth_username",
    ),
    Refused(
        "upload", {"on_duplicate": "skip"}, "on_duplicate takes adopt, upload or fail, not 'skip'"
    ),
    Refused("upload", {"poll_interval": 0}, "poll_interval takes seconds above 0, not 0"),
    Refused(
        "upload",
        {"coupon_file_statuses": {"done": ["X"]}},
        "coupon_file_statuses takes lists of statuses",
    ),
    Refused("upload", {"min_coupons_added": 1}, "min_coupons_added needs wait_for_completion=True"),
    Refused(
        "upload",
        {"min_coupons_added": -1, "wait_for_completion": True},
        "min_coupons_added takes a whole number",
    ),
    Refused("upload", {"preflight": 1}, "preflight takes a Preflight or False, not 1"),
    Refused("upload", {"ledger": False}, "ledger takes a Ledger or None, not False"),
    Refused("upload", {"wes_conn_id": ""}, "wes_conn_id is empty"),
    *(
        Refused("upload", {"timeout": wrong}, f"timeout takes seconds above 0, not {wrong!r}")
        for wrong in ("1h", True)
    ),
    *(
        Refused("upload", {field: "false"}, f"{field} takes True or False, not 'false'")
        for field in ("wait_for_completion", "deferrable")
    ),
    Refused(
        "upload", {"coupon_list_id": "spring "}, "coupon_list_id has a space around it: 'spring '"
    ),
    Refused("upload", {"coupon_list_id": " spring"}, "coupon_list_id has a space around it"),
    *(
        Refused(
            "upload",
            {"coupon_list_id": path},
            f"coupon_list_id is '{path}', which is no identifier",
        )
        for path in ("../files", "a/../b", "a/.")
    ),
]
PARSED_FILES = [
    Refused("files", {"files": []}, "files is empty"),
    Refused("files", {"files": URL}, "files takes a list of URLs, and this is a string"),
    Refused(
        "files",
        {"files": {"file_url": URL}},
        "files takes a list of URLs, or of objects with file_url",
    ),
    Refused("files", {"files": [7]}, "files[0]: it takes a URL, or an object with file_url, not 7"),
    Refused("files", {"files": [URL, {"url": URL}]}, "files[1]: it has 'url'\nA file has file_url"),
    Refused("files", {"files": [{"name": "n"}]}, "files[0]: it has no file_url"),
    Refused(
        "files", {"files": [{"file_url": URL, "name": "None"}]}, "or a part of it rendered to None"
    ),
    Refused(
        "files",
        {"files": [f"{URL}?sig=1", f"{URL}?sig=2"]},
        f"some are invalid: two files are {URL}\n"
        "Give each URL once. URLs that differ in signatures alone need names that differ.",
    ),
    Refused(
        "files", {"files": [{"file_url": URL, "name": n} for n in ("a", "b")]}, "two files are"
    ),
    Refused("files", {"max_failed_files": -1}, "max_failed_files takes a whole number from 0 up"),
    Refused("files", {"plan_only": "False"}, "plan_only takes True or False, not 'False'"),
]
PARSED_CATALOGS = [
    Refused("catalog", {"name": ""}, "name is empty"),
    Refused("catalog", {"price_currency": "eur"}, "price_currency 'eur' is not a currency"),
    Refused(
        "catalog",
        {"attributes": [{"name": "id", "type": None}]},
        "attributes[0].type takes a string",
    ),
    Refused("catalog", {"if_exists": "replace"}, "if_exists takes fail or adopt, not 'replace'"),
    Refused(
        "catalog",
        {"on_schema_change": "create"},
        "on_schema_change takes fail or warn, not 'create'",
    ),
    Refused("catalog", {"multiple_outputs": True}, "multiple_outputs takes an object"),
]
PARSED_SEGMENTS = [
    Refused("segment", {}, "nothing to update"),
    Refused("segment", {"segment_id": " ", "name": "n"}, "segment_id is empty"),
    Refused("segment", {"guard": 1, "name": "n"}, "guard takes a SegmentGuard"),
    *(
        Refused("segment", {field: 1, "name": "n"}, f"{field} takes True or False, not 1")
        for field in ("plan_only", "allow_empty")
    ),
    *(
        Refused(
            "segment",
            {"updated_by": address},
            "updated_by takes an e-mail address, such as updated",
        )
        for address in ("me", "@example.com", "me@", "me @ example com")
    ),
]
PARSED_SENSORS = [
    Refused("sensor", {"deferrable": "no"}, "deferrable takes True or False, not 'no'"),
    Refused("sensor", {"coupon_list_id": ""}, "coupon_list_id is empty"),
    Refused("sensor", {"coupon_file_id": ".."}, "coupon_file_id is '..'"),
    Refused(
        "sensor",
        {"coupon_file_statuses": {"success": ["DONE"], "failure": ["done"]}},
        "has DONE in two lists",
    ),
    Refused("sensor", {"min_coupons_added": True}, "min_coupons_added takes a whole number"),
]


def check_parsed(row: Refused) -> None:
    """The task cannot be made, and the error says why."""
    with pytest.raises(WesConfigurationError, match=re.escape(row.message)):
        task(row.kind, **row.arguments)


@pytest.mark.parametrize("row", PARSED_UPLOADS, ids=[row.name for row in PARSED_UPLOADS])
def test_a_bad_argument_of_an_upload_is_named_when_the_dag_is_parsed(row: Refused):
    check_parsed(row)


@pytest.mark.parametrize("row", PARSED_FILES, ids=[row.name for row in PARSED_FILES])
def test_a_bad_file_of_several_is_named_with_its_place_when_the_dag_is_parsed(row: Refused):
    check_parsed(row)


@pytest.mark.parametrize("row", PARSED_CATALOGS, ids=[row.name for row in PARSED_CATALOGS])
def test_a_bad_argument_of_a_catalog_is_named_when_the_dag_is_parsed(row: Refused):
    check_parsed(row)


@pytest.mark.parametrize("row", PARSED_SEGMENTS, ids=[row.name for row in PARSED_SEGMENTS])
def test_a_bad_argument_of_a_segment_is_named_when_the_dag_is_parsed(row: Refused):
    check_parsed(row)


@pytest.mark.parametrize("row", PARSED_SENSORS, ids=[row.name for row in PARSED_SENSORS])
def test_a_bad_argument_of_the_sensor_is_named_when_the_dag_is_parsed(row: Refused):
    check_parsed(row)


def test_no_error_at_parse_time_shows_a_password():
    with pytest.raises(WesConfigurationError, match="file_url_auth_password") as raised:
        task("upload", file_url_auth_password="hunter2")
    assert "hunter2" not in str(raised.value)


class RefusedFilter(NamedTuple):
    """A filter that is refused, and what the error says of it."""

    given: dict[str, Any]
    problem: str


PARSED_FILTERS = [
    RefusedFilter({"value": []}, "value is empty"),
    RefusedFilter(
        {"operator": "in", "value": ["Lisbon", " "]},
        "value holds an empty string\nA row of the query",
    ),
    *(
        RefusedFilter({"operator": operator, "value": value}, f"value takes a list, not {kind}")
        for operator in ("in", "not in", "between")
        for value, kind in (("Lisbon", "a string"), ({"a": "Lisbon"}, "an object"), (7, "a number"))
    ),
    RefusedFilter({**CITY, "negate": "false"}, "negate takes true or false, not a string"),
    RefusedFilter({**CITY, "negate": None}, "negate takes true or false, not None"),
    RefusedFilter(
        {**CITY, "case_sensitive": 0}, "case_sensitive takes true or false, not a number"
    ),
    RefusedFilter({**CITY, "operator": ["in"]}, "operator takes a string, not a list"),
    RefusedFilter({**CITY, "data_type": None}, "data_type takes a string, not None"),
    RefusedFilter({**CITY, "filter_type": {}}, "filter_type takes a string, not an object"),
    RefusedFilter({**CITY, "name": 7}, "name takes a string, not a number"),
]


@pytest.mark.parametrize("row", PARSED_FILTERS, ids=lambda row: f"{row.given}")
def test_a_filter_that_the_dag_gives_is_checked_at_parse_time(row: RefusedFilter):
    message = f"included_filters.filters[0].{row.problem}"
    with pytest.raises(WesConfigurationError, match=re.escape(message)):
        task("segment", included_filters=all_of(row.given))


def test_the_operator_of_a_group_is_checked_at_parse_time():
    message = "included_filters.filter_operator takes a string, not a boolean"
    with pytest.raises(WesConfigurationError, match=re.escape(message)):
        task("segment", included_filters={"filter_operator": True, "filters": [CITY]})


NONE, EMPTY = "{{ none }}", "{{ '' }}"
INJECTION = "{{ 'a' ~ '\\r\\n' ~ 'X-Injected: 1' }}"
RENDERED = [
    Refused("upload", {"coupon_list_id": EMPTY}, "coupon_list_id is empty"),
    Refused(
        "upload", {"coupon_list_id": INJECTION}, "coupon_list_id holds U+000D, CARRIAGE RETURN"
    ),
    Refused("upload", {"file_url": EMPTY}, "file_url is empty"),
    Refused("upload", {"file_url": "{{ 'https://a/x,https://b/y' }}"}, "exactly one, not"),
    Refused("upload", {"name": INJECTION}, "name holds U+000D, CARRIAGE RETURN"),
    Refused("upload", {"name": NONE}, "name rendered to None\n"),
    Refused("upload", {"on_duplicate": "{{ 'skip' }}"}, "on_duplicate takes adopt, upload or fail"),
    Refused(
        "files",
        {"files": [URL, {"file_url": URL, "callback_url": NONE}]},
        "files[1].callback_url rendered to None\n",
    ),
    Refused("upload", {"coupon_list_id": "list-{{ none }}"}, "a part of coupon_list_id rendered"),
    Refused(
        "upload", {"file_url": "https://h/{{ {}.get('x') }}.csv"}, "a part of file_url rendered to"
    ),
    Refused(
        "upload", {"coupon_list_id": "{{ 'spring ' }}"}, "coupon_list_id has a space around it"
    ),
    Refused(
        "files", {"files": [URL, "https://h/{{ none }}.csv"]}, "a part of files[1] rendered to None"
    ),
    Refused(
        "files",
        {"files": [URL], "preflight": Preflight(max_duplicates="{{ none }}")},
        "preflight.max_duplicates rendered to None\n",
    ),
    Refused(
        "segment",
        {"name": "n", "guard": SegmentGuard(max_removed={"city": "{{ none }}"})},
        "guard.max_removed.city rendered to None\n",
    ),
    Refused("sensor", {"coupon_list_id": "{{ none }}-a"}, "a part of coupon_list_id rendered"),
    Refused("catalog", {"name": EMPTY}, "name is empty"),
    Refused("catalog", {"name": NONE}, "name rendered to None\n"),
    Refused("catalog", {"price_currency": "{{ 'EURO' }}"}, "price_currency 'EURO'"),
    Refused("catalog", {"if_exists": "{{ 'x' }}"}, "if_exists takes fail or adopt"),
    Refused("segment", {"segment_id": EMPTY, "name": "n"}, "segment_id is empty"),
    Refused("segment", {"segment_id": NONE, "name": "n"}, "segment_id rendered to None\n"),
    Refused(
        "segment", {"name": NONE, "updated_by": "{{ none }}"}, "name, updated_by rendered to None\n"
    ),
    Refused(
        "segment",
        {"included_filters": "{{ none }}", "name": "n"},
        "included_filters rendered to None\n",
    ),
    Refused(
        "segment",
        {"included_filters": all_of(user_attribute("id", EMPTY))},
        "filters[0].value is empty",
    ),
    Refused("sensor", {"coupon_file_id": EMPTY}, "coupon_file_id is empty"),
    Refused("sensor", {"coupon_file_id": NONE}, "coupon_file_id rendered to None"),
]
# Native rendering makes a list of the first, an empty list of the second, and None of the third.
RENDERED_TO_STRINGS = [
    Refused("catalog", {"attributes": "{{ [1, 'a'] }}"}, "attributes is a string that is not JSON"),
    Refused(
        "segment",
        {"included_filters": all_of(user_attribute("id", "{{ [] }}"))},
        "is the text of a Python or JSON",
    ),
    Refused(
        "segment",
        {"included_filters": all_of(user_attribute("id", [NONE, "None"]))},
        "included_filters.filters[0].value[0] rendered to None\n",
    ),
]


@pytest.mark.parametrize("native", [False, True], ids=["strings", "native"])
@pytest.mark.parametrize("row", RENDERED, ids=[row.name for row in RENDERED])
def test_what_cannot_be_sent_is_named_and_nothing_is_sent(
    wes_emulator: Emulator, row: Refused, native: bool
):
    refused = rendered(row.kind, native=native, **row.arguments)
    assert row.message in message_of_refusal(refused, wes_emulator)


@pytest.mark.parametrize("row", RENDERED_TO_STRINGS, ids=[row.name for row in RENDERED_TO_STRINGS])
def test_a_string_that_stands_for_something_else_is_named_and_nothing_is_sent(
    wes_emulator: Emulator, row: Refused
):
    refused = rendered(row.kind, **row.arguments)
    assert row.message in message_of_refusal(refused, wes_emulator)


class NoString(NamedTuple):
    """
    A template of which native rendering makes something else than a string.

    :ivar rendered: what it makes, and its type, as the error has them.
    :ivar others: arguments that the task needs besides.
    """

    kind: str
    field: str
    template: str
    rendered: str
    others: dict[str, Any] = {}  # noqa: RUF012 - never changed


LIST, NUMBER = "{{ '2026' ~ '_11' }}", "{{ '12' ~ '345' }}"
NO_STRINGS = [
    NoString("upload", "coupon_list_id", LIST, "202611 (int)"),
    NoString("upload", "name", "{{ '20261125' }}", "20261125 (int)"),
    NoString("upload", "created_by", "{{ '1e5' }}", "100000.0 (float)"),
    NoString("upload", "callback_url", "{{ '[1]' }}", "[1] (list)"),
    NoString("upload", "wes_conn_id", NUMBER, "12345 (int)"),
    NoString("files", "coupon_list_id", LIST, "202611 (int)"),
    NoString("catalog", "name", "{{ 'True' }}", "True (bool)"),
    NoString("segment", "segment_id", NUMBER, "12345 (int)", {"name": "n"}),
    NoString("segment", "updated_by", NUMBER, "12345 (int)"),
    NoString("sensor", "coupon_file_id", "{{ '0x1f' }}", "31 (int)"),
]


@pytest.mark.parametrize("row", NO_STRINGS, ids=lambda row: f"{row.kind} {row.field}")
def test_a_template_of_which_native_rendering_makes_no_string_is_named_and_nothing_is_sent(
    wes_emulator: Emulator, row: NoString
):
    refused = rendered(row.kind, native=True, **{row.field: row.template, **row.others})
    message = message_of_refusal(refused, wes_emulator)
    # Python quotes a template by the quotes that are in it.
    assert f"{row.field}: {row.template!r} rendered to {row.rendered}\nIt takes a string" in message


class Filter(NamedTuple):
    """A filter of strings with templates, and lines on what native rendering makes of them."""

    given: dict[str, Any]
    problems: list[str]


ZIPS = ["007", "{{ '4' ~ '2' }}", "{{ '1e' ~ '3' }}"]
VALUE = "included_filters.filters[0].value"
FILTERS_OF_STRINGS = {
    "values": Filter(
        user_attribute("zip", ZIPS),
        [
            f"{VALUE}[1]: {ZIPS[1]!r} rendered to int",
            f"{VALUE}[2]: {ZIPS[2]!r} rendered to float",
        ],
    ),
    "one value": Filter(
        user_attribute("zip", "{{ 42 }}", operator="is"),
        [f"{VALUE}: '{{{{ 42 }}}}' rendered to int"],
    ),
    "a boolean": Filter(
        user_attribute("a", ["{{ 'True' }}"]),
        [f"""{VALUE}[0]: "{{{{ 'True' }}}}" rendered to bool"""],
    ),
    "a list written in a text": Filter(
        user_attribute("zip", "[{{ '42' }}, {{ '43' }}]"),
        [f"""{VALUE}: "[{{{{ '42' }}}}, {{{{ '43' }}}}]" rendered to list"""],
    ),
    "values with commas between": Filter(
        user_attribute("zip", "{{ '42' }},{{ '43' }}"),
        [f"""{VALUE}: "{{{{ '42' }}}},{{{{ '43' }}}}" rendered to tuple"""],
    ),
    "in a group of a group": Filter(
        all_of(user_attribute("a", ["x"]), user_attribute("zip", [ZIPS[1]])),
        [f"included_filters.filters[0].filters[1].value[0]: {ZIPS[1]!r} rendered to int"],
    ),
    "a name": Filter(
        {"name": "{{ 2026 }}", "data_type": "double", "value": ["{{ 42 }}"]},
        ["included_filters.filters[0].name: '{{ 2026 }}' rendered to int"],
    ),
}


@pytest.mark.parametrize("row", FILTERS_OF_STRINGS.values(), ids=FILTERS_OF_STRINGS)
def test_a_filter_of_strings_that_native_rendering_changes_is_refused_with_the_template(
    wes_emulator: Emulator, row: Filter
):
    update = rendered("segment", native=True, included_filters=all_of(row.given))
    message = message_of_refusal(update, wes_emulator)
    assert message.startswith("\n".join([*row.problems, KEEP_STRING]))


class WrongType(NamedTuple):
    """
    A filter with a template that renders to another type than its field takes.

    :ivar is_native: whether the DAG renders to native objects.
    """

    given: dict[str, Any]
    problem: str
    is_native: bool = False


WRONG_TYPES = {
    "one string": WrongType(
        user_attribute("city", "{{ 'Lisbon' }}"),
        f"{VALUE} takes a list: \"{{{{ 'Lisbon' }}}}\" rendered to a string",
    ),
    "one string, native": WrongType(
        user_attribute("city", "{{ 'Lisbon' }}"),
        f"{VALUE} takes a list: \"{{{{ 'Lisbon' }}}}\" rendered to a string",
        is_native=True,
    ),
    "strings with a comma": WrongType(
        user_attribute("city", "{{ 'Lisbon,Porto' }}", operator="not_in"),
        f"{VALUE} takes a list: \"{{{{ 'Lisbon,Porto' }}}}\" rendered to a string",
    ),
    "an object, native": WrongType(
        user_attribute("n", "{{ {'a': 1} }}"),
        f"{VALUE} takes a list: \"{{{{ {{'a': 1}} }}}}\" rendered to an object",
        is_native=True,
    ),
    "False as a string": WrongType(
        {**CITY, "negate": "{{ False }}"},
        "filters[0].negate takes true or false: '{{ False }}' rendered to a string",
    ),
    "false in lower case, native": WrongType(
        {**CITY, "negate": "{{ 'false' }}"},
        "filters[0].negate takes true or false: \"{{ 'false' }}\" rendered to a string",
        is_native=True,
    ),
    "a number for a boolean in a group of a group, native": WrongType(
        all_of({**CITY, "case_sensitive": "{{ 1 }}"}),
        "filters[0].filters[0].case_sensitive takes true or false: '{{ 1 }}' rendered to a number",
        is_native=True,
    ),
}


@pytest.mark.parametrize("row", WRONG_TYPES.values(), ids=WRONG_TYPES)
def test_a_filter_that_rendered_to_another_type_is_refused_with_the_template(
    wes_emulator: Emulator, row: WrongType
):
    update = rendered("segment", native=row.is_native, included_filters=all_of(row.given))
    message = message_of_refusal(update, wes_emulator)
    assert row.problem in message
    assert "render_template_as_native_obj=True" in message


def test_a_boolean_of_a_filter_may_come_from_a_native_template(wes_emulator: Emulator):
    filters = all_of({**CITY, "negate": "{% if true %}{{ 1 == 1 }}{% endif %}"})
    update = task("segment", native=True, included_filters=filters)
    update.render_template_fields({})
    update.execute(TaskInstance(task_id="t").context())
    sent = json.loads(wes_emulator.requests[0].body)
    assert sent["included_filters"] == all_of({**CITY, "negate": True})


def test_a_dag_may_say_what_becomes_of_none(wes_emulator: Emulator):
    upload = task("upload", name="a{{ none }}b")
    environment = upload.get_template_env().overlay(finalize=lambda value: value or "")
    upload.render_template_fields({}, environment)
    upload.check_rendered()
    assert upload.name == "ab"


class KeptFilter(NamedTuple):
    """
    A filter with templates that native rendering leaves as they are meant: a list that one
    expression gives, or strings alone.
    """

    given: dict[str, Any]
    value: Any


KEPT_FILTERS = {
    "numbers": KeptFilter(user_attribute("age", ["{{ 42 }}"], data_type="double"), [42]),
    "strings in quotes": KeptFilter(user_attribute("zip", ["'{{ 42 }}'"]), ["42"]),
    "a list of an expression": KeptFilter(user_attribute("zip", "{{ ['007'] }}"), ["007"]),
    "a list of strings in a text": KeptFilter(user_attribute("a", "['{{ 42 }}']"), ["42"]),
    "literals": KeptFilter(user_attribute("a", [42, "007"]), [42, "007"]),
    "a string": KeptFilter(user_attribute("a", ["{{ 'Os' ~ 'lo' }}"]), ["Oslo"]),
}


@pytest.mark.parametrize("row", KEPT_FILTERS.values(), ids=KEPT_FILTERS)
def test_a_filter_that_native_rendering_leaves_as_it_is_meant_is_sent(
    wes_emulator: Emulator, row: KeptFilter
):
    update = task("segment", native=True, included_filters=all_of(row.given))
    update.render_template_fields({})
    update.execute(TaskInstance(task_id="t").context())
    (request,) = wes_emulator.requests
    assert json.loads(request.body)["included_filters"]["filters"][0]["value"] == row.value


class LostText(NamedTuple):
    """
    JSON for an argument, with a template in it, of which something would be lost if it was read as
    usual; and how the error names that.
    """

    kind: str
    field: str
    text: str
    message: str


LOST_TEXTS = {
    "a key twice in a filter": LostText(
        "segment",
        "included_filters",
        '{"filters": [{"name": "a",\n"value": ["x"], "value": ["{{ ds }}"]}]}',
        "included_filters.filters[0] has 'value' twice",
    ),
    "a number with more digits than Python keeps": LostText(
        "segment",
        "included_filters",
        '{"filters": [{"name": "{{ ds }}", "value": [0.12345678901234567890]}]}',
        "included_filters.filters[0].value[0] is a number that cannot be sent as it is written",
    ),
    "a key twice in an attribute": LostText(
        "catalog",
        "attributes",
        '[{"name": "id",\n"type": "string", "type": "double"}]',
        "attributes[0] has 'type' twice",
    ),
    "a key twice in a file": LostText(
        "files",
        "files",
        '[{"file_url": "https://h.example.com/{{ ds }}.csv", "name": "a", "name": "b"}]',
        "files[0] has 'name' twice",
    ),
}


@pytest.mark.parametrize("native", [False, True], ids=["strings", "native"])
@pytest.mark.parametrize("row", LOST_TEXTS.values(), ids=LOST_TEXTS)
def test_json_text_of_the_dag_or_of_a_file_that_would_lose_something_is_refused(
    wes_emulator: Emulator, row: LostText, native: bool
):
    refused = task(row.kind, native=native, **{row.field: "{{ later }}"})
    # As Airflow does with the text of a file.
    setattr(refused, row.field, row.text)
    refused.render_template_fields({"ds": "2026-11-26"})
    assert row.message in message_of_refusal(refused, wes_emulator)


def test_a_password_of_which_native_rendering_made_a_number_is_not_shown(wes_emulator: Emulator):
    credentials = {"file_url_auth_username": "u", "file_url_auth_password": "{{ '7777' ~ '123' }}"}
    message = message_of_refusal(rendered("upload", native=True, **credentials), wes_emulator)
    assert "file_url_auth_password" in message
    assert "7777123" not in message


def test_two_files_may_differ_in_a_part_of_the_query_that_is_no_signature():
    files = [f"{URL}?file=1", f"{URL}?file=2"]
    assert task("files", files=files).files == files


class NoFile(NamedTuple):
    """An argument with a string that ends like the name of a file of templates, which it is not."""

    kind: str
    arguments: dict[str, Any]


PAGES = all_of(user_attribute("page", ["/index.json", "b.json"]))
NO_FILES = {
    "a filter's value": NoFile("segment", {"included_filters": PAGES}),
    "a filter's name": NoFile(
        "segment", {"included_filters": all_of(user_attribute("a.json", ["x"]))}
    ),
    "a segment's name": NoFile("segment", {"name": "name.json"}),
    "a URL in files": NoFile("files", {"files": [f"{URL}.json", f"{URL}2.json"]}),
    "a callback_url in files": NoFile(
        "files", {"files": [{"file_url": URL, "callback_url": "https://a.example/done.json"}]}
    ),
    "a name in files": NoFile("files", {"files": [{"file_url": URL, "name": "a.json"}]}),
    "a catalog's name": NoFile("catalog", {"name": "c.json"}),
    "an attribute's name": NoFile("catalog", {"attributes": [{"name": "a.json", "type": "x"}]}),
    "an uploaded URL": NoFile("upload", {"file_url": f"{URL}.json"}),
    "a list's identifier": NoFile("files", {"coupon_list_id": "l.json"}),
}


@pytest.mark.parametrize("row", NO_FILES.values(), ids=NO_FILES)
@pytest.mark.parametrize("native", [False, True], ids=["strings", "native"])
def test_a_string_that_ends_like_a_files_name_stays_as_it_is(row: NoFile, native: bool):
    given = task(row.kind, native=native, **row.arguments)
    before = {field: deepcopy(getattr(given, field)) for field in row.arguments}
    given.resolve_template_files()
    given.render_template_fields({})
    assert {field: getattr(given, field) for field in row.arguments} == before


class FromFile(NamedTuple):
    """An argument that takes the name of a file, and what the file has."""

    kind: str
    field: str
    content: Any


FILES = [
    FromFile("files", "files", [URL]),
    FromFile("catalog", "attributes", [{"name": "id", "type": "string"}]),
    FromFile("segment", "included_filters", all_of(CITY)),
]


@pytest.mark.parametrize("row", FILES, ids=lambda row: row.field)
@pytest.mark.parametrize("resolved", [True, False], ids=["when parsed", "when rendered"])
def test_an_argument_that_takes_json_is_read_from_a_file(
    tmp_path: Path, row: FromFile, resolved: bool
):
    (tmp_path / "given.json").write_text(json.dumps(row.content))
    operator, given = KINDS[row.kind]
    with DAG("d", schedule=None, template_searchpath=str(tmp_path)):
        reading = operator(task_id="t", **{**given, row.field: "given.json"})
    if resolved:
        reading.resolve_template_files()
    reading.render_template_fields({})
    assert json.loads(getattr(reading, row.field)) == row.content


class Sent(NamedTuple):
    """
    Arguments of a task that look like bad input, and the body that it sends.

    :ivar is_native: whether the DAG renders to native objects.
    """

    kind: str
    arguments: dict[str, Any]
    body: dict[str, Any]
    is_native: bool = False


NOBODY = {"filter_operator": "and", "filters": []}
SENT = {
    "a segment of nobody, if it is meant": Sent(
        "segment", {"included_filters": NOBODY, "allow_empty": True}, {"included_filters": NOBODY}
    ),
    "None for the connection, which is the default one": Sent(
        "segment", {"wes_conn_id": None, "name": "n"}, {"name": "n"}
    ),
    "None in quotes in the DAG": Sent(
        "segment", {"segment_id": "None", "name": "None"}, {"name": "None"}
    ),
    "an identifier of digits in quotes, native": Sent(
        "segment", {"segment_id": "'{{ 123 }}'", "name": "n"}, {"name": "n"}, is_native=True
    ),
    "a name of digits in quotes, native": Sent(
        "upload", {"name": "'{{ 2025 }}'"}, {"file_url": URL, "name": "2025"}, is_native=True
    ),
    "a name of digits": Sent("upload", {"name": "{{ 2025 }}"}, {"file_url": URL, "name": "2025"}),
}


@pytest.mark.parametrize("row", SENT.values(), ids=SENT)
def test_what_looks_like_bad_input_is_sent_as_it_is_meant(wes_emulator: Emulator, row: Sent):
    sending = task(row.kind, native=row.is_native, **row.arguments)
    sending.render_template_fields({})
    sending.execute(TaskInstance(task_id="t").context())
    (request,) = wes_emulator.requests
    assert json.loads(request.body) == row.body


LATER: dict[str, dict[str, Any]] = {
    "upload": {
        "coupon_list_id": "{{ x }}",
        "file_url": "{{ y }}",
        "on_duplicate": "{% if z %}adopt{% endif %}",
    },
    "catalog": {
        "name": "{{ x }}",
        "price_currency": "{{ y }}",
        "attributes": "attributes.json",
    },
    "files": {"files": [URL, 7, "{{ x }}"]},
    "segment": {"segment_id": "{{ x }}", "included_filters": "{{ y }}"},
    "sensor": {"coupon_list_id": "{{ x }}", "coupon_file_id": "{{ y }}"},
}


@pytest.mark.parametrize("kind", LATER)
def test_what_a_template_or_a_file_fills_in_is_not_checked_at_parse_time(kind: str):
    made = task(kind, **LATER[kind])
    assert {field: getattr(made, field) for field in LATER[kind]} == LATER[kind]


def test_an_object_with_templates_is_rendered_in_a_copy_since_other_task_instances_share_it():
    guard = SegmentGuard(min_values="{{ 1 + 1 }}")
    update = task("segment", name="n", guard=guard)
    update.render_template_fields({})
    assert (update.guard.min_values, guard.min_values) == ("2", "{{ 1 + 1 }}")


def test_a_value_that_cannot_be_compared_with_none_is_refused_by_the_check_of_its_argument(
    wes_emulator: Emulator,
):
    class Table:
        """What compares as tables of pandas do: cell by cell, to another table."""

        def __eq__(self, other: object) -> Any:
            return self

        def __bool__(self) -> bool:
            raise ValueError("The truth value of a Table is ambiguous.")

        __hash__ = None  # type: ignore[assignment]

    update = task("segment", native=True, included_filters="{{ table }}")
    update.render_template_fields({"table": Table()})
    message = message_of_refusal(update, wes_emulator)
    assert "included_filters cannot be sent as JSON" in message
