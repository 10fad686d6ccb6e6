"""
Lets the replenishing operator live on the emulator's clock, however fast that runs; copied into a
site's DAGs folder.

``WES_FAST_TIME`` says when this machine's clock showed what, when the emulator's did, and how fast
that one runs.
"""

from __future__ import annotations

import json
import os
import time
from types import SimpleNamespace

from wes_provider.client import responses
from wes_provider.operators import base, upload_flow
from wes_provider.uploads import loop

machine, service, speed = json.loads(os.environ["WES_FAST_TIME"])
fast = SimpleNamespace(
    time=lambda: service + (time.time() - machine) * speed,
    monotonic=lambda: time.monotonic() * speed,
    sleep=lambda seconds: time.sleep(seconds / speed),
)
for module in (base, upload_flow, responses, loop):
    module.time = fast  # type: ignore[attr-defined]
