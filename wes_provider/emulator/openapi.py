"""The service's operations as an OpenAPI description: its requests, and every response of the emulator."""

from __future__ import annotations

from typing import Any, Final

from wes_provider import __version__, contract
from wes_provider.emulator.settings import Settings

__all__ = ["description"]

_TEXT: Final = {"type": "string"}
_WORD: Final = {"type": "string", "pattern": r"\S"}
_URL: Final = {"type": "string", "format": "uri"}


def _object(properties: dict[str, Any], required: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **({"required": list(required)} if required else {}), **more}


_ERROR: Final = _object({"error": _object({"code": _TEXT, "message": _TEXT}, ("code", "message"))}, ("error",))
_REFUSALS: Final = {
    400: "Malformed.",
    401: "Credentials are missing or invalid.",
    403: "No access.",
    404: "There is no such thing.",
    405: "The path takes another method.",
    409: "The name is taken.",
    413: "Too large.",
}
_UPLOADED: Final = ("_id", "name", "file_url", "created_by", "status")
_FIELDS: Final = {**dict.fromkeys(contract.UPLOAD_FIELDS, _TEXT), "file_url": _URL, "callback_url": _URL}
_UPLOAD: Final = _object(_FIELDS, ("file_url",))
_ATTRIBUTE: Final = _object({"name": _WORD, "type": _WORD}, ("name", "type"))
_CATALOG: Final = _object(
    {
        "name": _WORD,
        "price_currency": {"type": "string", "enum": sorted(contract.CURRENCIES)},
        "attributes": {"type": "array", "items": _ATTRIBUTE},
    },
    contract.CATALOG_FIELDS,
)
_CONDITION: Final = _object(
    {
        **dict.fromkeys(("filter_type", "name", "data_type", "operator"), _TEXT),
        **{name: {"type": "boolean"} for name in ("negate", "case_sensitive")},
        "value": {"type": "array", "items": {}},
    }
)
_FILTERS: Final = _object({"filter_operator": _TEXT, "filters": {"type": "array", "items": _CONDITION}})
_SEGMENT: Final = _object({"name": _WORD, "included_filters": _FILTERS, "updated_by": _TEXT}, minProperties=1)


def description(settings: Settings) -> dict[str, Any]:
    """
    OpenAPI 3.0 of the service as an emulator's settings make it.

    Contract: sections 2, 4, 5, 7 and 8; what these do not show is as the settings say.
    """
    file, uploaded = _coupon_file(settings), _coupon_file(settings, *_UPLOADED)
    files = {"type": "array", "items": file}
    listing = files if settings.list_shape == "array" else _below(settings.list_shape, files)
    identifier = None if settings.catalog_id_property is None else _below(settings.catalog_id_property, _TEXT)
    created = None if settings.catalog_response == "text" else identifier or _TEXT
    segment = {"object": _object({"id": _TEXT, "name": _TEXT}), "data": _object({}, ("data",))}
    updated = segment.get(settings.segment_response)
    reading, creating = (400, 401, 403, 404, 405, 413), (400, 401, 405, 409, 413)
    updating = (*creating, 404)
    operations: tuple[tuple[Any, ...], ...] = (  # path, method, name, body, status, response, refusals
        (contract.UPLOAD_PATH, "post", "upload_coupon_file", _UPLOAD, contract.UPLOAD_STATUS_CODE, uploaded, reading),
        (settings.coupon_files_path, "get", "list_coupon_files", None, 200, listing, reading),
        (settings.coupon_file_path, "get", "get_coupon_file", None, 200, file, reading),
        (contract.CATALOG_PATH, "post", "create_catalog", _CATALOG, settings.catalog_status, created, creating),
        (contract.SEGMENT_PATH, "patch", "update_segment", _SEGMENT, settings.segment_status, updated, updating),
    )
    paths: dict[str, dict[str, Any]] = {}
    for path, method, name, body, status, response, refusals in operations:
        if path is not None:
            responses = {str(status): _response("As asked.", response), "429": _rate_limited(settings)}
            responses |= {str(one): _response(_REFUSALS[one], _ERROR) for one in refusals}
            described = {"operationId": name, "responses": responses}
            if body is not None:
                described["requestBody"] = {"required": True, "content": {contract.CONTENT_TYPE: {"schema": body}}}
            paths.setdefault(path, {"parameters": _parameters(path, settings)})[method] = described
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


def _response(text: str, schema: dict[str, Any] | None) -> dict[str, Any]:
    content = {} if schema is None else {"content": {contract.CONTENT_TYPE: {"schema": schema}}}
    return {"description": text, **content}


def _rate_limited(settings: Settings) -> dict[str, Any]:
    response: dict[str, Any] = {"description": "The rate limit is exceeded."}
    if settings.rate_limit_headers != "none":
        names = (contract.RATE_LIMIT_LIMIT, contract.RATE_LIMIT_REMAINING, contract.RATE_LIMIT_RESET)
        response["headers"] = {name: {"required": True, "schema": {"type": "integer"}} for name in names}
    return response


def _coupon_file(settings: Settings, *required: str) -> dict[str, Any]:
    texts = dict.fromkeys((*_UPLOADED, settings.list_id_property, "error"), _TEXT)
    paths = [path for path in (settings.added_property, settings.duplicate_property) if path is not None]
    counts: dict[str, Any] = {path.partition(".")[0]: {} if "." in path else {"type": "integer"} for path in paths}
    needed = (*(required or (*_UPLOADED, *counts)), settings.list_id_property)
    return _object({**texts, **counts}, needed, additionalProperties=False)


def _below(path: str, schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an object that has something below a dotted property."""
    for name in reversed(path.split(".")):
        schema = _object({name: schema}, (name,))
    return schema
