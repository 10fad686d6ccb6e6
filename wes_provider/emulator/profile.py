"""
How one variant of the service behaves, as a JSON file: its paths, statuses, names, listings and headers.

::

    {
      "version": 1,
      "name": "our account",
      "description": "As wes-doctor found it.",
      "settings": {"list_shape": "result.files", "success_status": "IMPORTED"}
    }
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Final

from wes_provider.emulator.settings import Settings

__all__ = ["Profile"]

_OF_ONE_EMULATOR: Final = frozenset(  # secrets have no place in a profile
    {
        *("workspace_id", "api_key", "data_api_key", "workspaces"),
        *("speed", "clock_offset", "seed", "fault_rate", "fetch_timeout", "request_log"),
    }
)


@dataclass(frozen=True)
class Profile:
    """
    One variant of the service.

    :param name: for people.
    :param description: for people.
    :param settings: the emulator's settings that differ from their defaults.
    :raises ValueError: for a setting that a profile cannot hold, or a value that a setting does not take.
    """

    name: str = ""
    description: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    settings_type: ClassVar[type[Settings]] = Settings

    def __post_init__(self) -> None:
        names = self.names()
        if other := sorted(set(self.settings) - set(names)):
            raise ValueError(f"a profile cannot hold {', '.join(other)}; it can hold {', '.join(names)}")
        self.settings_type.of(self.settings)

    @classmethod
    def names(cls) -> list[str]:
        """The settings that a profile can hold."""
        return [one.name for one in fields(cls.settings_type) if one.name not in _OF_ONE_EMULATOR]

    @classmethod
    def load(cls, source: str | Path | Mapping[str, Any] | Profile) -> Profile:
        """
        From a file, from parsed JSON, or as it is; what is unknown is ignored with a warning.

        :param source: path of the file, or what it holds.
        :raises ValueError: if it is no profile, or for a value that a setting does not take.
        :raises OSError: if the file cannot be read.
        """
        if isinstance(source, Profile):
            return source
        if isinstance(source, Mapping):
            return cls._of(source)
        try:
            return cls._of(json.loads(Path(source).read_text()))
        except ValueError as error:
            raise ValueError(f"profile {source} cannot be used: {error}") from error

    @classmethod
    def _of(cls, data: Any) -> Profile:
        settings = data.get("settings", {}) if isinstance(data, Mapping) else None
        if not isinstance(settings, Mapping) or not isinstance(data.get("version"), int):
            raise ValueError('a profile is a JSON object with a "version" (a number) and "settings" (an object)')
        names = cls.names()
        unknown = [name for name in settings if name not in names]
        unknown += [name for name in data if name not in ("version", "name", "description", "settings")]
        if unknown:
            warnings.warn(f"The profile's {', '.join(sorted(unknown))} are unknown and ignored.", stacklevel=3)
        known = {name: value for name, value in settings.items() if name in names}
        return cls(str(data.get("name", "")), str(data.get("description", "")), known)
