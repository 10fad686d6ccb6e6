"""What can go wrong with coupon files in object storage."""

from __future__ import annotations

from wes_provider.exceptions import WesError

__all__ = ["WesFileChangedError", "WesFileNotFoundError", "WesSigningError"]


class WesFileNotFoundError(WesError):
    """No object matches, or an object is gone. A retry lists the bucket again."""


class WesFileChangedError(WesError):
    """An object was overwritten after the task listed it. A retry lists it, and checks it, as another file."""


class WesSigningError(WesError):
    """The storage cannot sign a URL that lives long enough."""

    permanent = True
