"""Operators: upload coupon files, replenish coupon lists, create catalogs, update segments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wes_provider.operators.catalogs import WesCreateCatalogOperator
from wes_provider.operators.replenish import WesReplenishCouponListOperator
from wes_provider.operators.segments import WesRestoreSegmentOperator, WesUpdateSegmentOperator
from wes_provider.operators.upload import WesUploadCouponFileOperator

if TYPE_CHECKING:
    from wes_provider.storage.operator import WesPreflightOperator as WesPreflightOperator

__all__ = [
    "WesCreateCatalogOperator",
    "WesReplenishCouponListOperator",
    "WesRestoreSegmentOperator",
    "WesUpdateSegmentOperator",
    "WesUploadCouponFileOperator",
]


def __getattr__(name: str) -> Any:
    """Return the operator of ``wes_provider.storage``, which is loaded if it is imported."""
    if name != "WesPreflightOperator":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from wes_provider.storage.operator import WesPreflightOperator

    return WesPreflightOperator
