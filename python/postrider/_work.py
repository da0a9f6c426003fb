"""Work that can be stopped from another thread and that may have an overall time limit."""
from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager
from typing import Generator, Optional, Sequence

from .errors import AbortedError, TimeoutError


class WorkExpired(TimeoutError):
    """The time limit of the work is over."""


class Work:
    """One piece of work. `stop` ends its pauses and closes the connection that it uses."""

    def __init__(
        self,
        *,
        timeout: Optional[float] = None,
        before: Sequence[threading.Event] = (),
        ticket: Optional[threading.Event] = None,
    ) -> None:
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._socket: Optional[socket.socket] = None
        self._end = None if timeout is None else time.monotonic() + timeout
        self.before = before
        """Set once the calls before this one have found their places in the log."""
        self.ticket = ticket
        """To be set once this work has found its place in the log."""

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    @property
    def is_expired(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end

    def limit(self, seconds: float) -> float:
        """Returns the time, or the remaining time of the work if that is less."""
        return seconds if self._end is None else max(0.0, min(seconds, self._end - time.monotonic()))

    def check(self) -> None:
        """Raises an error if the work must end."""
        if self.is_stopped:
            raise AbortedError("The call was aborted.")
        if self.is_expired:
            raise WorkExpired("The time is over.")

    def pause(self, seconds: float) -> None:
        self._stopped.wait(self.limit(seconds))
        self.check()

    def wait_for_places(self) -> None:
        """Waits until the calls before this one have found their places in the log."""
        for found in self.before:
            while not found.wait(0.05):
                self.check()

    def stop(self) -> None:
        with self._lock:
            self._stopped.set()
            used = self._socket
        if used is not None:
            shut(used)

    @contextmanager
    def using(self, used: socket.socket) -> Generator[None, None, None]:
        """Closes the socket if the work is stopped in the meantime."""
        with self._lock:
            self._socket = used
        try:
            self.check()
            yield
        finally:
            with self._lock:
                self._socket = None


def shut(used: socket.socket) -> None:
    """Ends a connection that another thread may be reading from."""
    try:
        # The method of a TLS socket would change its state under the other thread.
        socket.socket.shutdown(used, socket.SHUT_RDWR)
    except OSError:
        pass
