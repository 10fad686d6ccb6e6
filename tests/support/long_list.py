"""An upload to a long list whose reply is lost, in a process of its own, and the memory that it takes."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from wes_provider.client.settings import WesSettings
from wes_provider.hooks import WesHook
from wes_provider.operators import WesUploadCouponFileOperator


class Measured(NamedTuple):
    """
    :ivar megabytes: of memory at most, above the start.
    """

    file_id: str
    megabytes: float
    seconds: float


def upload(connection: dict[str, Any], list_id: str, name: str | None) -> Measured:
    """
    Upload a file, and measure it.

    :param connection: of the emulator.
    :param list_id: of the list.
    :param name: of the file.
    """
    fields = {"schema": None, "port": None, "conn_id": "wes_default", **connection}
    hook = WesHook()
    vars(hook)["settings"] = WesSettings.from_connection(
        SimpleNamespace(**{**fields, "extra": json.dumps(fields["extra"])})
    )
    hook.upload_coupon_file("warm-up", "https://files.example.com/warm-up.csv")
    hook.search_coupon_files("warm-up", bool)
    operator = WesUploadCouponFileOperator(
        task_id="upload", coupon_list_id=list_id, file_url="https://files.example.com/new.csv", name=name
    )
    vars(operator)["hook"] = hook
    ti = SimpleNamespace(
        dag_id="shop", task_id="upload", run_id="run", map_index=-1, try_number=1, max_tries=1, start_date=None,
        xcom_push=lambda key, value: None,
    )  # fmt: skip
    context: Any = {"ti": ti, "task": SimpleNamespace(retries=1), "run_id": "run"}
    before, started = _memory("VmRSS"), time.monotonic()
    Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
    file_id = operator.execute(context)
    return Measured(file_id, _memory("VmHWM") - before, time.monotonic() - started)


def _memory(kind: str) -> float:
    kilobytes = re.search(rf"{kind}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert kilobytes is not None
    return int(kilobytes[1]) / 1024
