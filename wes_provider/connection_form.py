"""
The connection form, described once: as provider metadata for Airflow 3.2 and later, by the hook's
methods before.

Data without imports, since every process of Airflow loads it.
"""

from __future__ import annotations

from typing import Any, Final


def _field(label: str, description: str, kind: str = "string", **schema: Any) -> dict[str, Any]:
    """
    Return a field of the form.

    :param kind: its type in JSON schema; ``schema`` is the rest of that.
    """
    return {
        "label": label,
        "description": description,
        "schema": {"type": [kind, "null"], **schema},
    }


FIELDS: Final[dict[str, dict[str, Any]]] = {
    "data_api_key": _field(
        "Data API key",
        "API key for segment updates, from the data tile. Default: the campaign API key.",
        format="password",
    ),
    "data_center": _field(
        "Data center",
        "Two or three digits that replace {data_center} in the address; 1 means 01. Default 01.",
        pattern="^[0-9]{1,3}$",
    ),
    "workspace_header": _field(
        "Workspace header",
        "Name of the header that carries the workspace identifier. Default SVC-APPKEY.",
    ),
    "console_url": _field(
        "Console address",
        "Where tasks link to: a URL in which {kind} becomes coupon-list, catalog or segment, and "
        "{id} the "
        "identifier. Without it there is no link.",
    ),
    "connect_timeout": _field(
        "Connect timeout",
        "Seconds that connecting may take, including a proxy's tunnel and TLS. Default 10.",
        kind="number",
        exclusiveMinimum=0,
    ),
    "read_timeout": _field(
        "Read timeout",
        "Seconds that a whole response may take, headers and body; in the triggerer, these "
        "include the time to "
        "connect. Default 60.",
        kind="number",
        exclusiveMinimum=0,
    ),
    "max_attempts": _field(
        "Attempts",
        "How often a request is sent at most, if repeating it is harmless. Default 5.",
        kind="integer",
        minimum=1,
    ),
    "max_rate_limit_wait": _field(
        "Longest rate-limit wait",
        "Seconds that a task sleeps at most until a rate limit resets. Default 120.",
        kind="number",
        minimum=0,
    ),
    "verify": _field("Verify TLS", "true, false, or the path of a CA bundle. Default true."),
    "allow_http": _field(
        "Allow plain http",
        "Send keys unencrypted to a host that is not this machine. Default: false.",
        kind="boolean",
    ),
    "coupon_files_lag": _field(
        "Lag of the list of files",
        "Seconds after which an uploaded file is in its list at the latest. Default 30.",
        kind="number",
        minimum=0,
    ),
    "paths": _field(
        "Undocumented paths",
        "JSON object with coupon_file, coupon_files and catalog_id, if the service has others.",
        kind="object",
    ),
    "coupon_file_statuses": _field(
        "Statuses of coupon files",
        "JSON object with pending, success and failure, each a list of statuses.",
        kind="object",
    ),
    "coupon_file_counts": _field(
        "Counts of coupon files",
        "JSON object with added and duplicates: the names of these counts in a coupon file, "
        "dotted if they are "
        "below a property. Without it, the first of the usual names that the file has.",
        kind="object",
    ),
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
    """Return the extras as WTForms fields, which Airflow 2.11 to 3.1 ask the hook for."""
    import json

    # These come with Airflow 2; Airflow 3.0 and 3.1 have stand-ins of their own.
    from flask_appbuilder.fieldwidgets import BS3PasswordFieldWidget, BS3TextFieldWidget  # type: ignore[import-not-found]
    from flask_babel import lazy_gettext  # type: ignore[import-not-found]
    from wtforms import BooleanField, IntegerField, PasswordField, StringField  # type: ignore[import-untyped]
    from wtforms.validators import Optional  # type: ignore[import-untyped]

    class StoredWidget(BS3TextFieldWidget):  # type: ignore[misc]
        """
        Shows an object as it is typed, and a key as what Airflow 2.11 takes for "as it was", or it
        would be lost.
        """

        def __call__(self, field: Any, **kwargs: Any) -> Any:
            if field.data and isinstance(field, PasswordField):
                field.data = "RATHER_LONG_SENSITIVE_FIELD_PLACEHOLDER"
            elif field.data and not isinstance(field.data, str):
                field.data = json.dumps(field.data)
            return super().__call__(field, **kwargs)

    class KeyWidget(StoredWidget, BS3PasswordFieldWidget):  # type: ignore[misc]
        input_type = "password"

    def widget(label: str, description: str, schema: dict[str, Any]) -> Any:
        text: dict[str, Any] = {
            "label": lazy_gettext(label),
            "description": description,
            "validators": [Optional()],
        }
        if schema["type"][0] == "boolean":
            return BooleanField(**text)
        if schema.get("format") == "password":
            # Without arguments: Airflow 3.1 has a stand-in for it.
            password = KeyWidget()
            # What it shows is the placeholder.
            password.hide_value = False
            return PasswordField(**text, widget=password)
        kind = IntegerField if schema["type"][0] == "integer" else StringField
        return kind(**text, widget=StoredWidget())

    return {name: widget(**field) for name, field in FIELDS.items()}
