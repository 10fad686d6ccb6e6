"""
What users import is a promise: these names are in these places, with these arguments and defaults;
and a docstring says of each templated argument, and of no other, that it is.
"""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

import pytest

from wes_provider import operators
from wes_provider.sensors import WesCouponFileSensor

NAMES = {
    "assets": "catalog coupon_list segment",
    "emulator": "Emulator EmulatorControl",
    "exceptions": (
        "WesAuthenticationError WesBadRequestError WesConfigurationError WesConflictError "
        "WesConnectionError "
        "WesCouponFileFailedError WesError WesForbiddenError WesNotFoundError "
        "WesPayloadTooLargeError "
        "WesRateLimitError WesResponseError WesServerError WesTimeoutError WesUnknownOutcomeError"
    ),
    "hooks": "WesHook",
    "links": "WesConsoleLink",
    "models": "CatalogAttribute all_of user_attribute",
    "operators": (
        "WesCreateCatalogOperator WesReplenishCouponListOperator WesUpdateSegmentOperator "
        "WesUploadCouponFileOperator"
    ),
    "sensors": "WesCouponFileSensor",
    "triggers": "WesCouponFileTrigger WesCouponListTrigger",
}
"""
The modules of the package that users import from, and what they find there; more may be there, too.
"""

FILE: dict[str, Any] = {
    "coupon_list_id": ...,
    "file_url": ...,
    **dict.fromkeys(
        ("name", "file_url_auth_username", "file_url_auth_password", "created_by", "callback_url")
    ),
}
POLLING = {"poll_interval": 60, "timeout": 7200}
ASKING = {"on_unknown": "fail", "decision_timeout": 86400, "notifiers": ()}
WAITING = {
    **ASKING,
    "wait_for_completion": False,
    "on_duplicate": "adopt",
    "file_url_auth_conn_id": None,
    **POLLING,
}

# fmt: off
ARGUMENTS: dict[str, dict[str, Any]] = {
    "operators.WesUploadCouponFileOperator": {**FILE, **WAITING},
    "operators.WesReplenishCouponListOperator": {"coupon_list_id": ..., "files": ..., "max_failed_files": 0, **POLLING, **ASKING},
    "operators.WesCreateCatalogOperator": {"name": ..., "price_currency": ..., "attributes": ..., "if_exists": "fail", **ASKING},
    "operators.WesUpdateSegmentOperator": {
        **dict.fromkeys(("name", "included_filters", "updated_by")), "segment_id": ..., "allow_empty": False
    },
    "sensors.WesCouponFileSensor": {"coupon_list_id": ..., "coupon_file_id": ..., "poke_interval": 60, "timeout": 7200},
    "hooks.WesHook": {"wes_conn_id": "wes_default"},
    "hooks.WesHook.upload_coupon_file": FILE,
    "hooks.WesHook.get_coupon_file": {"coupon_list_id": ..., "coupon_file_id": ...},
    "hooks.WesHook.list_coupon_files": {"coupon_list_id": ...},
    "hooks.WesHook.create_catalog": {"name": ..., "price_currency": ..., "attributes": ...},
    "hooks.WesHook.update_segment": {"segment_id": ..., "name": None, "included_filters": None, "updated_by": None},
    "hooks.WesHook.test_connection": {},
    "triggers.WesCouponListTrigger": {
        "coupon_list_id": ..., "wes_conn_id": "wes_default", "poll_interval": 60, "coupon_file_statuses": None
    },
    "models.CatalogAttribute": {"name": ..., "type": "string"},
    "models.user_attribute": {
        "name": ..., "values": ..., "data_type": "string", "operator": "in", "negate": False, "case_sensitive": False
    },
}
# fmt: on
"""
Arguments with their defaults; ``...`` for those that have to be given. More may be there, with
defaults.
"""


@pytest.mark.parametrize("module_name", NAMES)
def test_the_names_that_users_import_are_public(module_name: str):
    module = importlib.import_module(f"wes_provider.{module_name}")
    assert set(NAMES[module_name].split()) <= set(module.__all__)


@pytest.mark.parametrize("module_name", NAMES)
def test_all_names_that_are_public_are_there(module_name: str):
    module = importlib.import_module(f"wes_provider.{module_name}")
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


def parameters_of(found: Any) -> dict[str, inspect.Parameter]:
    """
    Of a function, or of a class's constructor with what it passes on to those of its bases in this
    package.
    """
    if not inspect.isclass(found) or found.__module__ == "wes_provider.models":
        return dict(inspect.signature(found).parameters)
    constructors = [
        vars(base).get("__init__")
        for base in found.__mro__
        if base.__module__.startswith("wes_provider")
    ]
    parameters: dict[str, inspect.Parameter] = {}
    for constructor in filter(None, constructors):
        parameters = {**inspect.signature(inspect.unwrap(constructor)).parameters, **parameters}
    return parameters


@pytest.mark.parametrize(
    "task",
    [*(getattr(operators, name) for name in operators.__all__), WesCouponFileSensor],
    ids=lambda task: task.__name__,
)
def test_the_docstring_calls_exactly_the_templated_arguments_so(task: Any):
    docs = "\n\n".join(
        str(base.__doc__) for base in task.__mro__ if base.__module__.startswith("wes_provider")
    )
    parameters = re.findall(r":param (\w+):(.*?)(?=\n    :|\n\n|\Z)", docs, re.DOTALL)
    assert {name for name, text in parameters if "templated)" in text} == set(task.template_fields)


def parameters_at(path: str) -> dict[str, inspect.Parameter]:
    """Of what is at a dotted path of the package."""
    module_name, *names = path.split(".")
    found: Any = importlib.import_module(f"wes_provider.{module_name}")
    for name in names:
        found = getattr(found, name)
    return parameters_of(found)


@pytest.mark.parametrize("path", ARGUMENTS)
def test_arguments_and_their_defaults_stay(path: str):
    parameters = parameters_at(path)
    pinned = ARGUMENTS[path]
    defaults = {name: parameters[name].default for name in pinned if name in parameters}
    assert {
        name: ... if default is inspect.Parameter.empty else default
        for name, default in defaults.items()
    } == pinned


@pytest.mark.parametrize("path", ARGUMENTS)
def test_no_other_argument_has_to_be_given(path: str):
    """The calls that users have written do not give one."""
    others = {
        name: parameter
        for name, parameter in parameters_at(path).items()
        if name not in {*ARGUMENTS[path], "self"}
        and parameter.kind not in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL)
    }
    assert [name for name, each in others.items() if each.default is each.empty] == []
