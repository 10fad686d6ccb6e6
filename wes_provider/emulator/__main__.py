"""``python -m wes_provider.emulator`` is ``wes-emulator``."""

from __future__ import annotations

import sys

from wes_provider.emulator.cli import main

sys.exit(main())
