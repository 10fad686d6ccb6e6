"""What follows for paths from an accepted upload that no read of them shows. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from wes_provider.doctor.findings.finding import Finding
from wes_provider.doctor.reads import facts
from wes_provider.doctor.reads.evidence import Evidence, Places, listed_in

__all__ = ["NOT_AGAIN", "reaches_other_system", "warned", "without_second_upload"]

NOT_AGAIN: Final = "It was accepted: do not upload it again."


def warned(finding: Finding, tried: Places, *, is_shown: bool) -> Finding:
    """
    Return a finding on a path with the warning not to upload the file again, if the path should
    have an accepted upload, and does not show it.
    """
    if is_shown or not tried.uploaded or not finding.is_trouble:
        return finding
    return replace(finding, text=f"{finding.text} {NOT_AGAIN}")


def without_second_upload(statuses: Finding) -> Finding:
    """
    Return what is said of an accepted file's statuses with the same warning, if its reads got two
    answers, so that nothing is said of how it ended.
    """
    if not statuses.has_two_answers:
        return statuses
    return replace(statuses, text=f"{statuses.text} {NOT_AGAIN}")


def reaches_other_system(evidence: Evidence, tried: Places) -> bool:
    """
    Tell whether uploads may reach another system than reads: neither the list nor the path of one
    file has the uploaded file, and both have older ones.
    """
    before = facts.places(evidence)
    if not tried.uploaded or before.listed is None or not before.listed_files:
        return False
    missed = tried.files.get(before.file_path)
    if missed is None or not missed.is_not_found:
        return False
    path = before.listed.path
    listing = tried.lists.get(path)
    if listing is None:
        return False
    listed = listed_in(path, listing)
    return listed is not None and not listed.incomplete and bool(listed.files)
