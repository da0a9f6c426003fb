"""Pages of lists for async programs."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, Generator, Generic, List

from ._page import Answer, Item, Page
from ._work import Work
from .errors import PostriderError

if TYPE_CHECKING:
    from ._caller import Caller

Run = Callable[["Callable[[Caller, Work], Page[Any, Any]]"], Awaitable[Any]]


class AsyncPage(Generic[Item, Answer]):
    """One page of a list. Iterating over it with `async for` yields its items and those of all pages after it."""

    def __init__(self, run: Run, page: Page[Item, Answer]) -> None:
        self.data = page.data
        """The response, such as `page.data["next_cursor"]`."""
        self.items = page.items
        """The items of this page."""
        self._run = run
        self._page = page

    def has_next_page(self) -> bool:
        """Returns whether there is a page after this one."""
        return self._page.has_next_page()

    async def next_page(self) -> "AsyncPage[Item, Answer]":
        """Requests the page after this one. Raises a `PostriderError` on the last page."""
        return AsyncPage(self._run, await self._run(lambda _, work: self._page.page_after(work)))

    async def to_list(self, *, limit: int) -> List[Item]:
        """Returns the items of this page and of the pages after it, at most `limit` of them."""
        if limit < 1:
            raise PostriderError(f"to_list needs a limit of 1 or more, but got {limit}.")
        found: List[Item] = []
        async for item in self:
            found.append(item)
            if len(found) == limit:
                break
        return found

    async def __aiter__(self) -> AsyncIterator[Item]:
        page = self
        while True:
            for item in page.items:
                yield item
            if not page.has_next_page():
                return
            page = await page.next_page()


class AsyncPages(Generic[Item, Answer]):
    """A list. Await it for its first page, or iterate over all its items with `async for`."""

    def __init__(self, run: Run, first: "Callable[[Caller, Work], Page[Item, Answer]]") -> None:
        self._run = run
        self._first = first

    def __await__(self) -> Generator[Any, None, AsyncPage[Item, Answer]]:
        return self._ask().__await__()

    async def to_list(self, *, limit: int) -> List[Item]:
        """Returns the items of the list, at most `limit` of them."""
        return await (await self).to_list(limit=limit)

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for item in await self:
            yield item

    async def _ask(self) -> AsyncPage[Item, Answer]:
        return AsyncPage(self._run, await self._run(self._first))
