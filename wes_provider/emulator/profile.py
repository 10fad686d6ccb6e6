"""
How one variant of the service behaves, as a JSON file: its paths, statuses, names, listings, headers and errors.

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
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final

from wes_provider.emulator.settings import Settings

__all__ = ["PROFILE_SETTINGS", "PROFILE_VERSION", "Profile"]

PROFILE_VERSION: Final = 1

_OF_ONE_EMULATOR: Final = frozenset(
    {
        *(
            "workspace_id",
            "api_key",
            "data_api_key",
            "more_api_keys",
            "workspaces",
        ),  # secrets have no place in a profile
        *("speed", "clock_offset", "seed", "fault_rate", "fetch_timeout", "request_log"),
    }
)
PROFILE_SETTINGS: Final = tuple(item.name for item in fields(Settings) if item.name not in _OF_ONE_EMULATOR)


@dataclass(frozen=True)
class Profile:
    """
    One variant of the service.

    :param name: for people.
    :param description: for people.
    :param settings: the emulator's settings that differ from their defaults; any of ``PROFILE_SETTINGS``.
    :raises ValueError: for another setting, or a value that a setting does not take.
    """

    name: str = ""
    description: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        other = sorted(set(self.settings) - set(PROFILE_SETTINGS))
        if other:
            raise ValueError(f"a profile cannot hold {', '.join(other)}; it can hold {', '.join(PROFILE_SETTINGS)}")
        Settings(**self.settings)

    @classmethod
    def from_dict(cls, data: Any) -> Profile:
        """
        From what ``to_dict`` returns; what is unknown is ignored with a warning.

        :param data: parsed JSON.
        :raises ValueError: if it is no profile, or for a value that a setting does not take.
        """
        settings = data.get("settings", {}) if isinstance(data, Mapping) else None
        if not isinstance(settings, Mapping) or not isinstance(data.get("version"), int):
            raise ValueError('a profile is a JSON object with a "version" (a number) and "settings" (an object)')
        unknown = [name for name in settings if name not in PROFILE_SETTINGS]
        unknown += [name for name in data if name not in ("version", "name", "description", "settings")]
        if unknown:
            warnings.warn(f"The profile's {', '.join(sorted(unknown))} are unknown and ignored.", stacklevel=2)
        return cls(
            name=str(data.get("name", "")),
            description=str(data.get("description", "")),
            settings={name: value for name, value in settings.items() if name in PROFILE_SETTINGS},
        )

    def to_dict(self) -> dict[str, Any]:
        """The profile as JSON, without settings that have their defaults."""
        defaults, settings = asdict(Settings()), asdict(Settings(**self.settings))
        changed = {name: settings[name] for name in PROFILE_SETTINGS if settings[name] != defaults[name]}
        return {
            "version": PROFILE_VERSION,
            "name": self.name,
            "description": self.description,
            "settings": json.loads(json.dumps(changed)),
        }

    @classmethod
    def load(cls, source: str | Path | Mapping[str, Any] | Profile) -> Profile:
        """
        From a file, from parsed JSON, or as it is.

        :param source: path of the file, or what it holds.
        :raises ValueError: if it is no profile.
        :raises OSError: if the file cannot be read.
        """
        if isinstance(source, Profile):
            return source
        if isinstance(source, Mapping):
            return cls.from_dict(source)
        try:
            return cls.from_dict(json.loads(Path(source).read_text()))
        except ValueError as error:
            raise ValueError(f"profile {source} cannot be used: {error}") from error

    def save(self, path: str | Path) -> None:
        """
        Write it to a file.

        :param path: the path of the file, which is replaced.
        :raises OSError: if the file cannot be written.
        """
        Path(path).write_text(json.dumps(self.to_dict(), indent=2) + "\n")
