"""
Schemathesis, a test that nobody here wrote, fuzzes the emulator by its own OpenAPI description.

``python tests/fuzz_emulator.py`` (or ``tox run -e fuzz``) sends at least 2,000 requests of all
operations, each with its key, and ends with 1 if a response is not as the description says.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from wes_provider.contract import OPERATIONS, Key
from wes_provider.emulator import Emulator

UNIQUE_NAMES = """
import schemathesis

@schemathesis.hook
def filter_body(context, body):
    attributes = body.get("attributes") if isinstance(body, dict) else None
    if not isinstance(attributes, list):
        return True
    names = [str(attribute.get("name")) for attribute in attributes if isinstance(attribute, dict)]
    return len(set(names)) == len(names)
"""
"""
What JSON Schema cannot say: catalogs with two attributes of one name are left out, since the
description says in words that each name occurs once.
"""

LEAST_REQUESTS = 2_000
MOST_EXAMPLES = 400
"""Of each operation and phase."""


def fuzz(emulator: Emulator, folder: Path, key: Key) -> bool:
    """
    Fuzz the operations of a key.

    :param folder: of the description and the hook.
    :return: whether every response was as the description says.
    """
    password = emulator.api_key
    if key is Key.DATA:
        password = emulator.data_api_key
    command = [
        *("schemathesis", "run", "openapi.json", "--url", emulator.url, "--no-color"),
        *("--auth", f"{emulator.workspace_id}:{password}"),
        *("--header", f"SVC-APPKEY: {emulator.workspace_id}"),
        *("--max-examples", str(MOST_EXAMPLES), "--generation-database", "none"),
        "--continue-on-failure",
    ]
    for operation in OPERATIONS.values():
        if operation.key is key:
            command += ["--include-operation-id", operation.name]
    environment = {**os.environ, "SCHEMATHESIS_HOOKS": "unique_names", "PYTHONPATH": str(folder)}
    return subprocess.run(command, env=environment, cwd=folder).returncode == 0


def main() -> int:
    """
    Fuzz all operations.

    :return: exit code.
    """
    with tempfile.TemporaryDirectory() as folder, Emulator(limits=None) as emulator:
        # No made-up URL is fetched or called.
        emulator.script(outcome="never")
        Path(folder, "openapi.json").write_text(json.dumps(emulator._control("openapi")))
        Path(folder, "unique_names.py").write_text(UNIQUE_NAMES)
        well = [fuzz(emulator, Path(folder), key) for key in Key]
        counts = {name: emulator.counts.get(name, 0) for name in OPERATIONS}
    print(f"{sum(counts.values())} requests: {counts}")
    enough = sum(counts.values()) >= LEAST_REQUESTS and min(counts.values()) > 0
    if not enough:
        print(f"These are too few: at least {LEAST_REQUESTS}, and some of each operation.")
    return int(not (all(well) and enough))


if __name__ == "__main__":
    sys.exit(main())
