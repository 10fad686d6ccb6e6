"""
What the connection form shows fits what settings read: the same extras, the defaults that it names,
a label and a description for each field. ``tests/airflow`` has how each Airflow shows it.
"""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import jsonschema
import pytest

from wes_provider.connection_form import BEHAVIOUR, FIELDS
from wes_provider.contract import DEFAULT_DATA_CENTER
from wes_provider.settings import EXTRAS, WesSettings


def test_the_form_has_exactly_the_extras_that_settings_read():
    assert set(EXTRAS) == set(FIELDS)


def test_the_form_hides_the_data_api_key():
    assert FIELDS["data_api_key"]["schema"]["format"] == "password"


def settings_of(extra: dict[str, str]) -> WesSettings:
    """The settings of a connection with the host that the form shows as its example."""
    connection = SimpleNamespace(
        conn_id="wes_default",
        host=BEHAVIOUR["placeholders"]["host"],
        schema=None,
        port=None,
        login="w",
        password="p",
        extra=json.dumps(extra),
    )
    return WesSettings.from_connection(connection)


def test_the_host_that_the_form_shows_is_of_the_default_data_center():
    assert settings_of({}).base_url == f"https://api-{DEFAULT_DATA_CENTER}.example.com"


def test_the_defaults_that_the_form_names_are_those_of_the_settings():
    named = {
        name: re.search(r" Default:? (\S+)\.$", field["description"])
        for name, field in FIELDS.items()
    }
    defaults = {name: found[1] for name, found in named.items() if found}
    assert len(defaults) >= 8, "most fields name one"
    assert settings_of(defaults) == settings_of({})


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_has_a_label_and_a_description_and_may_be_left_empty(name: str):
    field = FIELDS[name]
    assert set(field) == {"label", "description", "schema"}
    assert field["label"].strip() == field["label"] != ""
    assert field["description"].endswith(".")
    jsonschema.Draft7Validator.check_schema(field["schema"])
    assert "null" in field["schema"]["type"]
