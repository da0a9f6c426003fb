"""
The client of the Postrider API: email inboxes for AI agents.

    from postrider import Postrider

    client = Postrider()  # reads POSTRIDER_API_KEY
    inbox = client.inboxes.get_or_create(local_part="support")
    for message in client.messages.stream(inbox_id=inbox["id"]):
        client.messages.reply(message["id"], text="Thank you, we are looking into it.")
"""
from ._async_page import AsyncPage, AsyncPages
from ._async_stream import AsyncStream
from ._attachments import AttachmentContent, AttachmentPath, AttachmentSource
from ._delivery import DeliveryFailedError, DeliveryFailureReason
from ._event_stream import EventStream, ResumableStream
from ._generated.routes import VERSION
from ._given import NOT_GIVEN, NotGiven, RequestOptions
from ._mail_follower import MessageStream
from ._page import Page
from ._places import After
from ._waits import CodeFound, LinkFound
from .async_client import AsyncPostrider
from .client import Postrider
from .errors import (
    AbortedError,
    APIError,
    AuthenticationError,
    BadRequestError,
    ConflictError,
    ConnectionError,
    GoneError,
    NotFoundError,
    PayloadTooLargeError,
    PaymentRequiredError,
    PermissionDeniedError,
    PostriderError,
    RateLimitError,
    ServerError,
    TimeoutError,
    UnprocessableEntityError,
    WaitTimeoutError,
    WebhookVerificationError,
    WebhookVerificationReason,
)

__version__ = VERSION

__all__ = [
    "NOT_GIVEN",
    "VERSION",
    "APIError",
    "AbortedError",
    "After",
    "AsyncPage",
    "AsyncPages",
    "AsyncPostrider",
    "AsyncStream",
    "AttachmentContent",
    "AttachmentPath",
    "AttachmentSource",
    "AuthenticationError",
    "BadRequestError",
    "CodeFound",
    "ConflictError",
    "ConnectionError",
    "DeliveryFailedError",
    "DeliveryFailureReason",
    "EventStream",
    "GoneError",
    "LinkFound",
    "MessageStream",
    "NotFoundError",
    "NotGiven",
    "Page",
    "PayloadTooLargeError",
    "PaymentRequiredError",
    "PermissionDeniedError",
    "Postrider",
    "PostriderError",
    "RateLimitError",
    "RequestOptions",
    "ResumableStream",
    "ServerError",
    "TimeoutError",
    "UnprocessableEntityError",
    "WaitTimeoutError",
    "WebhookVerificationError",
    "WebhookVerificationReason",
]
