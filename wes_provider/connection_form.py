"""
The connection form, described once: as provider metadata for Airflow 3.2 and later, by the hook's methods before.

Data without imports, since every process of Airflow loads it.
"""

from __future__ import annotations

from typing import Any, Final

__all__ = ["BEHAVIOUR", "FIELDS", "LABELS"]

FIELDS: Final[dict[str, dict[str, Any]]] = {
    "data_api_key": {
        "label": "Data API key",
        "description": "API key for segment updates, from the data tile. Default: the campaign API key.",
        "schema": {"type": ["string", "null"], "format": "password"},
    },
    "data_center": {
        "label": "Data center",
        "description": "Two or three digits that replace {data_center} in the address; 1 means 01. Default 01.",
        "schema": {"type": ["string", "null"], "pattern": "^[0-9]{1,3}$"},
    },
    "workspace_header": {
        "label": "Workspace header",
        "description": "Name of the header that carries the workspace identifier. Default SVC-APPKEY.",
        "schema": {"type": ["string", "null"]},
    },
    "console_url": {
        "label": "Console address",
        "description": "Where tasks link to: a URL in which {kind} becomes coupon-list, catalog or segment, "
        "and {id} the identifier. Without it there is no link.",
        "schema": {"type": ["string", "null"]},
    },
    "connect_timeout": {
        "label": "Connect timeout",
        "description": "Seconds that connecting may take, including a proxy's tunnel and TLS. Default 10.",
        "schema": {"type": ["number", "null"], "exclusiveMinimum": 0},
    },
    "read_timeout": {
        "label": "Read timeout",
        "description": "Seconds that a whole response may take, headers and body; in the triggerer, these include the "
        "time to connect. The list of a coupon list's files may take ten times as long. Default 60.",
        "schema": {"type": ["number", "null"], "exclusiveMinimum": 0},
    },
    "max_attempts": {
        "label": "Attempts",
        "description": "How often a request is sent at most, if repeating it is harmless. Default 5.",
        "schema": {"type": ["integer", "null"], "minimum": 1},
    },
    "max_rate_limit_wait": {
        "label": "Longest rate-limit wait",
        "description": "Seconds that a task sleeps at most until a rate limit resets. Default 120.",
        "schema": {"type": ["number", "null"], "minimum": 0},
    },
    "verify": {
        "label": "Verify TLS",
        "description": "true, false, or the path of a CA bundle. Default true.",
        "schema": {"type": ["string", "null"]},
    },
    "allow_http": {
        "label": "Allow plain http",
        "description": "Send keys unencrypted to a host that is not this machine. Default: false.",
        "schema": {"type": ["boolean", "null"]},
    },
    "coupon_files_lag": {
        "label": "Lag of the list of files",
        "description": "Seconds after which an uploaded file is in its list at the latest. Default 30.",
        "schema": {"type": ["number", "null"], "minimum": 0},
    },
    "paths": {
        "label": "Undocumented paths",
        "description": "JSON object with coupon_file, coupon_files and catalog_id, if the service has others.",
        "schema": {"type": ["object", "null"]},
    },
    "coupon_file_statuses": {
        "label": "Statuses of coupon files",
        "description": "JSON object with pending, success and failure, each a list of statuses.",
        "schema": {"type": ["object", "null"]},
    },
    "coupon_file_counts": {
        "label": "Counts of coupon files",
        "description": "JSON object with added and duplicates: the names of these counts in a coupon file, dotted "
        "if they are below a property. Without it, the counts whose names have words such as added and duplicate.",
        "schema": {"type": ["object", "null"]},
    },
}
"""The extras by name, as ``conn-fields`` of Airflow's provider metadata."""

BEHAVIOUR: Final[dict[str, Any]] = {
    "hidden-fields": [],
    "relabeling": {
        "host": "Address",
        "schema": "Scheme",
        "login": "Workspace identifier",
        "password": "Campaign API key",
    },
    "placeholders": {
        "host": "https://api-{data_center}.example.com",
        "schema": "https",
        "port": "443 (Test needs a port; the connection itself does not)",
        "login": "the workspace's app id",
        "password": "for coupons and catalogs, from a campaign tile",
        # Airflow 3 shows no placeholders of extras.
        "data_center": "01",
        "workspace_header": "SVC-APPKEY",
        "console_url": "https://console.example.com/{kind}/{id}",
        "connect_timeout": "10",
        "read_timeout": "60",
        "max_attempts": "5",
        "max_rate_limit_wait": "120",
        "verify": "true",
        "coupon_files_lag": "30",
        "paths": '{"coupon_file": "/v1/coupon-list/{coupon_list_id}/files/{coupon_file_id}"}',
        "coupon_file_statuses": '{"success": ["IMPORTED"]}',
        "coupon_file_counts": '{"added": "coupons_added", "duplicates": "coupons_duplicate"}',
    },
}
"""Labels and placeholders, as ``ui-field-behaviour`` of Airflow's provider metadata."""

LABELS: Final[dict[str, str]] = {
    **BEHAVIOUR["relabeling"],
    "port": "Port",
    "extra": "Extra",
    **{name: field["label"] for name, field in FIELDS.items()},
}
"""What the form calls each field."""


def widgets() -> dict[str, Any]:
    """The extras as WTForms fields, which Airflow 2.11 to 3.1 ask the hook for."""
    import json

    # These come with Airflow 2; Airflow 3.0 and 3.1 have stand-ins of their own.
    from flask_appbuilder.fieldwidgets import BS3PasswordFieldWidget, BS3TextFieldWidget  # type: ignore[import-not-found]
    from flask_babel import lazy_gettext  # type: ignore[import-not-found]
    from wtforms import BooleanField, IntegerField, PasswordField, StringField  # type: ignore[import-untyped]
    from wtforms.validators import Optional  # type: ignore[import-untyped]

    class StoredWidget(BS3TextFieldWidget):  # type: ignore[misc]
        """Shows an object as it is typed, and a key as what Airflow 2.11 takes for "as it was", or it would be lost."""

        def __call__(self, field: Any, **kwargs: Any) -> Any:
            if field.data and isinstance(field, PasswordField):
                field.data = "RATHER_LONG_SENSITIVE_FIELD_PLACEHOLDER"
            elif field.data and not isinstance(field.data, str):
                field.data = json.dumps(field.data)
            return super().__call__(field, **kwargs)

    class KeyWidget(StoredWidget, BS3PasswordFieldWidget):  # type: ignore[misc]
        input_type = "password"

    def widget(label: str, description: str, schema: dict[str, Any]) -> Any:
        text: dict[str, Any] = {"label": lazy_gettext(label), "description": description, "validators": [Optional()]}
        if schema["type"][0] == "boolean":
            return BooleanField(**text)
        if schema.get("format") == "password":
            password = KeyWidget()  # without arguments: Airflow 3.1 has a stand-in for it
            password.hide_value = False  # what it shows is the placeholder
            return PasswordField(**text, widget=password)
        kind = IntegerField if schema["type"][0] == "integer" else StringField
        return kind(**text, widget=StoredWidget())

    return {name: widget(**field) for name, field in FIELDS.items()}
