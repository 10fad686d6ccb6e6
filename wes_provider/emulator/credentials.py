"""Who sends a request: workspaces and their keys (contract section 5)."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec import Struct

from wes_provider import contract
from wes_provider.contract import Key, Operation
from wes_provider.emulator.replies import Refusal
from wes_provider.emulator.settings import Keys, Settings, stored_name

if TYPE_CHECKING:
    from multidict import MultiMapping

__all__ = ["Credentials", "KnownKey", "authenticate", "known_keys", "read_credentials"]
__all__ += ["workspace_named"]


class Credentials(NamedTuple):
    """What HTTP basic authentication sends."""

    username: str
    password: str


class KnownKey(Struct, frozen=True):
    """
    A key of a workspace.

    :ivar workspace: its identifier.
    :ivar kind: what it is for; that of coupons is for catalogs, too.
    """

    workspace: str
    kind: Literal["coupons", "segments"]
    key: str


def known_keys(settings: Settings) -> Iterator[KnownKey]:
    """Return the keys of all workspaces."""
    first = Keys(settings.api_key, settings.data_api_key)
    for workspace, keys in {**settings.workspaces, settings.workspace_id: first}.items():
        yield KnownKey(workspace, "coupons", keys.api_key)
        yield KnownKey(workspace, "segments", keys.data_api_key or keys.api_key)


def read_credentials(headers: MultiMapping[str]) -> Credentials | None:
    """Return the credentials of the one ``Authorization`` header; ``None`` without a valid one."""
    values = headers.getall("Authorization", ())
    if len(values) != 1:
        return None
    scheme, _, encoded = values[0].partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        decoded = base64.b64decode(encoded.strip(), validate=True).decode()
    except (binascii.Error, ValueError):  # not base64, not ASCII, not UTF-8
        return None
    username, colon, password = decoded.partition(":")
    if not colon:
        return None
    return Credentials(username, password)


def workspace_named(headers: MultiMapping[str], settings: Settings) -> str:
    """Return the workspace that a request names; empty for the first, or if it names none."""
    names = headers.getall(settings.workspace_header, ())
    if len(names) != 1:
        return ""
    return stored_name(settings, names[0])


def authenticate(operation: Operation, headers: MultiMapping[str], settings: Settings) -> str:
    """
    Return the workspace of a request; empty for the first.

    :raises Refusal: 401, if its credentials are missing or wrong.
    """
    refusal = Refusal(401, contract.REQUEST_UNAUTHENTICATED, "Credentials are missing or invalid.")
    names = headers.getall(settings.workspace_header, ())
    credentials = read_credentials(headers)
    if credentials is None or len(names) != 1:
        raise refusal
    name = names[0]
    keys = _keys_of(name, settings)
    if keys is None or credentials != Credentials(name, _key_for(operation, keys)):
        raise refusal
    return stored_name(settings, name)


def _keys_of(name: str, settings: Settings) -> Keys | None:
    if name == settings.workspace_id:
        return Keys(settings.api_key, settings.data_api_key)
    return settings.workspaces.get(name)


def _key_for(operation: Operation, keys: Keys) -> str:
    if operation.key is Key.DATA and keys.data_api_key is not None:
        return keys.data_api_key
    return keys.api_key
