"""
OpenLineage: which data a task reads and writes.

Airflow asks for it if its OpenLineage provider is installed; nothing here is imported elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from airflow.providers.common.compat.openlineage.facet import Dataset

from wes_provider import assets
from wes_provider.texts import redact_url

if TYPE_CHECKING:
    from airflow.providers.openlineage.extractors import OperatorLineage  # type: ignore[import-not-found]

__all__ = ["asset_dataset", "upload_lineage"]


def upload_lineage(coupon_list_id: str, file_urls: Iterable[Any]) -> OperatorLineage:
    """Coupon files in, their list out."""
    from airflow.providers.openlineage.extractors import OperatorLineage

    return OperatorLineage(
        inputs=[_dataset(str(getattr(url, "url", url))) for url in file_urls],
        outputs=[_dataset(assets.coupon_list(coupon_list_id).uri)],
    )


# How Airflow calls it
def asset_dataset(asset: Any, lineage_context: Any) -> Dataset:  # noqa: ARG001
    """Return an asset of the scheme ``wes``, as OpenLineage names it."""
    return _dataset(asset.uri)


def _dataset(url: str) -> Dataset:
    """
    Named by a URL: scheme and host are the namespace, the path is the name, and what may be secret
    is left out.
    """
    parts = urlsplit(redact_url(url))
    return Dataset(
        namespace=f"{parts.scheme}://{parts.netloc}", name=unquote(parts.path.lstrip("/")) or "/"
    )
