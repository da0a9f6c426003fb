"""Calls in threads of their own. Cancelling the task of a call closes its connection."""
from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Callable, Mapping, Optional

from ._async_page import AsyncPages
from ._caller import Caller, Result, end_search
from ._given import RequestOptions
from ._work import Work

Task = Callable[[Caller, Work], Result]


class AsyncCaller:
    """Makes the calls of a client that awaits."""

    def __init__(self, sync: Caller, pool: ThreadPoolExecutor) -> None:
        self.sync = sync
        self.pool = pool

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
        """Calls a route that returns one page of a list, once the pages are awaited or iterated over."""
        return AsyncPages(
            self.run,
            lambda caller, work: caller.list(name, path_id=path_id, query=query, options=options, work=work),
        )

    async def run(self, task: Task[Result]) -> Result:
        """Runs several calls as one piece of work."""
        return await self._finish(*self.begin(task, self.sync.new_work()))

    async def wait(self, timeout: Optional[float], task: Task[Result]) -> Result:
        """Runs a wait, which begins now."""
        return await self._finish(*self.begin(task, self.sync.new_wait(timeout)))

    def begin(self, task: Task[Result], work: Work) -> "tuple[Future[Result], Work]":
        """Begins work in a thread."""
        future = self.pool.submit(task, self.sync, work)
        future.add_done_callback(lambda _: end_search(work))
        return future, work

    async def _finish(self, future: "Future[Result]", work: Work) -> Result:
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            work.stop()
            raise
