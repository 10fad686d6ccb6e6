"""What the catalog operator refuses when a DAG is parsed."""

from __future__ import annotations

import pytest

from wes_provider.exceptions import WesConfigurationError
from wes_provider.operators import WesCreateCatalogOperator


def test_if_exists_is_checked_when_the_dag_is_parsed():
    with pytest.raises(WesConfigurationError, match="if_exists takes fail or adopt, not 'replace'"):
        WesCreateCatalogOperator(task_id="t", name="n", price_currency="EUR", attributes=[], if_exists="replace")
