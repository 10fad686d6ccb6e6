"""What can go wrong with coupon files in object storage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wes_provider.exceptions import WesError

__all__ = [
    "WesFileChangedError",
    "WesFileNotFoundError",
    "WesPreflightError",
    "WesReconciliationError",
    "WesSigningError",
]

SHOWN_PROBLEMS: Final = 20


class WesFileNotFoundError(WesError):
    """No object matches, or an object is gone. A retry lists the bucket again."""


class WesFileChangedError(WesError):
    """An object was overwritten after the task listed it. A retry lists it, and checks it, as another file."""


class WesSigningError(WesError):
    """The storage cannot sign a URL that lives long enough."""

    permanent = True


class WesPreflightError(WesError):
    """
    Coupon files must not be uploaded; nothing was sent.

    :ivar problems: of all files, each a sentence.
    """

    permanent = True

    def __init__(self, problems: Sequence[str], files: int) -> None:
        shown = list(problems[:SHOWN_PROBLEMS])
        if len(problems) > len(shown):
            shown.append(f"and {len(problems) - len(shown)} more problems")
        super().__init__(
            f"The preflight found {len(problems)} problems in {files} coupon files; nothing was sent.\n"
            "Fix the files and clear the task; preflight=False uploads them as they are.\n" + "\n".join(shown)
        )
        self.problems = list(problems)


class WesReconciliationError(WesError):
    """
    The service added fewer codes than the files have. They are uploaded; uploading them again adds none.

    :ivar problems: of all files, each a sentence.
    """

    permanent = True

    def __init__(self, coupon_list_id: str, min_added_ratio: float, problems: Sequence[str], files: int) -> None:
        super().__init__(
            f"List {coupon_list_id}: {len(problems)} of {files} files fall below min_added_ratio={min_added_ratio}.\n"
            "The files are uploaded: check whether the list had their codes before. Do not upload them again.\n"
            + "\n".join(problems[:SHOWN_PROBLEMS])
        )
        self.problems = list(problems)
