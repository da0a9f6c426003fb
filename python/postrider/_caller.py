"""
All calls start here. The request of a call is built once, so all its attempts are identical except for the key, which may
change in between.
"""
from __future__ import annotations

import json
import logging
import re
import threading
import time
import urllib.parse
import uuid
from datetime import datetime
from typing import Any, Callable, Dict, Generator, List, Mapping, NamedTuple, Optional, Tuple, TypeVar, Union

from ._attachments import encode_attachments
from ._generated.routes import EVENT_STREAM_TYPE, LOGGER_NAME, ROUTES, USER_AGENT, Route
from ._given import RequestOptions
from ._http import Response, Transport
from ._page import Page
from ._places import ReadMessages, time_text
from ._retry import make_attempts
from ._work import Work
from .errors import PostriderError, TimeoutError, error_for

log = logging.getLogger(LOGGER_NAME)

_WAIT_MARGIN = 10.0
"""How many seconds a waiting request may take in addition to its wait."""
_METHODS = ("GET", "POST", "PATCH", "PUT", "DELETE")


Result = TypeVar("Result")


class Settings(NamedTuple):
    """The settings that all calls of a client share."""

    base_url: str
    get_api_key: Callable[[], str]
    timeout: float
    max_retries: int
    transport: Transport


class Tickets:
    """
    The calls that are looking for a place in the log. Later calls of the client wait until these have found it, so that the
    events of later calls come after it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pending: List[threading.Event] = []

    def pending(self) -> Tuple[threading.Event, ...]:
        with self._lock:
            self._pending = [one for one in self._pending if not one.is_set()]
            return tuple(self._pending)

    def begin(self) -> threading.Event:
        ticket = threading.Event()
        with self._lock:
            self._pending.append(ticket)
        return ticket


class Caller:
    """Makes the calls of a client."""

    def __init__(self, settings: Settings, base: Optional["Caller"] = None) -> None:
        self.settings = settings
        self.read = ReadMessages() if base is None else base.read
        self.tickets = Tickets() if base is None else base.tickets

    def call(
        self,
        name: str,
        *,
        path_id: Optional[str] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        options: Optional[RequestOptions] = None,
        work: Optional[Work] = None,
        is_repeatable: Optional[bool] = None,
    ) -> Any:
        """Calls a route and returns its response; `None` if it has no body."""
        route = ROUTES[name]
        path = _fill(name, route.path, path_id)
        return self._send(name, route, path, query, body, options, work, is_repeatable)

    def request(
        self,
        method: str,
        path: str,
        query: Optional[Mapping[str, Any]],
        body: Optional[Mapping[str, Any]],
        options: Optional[RequestOptions],
        work: Optional[Work] = None,
    ) -> Any:
        """Calls a route by its method and path."""
        name = f"{method} {path}"
        if method not in _METHODS:
            raise PostriderError(f"{name}: the method must be one of {', '.join(_METHODS)}.")
        is_path = re.fullmatch(r"/[^?#\\]*", path) is not None
        if not is_path or re.search(r"/(?:\.|%2e){1,2}(?:/|$)", path, re.IGNORECASE):
            raise PostriderError(f"{name}: the path must begin with a slash, be relative to the base URL, and have no query.")
        return self._send(name, Route(method, path, None, False, False, False), path, query, body, options, work)

    def list(
        self,
        name: str,
        *,
        path_id: Optional[str] = None,
        query: Optional[Mapping[str, Any]] = None,
        options: Optional[RequestOptions] = None,
        work: Optional[Work] = None,
    ) -> Page[Any, Any]:
        """Calls a route that returns one page of a list."""
        route = ROUTES[name]
        data = self.call(name, path_id=path_id, query=query, options=options, work=work)
        items = data[route.items]
        cursor = data["next_cursor"]
        # The event log always has a next cursor, so its list ends with an empty page.
        if cursor is None or (route.continues_after and not items):
            return Page(data, items, None)
        further = {**(query or {}), "after" if route.continues_after else "cursor": cursor}
        if not route.continues_after:
            # Only the first page waits: the items of the following pages exist already.
            further.pop("wait_seconds", None)

        def ask_next(own: Optional[Work]) -> Page[Any, Any]:
            return self.list(name, path_id=path_id, query=further, options=options, work=own)

        return Page(data, items, ask_next)

    def newest_event(self, make: Callable[[Callable[[Work], Any]], Any], work: Work) -> Optional[str]:
        """
        Returns the id of the newest event in the log, or `None` if the log is empty. `make` makes the request, including its
        retries.
        """
        query = {"after": "latest", "limit": 1}
        try:
            return make(lambda own: self.call("events.list", query=query, work=own))["next_cursor"]
        finally:
            end_search(work)

    def open_stream(
        self, query: Mapping[str, Any], timeout: float, silence: float, find_work: Callable[[], Work]
    ) -> Generator[Response, None, None]:
        """
        Returns the parts of a stream of server-sent events. Raises an error if the response is not such a stream. `find_work`
        returns the work that waits for the next part.
        """
        url = self._url("/events", query)
        headers = {**self._headers(None), "accept": EVENT_STREAM_TYPE}
        parts = self.settings.transport.stream(url, headers, timeout, silence, find_work)
        first = next(parts)
        if (first.headers.get("content-type") or "").split(";")[0].strip().lower() == EVENT_STREAM_TYPE:
            return parts
        parts.close()
        raise PostriderError("The response is not a stream of events.")

    def download(
        self, attachment_id: str, options: Optional[RequestOptions] = None, work: Optional[Work] = None
    ) -> bytes:
        """
        Returns the bytes of a file by a fresh link. The request for them has no key, because the link needs none and may
        lead to a server that must not see the key.
        """
        mine = work or self.new_work()
        url = self.call("attachments.get", path_id=attachment_id, options=options, work=mine)["url"]
        limits = self._limits(options, None)
        headers = {"user-agent": USER_AGENT}
        return make_attempts_named(
            "attachments.download",
            lambda: self.settings.transport.exchange("GET", url, headers, None, limits[0], mine),
            is_repeatable=True,
            limits=limits,
            work=mine,
            wants_json=False,
        ).body

    def new_work(self) -> Work:
        """Returns the work of a call that begins now."""
        return Work(before=self.tickets.pending())

    def new_wait(self, timeout: Optional[float]) -> Work:
        """Returns the work of a wait that begins now. Later calls wait until it has found its place in the log."""
        check_limits(timeout, None)
        return Work(timeout=timeout, before=self.tickets.pending(), ticket=self.tickets.begin())

    def run(self, task: "Callable[[Caller, Work], Result]") -> Result:
        """Runs several calls as one piece of work."""
        return task(self, self.new_work())

    def wait(self, timeout: Optional[float], task: "Callable[[Caller, Work], Result]") -> Result:
        """Runs a wait that begins now."""
        work = self.new_wait(timeout)
        try:
            return task(self, work)
        finally:
            end_search(work)

    def _send(
        self,
        name: str,
        route: Route,
        path: str,
        query: Optional[Mapping[str, Any]],
        body: Optional[Mapping[str, Any]],
        options: Optional[RequestOptions],
        work: Optional[Work],
        is_repeatable: Optional[bool] = None,
    ) -> Any:
        mine = work or self.new_work()
        check_options(name, options)
        url = self._url(path, query)
        content = _body(route, body)
        state = _CallState()

        def attempt() -> Response:
            return self._attempt(name, route, url, content, options, limits[0], state, mine)

        limits = self._limits(options, query)
        usual = route.method != "POST" or route.takes_client_id
        response = make_attempts_named(
            name,
            attempt,
            is_repeatable=usual if is_repeatable is None else is_repeatable,
            limits=limits,
            work=mine,
        )
        data = None if response.status == 204 else json.loads(response.body)
        self.read.note(data)
        if isinstance(data, dict) and data.get("differs") is True:
            log.warning(
                "%s: nothing was sent, because this client_id was used for a different request. "
                "The response is the message of that request.",
                name,
            )
        return data

    def _attempt(
        self,
        name: str,
        route: Route,
        url: str,
        content: Optional[bytes],
        options: Optional[RequestOptions],
        timeout: float,
        state: "_CallState",
        work: Work,
    ) -> Response:
        work.wait_for_places()
        was_unsure, state.is_unsure = state.is_unsure, True
        headers = {**self._headers(content), **{k.lower(): v for k, v in (options or {}).get("headers", {}).items()}}
        log.debug("%s: %s %s", name, route.method, url)
        response = self.settings.transport.exchange(route.method, url, headers, content, timeout, work)
        state.is_unsure = was_unsure or response.status == 408 or response.status >= 500
        # After an attempt that may have deleted the resource, a 404 counts as success.
        if response.status == 404 and route.method == "DELETE" and was_unsure:
            return Response(204, response.headers, b"")
        return response

    def _headers(self, content: Optional[bytes]) -> Dict[str, str]:
        headers = {
            "accept": "application/json",
            "user-agent": USER_AGENT,
            "authorization": f"Bearer {self.settings.get_api_key()}",
        }
        return headers if content is None else {**headers, "content-type": "application/json"}

    def _url(self, path: str, query: Optional[Mapping[str, Any]]) -> str:
        pairs = [(key, _query_text(value)) for key, value in (query or {}).items() if value is not None]
        return f"{self.settings.base_url}{path}" + (f"?{urllib.parse.urlencode(pairs)}" if pairs else "")

    def _limits(
        self, options: Optional[RequestOptions], query: Optional[Mapping[str, Any]]
    ) -> Tuple[float, int]:
        """Returns the time limit of one attempt, in seconds, and the maximum number of retries."""
        own = options or {}
        retries = own.get("max_retries", self.settings.max_retries)
        if "timeout" in own:
            return own["timeout"], retries
        wait = float((query or {}).get("wait_seconds") or 0)
        usual = self.settings.timeout
        return (max(usual, wait + _WAIT_MARGIN) if wait > 0 else usual), retries


def end_search(work: Work) -> None:
    """Lets later calls continue, whether or not the work has found its place in the log."""
    if work.ticket is not None:
        work.ticket.set()


class _CallState:
    is_unsure = False
    """Whether an attempt may have taken effect although its response was lost."""


def make_attempts_named(
    name: str,
    attempt: Callable[[], Response],
    *,
    is_repeatable: bool,
    limits: Tuple[float, int],
    work: Work,
    wants_json: bool = True,
) -> Response:
    """Makes the attempts of a call and returns the response if it succeeds. Raises its error otherwise."""
    attempt_max, retries_max = limits
    since = time.monotonic()

    def passed() -> int:
        return round((time.monotonic() - since) * 1000)

    def on_retry(retry: int, failure: Union[int, str]) -> None:
        log.info("%s: retry %d of %d after %s", name, retry, retries_max, failure)

    try:
        response = make_attempts(
            attempt,
            is_repeatable=is_repeatable,
            retries_max=retries_max,
            attempt_max=attempt_max,
            work=work,
            on_retry=on_retry,
        )
    except TimeoutError as error:
        work.check()
        log.info("%s: TimeoutError after %d ms", name, passed())
        raise TimeoutError(f"{name}: no response within the timeout of {attempt_max:g} s.") from error
    log.info("%s: %d after %d ms", name, response.status, passed())
    body = _parse(response.body)
    is_expected = body is not None or response.status == 204 or not wants_json
    if 200 <= response.status < 300 and is_expected:
        return response
    text = response.body.decode("utf-8", "replace") if body is None else body
    raise error_for(response.status, response.headers, text)


def check_options(name: str, options: Optional[RequestOptions]) -> None:
    """Raises a `PostriderError` if the options of a call are unknown or invalid."""
    own: Mapping[str, Any] = options or {}
    unknown = [key for key in own if key not in ("timeout", "max_retries", "headers")]
    if unknown:
        raise PostriderError(f"{unknown[0]} is not an option of {name}. Use timeout, max_retries and headers.")
    check_limits(own.get("timeout"), own.get("max_retries"))


def check_limits(timeout: Optional[float], max_retries: Optional[int]) -> None:
    """Raises a `PostriderError` if a time limit or a number of retries is invalid."""
    if timeout is not None and not (timeout > 0 and timeout != float("inf")):
        raise PostriderError(f"timeout must be above 0, in seconds, not {timeout}.")
    if max_retries is not None and not (isinstance(max_retries, int) and max_retries >= 0):
        raise PostriderError(f"max_retries must be a whole number of 0 or more, not {max_retries}.")


def _fill(name: str, path: str, path_id: Optional[str]) -> str:
    if ":" not in path:
        return path
    if not isinstance(path_id, str) or path_id == "":
        raise PostriderError(f"{name} needs an id, but got {path_id!r}.")
    # URLs drop these segments, even if they are encoded, so the path would name something else.
    if path_id in (".", ".."):
        raise PostriderError(f"{name}: {path_id!r} is not an id.")
    return re.sub(r":\w+", lambda _: urllib.parse.quote(path_id, safe=""), path, count=1)


def _body(route: Route, body: Optional[Mapping[str, Any]]) -> Optional[bytes]:
    """Returns the body of a call as JSON. On routes that take a `client_id`, all attempts share the same one."""
    if body is None and not route.takes_client_id:
        return None
    fields = dict(body or {})
    if route.takes_client_id:
        fields.setdefault("client_id", str(uuid.uuid4()))
    if route.takes_attachments and isinstance(fields.get("attachments"), list):
        fields["attachments"] = encode_attachments(fields["attachments"])
    return json.dumps(fields, default=_json_text, ensure_ascii=False).encode("utf-8")


def _json_text(value: Any) -> str:
    if isinstance(value, datetime):
        return time_text(value)
    raise PostriderError(f"{value!r} cannot be sent as JSON.")


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return time_text(value)
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None

