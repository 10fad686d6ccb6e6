"""What the operators and the sensor share: the hook, secrets in rendered fields, waiting for coupon files."""

from __future__ import annotations

import heapq
import inspect
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from copy import copy
from datetime import timedelta
from functools import cached_property
from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING, Any, ClassVar, Final, NoReturn, TypeVar

from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseOperator, conf

from wes_provider.exceptions import (
    WesAuthenticationError,
    WesConfigurationError,
    WesCouponFileFailedError,
    WesError,
    WesForbiddenError,
    WesResponseError,
    WesTimeoutError,
)
from wes_provider.links import ShownInPages
from wes_provider.models import (
    ERROR_HEADLINE,
    CatalogAttribute,
    CouponFile,
    counted,
    file_title,
    headline,
    redact,
    redact_url,
    shorten,
    shown,
)
from wes_provider.polling import (
    CONNECTION_GRACE,
    FIRST_PAUSE,
    FIX_THE_FILE,
    GRACE_POLL_INTERVAL,
    LAST_POLL,
    READ_AGAIN_AFTER,
    READ_AGAIN_SOONEST,
    CouponFileWait,
    Decision,
    Done,
    NoConnection,
    Outcome,
    Polled,
    Statuses,
    Wait,
    failure,
    load_outcomes,
)
from wes_provider.retry_policy import default_retry_policy, permanent_failures

if TYPE_CHECKING:
    from typing_extensions import Self

    from wes_provider.client.read_limit import ReadLimit
    from wes_provider.client.settings import WesSettings
    from wes_provider.hooks import WesHook

__all__ = ["DEFAULT_DEFERRABLE", "WesTask"]

T = TypeVar("T")

DEFAULT_DEFERRABLE = bool(conf.getboolean("operators", "default_deferrable", fallback=False))
"""Where operators and the sensor wait by default; read once, as Airflow's own operators do."""

DEFER_SLACK = timedelta(minutes=15)
"""The trigger keeps the deadline; Airflow's own timeout comes later, also if the clock is set ten minutes ahead."""

AT_THE_DEADLINE: Final = 0.1
"""Seconds before a deadline from which on a poll is the last one, which is sent even if the service limits reads."""

CONCURRENT_POLLS: Final = 32
"""Last polls of a task at a time: as many as the client keeps connections."""

LOGGED_FILES: Final = 10
"""Files that a log message names at most."""

EXECUTION_SLACK = 5.0
"""Seconds, or a tenth of it, that a wait ends before ``execution_timeout``: with an error that knows the status."""


class GivenTemplateFields:
    """
    The template fields of a class; of a task, those that do not have their defaults.

    Airflow serialises each template field of each task at each parse; a default needs neither that nor rendering.

    :param fields: the fields of the class.
    """

    def __init__(self, fields: Sequence[str]) -> None:
        self._fields = tuple(fields)
        self._defaults: dict[type, list[Any]] = {}

    def __get__(self, task: WesTask | None, cls: type[WesTask]) -> Sequence[str]:
        if task is None:
            return self._fields
        defaults = self._defaults.get(cls)
        if defaults is None:
            defaults = self._defaults[cls] = self._defaults_of(cls)
        # Not a loop: Airflow comes here six times for each task of each parse.
        return tuple(compress(self._fields, map(is_not, map(vars(task).get, self._fields), defaults)))

    def _defaults_of(self, cls: type[WesTask]) -> list[Any]:
        defaults: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            if "__init__" in vars(base):
                arguments = inspect.signature(vars(base)["__init__"]).parameters
                defaults |= {name: argument.default for name, argument in arguments.items()}
        return [defaults.get(name) for name in self._fields]


class WesTask(ShownInPages, BaseOperator):
    """
    The base class of the operators and the sensor. It is an operator itself, since Airflow takes arguments from
    ``default_args`` and ``partial`` only for operators.

    :param wes_conn_id: the connection, of type ``wes``; ``wes_default`` if not given. (templated)
    :cvar advice_if_failed: what to do if a file fails processing.
    :cvar secret_fields: template fields that may hold a URL's query or a password. Airflow stores what it renders,
        so after rendering their real values move to :meth:`rendered`, and the fields keep what may be shown.
    """

    secret_fields: ClassVar[Sequence[str]] = ()
    advice_if_failed: ClassVar[str] = FIX_THE_FILE
    wes_conn_id: str

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "template_fields" in vars(cls):
            cls.template_fields = GivenTemplateFields(tuple(cls.template_fields))  # type: ignore[assignment]

    _arguments: frozenset[str]
    if TYPE_CHECKING:
        log: Any  # Airflow's

    def __init__(self, *, wes_conn_id: str | None = "wes_default", **kwargs: Any) -> None:
        # Without the layer that Airflow puts around each ``__init__``, whose work the layer of the task's own class has
        # done already, except for the arguments that only Airflow's class has.
        init: Any = super().__init__
        defaults = kwargs.get("default_args") or {}
        names = vars(init.__func__)["_BaseOperatorMeta__param_names"]
        given = {name: value for name, value in defaults.items() if name in names and name not in kwargs}
        vars(self)["_BaseOperator__init_kwargs"].update(given)
        init.__wrapped__(self, **kwargs, **given)
        self._assign(wes_conn_id="wes_default" if wes_conn_id is None else wes_conn_id)
        default_retry_policy(self)

    def _assign(self, **arguments: Any) -> None:
        """Assign arguments. Airflow's own assignment looks for a converter of each, which takes a microsecond."""
        vars(self).update(arguments)

    @cached_property
    def hook(self) -> WesHook:
        """The hook of ``wes_conn_id``; imported here, so that parsing a DAG loads no client."""
        from wes_provider.hooks import WesHook

        hook = WesHook(self.wes_conn_id)
        hook.about = self._about
        return hook

    @property
    def _about(self) -> tuple[str, str]:
        """The task's coupon list and file, as far as it has them, for messages."""
        file_url = getattr(self, "file_url", "")
        title = file_title(redact_url(file_url)) if isinstance(file_url, str) else ""
        return str(getattr(self, "coupon_list_id", "")), title or str(getattr(self, "coupon_file_id", ""))

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:  # noqa: ARG004 - what __init__ takes
        task = super().__new__(cls)
        vars(task)["_arguments"] = frozenset(kwargs)
        return task

    def _do_render_template_fields(
        self,
        parent: Any,
        template_fields: Iterable[str],
        context: Any,
        jinja_env: Any,
        seen_oids: Any,
    ) -> None:
        # Airflow calls this on the unmapped task too, but not render_template_fields; and it calls it for objects
        # within fields. DAG.test() of Airflow 2.11 renders a task that has been deferred a second time, which must
        # not start from the redacted values.
        if parent is not self:
            super()._do_render_template_fields(parent, template_fields, context, jinja_env, seen_oids)
            return
        if "_console_url" not in vars(self):  # a task that fails before its link is known leaves and reads no XCom
            vars(self).update(_console_url="", operator_extra_links=())
        vars(self).update(self.__dict__.get("_unrendered", {}))
        self.__dict__["_unrendered"] = {field: getattr(self, field) for field in self.secret_fields}
        given = {field: getattr(self, field) for field in self._given(template_fields)}
        json_fields = {field for field, renderer in self.template_fields_renderers.items() if renderer == "json"}
        texts = []
        for field, value in given.items():
            if field in json_fields and isinstance(value, str) and value.endswith(".json"):
                setattr(self, field, jinja_env.loader.get_source(jinja_env, value)[0])
            elif hasattr(value, "template_fields"):
                setattr(self, field, copy(value))  # Airflow renders it in place, but other task instances share it
                continue
            elif field in json_fields:
                continue
            texts.append(field)
        others = [field for field in template_fields if field not in texts]
        super()._do_render_template_fields(self, others, context, jinja_env, seen_oids)
        with rendering_texts(self):
            env = self.get_template_env()
            super()._do_render_template_fields(self, texts, context, env, seen_oids)
        for field in set(texts) - json_fields:
            if type(getattr(self, field)) is int:  # from another task's output
                setattr(self, field, str(getattr(self, field)))
        self.__dict__["_written"] = {field: value for field, value in given.items() if field in json_fields}
        self.__dict__["_without_value"] = without_value(given, {field: getattr(self, field) for field in given})
        secrets: dict[str, Any] = {}
        for field in self.secret_fields:
            value = getattr(self, field)
            secrets[field] = value
            setattr(self, field, without_secrets(field, value))
        self.__dict__["_rendered"] = secrets

    def _given(self, fields: Iterable[str]) -> list[str]:
        """Those fields that the DAG gives: that are not ``None``, or that ``expand`` gives for this map index."""
        dag = self.get_dag()
        mapped = dag.task_dict.get(self.task_id) if dag else None
        constant = getattr(mapped, "partial_kwargs", self._arguments)
        return [
            field for field in fields if getattr(self, field) is not None or field in self._arguments - set(constant)
        ]

    def pre_execute(self, context: Any) -> None:
        """Fail if an argument has no value, although the DAG gives it; Airflow calls this before ``execute``."""
        with permanent_failures():
            if fields := self.__dict__.get("_without_value"):
                optional = not set(fields) & self._required()
                raise WesConfigurationError(
                    f"{shorten(', '.join(fields), 48)} rendered to None\n"
                    f"Check the task that the value comes from{', or leave the argument out' if optional else ''}.\n"
                    "The template or the other task has no value. Nothing was sent."
                )
        super().pre_execute(context)

    @classmethod
    def _required(cls) -> set[str]:
        """The arguments that have no default."""
        signatures = [inspect.signature(vars(base)["__init__"]) for base in cls.__mro__ if "__init__" in vars(base)]
        arguments = [argument for signature in signatures for argument in signature.parameters.values()]
        return {argument.name for argument in arguments if argument.default is argument.empty}

    def rendered(self, field: str) -> Any:
        """A field's real value, also if it is one of :attr:`secret_fields`."""
        secrets = self.__dict__.get("_rendered", {})
        return secrets[field] if field in secrets else getattr(self, field)

    @cached_property
    def _read_limit(self) -> ReadLimit:
        from wes_provider.client.read_limit import ReadLimit

        return ReadLimit()

    def _settings(self, deadline: float = math.inf) -> WesSettings:
        """
        The connection's settings, for a wait: a connection that cannot be read, or is not found, is read again.

        :param deadline: epoch seconds.
        :raises WesError: after minutes of it, or at the deadline; at once if what the connection holds cannot be used.
        """
        return self._read_with_grace(self.wes_conn_id, lambda: self.hook.settings, deadline)

    def _read_with_grace(self, conn_id: str, read: Callable[[], T], deadline: float = math.inf) -> T:
        """
        Read what a connection holds, again and again for ``CONNECTION_GRACE``: a blip must not end a wait.

        :param conn_id: the connection.
        :param read: reads it.
        :param deadline: as for :meth:`_settings`.
        :raises WesError: as :meth:`_settings`.
        """
        from wes_provider.hooks import connection_error

        end = time.monotonic() + min(CONNECTION_GRACE, deadline - time.time())
        pause = FIRST_PAUSE
        while True:
            try:
                return read()
            except Exception as error:
                if isinstance(error, WesError) and not isinstance(error, AirflowNotFoundException):
                    raise
                problem = connection_error(conn_id, error)
            left = end - time.monotonic()
            if left <= 0:
                raise problem
            if pause == FIRST_PAUSE:
                self.log.warning("%s\nReading it again for %.0f s.", problem, left)
            time.sleep(min(pause, left))
            pause = min(2 * pause, GRACE_POLL_INTERVAL)

    def _poll(self, coupon_list_id: str, coupon_file_ids: Sequence[str], left: float) -> list[Polled]:
        """
        One poll of each file; what goes wrong is for :class:`~wes_provider.polling.CouponFileWait` to judge.

        The connection is read again every few minutes, and after a 401 or 403.

        :param left: seconds until the deadline. The last poll is sent even if the service would probably refuse it, and
            a slow response must not carry the wait far beyond the deadline.
        """
        from wes_provider.hooks import connection_error

        try:
            self.hook.settings  # noqa: B018 - reads the connection
        except Exception as error:
            return [NoConnection(connection_error(self.wes_conn_id, error))] * len(coupon_file_ids)
        if time.monotonic() - self._connection_read_at >= READ_AGAIN_AFTER:
            self._connection_has_changed()
        polled = self._poll_once(coupon_list_id, coupon_file_ids, left)
        refused = any(isinstance(result, (WesAuthenticationError, WesForbiddenError)) for result in polled)
        again = time.monotonic() - self._connection_read_again_at >= READ_AGAIN_SOONEST
        if refused and again and self._connection_has_changed():
            polled = self._poll_once(coupon_list_id, coupon_file_ids, left)
        return polled

    def _poll_once(self, coupon_list_id: str, coupon_file_ids: Sequence[str], left: float) -> list[Polled]:
        """The same; if there are several files, many at a time, and none that has not begun within ``LAST_POLL``."""
        begin_until = time.monotonic() + LAST_POLL
        try:
            client, operations, secrets = self.hook.get_conn(), self.hook.operations, self._secrets_of_files
        except WesError as error:
            return [error] * len(coupon_file_ids)

        def poll(coupon_file_id: str) -> Polled:
            try:
                operation = operations.poll_coupon_file(coupon_list_id, coupon_file_id, secrets)
                if left >= AT_THE_DEADLINE:
                    self._read_limit.check(operation.request)
                if time.monotonic() > begin_until:
                    return WesError("get_coupon_file: not sent, as polls of other files take too long")
                return client.run_once(self._read_limit.recording(operation), within=max(left, LAST_POLL))
            except WesError as error:
                return error

        if len(coupon_file_ids) == 1:
            return [poll(coupon_file_ids[0])]
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(CONCURRENT_POLLS) as executor:
            return list(executor.map(poll, coupon_file_ids))

    @cached_property
    def _connection_read_at(self) -> float:
        return time.monotonic()

    _connection_read_again_at = -math.inf  # monotonic

    def _connection_has_changed(self) -> bool:
        """Read the connection again; if it has changed, the hook has its new settings."""
        from wes_provider.hooks import WesHook

        now = time.monotonic()
        vars(self).update(_connection_read_at=now, _connection_read_again_at=now)
        hook = WesHook(self.wes_conn_id)
        try:
            changed = hook.settings != self.hook.settings
            if changed:
                hook.get_conn()  # fails if its CA bundle cannot be used
        except Exception as error:  # the settings that are known are good enough
            self.log.warning("Connection %r cannot be read again now: %s", self.wes_conn_id, type(error).__name__)
            return False
        if changed:
            self.log.info("Connection %r has changed; polling with its new settings", self.wes_conn_id)
            self.__dict__["hook"] = hook
        return changed

    def _statuses(self, overrides: Mapping[str, Any] | None) -> Statuses:
        return Statuses.of(overrides, base=self._settings().statuses)

    _no_response = False  # to the last poll

    def _decide(
        self, coupon_list_id: str, coupon_file_id: str, wait: CouponFileWait, concurrent_waits: int = 1
    ) -> Decision:
        """One poll of a file, and what follows from it; what deserves a log line is logged."""
        (polled,) = self._poll(coupon_list_id, [coupon_file_id], wait.deadline - wait.now())
        vars(self)["_no_response"] = not isinstance(polled, (CouponFile, WesResponseError))
        return self._judge(polled, wait, concurrent_waits)

    def _judge(self, polled: Polled, wait: CouponFileWait, concurrent_waits: int) -> Decision:
        decision = wait.decide(polled, wait.now(), concurrent_waits)
        if isinstance(decision, Wait):
            for level, text in decision.notes:
                self.log.log(level, "%s", text)
        else:
            from wes_provider.metrics import waited

            waited(decision.waited, decision)
        return decision

    @cached_property
    def _secrets_of_files(self) -> tuple[str, ...]:
        """What of the task's files no text may show, should the service quote it."""
        return ()

    def _resumed(self, coupon_list_id: str, event: Any) -> dict[str, Outcome]:
        """
        How the waits of a deferred task ended. The log has it here, too: a trigger's log may get lost.

        :param event: the event of the trigger.
        :raises WesError: if it is no such event.
        """
        loaded = load_outcomes(event, self._secrets_of_files)
        outcomes = {file_id: self._in_this_task(outcome) for file_id, outcome in loaded.items()}
        for file_id, outcome in list(outcomes.items())[:LOGGED_FILES]:
            title = self._title_of(_file_of(file_id, outcome))
            self.log.info("%s", headline(str(outcome), coupon_list_id, file_id, title))
        if len(outcomes) > LOGGED_FILES:
            longest, polls = max(o.waited for o in outcomes.values()), sum(o.polls for o in outcomes.values())
            cause = f"Waited {longest:.0f} s for {len(outcomes)} files, {counted(polls, 'poll')}"
            self.log.info("%s", headline(cause, coupon_list_id))
        return outcomes

    def _in_this_task(self, outcome: Outcome) -> Outcome:
        """An outcome with the error of a failed file as this task words it; the trigger knows no task."""
        if isinstance(outcome, Done) or not isinstance(outcome.error, WesCouponFileFailedError):
            return outcome
        if not outcome.error.coupon_file:
            return outcome
        file = CouponFile.from_summary(outcome.error.coupon_file)
        return outcome._replace(error=failure(file, title=self._title_of(file), advice=self.advice_if_failed))

    def _title_of(self, file: CouponFile) -> str:
        """What messages call a file."""
        return file.title

    def _wait_here(self, coupon_list_id: str, waits: Mapping[str, CouponFileWait]) -> Iterator[tuple[str, Outcome]]:
        """Wait on the worker until one deadline; each file's outcome as it comes."""
        due = [(0.0, number, file_id) for number, file_id in enumerate(waits)]  # a heap
        while due:
            if (pause := due[0][0] - time.monotonic()) > 0:
                time.sleep(pause)
            wait, count = waits[due[0][2]], len(due)
            left = wait.deadline - wait.now()
            polls = [heapq.heappop(due) for _ in range(1 if left >= AT_THE_DEADLINE else count)]
            results = self._poll(coupon_list_id, [file_id for _, _, file_id in polls], left)
            for (_, number, file_id), polled in zip(polls, results, strict=True):
                decision = self._judge(polled, waits[file_id], count)
                if isinstance(decision, Wait):
                    heapq.heappush(due, (time.monotonic() + decision.seconds, number, file_id))
                else:
                    yield file_id, decision

    def _defer_until_processed(
        self, coupon_list_id: str, waits: Mapping[str, CouponFileWait], method_name: str
    ) -> NoReturn:
        """Wait in the triggerer; ends this run of the task."""
        from wes_provider.triggers import WesCouponFileTrigger

        wait = next(iter(waits.values()))
        labels = [w.label for w in waits.values()][:LOGGED_FILES]
        labels += [f"and {len(waits) - len(labels)} more"] if len(waits) > len(labels) else []
        single = (wait.coupon_file_id, wait.title) if len(waits) == 1 else ("", f"{len(waits)} files")
        first = headline("Deferring until processed", coupon_list_id, *single)
        self.log.info("%s\n%s", first, "\n".join(labels))
        self.defer(
            trigger=WesCouponFileTrigger(
                wes_conn_id=self.wes_conn_id,
                coupon_list_id=coupon_list_id,
                coupon_files={file_id: wait.started for file_id, wait in waits.items()},
                deadline=wait.deadline,
                poll_interval=wait.poll_interval,
                statuses=wait.statuses.to_dict(),
                silent_fail=wait.silent_fail,
                was_read=any(wait.was_read for wait in waits.values()),
            ),
            method_name=method_name,
            timeout=timedelta(seconds=max(0.0, wait.deadline - time.time())) + DEFER_SLACK,
        )
        raise AssertionError("Airflow's defer does not return")

    _resumes = False  # has been deferred, so a connection that cannot be read for a while must not end it

    def resume_execution(self, next_method: str, next_kwargs: dict[str, Any] | None, context: Any) -> Any:
        """Airflow resumes a deferred task by this; ``next_method`` is its own if the trigger did not end in time."""
        vars(self)["_resumes"] = True
        if not vars(self).get("_console_url"):
            vars(self).pop("_console_url", None)  # the part before the deferral left it in XCom
        if next_method == "__fail__" and "timeout" in str((next_kwargs or {}).get("error", "")).lower():
            return self._not_resumed(
                WesTimeoutError(
                    headline(
                        "No triggerer ended the wait",
                        str(getattr(self, "coupon_list_id", "")),
                        title=self._deferred_for(context),
                        longest=ERROR_HEADLINE,
                    )
                    + "\nCheck whether a triggerer is running and keeps up, then clear the task."
                )
            )
        return super().resume_execution(next_method, next_kwargs, context)

    def _not_resumed(self, error: WesTimeoutError) -> Any:
        raise error

    def _deferred_for(self, context: Any) -> str:  # noqa: ARG002 - for those who defer for something else, too
        """What the task was deferred for, in a message."""
        return self._about[1] or "files"

    def _deadline(self, context: Any, started: float, timeout: float) -> float:
        """When to give up, epoch seconds: ``timeout`` and Airflow's ``execution_timeout`` both count."""
        deadline = started + timeout
        execution_timeout: timedelta | None = self.execution_timeout
        if execution_timeout is not None:
            seconds = execution_timeout.total_seconds()
            deadline = min(deadline, start_of(context) + seconds - min(EXECUTION_SLACK, seconds / 10))
        return deadline


Task = TypeVar("Task", bound=type[WesTask])
Init = TypeVar("Init", bound=Callable[..., None])


def without_defaults_layer(cls: Task) -> Task:
    """
    Take away what Airflow put around the ``__init__`` of a base class to merge ``default_args``.

    Airflow does that around the ``__init__`` of subclasses, too, at a tenth of a task's construction each. There,
    :func:`arguments_of` names the arguments of the base class.
    """
    wrapped: Any = cls.__init__
    plain = wrapped.__wrapped__
    vars(plain).update({name: value for name, value in vars(wrapped).items() if name != "__wrapped__"})
    cls.__init__ = plain  # type: ignore[method-assign]  # ``partial`` finds its arguments in the same attributes
    return cls


def arguments_of(base: type[WesTask]) -> Callable[[Init], Init]:
    """Have an ``__init__`` show the arguments that it passes on to a base class, so that ``default_args`` count."""

    def decorate(init: Init) -> Init:
        own = inspect.signature(init)
        *named, others = own.parameters.values()
        passed_on = inspect.signature(base.__init__).parameters.values()
        named += [p for p in passed_on if p.kind is p.KEYWORD_ONLY and p.name not in own.parameters]
        init.__signature__ = own.replace(parameters=[*named, others])  # type: ignore[attr-defined]
        return init

    return decorate


without_defaults_layer(WesTask)


def check_on_duplicate(value: Any) -> None:
    """Check the ``on_duplicate`` argument."""
    if value not in ("adopt", "upload", "fail"):
        raise WesConfigurationError(f"on_duplicate takes adopt, upload or fail, not {shown(value)}")


def check_positive(field: str, value: Any) -> None:
    """Check an argument that holds seconds."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
        raise WesConfigurationError(f"{field} takes seconds above 0, not {shown(value)}")


def check_whole_number(field: str, value: Any) -> None:
    """Check an argument that counts something."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise WesConfigurationError(f"{field} takes a whole number from 0 up, not {shown(value)}")


def start_of(context: Any) -> float:
    """When the attempt started, epoch seconds; ``dag.test()`` of Airflow 2.11 does not set it."""
    start_date = context["ti"].start_date
    return float(start_date.timestamp()) if start_date else time.time()


def without_value(given: Mapping[str, Any], rendered: Mapping[str, Any]) -> list[str]:
    """
    The arguments that a DAG gives and that have no value.

    :param given: arguments before rendering; ``None`` only for those that ``expand`` gives.
    :param rendered: the same arguments after rendering. A template makes the text ``None`` of no value.
    """
    return [field for field, value in rendered.items() if value is None or (value == "None" and given[field] != "None")]


@contextmanager
def rendering_texts(task: Any) -> Iterator[None]:
    """Render templates to texts, also in a DAG with native rendering, which reads the identifier 12e4 as a number."""
    owners = [owner for owner in (task, task.get_dag()) if hasattr(owner, "render_template_as_native_obj")]
    before = [owner.render_template_as_native_obj for owner in owners]
    for owner in owners:
        owner.render_template_as_native_obj = False
    try:
        yield
    finally:
        for owner, native in zip(owners, before, strict=True):
            owner.render_template_as_native_obj = native


def without_secrets(field: str, value: Any) -> Any:
    """A rendered value as Airflow may store it: no query of a URL, no password."""
    if isinstance(value, str):
        if "password" in field and value:
            return "***"
        if value.lstrip()[:1] in ("[", "{"):
            with suppress(ValueError):
                return without_secrets(field, json.loads(value))
        return redact(value)
    if isinstance(value, Mapping):
        return {key: without_secrets(str(key), item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [without_secrets(field, item) for item in value]
    return value


def plain(value: Any) -> Any:
    """Lists and objects that Airflow can render templates in: no tuples, no dataclasses."""
    if isinstance(value, CatalogAttribute):
        return {"name": value.name, "type": value.type}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return value


def _file_of(file_id: str, outcome: Outcome) -> CouponFile:
    """The file of an outcome, as far as it is known."""
    if isinstance(outcome, Done):
        return outcome.file
    summary = getattr(outcome.error, "coupon_file", None)
    return CouponFile.from_summary(summary) if summary else CouponFile(file_id)
