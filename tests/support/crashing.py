"""
Operators whose task process kills itself with SIGKILL at a point that the DAG names; copied into a
site's DAGs folder.

Nothing in the provider knows of it: functions of Airflow, of the HTTP library and of the provider's
hook are wrapped in the process of the one task. Each point kills once: a file in
``$AIRFLOW_HOME/crashes`` remembers.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import requests.adapters
import urllib3.connection
from airflow import __version__
from airflow.providers.common.compat.sdk import BaseNotifier, BaseOperator

from wes_provider.client.sync import WesClient
from wes_provider.emulator import EmulatorControl
from wes_provider.hooks import WesHook
from wes_provider.operators import (
    WesCreateCatalogOperator,
    WesUpdateSegmentOperator,
    WesUploadCouponFileOperator,
    asking,
)
from wes_provider.waits.decision import CouponFileWait

CHANGING = ("POST", "PATCH")


class Crashing:
    """
    Mixed into an operator, before it.

    Its ``crashes`` are where the attempts are killed: the first one at the first point, and so on.
    A point is one of those that ``reached`` is told of, or a number: so many function calls and
    returns after the start of the attempt or, below zero, after that of the resumed task.
    """

    crashes: list[Any]
    coupon_list_id: str

    def execute(self, context: Any, **sentinel: Any) -> str:  # Airflow 2.11 gives one to operators
        self.arm(context)
        result = super().execute(context)
        reached("at_the_end")
        return result

    def execute_complete(self, context: Any, event: Any = None) -> str:
        self.arm(context, resumed=True)
        reached("resumed")
        result = super().execute_complete(context, event)
        reached("resumed_at_the_end")
        return result

    def arm(self, context: Any, *, resumed: bool = False) -> None:
        ti = context["ti"]
        folder = Path(os.environ["AIRFLOW_HOME"], "crashes")
        folder.mkdir(exist_ok=True)
        for number, point in enumerate(self.crashes):  # noqa: B007 - used below
            marker = folder / f"{ti.dag_id}-{ti.run_id}-{ti.task_id}-{ti.map_index}-{number}"
            if not marker.exists():
                break
        else:
            return
        if isinstance(point, int):
            if resumed is (point < 0):
                kill_after(abs(point), marker)
        else:
            armed.point, armed.marker = point, marker
            self.wrap(context)
            reached("at_the_start")

    def wrap(self, context: Any) -> None:
        records, polls, ti = count(), count(), type(context["ti"])
        if (store := context.get("task_state_store")) is not None:
            wrap(type(store), "set", before=lambda *_, **__: f"before_record_{next(records)}")
        wrap(ti, "xcom_push", before=lambda _, key, *__, **___: f"before_xcom_{key}")
        wrap(
            WesClient,
            "run",
            after=lambda _, request, *__, **___: "answered" if request.method in CHANGING else "",
        )
        wrap(WesHook, "read_list", before=lambda *_, **__: "before_listing")
        send = requests.adapters.HTTPAdapter
        wrap(
            send,
            "send",
            before=lambda _, request, **__: "before_request" if request.method in CHANGING else "",
        )
        wrap(urllib3.connection.HTTPConnection, "getresponse", before=self.request_sent)
        wrap(
            CouponFileWait,
            "decide",
            before=lambda *_, **__: "in_the_wait" if next(polls) == 2 else "",
        )
        wrap(BaseOperator, "defer", before=lambda *_, **__: "before_deferring")
        if __version__.startswith("2"):
            from airflow.models.taskinstance import TaskInstance

            wrap(TaskInstance, "defer_task", after=deferred)
        else:
            from airflow.sdk.execution_time.task_runner import SUPERVISOR_COMMS

            wrap(type(SUPERVISOR_COMMS), "send", after=deferred)

    def request_sent(self, connection: Any, **_: Any) -> str:
        """On the way to the service: its effect is waited for, its answer is not."""
        if armed.point != "sent" or connection._method != "POST":
            return ""
        url = json.loads(os.environ["AIRFLOW_CONN_WES_DEFAULT"])["host"]
        while not EmulatorControl(url).files(self.coupon_list_id):
            time.sleep(0.01)
        return "sent"


class CrashingUpload(Crashing, WesUploadCouponFileOperator):
    def __init__(self, *, crashes: list[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.crashes = crashes


class CrashingCatalog(Crashing, WesCreateCatalogOperator):
    def __init__(self, *, crashes: list[Any], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.crashes = crashes


class Asking(Crashing):
    """Killed around the form that asks a person, and after the response, too."""

    def execute_decided(self, context: Any, event: Any = None, question: Any = None) -> Any:
        self.arm(context)
        return super().execute_decided(context, event=event, question=question)  # type: ignore[misc]

    def ask(self, context: Any, question: Any) -> None:
        reached("before_the_form")
        wrap(asking, "show_form", after=lambda *_, **__: "after_the_form")
        super().ask(context, question)  # type: ignore[misc]


class NoteNotifier(BaseNotifier):
    """A notifier of Airflow that only logs its text, which is templated."""

    template_fields = ("text",)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def notify(self, context: Any) -> None:
        self.log.info("told: %s", self.text)


class AskingUpload(Asking, CrashingUpload):
    pass


class AskingCatalog(Asking, CrashingCatalog):
    pass


class CrashingSegment(Crashing, WesUpdateSegmentOperator):
    """
    Its crashes are those that the run's ``conf`` has for the task; those of a response are in the
    resumed task.
    """

    def arm(self, context: Any, *, resumed: bool = False) -> None:
        self.crashes = context["dag_run"].conf.get("crashes", {}).get(self.task_id, [])
        super().arm(context, resumed=resumed)

    def execute_approved(self, context: Any, event: Any = None) -> str:
        self.arm(context, resumed=True)
        return super().execute_approved(context, event)


armed = SimpleNamespace(point=None, marker=None)
"""Where this process is to be killed."""


def reached(where: str) -> None:
    if where == armed.point:
        kill(armed.marker)


def deferred(*args: Any, session: Any = None, msg: Any = None, **_: Any) -> str:
    if session is not None:
        session.commit()
    return (
        "deferred" if session is not None or type(msg or args[-1]).__name__ == "DeferTask" else ""
    )


def nowhere(*_: Any, **__: Any) -> str:
    return ""


def wrap(
    owner: Any,
    name: str,
    *,
    before: Callable[..., str] = nowhere,
    after: Callable[..., str] = nowhere,
) -> None:
    """Have a function's calls reach the points that are told from their arguments."""
    original = getattr(owner, name)

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        reached(before(*args, **kwargs))
        result = original(*args, **kwargs)
        reached(after(*args, **kwargs))
        return result

    setattr(owner, name, wrapped)


def kill(marker: Path) -> None:
    marker.touch()
    # Which fails a task whose process alone is killed, though it has retries left.
    if __version__.startswith("3.0"):
        os.kill(os.getppid(), signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)


COUNTED = re.compile(
    r"/(wes_provider|requests|urllib3|airflow/(sdk/execution_time|models))/|/http/client\.py$"
)


def kill_after(events: int, marker: Path) -> None:
    """
    Kill at a moment that depends on nothing but how much has been done.

    :param events: calls and returns from now on, in code that has to do with the upload, not with
        reading settings.
    """
    left = events

    def note(frame: Any, event: str, arg: Any) -> None:
        nonlocal left
        if not COUNTED.search(frame.f_code.co_filename):
            return
        left -= 1
        if left == 0:
            sys.setprofile(None)
            kill(marker)

    sys.setprofile(note)
