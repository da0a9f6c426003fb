"""
The attempts of one call. GET, PATCH and DELETE may be repeated, because a repeat leaves the same state, and so may a
POST with a `client_id`, by which the server recognises a repeat. A call is repeated after a failed connection, an
attempt that took too long, or a status that asks to try again later. Any other POST is repeated only if the server did
nothing. The wait before a repeat is the one that the server asks for, or else a delay that doubles. If that wait is
longer than 60 s or than the time left for the call, the call fails with the failure itself.
"""
from __future__ import annotations

import email.utils
import json
import random
import time
from typing import Any, Callable, Mapping, Optional, Union

from ._http import Response
from ._work import Work
from .errors import APIError, ConnectionError, TimeoutError

LATER_STATUSES = (408, 429, 500, 502, 503, 504)
_FIRST_DELAY = 0.3
_DELAY_MAX = 8.0
_ASKED_DELAY_MAX = 60.0


def make_attempts(
    attempt: Callable[[], Response],
    *,
    is_repeatable: bool,
    retries_max: int,
    attempt_max: float,
    work: Work,
    on_retry: Callable[[int, Union[int, str]], None],
) -> Response:
    """
    Makes attempts until one gets a final response, and returns it. Raises the failure if the last attempt gets no
    response.
    """
    end = time.monotonic() + attempt_max * (retries_max + 1)
    retry = 0
    while True:
        retry += 1
        failure: Union[Response, ConnectionError, TimeoutError]
        try:
            failure = attempt()
            if failure.status not in LATER_STATUSES:
                return failure
        except (ConnectionError, TimeoutError) as error:
            work.check()
            failure = error
        asked = _asked_delay(failure.headers) if isinstance(failure, Response) else None
        pause = delay(retry) if asked is None else asked
        is_harmless = not _is_limit_of_sending(failure) and (is_repeatable or _did_nothing(failure))
        is_in_time = pause <= _ASKED_DELAY_MAX and pause < end - time.monotonic()
        if retry > retries_max or not is_harmless or not is_in_time:
            if isinstance(failure, Response):
                return failure
            raise failure
        on_retry(retry, failure.status if isinstance(failure, Response) else type(failure).__name__)
        work.pause(pause)


def delay(retry: int, most: float = _DELAY_MAX) -> float:
    """
    Returns a random delay in seconds, so that clients that failed at the same time do not retry at the same time. It is
    at least half of the full delay, so that none retries at once.
    """
    return min(most, _FIRST_DELAY * 2 ** min(retry - 1, 30)) * (0.5 + random.random() / 2)


def may_pass(error: BaseException) -> bool:
    """Returns whether a read request that failed with this error may succeed later."""
    if isinstance(error, APIError):
        # `limit_reached`: the workspace has the maximum number of waiting requests. Some of them will end.
        return error.status in LATER_STATUSES or error.code == "limit_reached"
    return isinstance(error, (ConnectionError, TimeoutError))


def _is_limit_of_sending(failure: Any) -> bool:
    """
    Returns whether a 429 is about a limit on what is sent. The caller must act on such a limit: waiting and repeating would
    continue an endless exchange.
    """
    if not isinstance(failure, Response) or failure.status != 429:
        return False
    try:
        body = json.loads(failure.body)
    except ValueError:
        return False
    return isinstance(body, dict) and body.get("reason") in ("loop", "policy")


def _did_nothing(failure: Any) -> bool:
    """Returns whether the server refused the connection, or the request because of a rate limit."""
    if isinstance(failure, Response):
        return failure.status == 429
    return isinstance(failure, ConnectionError) and failure.refused


def _asked_delay(headers: Mapping[str, str]) -> Optional[float]:
    asked = headers.get("retry-after", "")
    if asked.isdecimal():
        return float(asked)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(asked).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
