"""Streams for async programs."""
from __future__ import annotations

import asyncio
from concurrent.futures import Future
from typing import Any, AsyncIterator, Generic, Optional, Tuple, TypeVar

from ._async_caller import AsyncCaller, Task
from ._caller import Caller
from ._event_stream import Item, ResumableStream
from ._work import Work
from .errors import AbortedError

_ENDED = object()
Result = TypeVar("Result")
Begun = Tuple[Future[Result], Work]
Placed = Tuple[Result, str]
"""A stream with the place where it begins, or an item with the place after it."""


class AsyncStream(Generic[Item]):
    """
    A stream of items that begins when it is created. It runs until `close` is called or an `async with` block over it ends. It
    continues after temporary failures, such as lost connections. Several tasks can share it: each item goes to one of them.
    Cancelling a task that waits for the next item loses no item. If the task is cancelled before the stream is ready, the next
    task starts the stream again.
    """

    def __init__(self, caller: AsyncCaller, open_stream: "Task[ResumableStream[Item]]") -> None:
        self._caller = caller
        self._open_stream = open_stream
        self._is_closed = False
        self._cursor: Optional[str] = None
        """The place after the last item that was returned; `None` before the first one."""
        self._opening = self._open()
        self._pending: "Optional[Begun[Placed[Any]]]" = None
        """The wait for the next item. If a task is cancelled, the next task takes over its wait."""
        self._turn = asyncio.Lock()
        """Held by the task that waits for the next item, so that another task gets the item after it."""

    @property
    def cursor(self) -> Optional[str]:
        """
        The place after the last item that was returned. Store it once you have handled the item. Another stream that gets it as
        `after` continues there, even in another process. It is `None` until the stream has found its starting place; `ready`
        waits for that.
        """
        opened, _ = self._opening
        if self._cursor is None and opened.done() and opened.exception() is None:
            return opened.result()[1]
        return self._cursor

    async def ready(self) -> str:
        """Waits until the stream has found its starting place, and returns that place."""
        return (await self._opened())[1]

    def close(self) -> None:
        """Ends the stream, even while it waits in another task."""
        self._is_closed = True
        opened, work = self._opening
        work.stop()
        opened.add_done_callback(_close)

    def _open(self) -> "Begun[Placed[ResumableStream[Item]]]":
        def open_placed(caller: Caller, work: Work) -> "Placed[ResumableStream[Item]]":
            stream = self._open_stream(caller, work)
            return stream, stream.cursor

        return self._caller.begin(open_placed, self._caller.sync.new_wait(None))

    async def _opened(self) -> "Placed[ResumableStream[Item]]":
        while True:
            opening = self._opening
            try:
                return await _finish(opening)
            except AbortedError:
                if self._is_closed:
                    raise
                # An earlier task was cancelled while it waited. Another task may have reopened the stream since.
                if self._opening is opening:
                    self._opening = self._open()

    async def __anext__(self) -> Item:
        async with self._turn:
            try:
                stream, _ = await self._opened()
                item, cursor = await self._take(stream)
            except AbortedError:
                # The stream or its client was closed.
                raise StopAsyncIteration from None
            if item is _ENDED:
                raise StopAsyncIteration
            self._cursor = cursor
            return item

    async def _take(self, stream: ResumableStream[Item]) -> "Placed[Any]":
        while True:
            if self._pending is None:
                work = self._caller.sync.new_work()
                self._pending = self._caller.begin(lambda _, own: _next(stream, own), work)
            try:
                placed = await _finish(self._pending)
            except asyncio.CancelledError:
                raise
            except AbortedError:
                # An earlier task was cancelled while it waited.
                self._pending = None
                continue
            except BaseException:
                self._pending = None
                raise
            self._pending = None
            return placed

    def __aiter__(self) -> AsyncIterator[Item]:
        return self

    async def __aenter__(self) -> "AsyncStream[Item]":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()


async def _finish(begun: "Begun[Result]") -> Result:
    """Waits for work, and stops it if the task is cancelled. The next task can still get its result."""
    future, work = begun
    own = asyncio.wrap_future(future)
    # Otherwise the event loop would log the failure of work that was stopped.
    own.add_done_callback(lambda done: done.cancelled() or done.exception())
    try:
        return await asyncio.shield(own)
    except asyncio.CancelledError:
        work.stop()
        raise


def _close(opened: "Future[Placed[ResumableStream[Any]]]") -> None:
    if opened.exception() is None:
        opened.result()[0].close()


def _next(stream: ResumableStream[Any], work: Work) -> "Placed[Any]":
    """Returns the next item. A future cannot have `StopIteration` as its error."""
    try:
        item = stream.next_with(work)
    except StopIteration:
        item = _ENDED
    return item, stream.cursor
