"""Errors of the client. Error responses have one class for each status, with the code in `code`."""
from __future__ import annotations

import builtins
import json
from typing import Any, Dict, Literal, Mapping, Optional, Type

UNEXPECTED_ANSWER = "unexpected_answer"
"""The code of an error whose response did not come from this API but, for example, from a proxy."""


class PostriderError(Exception):
    """The base class of all errors of this client. A plain one means that the client was used incorrectly."""


class ConnectionError(PostriderError, builtins.ConnectionError):
    """No response: the server could not be reached, or the connection broke before the response was complete."""

    refused: bool = False
    """Whether the server refused the connection, so that it did nothing."""


class TimeoutError(PostriderError, builtins.TimeoutError):
    """No attempt got a response in time."""


class AbortedError(PostriderError):
    """The call was ended from elsewhere, for example by `stream.close()` or by cancelling its task."""


class WaitTimeoutError(TimeoutError):
    """The awaited message did not arrive in time. If the last request failed, `__cause__` is its error."""

    def __init__(
        self,
        message: str,
        *,
        timeout: float,
        other_messages: int = 0,
        sent_status: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.timeout = timeout
        """The time limit of the wait, in seconds."""
        self.other_messages = other_messages
        """The number of inbound messages that arrived but were not the awaited one."""
        self.sent_status = sent_status
        """The status of the message whose reply or delivery was awaited; `None` if it was other mail."""


WebhookVerificationReason = Literal[
    "missing_header",
    "malformed_header",
    "timestamp_too_old",
    "timestamp_too_new",
    "signature_mismatch",
    "malformed_body",
    "missing_secret",
    "malformed_secret",
    "parsed_body",
]


class WebhookVerificationError(PostriderError):
    """The request is not a delivery that was signed with the webhook's secret; `reason` says why."""

    def __init__(self, reason: WebhookVerificationReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class APIError(PostriderError):
    """An error response. `code` says which one; the fields of that code are attributes, such as `blocked`."""

    status: int
    """The HTTP status of the response."""
    code: str
    """The code of the error. A newer server may send codes that this client does not know."""
    request_id: Optional[str]
    """The id of the request, to quote in problem reports; `None` if the response had none."""
    headers: Mapping[str, str]
    """The headers of the response, with lower-case names."""
    body: Any
    """The parsed body of the response; text if it is not JSON."""

    def __init__(self, status: int, headers: Mapping[str, str], body: Any) -> None:
        fields: Dict[str, Any] = body if isinstance(body, dict) else {}
        code = fields.get("error")
        self.code = code if isinstance(code, str) else UNEXPECTED_ANSWER
        self.request_id = headers.get("x-request-id") or _text(fields.get("request_id"))
        super().__init__(_message(status, headers, body, self.code, fields, self.request_id))
        self.status = status
        self.headers = headers
        self.body = body
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        fields: Dict[str, Any] = self.__dict__.get("_fields", {})
        if name in fields:
            return fields[name]
        raise AttributeError(f"an error with the code {self.__dict__.get('code')} has no field {name}")


class BadRequestError(APIError):
    """400: a field is missing or malformed and named in `issues`, or the body is not JSON."""


class AuthenticationError(APIError):
    """401: the API key is missing, unknown or revoked."""


class PaymentRequiredError(APIError):
    """402: a limit of the plan is reached, or the plan does not include the requested feature."""


class PermissionDeniedError(APIError):
    """403: people do not allow the key to do this, for example to send. A repeat gets the same error."""


class NotFoundError(APIError):
    """404: an id is unknown, or belongs to another workspace."""


class ConflictError(APIError):
    """409: the request conflicts with the current state, for example because an address is taken."""


class GoneError(APIError):
    """410: `after` is older than the oldest event in the log."""


class PayloadTooLargeError(APIError):
    """413: the attachments or the whole request are too large."""


class UnprocessableEntityError(APIError):
    """422: no recipient is left to send to, or the provider refused the message."""


class RateLimitError(APIError):
    """429: too many requests. Raised once the retries are used up, or if the wait would be too long."""


class ServerError(APIError):
    """5xx: the server failed or is busy. Raised once the retries are used up."""


_classes: Dict[int, Type[APIError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    402: PaymentRequiredError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    413: PayloadTooLargeError,
    422: UnprocessableEntityError,
    429: RateLimitError,
}


def error_for(status: int, headers: Mapping[str, str], body: Any) -> APIError:
    """Returns the error for a response, as an instance of the class for its status."""
    usual = ServerError if status >= 500 else APIError
    return _classes.get(status, usual)(status, headers, body)


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None


def _message(
    status: int,
    headers: Mapping[str, str],
    body: Any,
    code: str,
    fields: Dict[str, Any],
    request_id: Optional[str],
) -> str:
    sentences = [_text(fields.get("message")) or _surprise(status, headers, body)]
    issues = fields.get("issues")
    for issue in issues if isinstance(issues, list) else []:
        if isinstance(issue, dict):
            sentences.append(f"{issue.get('path') or 'The request'} {issue.get('message')}.")
    suffix = "" if request_id is None else f" (request {request_id})"
    return f"{status} {code}: {' '.join(sentences)}{suffix}"


def _surprise(status: int, headers: Mapping[str, str], body: Any) -> str:
    """Returns the sentence about a response that came from something else at the address of the API."""
    location = headers.get("location")
    if 300 <= status < 400 and location is not None:
        return (
            f"The server redirects to {location}, but requests do not follow redirects. "
            "Set base_url to the final address."
        )
    excerpt = f" It begins: {json.dumps(body[:80])}." if isinstance(body, str) else ""
    return f"The response does not come from this API. Is base_url right?{excerpt}"
