"""What an argument may hold, before its template is rendered and after."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final
from urllib.parse import urlsplit

from wes_provider.exceptions import WesConfigurationError
from wes_provider.json_values import check_sendable, read_json
from wes_provider.texts import shown

# A service fetches these by itself.
WEB_SCHEMES: Final = ("http", "https", "ftp", "ftps", "sftp")
# What to do with a local file.
HOSTING: Final = (
    "Put it into object storage (s3://, gs://, abfs://), or on a web server and pass its https "
    "URL; "
    "on a laptop, wes-emulator hosts a folder with --host-folder"
)
# Characters; identifiers are parts of paths, whose length servers limit.
LONGEST_IDENTIFIER: Final = 1024
# What to do about a string that native rendering made a number of.
KEEP_STRING: Final = (
    "It takes a string. With render_template_as_native_obj, a template that looks like a number "
    "becomes one: put it in quotes, as in \"'{{ params.x }}'\"; and write a literal as a string."
)
# Unicode's categories of what no string may hold: controls, halves of characters, line breaks.
CONTROLS: Final = ("Cc", "Cs", "Zl", "Zp")
# Unicode has no names for these.
CONTROL_NAMES: Final = {
    "\0": "NUL",
    "\a": "BELL",
    "\b": "BACKSPACE",
    "\t": "TAB",
    "\n": "LINE FEED",
    "\v": "VERTICAL TAB",
    "\f": "FORM FEED",
    "\r": "CARRIAGE RETURN",
    "\x1b": "ESCAPE",
    "\x7f": "DELETE",
    "\x85": "NEXT LINE",
}
LOCAL_PATHS: Final = ("/", "./", "../", "~")
ONE_URL: Final = (
    "One is https://files.example.com/coupons.csv, white space and commas percent-encoded. "
    "Several files are for WesReplenishCouponListOperator."
)


# -- templates -------------------------------------------------------------------------------------


def templated(*values: Any) -> bool:
    """
    Return whether anything of some arguments is filled in when the task runs: by Jinja, from a
    ``.json`` file, or from another task's output.
    """
    return any(is_template_file(value) or _has_template(value) for value in values)


def is_template_file(value: Any) -> bool:
    """Return whether an argument is the path of a ``.json`` file, which Airflow reads."""
    return isinstance(value, str) and value.endswith(".json") and "://" not in value


def _has_template(value: Any) -> bool:
    if isinstance(value, str):
        return "{{" in value or "{%" in value
    if isinstance(value, Mapping):
        return any(_has_template(item) for item in value.values())
    if isinstance(value, (list, tuple, set)):
        return any(_has_template(item) for item in value)
    # Airflow's XComArg and other references.
    return hasattr(value, "resolve")


def early(check: Callable[..., Any], *given: Any) -> None:
    """Check an argument when the DAG is parsed, unless anything of it is filled in later."""
    if not templated(*given):
        check(*given)


def in_storage(value: Any) -> bool:
    """
    Return whether a value names coupon files in object storage, instead of a URL that the service
    can fetch as it is.
    """
    if isinstance(value, str):
        scheme, separator, _ = value.strip().partition("://")
        return bool(separator) and scheme.lower() not in WEB_SCHEMES and scheme.isalnum()
    # BucketFiles, ObjectStoragePath.
    return hasattr(value, "url_lifetime") or hasattr(value, "samestore")


def from_json(field: str, value: Any) -> Any:
    """
    Return the value of a JSON-valued argument, which a template or a ``.json`` file gives as a
    string.

    :raises WesConfigurationError: if a string is no JSON, is ``null``, or would lose something.
    """
    if not isinstance(value, str):
        return value
    try:
        parsed = read_json(field, value)
    except WesConfigurationError:
        raise
    except (ValueError, RecursionError) as error:
        raise WesConfigurationError(
            f"{field} is a string that is not JSON: {shown(value)}\n"
            f"Use the tojson filter in a template, or pass the other task's output.\n{error}"
        ) from None
    if parsed is None:
        raise WesConfigurationError(
            f"{field} is the JSON text null\nThe template or the other task has no value."
        )
    return parsed


def find_lost(field: str, text: str) -> list[str]:
    """Return what would be lost of a text if it is JSON, as messages; none if it is not."""
    try:
        read_json(field, text)
    except WesConfigurationError as error:
        return [str(error)]
    except (ValueError, RecursionError):
        return []
    return []


# -- checks ----------------------------------------------------------------------------------------


def check_choice(field: str, value: Any, *choices: str) -> None:
    """Check an argument that takes one of some words."""
    if value not in choices:
        raise WesConfigurationError(
            f"{field} takes {', '.join(choices[:-1])} or {choices[-1]}, not {shown(value)}"
        )


def check_boolean(field: str, value: Any) -> None:
    """Check an argument that is true or false: the string ``'false'`` would count as true."""
    if not isinstance(value, bool):
        raise WesConfigurationError(f"{field} takes True or False, not {shown(value)}")


def one_or_several(value: Any) -> list[Any]:
    """Return what an argument has that takes one object or several; a string is one."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        return list(value)
    return [value]


def check_notifiers(field: str, value: Any) -> None:
    """Check what is called with a task's context: a callable, such as a notifier, or several."""
    for notifier in one_or_several(value):
        if not callable(notifier):
            raise WesConfigurationError(
                f"{field} takes a notifier of Airflow, or a list of them, not {shown(notifier)}"
            )


def check_seconds(field: str, value: Any) -> None:
    """Check an argument that holds seconds."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not 0 < value < float("inf"):
        raise WesConfigurationError(f"{field} takes seconds above 0, not {shown(value)}")


def check_whole_number(field: str, value: Any) -> None:
    """Check an argument that counts something."""
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if not is_number or value < 0:
        raise WesConfigurationError(f"{field} takes a whole number from 0 up, not {shown(value)}")


def text_of(field: str, value: Any, *, secret: bool = False) -> str:
    """
    Check an argument that takes a string.

    Any script and any kind of space passes; controls, line breaks and halves of characters do not.

    :param secret: whether messages must not show the value.
    :raises WesConfigurationError: if it is no string, is empty or has such characters.
    """
    if not isinstance(value, str):
        what = "" if secret else f" {shown(value)}"
        hint = f"\n{KEEP_STRING}" if isinstance(value, (int, float)) else ""
        raise WesConfigurationError(
            f"{field} takes a string, not {type(value).__name__}{what}{hint}"
        )
    if not value.strip():
        raise WesConfigurationError(
            f"{field} is empty\nIf a template set it, check the rendered value."
        )
    for character in value:
        if unicodedata.category(character) in CONTROLS:
            raise _refused_character(field, character, "" if secret else value)
    return value


def _refused_character(field: str, character: str, text: str) -> WesConfigurationError:
    """
    Return the error of a character, by its name in Unicode.

    :param text: that has it; empty if messages must not show it.
    """
    name = unicodedata.name(character, CONTROL_NAMES.get(character, ""))
    if not name:
        is_half = unicodedata.category(character) == "Cs"
        name = "half of a character" if is_half else "a control character"
    what = f" {shown(text)}" if text else ""
    return WesConfigurationError(
        f"{field} holds U+{ord(character):04X}, {name}{what}\n"
        "Such a character cannot be sent: remove it, or check where the value comes from."
    )


def _check_is_printable(field: str, text: str) -> None:
    """Check a string that becomes part of a URL: nothing in it is invisible."""
    for character in text:
        if not character.isprintable():
            raise _refused_character(field, character, text)


def identifier(field: str, value: Any) -> str:
    """
    Check an identifier that becomes one segment of a path.

    :raises WesConfigurationError: if it is no string, is empty, still holds a template, has
        something invisible or spaces around it, or has a dot segment, which HTTP clients and
        servers would resolve to another path.
    """
    text = text_of(field, value)
    _check_is_printable(field, text)
    if text != text.strip():
        raise WesConfigurationError(
            f"{field} has a space around it: {shown(text)}\n"
            "Remove it, or check where the value comes from: no identifier begins or ends so."
        )
    is_dots = not {".", ".."}.isdisjoint(text.split("/"))
    if "{{" in text or is_dots or len(text) > LONGEST_IDENTIFIER:
        raise WesConfigurationError(
            f"{field} is {shown(text)}, which is no identifier\n"
            "If it is a template, it was not rendered: is the argument one of the operator's "
            "template_fields?"
        )
    return text


def is_identifier(value: Any) -> bool:
    """Return whether a value can be an identifier: what the service sends may be none."""
    if isinstance(value, str) and value.isascii() and value.isalnum():
        # Nearly all are so, and a list has thousands.
        return len(value) <= LONGEST_IDENTIFIER
    try:
        identifier("identifier", value)
    except WesConfigurationError:
        return False
    return True


def absolute_url(field: str, value: Any) -> str:
    """
    Check that a value is exactly one absolute URL (contract section 4.1, ``file_url``).

    :return: it, without blanks around it.
    :raises WesConfigurationError: on anything else. The message shows the URL without its query.
    """
    text = text_of(field, value.strip()) if isinstance(value, str) else ""
    if text.startswith(LOCAL_PATHS):
        raise WesConfigurationError(
            f"{field} is a local file, which the service cannot fetch: {shown(text)}\n{HOSTING}."
        )
    if not _has_scheme_and_host(text) or _holds_several_urls(text):
        raise WesConfigurationError(
            f"{field} takes an absolute URL, exactly one, not {shown(value)}\n{ONE_URL}"
        )
    _check_is_printable(field, text)
    return text


def _has_scheme_and_host(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return bool(parts.scheme and parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _holds_several_urls(text: str) -> bool:
    if len(text.split()) > 1:
        return True
    lower = text.lower()
    return any(f"{separator}{scheme}://" in lower for separator in ",;|" for scheme in WEB_SCHEMES)


def json_bytes(body: Mapping[str, Any]) -> bytes:
    """
    Return a body as it goes over the wire.

    :raises WesConfigurationError: if JSON has no form for a value; the message names its place.
    """
    for field, value in body.items():
        try:
            json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            with suppress(RecursionError):
                check_sendable(field, value)
            raise WesConfigurationError(f"{field} cannot be sent as JSON\n{error}") from None
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
