"""The service's operations as an OpenAPI description: its requests, and every response of the emulator."""

from __future__ import annotations

from typing import Any

from wes_provider import __version__, contract
from wes_provider.emulator.settings import Settings

__all__ = ["description"]

_TEXT = {"type": "string"}
_WORD = {"type": "string", "pattern": r"\S"}
_URL = {"type": "string", "format": "uri"}
_ERROR = {
    "type": "object",
    "properties": {
        "error": {"type": "object", "properties": {"code": _TEXT, "message": _TEXT}, "required": ["code", "message"]}
    },
    "required": ["error"],
}
_REFUSALS = {
    400: "The request is malformed.",
    401: "Credentials are missing or invalid.",
    403: "The account has no access to coupon management features.",
    404: "There is no such thing, or no such path.",
    405: "The path takes another method.",
    409: "The name is taken.",
    413: "The request is too large.",
}


def description(settings: Settings) -> dict[str, Any]:
    """
    OpenAPI 3.0 of the service as an emulator's settings make it.

    Contract: sections 2, 4, 5, 7 and 8; what these do not show is as the settings say.
    """
    paths: dict[str, dict[str, Any]] = {}

    def add(path: str | None, method: str, operation: dict[str, Any]) -> None:
        if path is not None:
            paths.setdefault(path, {"parameters": _parameters(path, settings)})[method] = operation

    add(
        contract.UPLOAD_PATH,
        "post",
        {
            "operationId": "upload_coupon_file",
            "requestBody": _body(_upload()),
            "responses": {
                str(contract.UPLOAD_STATUS_CODE): _response("Accepted.", _coupon_file(settings, *_UPLOADED)),
                **_refusals(400, 401, 403, 404, 405, 413),
                "429": _rate_limited(settings),
            },
        },
    )
    add(
        settings.coupon_files_path,
        "get",
        {
            "operationId": "list_coupon_files",
            "responses": {
                "200": _response("The list's files.", _listing(settings)),
                **_refusals(400, 401, 403, 404, 405, 413),
                "429": _rate_limited(settings),
            },
        },
    )
    add(
        settings.coupon_file_path,
        "get",
        {
            "operationId": "get_coupon_file",
            "responses": {
                "200": _response("The file.", _coupon_file(settings)),
                **_refusals(400, 401, 403, 404, 405, 413),
                "429": _rate_limited(settings),
            },
        },
    )
    add(
        contract.CATALOG_PATH,
        "post",
        {
            "operationId": "create_catalog",
            "requestBody": _body(_catalog()),
            "responses": {
                str(settings.catalog_status): _response(
                    "Created.", None if settings.catalog_response == "text" else _identifier(settings)
                ),
                **_refusals(400, 401, 405, 409, 413),
                "429": _rate_limited(settings),
            },
        },
    )
    updated: dict[str, Any] | None = {"type": "object", "properties": {"id": _TEXT, "name": _TEXT}}
    if settings.segment_response == "data":
        updated = {"type": "object", "required": ["data"]}
    elif settings.segment_response != "object":
        updated = None
    add(
        contract.SEGMENT_PATH,
        "patch",
        {
            "operationId": "update_segment",
            "requestBody": _body(_segment()),
            "responses": {
                str(settings.segment_status): _response("Updated.", updated),
                **_refusals(400, 401, 404, 405, 409, 413),
                "429": _rate_limited(settings),
            },
        },
    )
    return {
        "openapi": "3.0.3",
        "info": {"title": "Workforce Engagement Service, as the emulator does it", "version": __version__},
        "paths": paths,
        "security": [{"basic": []}],
        "components": {"securitySchemes": {"basic": {"type": "http", "scheme": "basic"}}},
    }


def _parameters(path: str, settings: Settings) -> list[dict[str, Any]]:
    header = {"name": settings.workspace_header, "in": "header", "required": True, "schema": _TEXT}
    names = [part.partition("}")[0] for part in path.split("{")[1:]]
    schema = {"type": "string", "minLength": 1}
    return [header, *({"name": name, "in": "path", "required": True, "schema": schema} for name in names)]


def _body(schema: dict[str, Any]) -> dict[str, Any]:
    return {"required": True, "content": {contract.CONTENT_TYPE: {"schema": schema}}}


def _response(text: str, schema: dict[str, Any] | None) -> dict[str, Any]:
    if schema is None:
        return {"description": text}
    return {"description": text, "content": {contract.CONTENT_TYPE: {"schema": schema}}}


def _refusals(*statuses: int) -> dict[str, Any]:
    return {str(status): _response(_REFUSALS[status], _ERROR) for status in statuses}


def _rate_limited(settings: Settings) -> dict[str, Any]:
    response: dict[str, Any] = {"description": "The rate limit is exceeded."}
    if settings.rate_limit_headers != "none":
        names = (contract.RATE_LIMIT_LIMIT, contract.RATE_LIMIT_REMAINING, contract.RATE_LIMIT_RESET)
        response["headers"] = {name: {"required": True, "schema": {"type": "integer"}} for name in names}
    return response


# -- bodies, contract sections 2 and 4 -------------------------------------------------------------


def _upload() -> dict[str, Any]:
    texts = dict.fromkeys(contract.UPLOAD_FIELDS, _TEXT)
    return {
        "type": "object",
        "properties": {**texts, "file_url": _URL, "callback_url": _URL},
        "required": ["file_url"],
    }


_UPLOADED = ("_id", "name", "file_url", "created_by", "status")


def _coupon_file(settings: Settings, *required: str) -> dict[str, Any]:
    texts = dict.fromkeys((*_UPLOADED, settings.list_id_property, "error"), _TEXT)
    paths = [path for path in (settings.added_property, settings.duplicate_property) if path is not None]
    counts = {path.partition(".")[0]: {} if "." in path else {"type": "integer"} for path in paths}
    needed = required or (*_UPLOADED, *counts)
    return {
        "type": "object",
        "properties": {**texts, **counts},
        "required": [*needed, settings.list_id_property],
        "additionalProperties": False,
    }


def _listing(settings: Settings) -> dict[str, Any]:
    file = _coupon_file(settings)
    file["required"] = [name for name in file["required"] if name not in settings.list_hides]
    files = {"type": "array", "items": file}
    if settings.list_shape == "array":
        return files
    return _below(settings.list_shape, files)


def _catalog() -> dict[str, Any]:
    attribute = {
        "type": "object",
        "properties": {"name": _WORD, "type": _WORD},
        "required": ["name", "type"],
    }
    return {
        "type": "object",
        "properties": {
            "name": _WORD,
            "price_currency": {"type": "string", "enum": sorted(contract.CURRENCIES)},
            "attributes": {"type": "array", "items": attribute},
        },
        "required": list(contract.CATALOG_FIELDS),
    }


def _identifier(settings: Settings) -> dict[str, Any]:
    schema: dict[str, Any] = _TEXT
    return schema if settings.catalog_id_property is None else _below(settings.catalog_id_property, schema)


def _below(path: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object that has something below a dotted property."""
    for name in reversed(path.split(".")):
        schema = {"type": "object", "properties": {name: schema}, "required": [name]}
    return schema


def _segment() -> dict[str, Any]:
    condition = {
        "type": "object",
        "properties": {
            **dict.fromkeys(("filter_type", "name", "data_type", "operator"), _TEXT),
            **{name: {"type": "boolean"} for name in ("negate", "case_sensitive")},
            "value": {"type": "array", "items": {}},
        },
    }
    filters = {
        "type": "object",
        "properties": {"filter_operator": _TEXT, "filters": {"type": "array", "items": condition}},
    }
    return {
        "type": "object",
        "properties": {"name": _WORD, "included_filters": filters, "updated_by": _TEXT},
        "minProperties": 1,
    }
