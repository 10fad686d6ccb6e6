"""The connection form that each Airflow shows is the one description in ``connection_form``."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import jsonschema

from wes_provider.connection_form import BEHAVIOUR, FIELDS
from wes_provider.contract import DEFAULT_DATA_CENTER
from wes_provider.settings import EXTRAS, WesSettings


def test_the_form_has_exactly_the_extras_that_settings_read():
    assert set(EXTRAS) == set(FIELDS)
    assert FIELDS["data_api_key"]["schema"]["format"] == "password"


def test_the_defaults_that_the_form_names_are_those_of_the_settings():
    named = {
        name: re.search(r" Default:? (\S+)\.$", field["description"])
        for name, field in FIELDS.items()
    }
    extra = {name: found[1] for name, found in named.items() if found}
    assert len(extra) >= 8
    connection = SimpleNamespace(
        conn_id="wes_default", host=BEHAVIOUR["placeholders"]["host"], schema=None, port=None, login="w", password="p",
        extra=None,
    )  # fmt: skip
    plain = WesSettings.from_connection(connection)
    assert plain.base_url == f"https://api-{DEFAULT_DATA_CENTER}.example.com"
    connection.extra = json.dumps(extra)
    assert WesSettings.from_connection(connection) == plain


def test_every_field_is_described():
    for name, field in FIELDS.items():
        assert set(field) == {"label", "description", "schema"}, name
        assert field["description"].endswith("."), name
        jsonschema.Draft7Validator.check_schema(field["schema"])
        assert "null" in field["schema"]["type"], f"{name} may be left empty"
