"""``python -m wes_provider.doctor``."""

from __future__ import annotations

from wes_provider.doctor.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
