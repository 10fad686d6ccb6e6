"""Directives for what the package itself says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList
from narrow_pages import COLUMNS

from wes_provider import operators
from wes_provider.connection_form import FIELDS
from wes_provider.contract import OPERATIONS


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.add_directive("command-help", CommandHelp)
    app.add_directive("connection-extras", ConnectionExtras)
    app.add_directive("operations", OperationTable)
    app.add_directive("interface", InterfaceTable)


class CommandHelp(Directive):
    """What a command of the package prints with ``--help``."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Run the command."""
        name, *arguments = self.arguments[0].split()
        program = Path(sys.executable).with_name(name)
        environment = {**os.environ, "COLUMNS": str(COLUMNS)}
        text = subprocess.check_output(  # noqa: S603 - written in our pages
            [program, *arguments, "--help"], env=environment, text=True
        )
        return [nodes.literal_block(text, text, language="text")]


class ConnectionExtras(Directive):
    """The extras of a connection, as Airflow's form explains them."""

    def run(self) -> list[nodes.Node]:
        """Make a list of them."""
        found = nodes.definition_list()
        for name, field in FIELDS.items():
            label = nodes.Text(f" ({field['label']})")
            term = nodes.term("", "", nodes.literal(name, name), label)
            text = nodes.paragraph("", field["description"])
            meaning = nodes.definition("", text)
            found += nodes.definition_list_item("", term, meaning)
        return [found]


OPERATION_COLUMNS = (
    "operation",
    "request",
    "API key",
    "an unknown outcome is repeated",
    "a 2xx has to hold",
)


class OperationTable(Directive):
    """The service's operations, as the package has them in one table."""

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        rows = [OPERATION_COLUMNS, ("---",) * len(OPERATION_COLUMNS)]
        for operation in OPERATIONS.values():
            repeated = "yes" if operation.repeatable else "no"
            row = (
                f"`{operation.name}`",
                f"`{operation.method} {operation.path}`",
                operation.key.value,
                repeated,
                operation.result.value,
            )
            rows.append(row)
        lines = [f"| {' | '.join(row)} |" for row in rows]
        table = nodes.container()
        self.state.nested_parse(
            StringList(lines, source="operations"), 0, table
        )
        return table.children


class InterfaceTable(Directive):
    """What users may import: the operators, and the page's own rows."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Make the table."""
        columns = "| module | what | for |"
        of_operators = [_operator_row(name) for name in operators.__all__]
        lines = [columns, "|---|---|---|", *of_operators, *self.content]
        table = nodes.container()
        self.state.nested_parse(
            StringList(lines, source="interface"), 0, table
        )
        return table.children


def _operator_row(name: str) -> str:
    """Return the row of an operator, with its docstring's beginning."""
    operator = getattr(operators, name)
    page = f"operators.md#{name.lower()}"
    if operator.__module__.startswith("wes_provider.storage"):
        page = "storage-reference.md#classes"
    purpose = (operator.__doc__ or "").strip().split(".")[0]
    purpose = " ".join(purpose.split()).replace("``", "`")
    return f"| `wes_provider.operators` | [`{name}`]({page}) | {purpose} |"
