"""How a task shows itself in Airflow's pages: a link to the service's console, and a label if it is mapped."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote, urlsplit

from airflow.providers.common.compat.sdk import BaseOperatorLink

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import TaskInstanceKey
    from airflow.sdk import Context

__all__ = ["WesConsoleLink"]

LABEL_LENGTH = 200  # characters; Airflow's database has room for 250


class WesConsoleLink(BaseOperatorLink):
    """Links to a task's coupon list, catalog or segment, if the connection has the extra ``console_url``."""

    name = "WES console"
    xcom_key = "wes_console_url"

    def get_link(self, operator: Any, *, ti_key: TaskInstanceKey) -> str:
        """The URL that the task left; empty if it left none."""
        if (url := vars(operator).get("_console_url")) is not None:
            return str(url)  # on the worker that ran the task, and made it
        from airflow.providers.common.compat.sdk import XCom

        return str(XCom.get_value(key=self.xcom_key, ti_key=ti_key) or "")


def console_url(template: str, kind: str, identifier: str) -> str:
    """
    Where the console shows something.

    :param template: the connection's extra ``console_url``.
    :param kind: ``coupon-list``, ``catalog`` or ``segment``.
    """
    return template.replace("{kind}", kind).replace("{id}", quote(identifier, safe=""))


class ShownInPages:
    """
    Mixed into the operators and the sensor.

    :cvar label_fields: what tells the instances of a mapped task apart.
    """

    operator_extra_links: Collection[BaseOperatorLink] = (WesConsoleLink(),)
    label_fields: ClassVar[Sequence[str]] = ()

    @classmethod
    def partial(cls, **kwargs: Any) -> Any:
        """Airflow's, with a label for each mapped instance unless ``map_index_template`` is given."""
        kwargs.setdefault("map_index_template", "{{ task.map_label }}")
        return super().partial(**kwargs)  # type: ignore[misc]

    @property
    def map_label(self) -> str:
        """The label of a mapped task instance. A URL is represented by the last part of its path."""
        values = (str(getattr(self, field) or "") for field in self.label_fields)
        parts = (urlsplit(value).path.rpartition("/")[2] if "://" in value else value for value in values)
        return " ".join(part for part in parts if part)[:LABEL_LENGTH]

    def _describe_events(self, context: Context, extra: Mapping[str, Any]) -> None:
        """Have the events of those outlets that are assets of the service say what the task did."""
        if self.outlets:  # type: ignore[attr-defined]
            from wes_provider.assets import describe_events

            describe_events(self, context, extra)

    def _link(self, context: Context, kind: str, identifier: str) -> None:
        """Have the task link to something, from now on; to nothing without a console."""
        template = self.hook.settings.console_url  # type: ignore[attr-defined]
        url = console_url(template, kind, identifier) if template else ""
        vars(self)["_console_url"] = url
        if url:
            vars(self).pop("operator_extra_links", None)
            context["ti"].xcom_push(key=WesConsoleLink.xcom_key, value=url)
