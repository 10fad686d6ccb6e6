"""A link from a task to what it worked on, in the service's console."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from airflow.providers.common.compat.sdk import BaseOperatorLink, XCom

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import TaskInstanceKey

__all__ = ["WesConsoleLink", "console_url"]


class WesConsoleLink(BaseOperatorLink):
    """
    Links to a task's coupon list, catalog or segment, if the connection has the extra
    ``console_url``.
    """

    name = "WES console"
    xcom_key = "wes_console_url"

    # Airflow's signature
    def get_link(self, operator: Any, *, ti_key: TaskInstanceKey) -> str:  # noqa: ARG002
        """The URL that the task left; empty if it left none."""
        return str(XCom.get_value(key=self.xcom_key, ti_key=ti_key) or "")


def console_url(template: str, kind: str, identifier: str) -> str:
    """
    Where the console shows something.

    :param template: the connection's extra ``console_url``.
    :param kind: ``coupon-list``, ``catalog`` or ``segment``.
    """
    return template.replace("{kind}", kind).replace("{id}", quote(identifier, safe=""))
