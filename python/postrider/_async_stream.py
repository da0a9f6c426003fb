"""Streams for programs that await."""
from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import Any, AsyncIterator, Generic, Optional, Tuple

from ._async_caller import AsyncCaller, Task
from ._event_stream import Item, ResumableStream
from ._work import Work
from .errors import AbortedError

_ENDED = object()


class AsyncStream(Generic[Item]):
    """
    A stream of items, which begins when it is made. It never ends by itself: `close` ends it, as does leaving an
    `async with` block over it. It continues after temporary failures, such as lost connections. A task that is cancelled
    while it waits for the next item loses none.
    """

    def __init__(self, caller: AsyncCaller, open_stream: "Task[ResumableStream[Item]]") -> None:
        self._caller = caller
        self._opened, self._opening = caller.begin(open_stream, caller.sync.new_wait(None))
        self._pending: "Optional[Tuple[Future[Any], Work]]" = None
        """The wait for the next item, which a cancelled task leaves to the next one."""

    @property
    def cursor(self) -> Optional[str]:
        """
        The place after the last item that was returned. Store it once you have handled the item. Another stream that gets
        it as `after` continues there, even in another process. It is `None` until the stream has found the place where it
        begins; `ready` waits for that.
        """
        is_open = self._opened.done() and not self._opened.cancelled() and self._opened.exception() is None
        return self._opened.result().cursor if is_open else None

    async def ready(self) -> str:
        """Waits until the stream has found the place where it begins, and returns that place."""
        return (await self._stream()).cursor

    def close(self) -> None:
        """Ends the stream, even while it waits in another task."""
        self._opening.stop()
        self._opened.add_done_callback(_close)

    async def _stream(self) -> ResumableStream[Item]:
        return await asyncio.shield(asyncio.wrap_future(self._opened))

    async def __anext__(self) -> Item:
        stream = await self._stream()
        while True:
            if self._pending is None:
                work = self._caller.sync.new_work()
                self._pending = self._caller.begin(lambda _, own: _next(stream, own), work)
            future, work = self._pending
            try:
                item = await asyncio.shield(asyncio.wrap_future(future))
            except asyncio.CancelledError:
                work.stop()
                raise
            except AbortedError:
                # An earlier task was cancelled while it waited.
                self._pending = None
                continue
            except BaseException:
                self._pending = None
                raise
            self._pending = None
            if item is _ENDED:
                raise StopAsyncIteration
            return item

    def __aiter__(self) -> AsyncIterator[Item]:
        return self

    async def __aenter__(self) -> "AsyncStream[Item]":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


def _close(opened: "Future[ResumableStream[Any]]") -> None:
    if not opened.cancelled() and opened.exception() is None:
        opened.result().close()


def _next(stream: ResumableStream[Any], work: Work) -> Any:
    """Returns the next item. A future cannot have `StopIteration` as its error."""
    try:
        return stream.next_with(work)
    except StopIteration:
        return _ENDED
