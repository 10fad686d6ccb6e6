"""Operators on filter segments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from wes_provider import models
from wes_provider.retry_policy import permanent_failures
from wes_provider.tasks import WesTask, plain

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["WesUpdateSegmentOperator"]


class WesUpdateSegmentOperator(WesTask):
    """
    Update a filter segment.

    Returns the segment's identifier, and pushes ``segment``, the service's answer.

    :param segment_id: the segment to update. (templated)
    :param name: a new unique name. (templated)
    :param included_filters: which users belong to the segment, from :func:`~wes_provider.models.all_of` or a plain
        object; or JSON of it, or a ``.json`` file. (templated)
    :param updated_by: e-mail of who updates it. (templated)
    :param allow_empty: let an empty filter list or an empty ``value`` pass, which may select nobody, or everybody.
    :param wes_conn_id: the connection, of type ``wes``. (templated)

    Contract: section 4.3.
    """

    template_fields: Sequence[str] = ("wes_conn_id", "segment_id", "name", "included_filters", "updated_by")
    template_fields_renderers: ClassVar[dict[str, str]] = {"included_filters": "json"}
    label_fields: ClassVar[Sequence[str]] = ("segment_id",)
    ui_color = "#fbeedc"

    def __init__(
        self,
        *,
        segment_id: str,
        name: str | None = None,
        included_filters: Any = None,
        updated_by: str | None = None,
        allow_empty: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.segment_id = segment_id
        self.name = name
        self.included_filters = plain(included_filters)
        self.updated_by = updated_by
        self.allow_empty = allow_empty
        if not models.templated(self.segment_id):
            models.identifier("segment_id", self.segment_id)
        if not models.templated([self.name, self.included_filters, self.updated_by]):
            models.segment_body(**self._fields(), allow_empty=self.allow_empty)

    def _fields(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "included_filters": models.from_json("included_filters", self.included_filters),
            "updated_by": self.updated_by,
        }

    def execute(self, context: Context) -> str:
        """Update the segment."""
        with permanent_failures():
            self._link(context, "segment", self.segment_id)
            response = self.hook.update_segment(self.segment_id, **self._fields(), allow_empty=self.allow_empty)
            context["ti"].xcom_push(key="segment", value=response)
            self._describe_events(context, {"segment_id": self.segment_id})
            self.log.info("Updated segment %s", self.segment_id)
            return self.segment_id
