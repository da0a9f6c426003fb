"""Reads the event log by long polls, and repeats requests until they succeed."""
from __future__ import annotations

import math
import time
from typing import Any, Callable, Dict, List, Mapping, Optional

from ._caller import Caller
from ._retry import delay, may_pass
from ._work import Work

_POLL_SECONDS = 25
"""The length of a poll, which is less than the silence that proxies allow on a connection."""
_POLL_GAP = 0.25
"""The shortest time from one poll to the next if the first returns early and without events."""
PAGE_ITEMS = 100


class PersistentRequests:
    """Makes requests, which are repeated while the server is unreachable or busy."""

    def __init__(self, caller: Caller, work: Work) -> None:
        self.caller = caller
        self.work = work
        self.failure: Optional[BaseException] = None
        """The error of the last request; `None` when it succeeded."""

    def make(self, request: Callable[[Work], Any]) -> Any:
        """Repeats a request until it succeeds. Raises an error that no retry can fix."""
        failures = 0
        while True:
            try:
                answer = request(self.work)
                self.failure = None
                return answer
            except Exception as error:
                self.work.check()
                if not may_pass(error):
                    raise
                self.failure = error
            failures += 1
            self.work.pause(delay(failures))

    def newest_event(self) -> Optional[str]:
        return self.caller.newest_event(self.make, self.work)


class LogReader:
    """Reads the event log from a place on. It continues after temporary failures and misses nothing."""

    def __init__(self, requests: PersistentRequests, filters: Mapping[str, Any], after: Optional[str]) -> None:
        self.after = after
        """The event after which the next poll reads; `None` at the beginning of the log."""
        self._requests = requests
        self._filters = filters

    @property
    def query(self) -> Dict[str, Any]:
        """The query of a request for the next events."""
        return {**self._filters, "after": self.after}

    def poll(self, wait_seconds: int = _POLL_SECONDS) -> List[Any]:
        """
        Returns the next events, or none if the wait ends before there are any. Raises an error that no retry can fix.
        """
        since = 0.0

        def request(work: Work) -> Any:
            nonlocal since
            since = time.monotonic()
            wait = min(wait_seconds, math.ceil(work.limit(wait_seconds)))
            query = {**self.query, "wait_seconds": wait or None, "limit": PAGE_ITEMS}
            return self._requests.caller.call("events.list", query=query, work=work)

        page = self._requests.make(request)
        self.after = page["next_cursor"] or self.after
        gap = since + _POLL_GAP - time.monotonic()
        if not page["events"] and wait_seconds > 0 and gap > 0:
            self._requests.work.pause(gap)
        return page["events"]
