"""Runs calls in threads. Cancelling the task of a call closes its connection."""
from __future__ import annotations

import asyncio
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Callable, Mapping, Optional, Set

from ._async_page import AsyncPages
from ._caller import Caller, Result, end_search
from ._given import RequestOptions
from ._work import Work
from .errors import AbortedError

Task = Callable[[Caller, Work], Result]


class Threads:
    """The threads of a client and the work in them. Clients that are derived from it share them."""

    def __init__(self, most: int) -> None:
        self._pool = ThreadPoolExecutor(max_workers=most, thread_name_prefix="postrider")
        self._lock = threading.Lock()
        self._works: Set[Work] = set()
        self._is_closed = False

    def begin(self, task: Task[Result], caller: Caller, work: Work) -> "Future[Result]":
        """Begins work in a thread. Raises an `AbortedError` once the threads are closed."""
        with self._lock:
            if self._is_closed:
                raise AbortedError("The client was closed.")
            future = self._pool.submit(task, caller, work)
            self._works.add(work)
        future.add_done_callback(lambda _: self._end(work))
        return future

    def close(self) -> None:
        """Stops all work, because a program waits for its threads when it exits."""
        with self._lock:
            self._is_closed = True
            works = list(self._works)
        for work in works:
            work.stop()
        self._pool.shutdown(wait=False)

    def _end(self, work: Work) -> None:
        end_search(work)
        with self._lock:
            self._works.discard(work)


class AsyncCaller:
    """Makes the calls of an async client."""

    def __init__(self, sync: Caller, threads: Threads) -> None:
        self.sync = sync
        self.threads = threads

    async def call(
        self,
        name: str,
        *,
        path_id: Optional[str] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        options: Optional[RequestOptions] = None,
    ) -> Any:
        """Calls a route and returns its response; `None` if it has no body."""
        return await self.run(
            lambda caller, work: caller.call(
                name, path_id=path_id, query=query, body=body, options=options, work=work
            )
        )

    def list(
        self,
        name: str,
        *,
        path_id: Optional[str] = None,
        query: Optional[Mapping[str, Any]] = None,
        options: Optional[RequestOptions] = None,
    ) -> AsyncPages[Any, Any]:
        """Returns the pages of a list. The route is called once they are awaited or iterated over."""
        return AsyncPages(
            self.run,
            lambda caller, work: caller.list(name, path_id=path_id, query=query, options=options, work=work),
        )

    async def run(self, task: Task[Result]) -> Result:
        """Runs several calls as one piece of work."""
        return await self._finish(*self.begin(task, self.sync.new_work()))

    async def wait(self, timeout: Optional[float], task: Task[Result]) -> Result:
        """Runs a wait that begins now."""
        return await self._finish(*self.begin(task, self.sync.new_wait(timeout)))

    def begin(self, task: Task[Result], work: Work) -> "tuple[Future[Result], Work]":
        """Begins work in a thread."""
        return self.threads.begin(task, self.sync, work), work

    async def _finish(self, future: "Future[Result]", work: Work) -> Result:
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            work.stop()
            raise
