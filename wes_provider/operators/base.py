"""
What the operators and the sensor share: the connection, secrets in arguments, links; waiting for
coupon files.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from copy import copy
from datetime import timedelta
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

import msgspec
from airflow.providers.common.compat.sdk import BaseOperator, BaseOperatorLink, conf

from wes_provider.coupon_files import CountNames
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.links import WesConsoleLink, console_url
from wes_provider.masking import hide_secrets
from wes_provider.retry_policy import default_retry_policy
from wes_provider.texts import redact_url, shown
from wes_provider.waits.decision import CouponFileWait, Outcome
from wes_provider.waits.loop import wait_for_files

if TYPE_CHECKING:
    from wes_provider.hooks import WesHook
    from wes_provider.settings import WesSettings

__all__ = ["DEFAULT_DEFERRABLE", "WesTask"]

DEFAULT_DEFERRABLE = bool(conf.getboolean("operators", "default_deferrable", fallback=False))
"""Where operators and the sensor wait by default; read once, as Airflow's own operators do."""

DEFER_SLACK: Final = timedelta(minutes=15)
"""
The trigger keeps the deadline; Airflow's own timeout comes later, also if the clocks of two
machines differ.
"""

EXECUTION_SLACK: Final = 5.0
"""
Seconds, or a tenth of it, that a wait ends before ``execution_timeout``: with an error that knows
the status.
"""

LABEL_LENGTH: Final = 200  # characters; Airflow's database has room for 250


MAP_INDEX_TEMPLATE: Final = "{{ task.map_label }}"


class WesTask(BaseOperator):
    """
    The base class of the operators and the sensor.

    :param wes_conn_id: the connection, of type ``wes``; ``wes_default`` if not given. (templated)
    :cvar label_fields: what tells the instances of a mapped task apart.
    """

    operator_extra_links: Collection[BaseOperatorLink] = (WesConsoleLink(),)
    label_fields: ClassVar[Sequence[str]] = ()
    label_status: str = ""
    _without_value: tuple[str, ...] = ()
    _stop_waiting: Callable[[], Any] | None = None

    if TYPE_CHECKING:
        log: Any  # Airflow's

    def __init__(self, *, wes_conn_id: str | None = "wes_default", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.wes_conn_id: Any = "wes_default" if wes_conn_id is None else wes_conn_id
        default_retry_policy(self)

    @cached_property
    def hook(self) -> WesHook:
        """The hook of ``wes_conn_id``; imported here, so that parsing a DAG loads no client."""
        from wes_provider.hooks import WesHook

        return WesHook(self.wes_conn_id)

    # -- arguments

    def render_template(self, content: Any, *args: Any, **kwargs: Any) -> Any:
        """
        Airflow's, for each argument and each part of it: has the masker hide secrets, and notes
        what has no value.

        An object of storage's or of guards' is rendered in place; other task instances share it, so
        a copy is.
        """
        rendered = super().render_template(
            copy(content) if hasattr(content, "template_fields") else content, *args, **kwargs
        )
        if isinstance(rendered, Sequence) and not isinstance(rendered, (str, bytes, list, tuple)):
            # The outputs of a mapped task, which Airflow reads one by one.
            rendered = list(rendered)
        secret = content is not None and content is getattr(self, "file_url_auth_password", None)
        hide_secrets({"file_url_auth_password": rendered} if secret else rendered)
        if content is not None and (
            rendered is None or (isinstance(rendered, str) and rendered == "None" != content)
        ):
            names = [name for name in self.template_fields if getattr(self, name, None) is content]
            self._without_value = (
                *self._without_value,
                *(names or [shown(str(content), quoted=False)]),
            )
        return rendered

    def check_rendered(self) -> None:
        """
        Check that each argument that the DAG gives has a value.

        :raises WesConfigurationError: if a template rendered to ``None``.
        """
        if self._without_value:
            raise WesConfigurationError(
                f"{', '.join(dict.fromkeys(self._without_value))} rendered to None\n"
                "The template or the other task has no value. Nothing was sent."
            )

    @classmethod
    def partial(cls, **kwargs: Any) -> Any:
        """
        Airflow's, with a label for each mapped instance unless ``map_index_template`` is given.
        """
        kwargs.setdefault("map_index_template", MAP_INDEX_TEMPLATE)
        return super().partial(**kwargs)

    @property
    def map_label(self) -> str:
        """
        The label of a mapped task instance: what tells it apart, and how far it is.

        A URL is represented by the last part of its path.
        """
        parts = []
        for field in self.label_fields:
            value = str(getattr(self, field) or "")
            if "://" in value:
                value = redact_url(value).rpartition("/")[2]
            if value:
                parts.append(value)
        label = " ".join(parts)
        if self.label_status:
            label = f"{label}: {self.label_status}"
        return label[:LABEL_LENGTH]

    def set_label_status(self, context: Any, status: str) -> None:
        """
        Have the label of a mapped task instance say how far it is.

        Airflow renders the label once more when the task ends, but not when it defers: then its
        task instance has the label that it reports, on Airflow 3.1 and later.
        """
        # Airflow executes a copy of the task that is in the context.
        self.label_status = status
        context["task"].label_status = status
        ti = context["ti"]
        has_our_label = context.get("map_index_template") == MAP_INDEX_TEMPLATE
        if has_our_label and getattr(ti, "rendered_map_index", None):
            ti.rendered_map_index = self.map_label

    # -- Airflow's pages

    def link(self, context: Any, kind: str, identifier: str) -> None:
        """
        Have the task link to something in the console, if the connection names one.

        :param kind: ``coupon-list``, ``catalog`` or ``segment``.
        """
        template = self.hook.settings.console_url
        # An empty one, too: for a missing XCom, Airflow logs an error.
        url = console_url(template, kind, str(identifier)) if template else ""
        context["ti"].xcom_push(key=WesConsoleLink.xcom_key, value=url)

    # -- waiting

    def attempt_ends_at(self, context: Any) -> float | None:
        """
        Return when to give up before Airflow's ``execution_timeout``, epoch seconds; ``None`` if
        the task has none. A wait that ends then has an error that knows the status.
        """
        limit: timedelta | None = self.execution_timeout
        if limit is None:
            return None
        seconds = limit.total_seconds()
        return start_of(context) + seconds - min(EXECUTION_SLACK, seconds / 10)

    def deadline(self, context: Any, started: float, timeout: float) -> float:
        """Return when to give up, epoch seconds: ``timeout`` and ``execution_timeout`` count."""
        ends_at = self.attempt_ends_at(context)
        if ends_at is None:
            return started + timeout
        return min(started + timeout, ends_at)

    def wait_here(self, waits: Sequence[CouponFileWait]) -> dict[str, Outcome]:
        """Wait on the worker; return how each wait ended, by the file's identifier."""

        async def read_settings() -> WesSettings:
            return type(self.hook)(self.wes_conn_id).settings

        async def wait() -> dict[str, Outcome]:
            task: Any = asyncio.current_task()
            loop = asyncio.get_running_loop()
            # Called by a signal's handler while the loop sleeps, which this wakes.
            self._stop_waiting = partial(loop.call_soon_threadsafe, task.cancel)
            return await wait_for_files(self.wes_conn_id, waits, read_settings)

        try:
            return asyncio.run(wait())
        except asyncio.CancelledError:
            raise WesError(
                "Stopped waiting, since Airflow ends the task\nThe service goes on processing."
            ) from None
        finally:
            self._stop_waiting = None

    def on_kill(self) -> None:
        """End a wait on this worker: Airflow ends the task."""
        if self._stop_waiting is not None:
            self._stop_waiting()

    def defer_until_processed(
        self, waits: Sequence[CouponFileWait], count_names: CountNames
    ) -> NoReturn:
        """
        Wait in the triggerer; this ends this part of the task, which ``execute_complete`` resumes.

        :param count_names: what the connection calls counts, which the end of the task needs.
        """
        from wes_provider.triggers import WesCouponFileTrigger

        first = waits[0]
        titles = ", ".join(wait.title or wait.coupon_file_id for wait in waits)
        self.log.info("Deferring until processed: %s", titles)
        seconds_left = max(0.0, first.deadline - time.time())
        self.defer(
            trigger=WesCouponFileTrigger(
                wes_conn_id=self.wes_conn_id,
                coupon_list_id=first.coupon_list_id,
                coupon_files={wait.coupon_file_id: wait.started for wait in waits},
                deadline=first.deadline,
                poll_interval=first.poll_interval,
                statuses=msgspec.to_builtins(first.statuses),
                was_read=first.was_read,
                count_names=msgspec.to_builtins(count_names),
            ),
            method_name="execute_complete",
            timeout=timedelta(seconds=seconds_left) + DEFER_SLACK,
        )


def start_of(context: Any) -> float:
    """Return when the attempt started, epoch seconds: ``dag.test()`` of 2.11 does not set it."""
    start_date = context["ti"].start_date
    return float(start_date.timestamp()) if start_date else time.time()
