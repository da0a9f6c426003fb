"""Makes requests with `http.client` and reuses connections."""
from __future__ import annotations

import http.client
import select
import socket
import ssl
import threading
import time
import urllib.parse
from typing import Callable, Dict, Generator, List, Mapping, NamedTuple, Optional, Tuple, cast

from .errors import AbortedError, ConnectionError, TimeoutError
from ._generated.routes import ENV_BASE_URL
from ._work import Work, WorkExpired, shut

IDLE_SECONDS = 30.0
"""Less than the time for which servers and proxies keep an idle connection."""
_PART_BYTES = 65_536


class Response(NamedTuple):
    """A response, read completely. The names of its headers are in lower case."""

    status: int
    headers: Dict[str, str]
    body: bytes


Origin = Tuple[str, str, int]


class Transport:
    """Makes requests. After a response, the connection is kept for the next request for a while."""

    def __init__(self, ssl_context: Optional[ssl.SSLContext] = None) -> None:
        self._ssl_context = ssl_context
        self._lock = threading.Lock()
        self._idle: Dict[Origin, List[Tuple[http.client.HTTPConnection, float]]] = {}

    def exchange(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: Optional[bytes],
        timeout: float,
        work: Work,
    ) -> Response:
        """Sends a request and reads the whole response, all within `timeout` seconds."""
        with _Attempt(self, method, url, timeout, work) as attempt:
            answer = attempt.send(headers, body)
            parts: List[bytes] = []
            while part := attempt.read_part(answer):
                parts.append(part)
            answer.close()
            attempt.is_complete = True
            return Response(answer.status, _headers(answer), b"".join(parts))

    def stream(
        self,
        url: str,
        headers: Mapping[str, str],
        timeout: float,
        silence: float,
        find_work: Callable[[], Work],
    ) -> Generator[Response, None, None]:
        """
        Yields the parts of an endless response, each as a response. The header must arrive within `timeout` seconds, and a part
        at least every `silence` seconds. `find_work` returns the work that waits for the next part.
        """
        with _Attempt(self, "GET", url, timeout, find_work()) as attempt:
            answer = attempt.send(headers, None)
            yield Response(answer.status, _headers(answer), b"")
            while True:
                attempt.work = find_work()
                attempt.end = time.monotonic() + silence
                part = attempt.read_part(answer)
                if not part:
                    return
                yield Response(answer.status, {}, part)

    def close(self) -> None:
        """Closes the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, {}
        for connection, _since in [one for some in idle.values() for one in some]:
            connection.close()

    def take(self, origin: Origin) -> http.client.HTTPConnection:
        """Returns an idle connection, or a new one that is not open yet."""
        while True:
            with self._lock:
                kept = self._idle.get(origin)
                found = kept.pop() if kept else None
            if found is None:
                return self._make(origin)
            connection, since = found
            if time.monotonic() - since < IDLE_SECONDS and _is_quiet(connection):
                return connection
            connection.close()

    def give_back(self, origin: Origin, connection: http.client.HTTPConnection) -> None:
        now = time.monotonic()
        with self._lock:
            kept = self._idle.get(origin, [])
            self._idle[origin] = [one for one in kept if now - one[1] < IDLE_SECONDS] + [(connection, now)]
        for old, since in kept:
            if now - since >= IDLE_SECONDS:
                old.close()

    def _make(self, origin: Origin) -> http.client.HTTPConnection:
        scheme, host, port = origin
        if scheme == "http":
            return http.client.HTTPConnection(host, port)
        return http.client.HTTPSConnection(host, port, context=self._ssl_context)


class _Attempt:
    """One request on one connection."""

    def __init__(self, transport: Transport, method: str, url: str, timeout: float, work: Work) -> None:
        parts = urllib.parse.urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        self._origin: Origin = (parts.scheme, parts.hostname or "", port)
        self._target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._transport = transport
        self._method = method
        self._place = url.split("?")[0]
        self.work = work
        self._socket: Optional[socket.socket] = None
        self.end = time.monotonic() + timeout
        self.is_complete = False
        """Whether the connection can be used again."""

    def __enter__(self) -> "_Attempt":
        self._connection = self._transport.take(self._origin)
        return self

    def __exit__(self, _kind: object, error: Optional[BaseException], _trace: object) -> None:
        connection = self._connection
        if self.is_complete and not self.work.is_stopped and connection.sock is not None:
            self._transport.give_back(self._origin, connection)
        else:
            if self._socket is not None:
                shut(self._socket)
            connection.close()
        if isinstance(error, (OSError, http.client.HTTPException)):
            failure = self._failure(error)
            if failure is not error:
                raise failure from error

    def send(self, headers: Mapping[str, str], body: Optional[bytes]) -> http.client.HTTPResponse:
        connection = self._connection
        self.work.check()
        if connection.sock is None:
            connection.timeout = self._left()
            connection.connect()
        # The connection drops its socket as soon as the server announces that it will close it.
        used = cast(socket.socket, connection.sock)
        self._socket = used
        with self.work.using(used):
            used.settimeout(self._left())
            connection.request(self._method, self._target, body, dict(headers))
            used.settimeout(self._left())
            return connection.getresponse()

    def read_part(self, answer: http.client.HTTPResponse) -> bytes:
        """Returns the next part of the body, as soon as there is one; empty at its end."""
        assert self._socket is not None
        with self.work.using(self._socket):
            self._socket.settimeout(self._left())
            part = answer.read1(_PART_BYTES)
        if not part and answer.length:
            raise http.client.IncompleteRead(part, answer.length)
        return part

    def _left(self) -> float:
        left = self.work.limit(self.end - time.monotonic())
        self.work.check()
        if left <= 0:
            raise TimeoutError("No response came in time.")
        return left

    def _failure(self, error: BaseException) -> BaseException:
        if self.work.is_stopped:
            return AbortedError("The call was aborted.")
        if self.work.is_expired:
            return WorkExpired("The time is over.")
        if isinstance(error, (TimeoutError, ConnectionError)):
            return error
        if isinstance(error, socket.timeout):
            return TimeoutError("No response came in time.")
        failure = ConnectionError(
            f"{self._method} {self._place}: no response, because {str(error).rstrip('.') or type(error).__name__}. "
            f"Is the server running there? Set the address with base_url or {ENV_BASE_URL}."
        )
        failure.refused = isinstance(error, ConnectionRefusedError)
        return failure


def _is_quiet(connection: http.client.HTTPConnection) -> bool:
    """Returns whether a connection is open and has nothing to read."""
    if connection.sock is None:
        return False
    try:
        return not select.select([connection.sock], [], [], 0)[0]
    except (OSError, ValueError):
        return False


def _headers(answer: http.client.HTTPResponse) -> Dict[str, str]:
    return {name.lower(): value for name, value in answer.getheaders()}
