"""A link from a task to what it worked on, in the service's console."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from airflow.providers.common.compat.sdk import BaseOperatorLink, XCom

if TYPE_CHECKING:
    from airflow.providers.common.compat.sdk import TaskInstanceKey

__all__ = ["WesConsoleLink"]


class WesConsoleLink(BaseOperatorLink):
    """
    Links to a task's coupon list, catalog or segment, if the connection has the extra
    ``console_url``.
    """

    name = "WES console"
    xcom_key = "wes_console_url"

    def get_link(
        self,
        operator: Any,
        *,
        ti_key: TaskInstanceKey,
    ) -> str:
        """
        Return the URL that the task pushed; empty if it pushed none.

        :param operator: if it is the task itself, which Airflow asks at the end of an attempt, it
            knows its link. A missing XCom is not looked up then, for which Airflow logs an error.
        """
        link = getattr(operator, "console_link", None)
        if isinstance(link, str):
            return link
        return str(XCom.get_value(key=self.xcom_key, ti_key=ti_key) or "")


def console_url(template: str, kind: str, identifier: str) -> str:
    """
    Return where the console shows something.

    :param template: the connection's extra ``console_url``.
    :param kind: ``coupon-list``, ``catalog`` or ``segment``.
    """
    return template.replace("{kind}", kind).replace("{id}", quote(identifier, safe=""))
