"""
What the operators and the sensor share: the connection, secrets in arguments, links; waiting for
coupon files.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from datetime import timedelta
from functools import cached_property, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn

import msgspec
from airflow.providers.common.compat.sdk import BaseOperator, BaseOperatorLink, conf

from wes_provider import arguments, contract
from wes_provider.coupon_files import CountNames
from wes_provider.exceptions import WesConfigurationError, WesError
from wes_provider.filters import (
    NATIVE_RENDERING,
    find_changed_by_rendering,
    find_wrongly_typed,
)
from wes_provider.json_values import place_of
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

COUNTS_EACH_PART: Final = find_spec("airflow.sdk") is not None
"""Airflow 3 counts ``execution_timeout`` anew after a deferral, 2.11 from the attempt's start."""

EXECUTION_SLACK: Final = 5.0
"""
Seconds, or a tenth of it, that a wait ends before ``execution_timeout``: with an error that knows
the status.
"""

# Arguments that take a string, and nothing else.
STRINGS: Final = frozenset(
    {
        *"wes_conn_id coupon_list_id coupon_file_id segment_id name price_currency".split(),
        *"updated_by file_url_auth_conn_id to".split(),
        # The file's own URL may also be an object, which names files in storage.
        *contract.UPLOAD_FIELDS_OF_STRINGS - {"file_url"},
    }
)
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
    # The link that this attempt has pushed; None if an earlier part of it may have.
    console_link: str | None = ""
    # Airflow calls render_template for an argument, and from within again for each of its parts:
    # the argument that is being rendered, as the DAG has it; empty between two arguments.
    _rendering: tuple[Any, ...] = ()
    _without_value: tuple[str, ...] = ()
    # Whether a template that is rendered right now has printed None.
    _has_printed_none: bool = False
    _no_strings: tuple[str, ...] = ()
    _lost: tuple[str, ...] = ()
    _wrongly_typed: tuple[str, ...] = ()
    _stop_waiting: Callable[[], Any] | None = None

    if TYPE_CHECKING:
        log: Any  # Airflow's

    def __init__(self, *, wes_conn_id: str | None = "wes_default", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.wes_conn_id: Any = "wes_default" if wes_conn_id is None else wes_conn_id
        arguments.early(arguments.text_of, "wes_conn_id", self.wes_conn_id)
        default_retry_policy(self)

    @cached_property
    def hook(self) -> WesHook:
        """The hook of ``wes_conn_id``; imported here, so that parsing a DAG loads no client."""
        from wes_provider.hooks import WesHook

        return WesHook(self.wes_conn_id)

    # -- arguments

    def render_template(
        self, content: Any, context: Any, jinja_env: Any = None, seen_oids: Any = None
    ) -> Any:
        """
        Render a template, mask the secrets in it, and remember fields that rendered to None, or to
        no string although they take one.

        Airflow calls this for each argument, and again for each part of it. A string without a
        template stays as it is, also with native rendering.
        """
        if self._rendering:
            return self._render_part(content, context, jinja_env, seen_oids)
        return self._render_argument(content, context, jinja_env, seen_oids)

    def _render_argument(self, content: Any, context: Any, jinja_env: Any, seen_oids: Any) -> Any:
        fields = self._fields_with(content)
        if _has_no_template(content, jinja_env) and not self._is_file(content, fields):
            self._hide_secrets(fields, content)
            return content
        self._rendering = (content,)
        try:
            rendered = self._let_airflow_render(
                fields, content, context, self._noting_none(jinja_env), seen_oids
            )
        finally:
            self._rendering = ()
        self._hide_secrets(fields, rendered)
        self._remember(fields, content, content, rendered)
        return rendered

    def _render_part(self, content: Any, context: Any, jinja_env: Any, seen_oids: Any) -> Any:
        """Render a part of the argument that is being rendered."""
        if _has_no_template(content, jinja_env):
            return content
        rendered = self._let_airflow_render([], content, context, jinja_env, seen_oids)
        self._remember([], self._rendering[0], content, rendered)
        return rendered

    def _let_airflow_render(
        self, fields: Sequence[str], content: Any, context: Any, jinja_env: Any, seen_oids: Any
    ) -> Any:
        """
        Have Airflow render an argument or a part of one.

        :param fields: the arguments that have this value; empty for a part.
        """
        self._has_printed_none = False
        template = self._as_template(content, fields)
        try:
            rendered = super().render_template(template, context, jinja_env, seen_oids)
        except Exception:
            # Airflow logs a template that it cannot render.
            self._hide_secrets(fields, content)
            raise
        if isinstance(rendered, Sequence) and not isinstance(rendered, (str, bytes, list, tuple)):
            # The outputs of a mapped task, which Airflow reads one by one.
            return list(rendered)
        return rendered

    def _noting_none(self, jinja_env: Any) -> Any:
        """Return a Jinja environment that notes if a template prints None: ``list-None``."""
        jinja_env = jinja_env or self.get_template_env()
        if jinja_env.finalize is not None:
            # The DAG says itself what becomes of None.
            return jinja_env

        def note_none(value: Any) -> Any:
            if value is None:
                self._has_printed_none = True
            return value

        return jinja_env.overlay(finalize=note_none)

    def _as_template(self, content: Any, fields: Sequence[str]) -> Any:
        """
        Return what Airflow renders in the place of an argument, or of a part of it.

        Storage and guard objects are rendered in place and shared by task instances: a copy is. A
        string that ends like a file, but is none, ends with an empty comment of Jinja.
        """
        if hasattr(content, "template_fields"):
            return copy(content)
        ends_like_file = isinstance(content, str) and content.endswith(".json")
        if ends_like_file and not self._is_file(content, fields):
            return f"{content}{{# #}}"
        return content

    def _fields_with(self, content: Any) -> list[str]:
        """Return the names of the arguments that have a value."""
        if content is None:
            return []
        return [field for field in self.template_fields if getattr(self, field, None) is content]

    def _is_file(self, content: Any, fields: Sequence[str]) -> bool:
        """Return whether an argument that takes JSON is the path of a file that has it."""
        takes_json = any(self.template_fields_renderers.get(field) == "json" for field in fields)
        return takes_json and arguments.is_template_file(content)

    def _hide_secrets(self, fields: Sequence[str], value: Any) -> None:
        # Values of filters are no secrets, and there may be thousands.
        if "included_filters" in fields:
            return
        if "file_url_auth_password" in fields:
            value = {"file_url_auth_password": value}
        hide_secrets(value)

    def _remember(self, fields: Sequence[str], whole: Any, content: Any, rendered: Any) -> None:
        """
        Remember what is wrong with a rendered value; :meth:`check_rendered` reports it.

        :param whole: the argument that the value is, or is a part of.
        """
        if content is None:
            return
        without_value = self._find_without_value(whole, content, rendered)
        if without_value:
            self._without_value = (*self._without_value, *without_value)
            return
        if isinstance(content, str) and not isinstance(rendered, str):
            self._remember_no_string(fields, content, rendered)
        if "included_filters" in fields:
            changed = find_changed_by_rendering("included_filters", content, rendered)
            self._no_strings = (*self._no_strings, *changed)
            wrongly_typed = find_wrongly_typed("included_filters", content, rendered)
            self._wrongly_typed = (*self._wrongly_typed, *wrongly_typed)

    def _find_without_value(self, whole: Any, content: Any, rendered: Any) -> list[str]:
        """Return the places of a template that rendered to ``None``, as a whole or in part."""
        is_word_none = isinstance(rendered, str) and rendered == "None"
        was_made_none = is_word_none and content != "None"
        if rendered is None or was_made_none:
            return self._places_of(whole, content)
        if isinstance(content, str) and self._has_printed_none:
            return [f"a part of {place}" for place in self._places_of(whole, content)]
        return []

    def _places_of(self, whole: Any, content: Any) -> list[str]:
        """
        Return what messages call a template: ``files[1]``; its text, if that cannot be found.

        :param whole: the argument that the template is, or is a part of.
        """
        fields = self._fields_with(whole)
        places = [place for field in fields for place in find_places(field, whole, content)]
        return places or [shown(str(content), quoted=False)]

    def _remember_no_string(self, fields: Sequence[str], content: str, rendered: Any) -> None:
        """Remember what native rendering has changed of a string."""
        for field in fields:
            if field in STRINGS:
                problem = f"{field}: {shown(content)} rendered to {_described(field, rendered)}"
                self._no_strings = (*self._no_strings, problem)
            # Jinja read JSON as Python, which loses what from_json refuses.
            if self.template_fields_renderers.get(field) == "json":
                self._lost = (*self._lost, *arguments.find_lost(field, content))

    def resolve_template_files(self) -> None:
        """
        Read each argument that takes JSON and is the path of a ``.json`` file.

        Airflow would read other arguments and parts of lists, too: these are set aside.
        """
        others = {}
        for field in self.template_fields:
            content = getattr(self, field, None)
            if isinstance(content, (str, list)) and not self._is_file(content, [field]):
                others[field] = content
        for field in others:
            setattr(self, field, None)
        super().resolve_template_files()
        for field, content in others.items():
            setattr(self, field, content)

    def check_rendered(self) -> None:
        """
        Check that each argument that the DAG gives has a value, and a string if it takes one.

        :raises WesConfigurationError: if a template rendered to ``None`` or to no string, or if
            native rendering lost something of JSON.
        """
        if self._without_value:
            raise WesConfigurationError(
                f"{', '.join(dict.fromkeys(self._without_value))} rendered to None\n"
                "The template or the other task has no value. Nothing was sent."
            )
        if self._lost:
            raise WesConfigurationError("\n".join(dict.fromkeys(self._lost)))
        if self._wrongly_typed:
            raise WesConfigurationError("\n".join(self._wrongly_typed) + f"\n{NATIVE_RENDERING}")
        if self._no_strings:
            raise WesConfigurationError(
                "\n".join(dict.fromkeys(self._no_strings)) + f"\n{arguments.KEEP_STRING}"
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
        self._set_console_link(context, url)

    def keep_link(self, context: Any) -> None:
        """Have the task keep the link that an earlier part of the attempt may have pushed."""
        self._set_console_link(context, None)

    def _set_console_link(self, context: Any, url: str | None) -> None:
        # Airflow executes a copy of the task that is in the context, and reads the link of that.
        self.console_link = url
        context["task"].console_link = url

    def resume_execution(
        self, next_method: str, next_kwargs: dict[str, Any] | None, context: Any
    ) -> Any:
        """Go on after a deferral."""
        self.keep_link(context)
        return super().resume_execution(next_method, next_kwargs, context)

    # -- waiting

    def ends_at(self, context: Any, began: float) -> float | None:
        """
        Return when to give up before Airflow's ``execution_timeout``, epoch seconds; ``None`` if
        the task has none. A wait that ends then has an error that knows the status.

        :param began: when this part of the attempt began, epoch seconds; a deferral ends a part.
        """
        limit: timedelta | None = self.execution_timeout
        if limit is None:
            return None
        if not COUNTS_EACH_PART:
            began = start_of(context)
        seconds = limit.total_seconds()
        return began + seconds - min(EXECUTION_SLACK, seconds / 10)

    def wait_here(self, waits: Sequence[CouponFileWait]) -> dict[str, Outcome]:
        """Wait on the worker; return how each wait ended, by the file's identifier."""

        async def read_settings() -> WesSettings:
            return type(self.hook)(self.wes_conn_id).settings

        async def wait() -> dict[str, Outcome]:
            task: Any = asyncio.current_task()
            loop = asyncio.get_running_loop()
            # Called by a signal's handler while the loop sleeps, which this wakes.
            self._stop_waiting = partial(loop.call_soon_threadsafe, task.cancel)
            return await wait_for_files(
                self.wes_conn_id, waits, read_settings, secrets=self.hook.secrets
            )

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
                # A refused key would have ended the task before it came to this, unless the
                # service was away then.
                was_read=True,
                count_names=msgspec.to_builtins(count_names),
            ),
            method_name="execute_complete",
            timeout=timedelta(seconds=seconds_left) + DEFER_SLACK,
        )


def _has_no_template(content: Any, jinja_env: Any) -> bool:
    """
    Return whether rendering would leave a string as it is; false if that is not known.

    :param jinja_env: the environment, whose delimiters a DAG may replace.
    """
    if jinja_env is None or not isinstance(content, str):
        return False
    if jinja_env.line_statement_prefix or jinja_env.line_comment_prefix:
        return False
    # Jinja changes line breaks.
    starts = ("\n", "\r", jinja_env.variable_start_string, jinja_env.block_start_string)
    return not any(start in content for start in (*starts, jinja_env.comment_start_string))


def find_places(place: str, whole: Any, sought: Any) -> list[str]:
    """
    Return where a template stands in an argument.

    :param place: what messages call the argument.
    """
    if whole is sought:
        return [place]
    parts: list[tuple[str, Any]] = []
    if isinstance(whole, Mapping):
        parts = [(place_of(place, key), value) for key, value in whole.items()]
    elif isinstance(whole, (list, tuple)):
        parts = [(f"{place}[{index}]", item) for index, item in enumerate(whole)]
    elif hasattr(whole, "template_fields"):
        fields = whole.template_fields
        parts = [(place_of(place, field), getattr(whole, field, None)) for field in fields]
    places = []
    for name, part in parts:
        places += find_places(name, part, sought)
    return places


def _described(field: str, value: Any) -> str:
    """Return what a message shows of a value that is no string; of a password, only its type."""
    kind = type(value).__name__
    if "password" in field:
        return kind
    return f"{shown(value)} ({kind})"


def earliest(moment: float, other: float | None) -> float:
    """Return the earlier of two moments, of which the second may not be."""
    return moment if other is None else min(moment, other)


def start_of(context: Any) -> float:
    """Return when the attempt started, epoch seconds: ``dag.test()`` of 2.11 does not set it."""
    start_date = context["ti"].start_date
    return float(start_date.timestamp()) if start_date else time.time()
