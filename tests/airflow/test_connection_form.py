"""
The connection form that each Airflow shows is the one description in ``connection_form``: all of
its fields with label and description, of which only ``data_api_key`` is a secret. From Airflow 3.2
on, each is of the kind that its schema has; before, numbers and booleans are, and an object is a
string. The standard fields are called Address, Workspace identifier and Campaign API key; Airflow 3
hides none of them. Airflow 2 shows a stored object as JSON, and a placeholder in place of a stored
key.
"""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import pytest

from support.airflow_site import AIRFLOW_VERSION, AirflowSite
from wes_provider.connection_form import BEHAVIOUR, FIELDS

# What a process of Airflow makes of the provider's form: label and kind of each field, and the
# standard fields.
AIRFLOW_2 = """
import json
from airflow.providers_manager import ProvidersManager

manager = ProvidersManager()
fields = {
    name: {"label": str(widget.field.kwargs["label"]), "description": widget.field.kwargs["description"],
           "kind": widget.field.field_class.__name__, "secret": widget.is_sensitive}
    for name, widget in manager.connection_form_widgets.items() if name.startswith("extra__wes__")
}


def rendered(data):
    from wes_provider.hooks import WesHook
    from wtforms import Form

    form = type("Shown", (Form,), WesHook.get_connection_form_widgets())(data=data)
    return {name: str(form[name]()) for name in ("data_api_key", "paths")}

from airflow.www.views import SENSITIVE_FIELD_PLACEHOLDER

print(json.dumps({
    "fields": fields,
    "standard": manager.field_behaviours["wes"],
    "shown": rendered({"data_api_key": "SECRET", "paths": {"catalog_id": "data.id"}}),
    "empty": rendered({}),
    "unchanged": SENSITIVE_FIELD_PLACEHOLDER,
}))
"""

AIRFLOW_3 = """
import json
from airflow.api_fastapi.core_api.services.ui.connections import HookMetaService

meta = next(meta for meta in HookMetaService.hook_meta_data() if meta.connection_type == "wes").model_dump()
fields = {
    name: {"label": field["schema"]["title"], "description": field["description"],
           "kind": next(kind for kind in field["schema"]["type"] if kind != "null"),
           "secret": field["schema"].get("format") == "password"}
    for name, field in meta["extra_fields"].items()
}
print(json.dumps({"fields": fields, "standard": meta["standard_fields"]}))
"""


@pytest.fixture(scope="module")
def form(_session_site: AirflowSite) -> Any:
    """The form as this Airflow has it."""
    if AIRFLOW_VERSION == (3, 0) and find_spec("flask_appbuilder") is None:
        pytest.skip("Airflow 3.0 builds a provider's form only where its FAB provider is installed")
    script = AIRFLOW_2 if AIRFLOW_VERSION < (3, 0) else AIRFLOW_3
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, env=_session_site.settings(), check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def test_airflow_shows_every_field_with_label_and_description(form: Any):
    shown = {name.removeprefix("extra__wes__"): field for name, field in form["fields"].items()}
    assert {name: (field["label"], field["description"]) for name, field in shown.items()} == {
        name: (field["label"], field["description"]) for name, field in FIELDS.items()
    }


def test_airflow_hides_the_key(form: Any):
    assert [
        name.removeprefix("extra__wes__")
        for name, field in form["fields"].items()
        if field["secret"]
    ] == ["data_api_key"]


AIRFLOW_2_ONLY = pytest.mark.skipif(
    AIRFLOW_VERSION >= (3, 0), reason="Airflow 3 has forms of its own"
)
AIRFLOW_3_ONLY = pytest.mark.skipif(AIRFLOW_VERSION < (3, 0), reason="forms of Airflow 2")


def kinds_of(form: Any) -> dict[str, str]:
    return {
        name.removeprefix("extra__wes__"): field["kind"] for name, field in form["fields"].items()
    }


@pytest.mark.skipif(AIRFLOW_VERSION < (3, 2), reason="knows fewer kinds")
def test_airflow_3_2_has_each_field_in_the_kind_of_its_schema(form: Any):
    assert kinds_of(form) == {name: field["schema"]["type"][0] for name, field in FIELDS.items()}


@AIRFLOW_3_ONLY
@pytest.mark.skipif(AIRFLOW_VERSION >= (3, 2), reason="knows more kinds")
def test_airflow_3_0_and_3_1_have_an_object_as_a_string(form: Any):
    kinds = kinds_of(form)
    assert kinds["max_attempts"] == "integer"
    assert kinds["allow_http"] == "boolean"
    assert kinds["paths"] == "string"


@AIRFLOW_2_ONLY
def test_airflow_2_has_an_object_as_a_string(form: Any):
    kinds = kinds_of(form)
    assert kinds["data_api_key"] == "PasswordField"
    assert kinds["max_attempts"] == "IntegerField"
    assert kinds["allow_http"] == "BooleanField"
    assert kinds["paths"] == "StringField"


@AIRFLOW_2_ONLY
def test_airflow_2_relabels_the_standard_fields(form: Any):
    assert form["standard"]["relabeling"] == BEHAVIOUR["relabeling"]
    assert form["standard"]["placeholders"]["host"] == "https://api-{data_center}.example.com"


@AIRFLOW_3_ONLY
def test_airflow_3_relabels_the_standard_fields_and_hides_none(form: Any):
    standard = form["standard"]
    assert standard["host"]["title"] == "Address"
    assert standard["host"]["placeholder"] == "https://api-{data_center}.example.com"
    assert standard["login"]["title"] == "Workspace identifier"
    assert standard["password"]["title"] == "Campaign API key"
    assert not any(field["hidden"] for field in standard.values() if field)


@AIRFLOW_2_ONLY
def test_airflow_2_keeps_what_is_stored_and_shows_no_key(form: Any):
    # Which Airflow takes for "as it was".
    assert f'value="{form["unchanged"]}"' in form["shown"]["data_api_key"]
    assert "SECRET" not in form["shown"]["data_api_key"]
    assert form["unchanged"] not in form["empty"]["data_api_key"]
    assert 'value="{&#34;catalog_id&#34;: &#34;data.id&#34;}"' in form["shown"]["paths"]
