"""The operator that plans a replenishing without a request to the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wes_provider.replenish import WesReplenishCouponListOperator
from wes_provider.retry_policy import permanent_failures

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["WesPreflightOperator"]


class WesPreflightOperator(WesReplenishCouponListOperator):
    """
    List and check coupon files, and return the plan of their upload; sends no request to the service.

    Returns, and pushes as ``plan``: ``files``, each with path, size, ETag, codes, what the checks found, and when it
    would be uploaded at the earliest; ``codes`` in all; and ``last_upload_at``.

    :param coupon_list_id: the list that the files are for. (templated)
    :param files: as of :class:`~wes_provider.operators.WesReplenishCouponListOperator`. (templated)
    :param preflight: what the files are checked for; by default, what ``Preflight()`` checks. (templated)
    :param ledger: where to look up what the list was given before. (templated)

    Contract: section 8.
    """

    ui_color = "#fdf3d0"

    def __init__(self, *, coupon_list_id: str, files: Any, preflight: Any = None, **kwargs: Any) -> None:
        super().__init__(coupon_list_id=coupon_list_id, files=files, preflight=preflight, plan_only=True, **kwargs)

    def execute(self, context: Context) -> dict[str, Any]:  # type: ignore[override]
        """List and check the files."""
        with permanent_failures():
            if self.preflight is None:
                from wes_provider.storage.preflight import Preflight

                self.preflight = Preflight()
            return dict(self._storage(context, self._fields(), plan_only=True).prepare())
