"""Pages of lists."""
from __future__ import annotations

from typing import Callable, Generic, Iterator, List, Optional, TypeVar

from ._work import Work
from .errors import PostriderError

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Page(Generic[Item, Answer]):
    """One page of a list. Iterating over it yields its items and those of all pages after it."""

    def __init__(
        self,
        data: Answer,
        items: List[Item],
        ask_next: "Optional[Callable[[Optional[Work]], Page[Item, Answer]]]",
    ) -> None:
        self.data = data
        """The response, such as `page.data["next_cursor"]`."""
        self.items = items
        """The items of this page."""
        self._ask_next = ask_next

    def has_next_page(self) -> bool:
        """Returns whether there is a page after this one."""
        return self._ask_next is not None

    def next_page(self) -> "Page[Item, Answer]":
        """Requests the page after this one. Raises a `PostriderError` on the last page."""
        return self.page_after(None)

    def page_after(self, work: Optional[Work]) -> "Page[Item, Answer]":
        """Does the same as part of other work."""
        if self._ask_next is None:
            raise PostriderError("This is the last page.")
        return self._ask_next(work)

    def to_list(self, *, limit: int) -> List[Item]:
        """Returns the items of this page and of the pages after it, at most `limit` of them."""
        if limit < 1:
            raise PostriderError(f"to_list needs a limit of 1 or more, but got {limit}.")
        found: List[Item] = []
        for item in self:
            found.append(item)
            if len(found) == limit:
                break
        return found

    def __iter__(self) -> Iterator[Item]:
        page = self
        while True:
            yield from page.items
            if not page.has_next_page():
                return
            page = page.next_page()
