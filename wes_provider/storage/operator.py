"""The operator that plans a replenishing without a request to the service."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wes_provider.operators.replenish import WesReplenishCouponListOperator
from wes_provider.retry_policy import explained_errors
from wes_provider.storage.rules import Preflight

if TYPE_CHECKING:
    from airflow.sdk import Context

__all__ = ["WesPreflightOperator"]


class WesPreflightOperator(WesReplenishCouponListOperator):
    """
    List and check coupon files, and return the plan of their upload. Sends no request to the
    service.

    Returns the plan, and pushes it as ``plan``. It has ``files`` (each with path, size, ETag,
    number of codes, and why it is left out), ``codes`` (of all files that are to be uploaded), and
    ``last_upload_at``.

    It takes the arguments of :class:`~wes_provider.operators.WesReplenishCouponListOperator`.

    :param preflight: how the files are checked; ``Preflight()`` by default. (templated)

    Contract: section 8.
    """

    def __init__(
        self, *, coupon_list_id: str, files: Any, preflight: Any = None, **kwargs: Any
    ) -> None:
        if preflight is None:
            preflight = Preflight()
        super().__init__(
            coupon_list_id=coupon_list_id,
            files=files,
            preflight=preflight,
            plan_only=True,
            **kwargs,
        )

    @explained_errors()
    def execute(self, context: Context) -> dict[str, Any]:
        """List and check the files."""
        return self.plan(context)
