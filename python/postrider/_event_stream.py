"""
Follows the event log by a stream of server-sent events, which is fast, and by the log itself, which is reliable. Each
connection begins after the last event that was returned. The log is read after the end of each connection, to find
events that it missed. If reading the log fails, the stream fails with the same error.
"""
from __future__ import annotations

import json
import threading
import time
from collections import deque
from typing import Any, Deque, Dict, Generator, Generic, Iterator, Literal, Mapping, Optional, TypeVar

from ._caller import Caller, log
from ._generated.routes import EVENT_STREAM_END, TOO_SLOW_CODE
from ._generated.types import Event
from ._http import Response
from ._log_reader import LogReader, PersistentRequests
from ._places import BEGINNING
from ._retry import delay
from ._work import Work
from .errors import AbortedError

CONNECT_SECONDS = 10.0
"""How long the server may take to accept a connection."""
SILENT_SECONDS = 40.0
"""The server sends a comment every 15 s, so a connection that is silent for longer is dead."""
RETRY_MAX = 300.0
"""The longest delay before a connection is tried again. The delays grow, and polls are used meanwhile."""
_EVENT_BYTES_MAX = 8_000_000

Transport = Literal["sse", "poll"]
Item = TypeVar("Item")


class ResumableStream(Generic[Item]):
    """
    A stream of items. It runs until `close` is called or a `with` block over it ends. It continues after temporary failures,
    such as lost connections.
    """

    def __init__(self, requests: PersistentRequests) -> None:
        self._requests = requests
        self._turn = threading.Lock()
        self._is_closed = False

    @property
    def cursor(self) -> str:
        """
        The place after the last item that was returned. Store it once you have handled the item. Another stream that gets it as
        `after` continues there, even in another process. It is already set before the first item.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Ends the stream, even while it waits in another thread."""
        self._is_closed = True
        self._requests.work.stop()
        # Otherwise the waiting thread releases the connection.
        if self._turn.acquire(blocking=False):
            try:
                self._drop()
            finally:
                self._turn.release()

    def _drop(self) -> None:
        """Releases the connection."""

    def next_with(self, work: Work) -> Item:
        """Waits for the next item. If this work is stopped, the stream can still be read."""
        with self._turn:
            if self._is_closed:
                raise StopIteration
            self._requests.work = work
            # `close` stops the current work, which was different work until now.
            if self._is_closed:
                raise StopIteration
            try:
                return self._next()
            except AbortedError:
                if self._is_closed:
                    raise StopIteration from None
                raise

    def _next(self) -> Item:
        raise NotImplementedError

    def __next__(self) -> Item:
        return self.next_with(Work())

    def __iter__(self) -> Iterator[Item]:
        return self

    def __enter__(self) -> "ResumableStream[Item]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class EventStream(ResumableStream[Event]):
    """A stream of events as they happen, in order and once each."""

    def __init__(
        self,
        caller: Caller,
        filters: Mapping[str, Any],
        after: str,
        transport: Transport,
        work: Work,
    ) -> None:
        super().__init__(PersistentRequests(caller, work))
        start = self._requests.newest_event() if after == "latest" else after
        self._caller = caller
        self._log = LogReader(self._requests, filters, None if start == BEGINNING else start)
        self._uses_connection = transport == "sse"
        self._connection: Optional[_Connection] = None
        self._read: Deque[Event] = deque()
        self._given = self._log.after
        self._failures = 0
        self._next_try = 0.0

    @property
    def cursor(self) -> str:
        return (self._given if self._read else self._log.after) or BEGINNING

    def _next(self) -> Event:
        try:
            while not self._read:
                self._fill()
        except BaseException:
            self._drop()
            raise
        event = self._read.popleft()
        self._given = event["id"]
        return event

    def _fill(self) -> None:
        connection = self._connection or self._connect()
        if connection is None:
            self._read.extend(self._log.poll())
            return
        event = connection.next(self._requests.work)
        if event is not None:
            self._log.after = event["id"]
            self._caller.read.note_event(event)
            self._read.append(event)
            return
        self._drop()
        pause = delay(self._failures + 1)
        is_good = connection.has_brought or time.monotonic() - connection.since > pause
        self._failures = 0 if is_good else self._failures + 1
        if connection.code == TOO_SLOW_CODE:
            return
        self._read.extend(self._log.poll(0))
        if self._failures > 0 and not self._read:
            self._requests.work.pause(pause)

    def _connect(self) -> "Optional[_Connection]":
        """Returns a new connection, or `None` if none can be opened now. A poll then fails with a better error."""
        # It begins after an event, so it cannot be opened at the beginning of the log, as in an empty one.
        if not self._uses_connection or self._log.after is None or time.monotonic() < self._next_try:
            return None
        work = self._requests.work
        try:
            parts = self._caller.open_stream(
                self._log.query, CONNECT_SECONDS, SILENT_SECONDS, lambda: self._requests.work
            )
        except Exception as error:
            work.check()
            self._failures += 1
            pause = delay(self._failures, RETRY_MAX)
            log.info("events.stream: polling for %.1f s, because no stream can be opened: %s", pause, error)
            self._next_try = time.monotonic() + pause
            return None
        self._connection = _Connection(parts)
        return self._connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class _Connection:
    """One stream of server-sent events."""

    def __init__(self, parts: Generator[Response, None, None]) -> None:
        self._parts = parts
        self._text = b""
        self._events: Deque[Event] = deque()
        self.since = time.monotonic()
        self.has_brought = False
        self.code: Optional[int] = None
        """The code with which the server ended the stream."""

    def next(self, work: Work) -> Optional[Event]:
        """Returns the next event, or `None` once the stream has ended."""
        while not self._events and self.code is None:
            try:
                self._take(next(self._parts).body)
            except StopIteration:
                return None
            except Exception:
                work.check()
                return None
        return self._events.popleft() if self._events else None

    def close(self) -> None:
        self._parts.close()

    def _take(self, part: bytes) -> None:
        *blocks, self._text = (self._text + part).split(b"\n\n")
        for block in blocks:
            fields = _fields(block)
            if "data" not in fields:
                continue
            value = json.loads(fields["data"])
            if fields.get("event") == EVENT_STREAM_END:
                self.code = value["code"]
            elif isinstance(value, dict) and "event" in value:
                self.has_brought = True
                self._events.append(value)  # type: ignore[arg-type]
        if len(self._text) > _EVENT_BYTES_MAX:
            raise ValueError("An event is too long.")


def _fields(block: bytes) -> Dict[str, str]:
    """Returns the fields of a block. A comment has no name."""
    fields: Dict[str, str] = {}
    for line in block.decode("utf-8").split("\n"):
        name, _, value = line.partition(":")
        fields[name] = value[1:] if value.startswith(" ") else value
    return fields
