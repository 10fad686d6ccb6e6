"""What the assertions decide by, beside the log: facts that no setting bounds."""

from __future__ import annotations

from msgspec import Struct

from wes_provider.emulator.credentials import KnownKey, known_keys
from wes_provider.emulator.state import State
from wes_provider.emulator.world import UploadedFile

__all__ = ["Evidence", "gather_evidence"]


class Evidence(Struct, frozen=True):
    """
    What has happened since the start or the last reset.

    :ivar uploads: all accepted files, no seed's; also those that a state file has kept, and those
        that a restored snapshot has taken away.
    :ivar keys: all that were ever valid.
    :ivar beyond: how many requests went beyond a limit.
    :ivar lost_bodies: how many requests with a body have left the log.
    """

    uploads: list[UploadedFile]
    keys: list[KnownKey]
    beyond: int
    lost_bodies: int


def gather_evidence(state: State) -> Evidence:
    """Return what has happened so far."""
    return Evidence(
        uploads=list(state.world.uploads.values()),
        keys=list({*known_keys(state.world.settings), *state.former_keys}),
        beyond=state.log.beyond,
        lost_bodies=state.log.lost_bodies,
    )
