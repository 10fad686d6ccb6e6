"""
Each setting that the doctor can find out has the connection's value, which is the default if it
sets none. A value that a finding proposes takes its place, that of the last finding; it is proved
(*sure*) only if it is a setting of a finding that is sure or wrong, and not a guess.

The extra to paste has the values that differ from the defaults: those that a finding proposes,
proved or not, and the connection's of the other settings that the doctor can find out. A value of
the connection for which a finding proposes the default is left out. The extra also has the
connection's other settings, but for defaults, the data key and members that are no settings; of
``data_center`` and ``allow_http``, it has the defaults, too. Keys in it are masked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from support.doctor_findings import ids
from support.doctor_replies import SETTINGS, changed
from support.doctor_reports import (
    HEADER,
    LAG,
    NOT_PROVED,
    NOT_SHOWN,
    SURE,
    WRONG,
    report_of,
)
from support.doctor_service import CAMPAIGN_KEY, DATA_KEY, WORKSPACE
from support.settings import settings as settings_of
from wes_provider.coupon_files import CountNames, Statuses
from wes_provider.doctor.findings.finding import Finding, Topic
from wes_provider.doctor.report import DEFAULTS


def test_the_defaults_are_those_of_a_connection_that_sets_nothing():
    assert DEFAULTS == {
        "workspace_header": "SVC-APPKEY",
        "paths.coupon_files": "/v1/coupon-list/{coupon_list_id}/files",
        "paths.coupon_file": "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}",
        "paths.catalog_id": None,
        "coupon_file_statuses.pending": [
            "IN_PROGRESS",
            "PENDING",
            "PROCESSING",
            "QUEUED",
            "RUNNING",
        ],
        "coupon_file_statuses.success": [
            "COMPLETE",
            "COMPLETED",
            "DONE",
            "PROCESSED",
            "SUCCEEDED",
            "SUCCESS",
            "SUCCESSFUL",
        ],
        "coupon_file_statuses.failure": [
            "CANCELLED",
            "ERROR",
            "EXPIRED",
            "FAILED",
            "FAILURE",
            "REJECTED",
        ],
        "coupon_file_counts.added": "",
        "coupon_file_counts.duplicates": "",
        "coupon_files_lag": 30.0,
    }


def test_each_setting_that_the_connection_has_is_known():
    settings = changed(
        workspace_header="X-App-Id",
        coupon_files_path="/files",
        coupon_file_path="/file",
        catalog_id_property="key",
        statuses=Statuses(frozenset("BA"), frozenset("DC"), frozenset("FE")),
        count_names=CountNames("new", "old"),
        coupon_files_lag=5.0,
    )
    values = report_of(settings=settings).values
    assert {name: value.value for name, value in values.items()} == {
        "workspace_header": "X-App-Id",
        "paths.coupon_files": "/files",
        "paths.coupon_file": "/file",
        "paths.catalog_id": "key",
        "coupon_file_statuses.pending": ["A", "B"],
        "coupon_file_statuses.success": ["C", "D"],
        "coupon_file_statuses.failure": ["E", "F"],
        "coupon_file_counts.added": "new",
        "coupon_file_counts.duplicates": "old",
        "coupon_files_lag": 5.0,
    }


class Proof(NamedTuple):
    """Findings, and what follows for the header: its value, and whether it is proved."""

    name: str
    findings: tuple[Finding, ...]
    value: str
    certainty: str


OTHER = {"workspace_header": "X-Other"}
PROOFS = [
    Proof("no finding", (), "SVC-APPKEY", "not proved"),
    Proof("sure", (Finding(Topic.LAG, SURE, "", settings=HEADER),), "X-App-Id", "sure"),
    Proof("wrong", (Finding(Topic.LAG, WRONG, "", settings=HEADER),), "X-App-Id", "sure"),
    Proof(
        "not proved",
        (Finding(Topic.LAG, NOT_PROVED, "", settings=HEADER),),
        "X-App-Id",
        "not proved",
    ),
    Proof(
        "not shown", (Finding(Topic.LAG, NOT_SHOWN, "", settings=HEADER),), "X-App-Id", "not proved"
    ),
    Proof("a guess", (Finding(Topic.LAG, SURE, "", guesses=HEADER),), "X-App-Id", "not proved"),
    Proof(
        "a setting and a guess of one finding",
        (Finding(Topic.LAG, SURE, "", settings=HEADER, guesses=OTHER),),
        "X-App-Id",
        "sure",
    ),
    Proof(
        "two that are sure, the last of which counts",
        (
            Finding(Topic.LAG, SURE, "", settings=HEADER),
            Finding(Topic.LAG, SURE, "", settings=OTHER),
        ),
        "X-Other",
        "sure",
    ),
    Proof(
        "a setting of one finding, and a guess of a later one",
        (
            Finding(Topic.LAG, SURE, "", settings=HEADER),
            Finding(Topic.LAG, SURE, "", guesses=OTHER),
        ),
        "X-Other",
        "not proved",
    ),
]


@pytest.mark.parametrize("row", PROOFS, ids=ids(PROOFS))
def test_a_value_is_proved_by_a_finding_that_is_certain(row: Proof):
    value = report_of(*row.findings).values["workspace_header"]
    assert (value.value, value.is_proved, value.certainty) == (
        row.value,
        row.certainty == "sure",
        row.certainty,
    )


class Extra(NamedTuple):
    """The extra that a connection has, what a finding proves, and the extra to paste."""

    name: str
    given: Mapping[str, Any]
    found: Mapping[str, Any]
    extra: dict[str, Any]


def extra_of(given: Mapping[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """The extra to paste into a connection that has an extra, after a finding."""
    connection = {
        "host": SETTINGS.base_url,
        "login": WORKSPACE,
        "password": CAMPAIGN_KEY,
        "extra": given,
    }
    finding = Finding(Topic.LAG, SURE, "", settings=found)
    return report_of(finding, settings=settings_of(connection), given=given).extra


FOUND = [
    Extra("nothing", {}, {}, {}),
    Extra("the default", {}, {"coupon_files_lag": 30.0}, {}),
    Extra(
        "another value than the default", {}, {"coupon_files_lag": 0.0}, {"coupon_files_lag": 0.0}
    ),
    Extra(
        "two values below one property, and one above",
        {},
        {"paths.coupon_files": "/f", "paths.catalog_id": "a.b", **HEADER},
        {"paths": {"coupon_files": "/f", "catalog_id": "a.b"}, **HEADER},
    ),
    Extra(
        "a path besides the one that the connection sets",
        {"paths": {"coupon_files": "/old/{coupon_list_id}"}},
        {"paths.coupon_file": "/one/{coupon_file_id}"},
        {
            "paths": {
                "coupon_files": "/old/{coupon_list_id}",
                "coupon_file": "/one/{coupon_file_id}",
            }
        },
    ),
    Extra(
        "another path than the connection sets",
        {"paths": {"coupon_files": "/old/{coupon_list_id}"}},
        {"paths.coupon_files": "/new/{coupon_list_id}"},
        {"paths": {"coupon_files": "/new/{coupon_list_id}"}},
    ),
    Extra(
        "the default, where the connection sets another value", LAG, {"coupon_files_lag": 30.0}, {}
    ),
    Extra(
        "the default path, where the connection sets another one",
        {"paths": {"coupon_files": "/old/{coupon_list_id}"}},
        {"paths.coupon_files": DEFAULTS["paths.coupon_files"]},
        {},
    ),
]


@pytest.mark.parametrize("row", FOUND, ids=ids(FOUND))
def test_the_extra_has_what_is_found_out_and_differs_from_the_defaults(row: Extra):
    assert extra_of(row.given, row.found) == row.extra


def test_the_extra_keeps_what_could_be_found_out_and_was_not():
    assert extra_of(given=LAG, found={}) == LAG


def test_the_extra_has_no_key():
    found = {"workspace_header": f"X-{CAMPAIGN_KEY}"}
    assert extra_of(given={}, found=found) == {"workspace_header": "X-***"}


@pytest.mark.parametrize("key", [CAMPAIGN_KEY, DATA_KEY], ids=["campaign key", "data key"])
def test_a_value_below_a_property_has_no_key(key: str):
    finding = Finding(Topic.LAG, SURE, "", settings={"paths.catalog_id": f"a.{key}"})
    assert report_of(finding).extra == {"paths": {"catalog_id": "a.***"}}


@pytest.mark.parametrize(
    "finding",
    [
        Finding(Topic.LAG, SURE, "", guesses=HEADER),
        Finding(Topic.LAG, NOT_PROVED, "", settings=HEADER),
    ],
    ids=["a guess", "not proved"],
)
def test_the_extra_has_what_is_proposed_though_it_is_not_proved(finding: Finding):
    assert report_of(finding).extra == HEADER


NOT_FOUND_OUT = [
    Extra(
        "values that are no defaults",
        {"verify": False, "max_attempts": 7},
        {},
        {"verify": False, "max_attempts": 7},
    ),
    Extra("two defaults", {"read_timeout": 60, "verify": True}, {}, {}),
    Extra(
        "two defaults that are kept",
        {"data_center": "01", "allow_http": False},
        {},
        {"data_center": "01", "allow_http": False},
    ),
    Extra("the data key", {"data_api_key": DATA_KEY}, {}, {}),
    Extra("a member that is no setting", {"mine": 1}, {}, {}),
]


@pytest.mark.parametrize("row", NOT_FOUND_OUT, ids=ids(NOT_FOUND_OUT))
def test_the_extra_keeps_other_settings_of_the_connection_but_for_most_defaults_and_the_key(
    row: Extra,
):
    assert extra_of(row.given, row.found) == row.extra
