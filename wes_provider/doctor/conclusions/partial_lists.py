"""What to say of a list that its reply shows only a part of. Pure."""

from __future__ import annotations

from typing import Final

from wes_provider.client import responses
from wes_provider.doctor.conclusions.notices import notices_beside
from wes_provider.doctor.conclusions.path_words import named
from wes_provider.doctor.reads import next_pages, pages, sayings
from wes_provider.doctor.reads.evidence import Evidence, Listed, Places, listed_in
from wes_provider.doctor.reads.next_pages import Behind
from wes_provider.doctor.replies.probes import Probe
from wes_provider.doctor.replies.subjects import Subject, subject_of
from wes_provider.doctor.replies.words import quoted
from wes_provider.texts import counted

__all__ = [
    "about_pages",
    "announced",
    "has_missing_part",
    "is_changed_on_the_way",
    "is_same_without_pointer",
    "larger_page",
    "may_have_more",
    "part_of",
    "said_beside",
    "silent_page",
    "size_of_page",
    "summed_counts",
]

OK: Final = 200
PARTIAL_CONTENT: Final = 206


def is_changed_on_the_way(listed: Listed) -> bool:
    """Tell whether only its status says that a list may be incomplete, and that is no 206."""
    if listed.probe.status in (OK, PARTIAL_CONTENT):
        return False
    with_200 = listed.probe.response._replace(status_code=OK)
    return not responses.listing(listed.probe.request, with_200).incomplete


def has_missing_part(listed: Listed) -> bool:
    """Tell whether nothing but an error or an omission says that a list is incomplete."""
    is_page = pages.next_pages(listed.probe) or pages.larger_total(listed) is not None
    return bool(listed.incomplete) and not is_page and bool(pages.missing_part(listed))


def announced(listed: Listed) -> str:
    """Tell what announces that a list is incomplete."""
    total = pages.larger_total(listed)
    if total is not None:
        return f"{len(listed.files)} of {counted(total, 'file')}"
    if pages.next_pages(listed.probe):
        return "the service names a next page"
    return listed.incomplete.removeprefix("the service shows a part of the list only: ")


def may_have_more(evidence: Evidence, listed: Listed, whole: list[Probe]) -> str:
    """
    Tell what holds if a list announces more files: what it says of them, or what is behind it where
    it only points at more.

    :param whole: the reads of larger pages.
    """
    said = f"{announced(listed)}{said_beside(listed)}"
    behind = next_pages.what_is_behind(evidence, listed)
    what_to_do = f"{larger_page(listed, whole)}. {about_pages(listed, whole)}"
    if behind is Behind.NOTHING:
        return (
            f"{named(listed.path)} announces more than its {counted(len(listed.files), 'file')} "
            f"({said}), and behind that is no file: the list seems to be whole. But tasks take it "
            "for a part, so an upload whose response is lost needs a person. No setting helps: ask "
            "the service's support to announce nothing on the last page."
        )
    if behind is Behind.FILES:
        number = counted(next_pages.further_files(evidence, listed), "further file")
        return (
            f"{named(listed.path)} has a part of the list only: {said}, and behind that is a page "
            f"with {number}; {what_to_do}"
        )
    if next_pages.is_only_pointed_at(listed) and not _has_larger_page_more(listed, whole):
        return (
            f"{named(listed.path)} may have a part of the list only: {said}; tasks take it for "
            f"one, though no file may be behind that; {what_to_do}"
        )
    return f"{named(listed.path)} has a part of the list only: {said}; {what_to_do}"


def _has_larger_page_more(listed: Listed, whole: list[Probe]) -> bool:
    """Tell whether a larger page has files that a list has not."""
    larger = [listed_in(probe.tried, probe) for probe in whole]
    known = set(listed.file_ids)
    return any(page is not None and not known.issuperset(page.file_ids) for page in larger)


def summed_counts(listed: Listed) -> str:
    """
    Return the name of the counts of coupons whose sum is the total that a reply gives, so that this
    may count coupons and not files; empty if there are none, or the reply names a next page.
    """
    total = pages.total_of(listed)
    if total is None or total <= len(listed.files) or pages.next_pages(listed.probe):
        return ""
    names = dict.fromkeys(name for file in listed.files for name in file.counts)
    for name in names:
        if sum(file.counts.get(name, 0) for file in listed.files) == total:
            return name
    return ""


def said_beside(listed: Listed) -> str:
    """Return what a reply says to people beside the files, in parentheses; empty without any."""
    said = " ".join(notices_beside(listed.probe.content).values())
    if not said:
        return ""
    return f" ({quoted(listed.probe.clean(said), sayings.SAYS)})"


def silent_page(evidence: Evidence, listed: Listed) -> str:
    """Tell what to do about a page that does not say that it is one; empty if it is none."""
    larger = pages.list_with_more(evidence, listed)
    behind = pages.page_behind(evidence, listed)
    if larger is not None:
        shows = f"with {size_of_page(larger.path)} it has {len(larger.files)}"
    elif behind is not None:
        shows = f"with {behind.path.rpartition('?')[2]} it has another one"
    else:
        return ""
    return (
        f"{named(listed.path)} has {counted(len(listed.files), 'file')}, and {shows}: it is a "
        "page, though no reply says so. An upload whose outcome is not known is not found on "
        "another page. Ask the service's support for a path that has all files, or for the "
        "largest page."
    )


def larger_page(listed: Listed, whole: list[Probe]) -> str:
    """Tell what came of the read of a larger page."""
    if not whole and "?" in listed.path:
        return "a larger page was not read, since paths.coupon_files names its query"
    if not whole:
        return "a larger page was not read"
    return ", ".join(_page_says(listed, probe) for probe in whole)


def about_pages(listed: Listed, whole: list[Probe]) -> str:
    """Tell what to do about a list that no page shows as a whole."""
    about = subject_of("", " ".join(notices_beside(listed.probe.content).values()))
    if about is not None and about.subject is Subject.SCOPE:
        return "Ask an administrator of the account for a key that may see all of them."
    refused = {size_of_page(probe.tried) for probe in whole if not probe.success}
    for probe in whole:
        size = pages.largest_page(listed, probe)
        if size is not None and str(size) not in refused:
            return (
                f"Use lists of at most {size.most} files, with ?{size} at the end of "
                "paths.coupon_files, or ask the service's support for larger pages: an upload "
                "whose outcome is not known is not found on another page."
            )
    unit = pages.range_unit(listed)
    if unit:
        most = len(listed.files)
        return (
            f"Parts come by the header Range ({unit}), which the provider cannot send, so it does "
            "not find an upload whose outcome is not known on another part. Use lists of at most "
            f"{counted(most, 'file')}, if these come with status 200, or ask the service's support "
            "for a path that has all files."
        )
    return "Ask the service's support for a path that has all files."


def _page_says(listed: Listed, probe: Probe) -> str:
    """Tell what came of one read of a larger page."""
    size = size_of_page(probe.tried)
    largest = pages.largest_page(listed, probe)
    if probe.success and largest is not None:
        return f"{size} gets {largest.most}, which is the largest page"
    if probe.success:
        return f"{size} does not show all"
    return f"{size} gets {probe.answer}{sayings.words_of(probe)}"


def is_same_without_pointer(listed: Listed, partial: Listed | None) -> bool:
    """Tell whether a list has no more files than one that only points at more."""
    if partial is None or not next_pages.is_only_pointed_at(partial):
        return False
    return set(listed.file_ids) == set(partial.file_ids)


def part_of(tried: Places) -> str:
    """
    Tell how many files of how many the connection's path has, in parentheses; empty if unknown.
    """
    first = tried.partial
    total = None
    if first is not None:
        total = pages.total_of(first)
    if first is None or total is None or total <= len(first.files):
        return ""
    return f" ({len(first.files)} of {counted(total, 'file')})"


def size_of_page(path: str) -> str:
    """Return the last parameter of a path, such as ``limit=1000``."""
    return path.rpartition("?")[2].rpartition("&")[2]
