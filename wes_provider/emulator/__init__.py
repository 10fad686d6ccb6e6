"""
The service on a laptop: its rules, its limits and its faults, over HTTP on the loopback interface.

``Emulator`` serves from a thread of this process, ``EmulatorControl`` controls one that another
process serves; both have the same methods. Nothing here imports the client, the hook or Airflow.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wes_provider.emulator.control import EmulatorControl
    from wes_provider.emulator.server import Emulator

__all__ = ["Emulator", "EmulatorControl"]

# The pytest plugin lives in this package and is loaded in every pytest run: the server is imported
# only if it is used.
_HOME = {
    "Emulator": "wes_provider.emulator.server",
    "EmulatorControl": "wes_provider.emulator.control",
}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
