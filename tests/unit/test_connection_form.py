"""The connection form that each Airflow shows is the one description in ``connection_form``."""

from __future__ import annotations

import json
from types import SimpleNamespace

import jsonschema

from wes_provider.connection_form import BEHAVIOUR, FIELDS
from wes_provider.contract import DEFAULT_DATA_CENTER, WORKSPACE_HEADER
from wes_provider.settings import EXTRAS, WesSettings


def test_the_form_has_exactly_the_extras_that_settings_read():
    assert set(EXTRAS) == set(FIELDS)


def test_the_placeholders_are_examples_that_settings_take():
    standard = {"host", "schema", "port", "login", "password"}
    examples = {name: text for name, text in BEHAVIOUR["placeholders"].items() if name not in standard}
    connection = SimpleNamespace(
        conn_id="c",
        host=BEHAVIOUR["placeholders"]["host"],
        schema=BEHAVIOUR["placeholders"]["schema"],
        port=None,
        login="w",
        password="p",
        extra=json.dumps(examples),
    )
    read = WesSettings.from_connection(connection)
    assert read.base_url == f"https://api-{DEFAULT_DATA_CENTER}.example.com"
    assert read.unknown_extras == ()
    for name, field in FIELDS.items():
        if "Default" in field["description"] and name in examples and name != "data_center":
            assert getattr(read, name) == getattr(WesSettings("", "", "", ""), name), name
    assert BEHAVIOUR["placeholders"]["workspace_header"] == WORKSPACE_HEADER


def test_every_field_is_described():
    for name, field in FIELDS.items():
        assert set(field) == {"label", "description", "schema"}, name
        assert field["description"].endswith("."), name
        jsonschema.Draft7Validator.check_schema(field["schema"])
        assert "null" in field["schema"]["type"], f"{name} may be left empty"
