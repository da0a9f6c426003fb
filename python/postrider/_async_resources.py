# Generated from _resources.py by scripts/python-client.ts. Do not edit.
"""The resources of a client that awaits, including methods that do more than call a route."""
from __future__ import annotations

import re
from typing import Iterable, List, Mapping, Optional, Union

from ._async_caller import AsyncCaller
from ._async_stream import AsyncStream
from ._event_stream import EventStream, Transport
from ._find_link import LinkMatch
from ._generated.async_resources import (
    AsyncAccountMethods,
    AsyncAttachmentsMethods,
    AsyncDeliveriesMethods,
    AsyncDomainsMethods,
    AsyncDraftsMethods,
    AsyncEventsMethods,
    AsyncInboxesMethods,
    AsyncLabelsMethods,
    AsyncMessagesMethods,
    AsyncPolicyMethods,
    AsyncRulesMethods,
    AsyncSuppressionsMethods,
    AsyncThreadsMethods,
    AsyncWebhooksMethods,
)
from ._generated.types import Attachment, Event, EventKind, Inbox, Label, Message, Webhook, WebhookWithSecret
from ._get_or_create import ensure_webhook, get_or_create_inbox, get_or_create_label
from ._given import NOT_GIVEN, NotGiven, RequestOptions, given
from ._log_reader import PersistentRequests
from ._mail_follower import MessageStream
from ._places import After
from ._resources import event_filters, id_of, mail_filters
from ._waits import (
    TIMEOUT,
    CodeFound,
    LinkFound,
    Match,
    Sent,
    wait_for,
    wait_for_code,
    wait_for_delivery,
    wait_for_link,
    wait_for_reply,
)
from .webhooks import TOLERANCE_SECONDS, DeliveryHeaders, RawBody, unwrap


class AsyncAccount(AsyncAccountMethods):
    """The workspace of the API key."""


class AsyncDeliveries(AsyncDeliveriesMethods):
    """Deliveries of events to webhooks."""


class AsyncDomains(AsyncDomainsMethods):
    """Sending domains of the workspace."""


class AsyncDrafts(AsyncDraftsMethods):
    """Messages to send later, on request or at a scheduled time."""


class AsyncLabels(AsyncLabelsMethods):
    """Labels of messages."""

    async def get_or_create(
        self,
        *,
        name: str,
        color: Union[str, None, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Label:
        """
        Returns the label with this name, ignoring case, and creates it if the workspace has none. An existing label keeps its
        color. Raises an `APIError` with `limit_reached`.
        """
        params = given({"name": name, "color": color})
        return await self._caller.run(lambda caller, work: get_or_create_label(caller, work, params, options))


class AsyncPolicy(AsyncPolicyMethods):
    """The mail that people allow the API key to send."""


class AsyncRules(AsyncRulesMethods):
    """Entries of the allow and block lists."""


class AsyncSuppressions(AsyncSuppressionsMethods):
    """Addresses that the workspace no longer sends to."""


class AsyncThreads(AsyncThreadsMethods):
    """Conversations within one inbox."""


class AsyncAttachments(AsyncAttachmentsMethods):
    """Files of messages."""

    async def download(
        self, attachment: Union[str, Attachment], *, options: Optional[RequestOptions] = None
    ) -> bytes:
        """Returns the bytes of an attachment. Takes its id, or the attachment as it is in a message."""
        return await self._caller.run(lambda caller, work: caller.download(id_of(attachment), options, work))


class AsyncInboxes(AsyncInboxesMethods):
    """Addresses that send and receive mail."""

    async def get_or_create(
        self,
        *,
        local_part: str,
        display_name: Union[str, None, NotGiven] = NOT_GIVEN,
        domain_id: Union[str, None, NotGiven] = NOT_GIVEN,
        metadata: Union[Mapping[str, str], NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Inbox:
        """
        Returns the inbox with this address if the workspace has it, and creates it otherwise. An agent can call this at
        every start, because an existing inbox is not changed. Raises an `APIError` with `address_taken` if the workspace
        cannot have the address.
        """
        params = given(
            {
                "local_part": local_part,
                "display_name": display_name,
                "domain_id": domain_id,
                "metadata": metadata,
            }
        )
        return await self._caller.run(lambda caller, work: get_or_create_inbox(caller, work, params, options))


class AsyncEvents(AsyncEventsMethods):
    """The event log of the workspace, in a fixed order."""

    def stream(
        self,
        *,
        after: str = "latest",
        events: Optional[Iterable[EventKind]] = None,
        inbox_id: Optional[str] = None,
        transport: Transport = "sse",
    ) -> AsyncStream[Event]:
        """
        Returns a stream of events as they happen, in order and once each. It begins with this call, after the event with
        the id `after`, or with all events in the log (`beginning`). It reads a stream of server-sent events, or the log by
        long polls if none can be opened or `transport` is `poll`, and continues after lost connections.
        """
        filters = event_filters(events, inbox_id)
        return AsyncStream(
            self._caller, lambda caller, work: EventStream(caller, filters, after, transport, work)
        )


class AsyncWebhooks(AsyncWebhooksMethods):
    """Your endpoints that receive events."""

    def __init__(self, caller: AsyncCaller, secret: Optional[str]) -> None:
        super().__init__(caller)
        self._secret = secret

    async def ensure(
        self,
        *,
        url: str,
        events: List[EventKind],
        inbox_ids: Union[List[str], None, NotGiven] = NOT_GIVEN,
        secret: Union[str, NotGiven] = NOT_GIVEN,
        options: Optional[RequestOptions] = None,
    ) -> Union[Webhook, WebhookWithSecret]:
        """
        Returns the webhook with this URL, enabled and with these events, and creates it if it does not exist. A receiver
        can call this at every start. The result has a `secret` only if the webhook was created; an existing webhook keeps
        its secret. If several programs create the webhook at the same moment, only one remains.
        """
        params = given({"url": url, "events": events, "inbox_ids": inbox_ids, "secret": secret})
        return await self._caller.run(lambda caller, work: ensure_webhook(caller, work, params, options))

    def unwrap(
        self,
        raw_body: RawBody,
        headers: DeliveryHeaders,
        secret: Optional[str] = None,
        *,
        tolerance_seconds: float = TOLERANCE_SECONDS,
        dangerously_allow_replays: bool = False,
    ) -> Event:
        """
        Verifies the signature and the signed time of a delivery (Standard Webhooks), and returns its event. `raw_body` is
        the body before any parser has read it. `secret` defaults to that of the client, or else to
        `POSTRIDER_WEBHOOK_SECRET`. Raises a `WebhookVerificationError`, whose `reason` says why.
        """
        return unwrap(
            raw_body,
            headers,
            secret or self._secret,
            tolerance_seconds=tolerance_seconds,
            dangerously_allow_replays=dangerously_allow_replays,
        )


class AsyncMessages(AsyncMessagesMethods):
    """Received and sent mail."""

    def stream(
        self,
        *,
        after: Optional[After] = None,
        match: Optional[Match] = None,
        inbox_id: Optional[str] = None,
        thread_id: Optional[str] = None,
        label_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        subject: Optional[str] = None,
        has_attachment: Optional[bool] = None,
        read: Optional[bool] = None,
    ) -> AsyncStream[Message]:
        """
        Returns a stream of inbound messages as they arrive, once each, starting with this call or at `after`. It is made for
        the loop of an agent, and continues after lost connections. Store `cursor` and pass it as `after` after a restart, so
        that no message is lost or repeated. `match` returns whether the stream should return a message.
        """
        filters = mail_filters(inbox_id, thread_id, label_id, from_, to, subject, has_attachment, read)
        return AsyncStream(
            self._caller,
            lambda caller, work: MessageStream(PersistentRequests(caller, work), filters, after, match),
        )

    async def wait_for(
        self,
        *,
        after: Optional[After] = None,
        match: Optional[Match] = None,
        timeout: float = TIMEOUT,
        inbox_id: Optional[str] = None,
        thread_id: Optional[str] = None,
        label_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        subject: Optional[str] = None,
        has_attachment: Optional[bool] = None,
        read: Optional[bool] = None,
    ) -> Message:
        """
        Waits for the first inbound message that matches and arrives after this call, or after `after`, and returns it. **In
        a loop without `after`, it misses mail that arrives between two calls. Use `stream` instead, or pass the previous
        message as `after`. Do not pass its `created_at`, which would return the same message again.** Raises a
        `WaitTimeoutError` after `timeout` seconds. With `thread_id`, raises a `DeliveryFailedError` while the newest message
        of the thread, automatic replies aside, is a sent one that failed for all of its recipients.
        """
        filters = mail_filters(inbox_id, thread_id, label_id, from_, to, subject, has_attachment, read)
        return await self._caller.wait(
            timeout, lambda caller, work: wait_for(caller, work, timeout, filters, after, match)
        )

    async def wait_for_reply(
        self,
        sent: Sent,
        *,
        after: Optional[After] = None,
        automatic: bool = False,
        match: Optional[Match] = None,
        timeout: float = TIMEOUT,
    ) -> Message:
        """
        Waits for the reply to a sent message and returns it: the first inbound message in its thread that is not automatic,
        even if it arrived before the call. Raises a `DeliveryFailedError` once the message has failed for all of its
        recipients, for example because it bounced or was not approved, and a `WaitTimeoutError` as `wait_for` does. While a
        message is `held` or `deferred`, the wait continues.
        """
        return await self._caller.wait(
            timeout,
            lambda caller, work: wait_for_reply(caller, work, timeout, sent, after, automatic, match),
        )

    async def wait_for_delivery(self, sent: Sent, *, timeout: float = TIMEOUT) -> Message:
        """
        Waits until a sent message has left, and returns it: no recipient is pending, and at least one is `sent` (the next
        server, such as a relay, accepted it) or `delivered` (the recipient's server accepted it). While a message is `held` for
        approval or `deferred`, the wait continues. Raises a `DeliveryFailedError` once the message has failed for all of its
        recipients, and a `WaitTimeoutError` as `wait_for` does. A bounce may still follow.
        """
        return await self._caller.wait(
            timeout, lambda caller, work: wait_for_delivery(caller, work, timeout, sent)
        )

    async def wait_for_code(
        self,
        *,
        pattern: "Optional[Union[str, re.Pattern[str]]]" = None,
        after: Optional[After] = None,
        match: Optional[Match] = None,
        timeout: float = TIMEOUT,
        inbox_id: Optional[str] = None,
        thread_id: Optional[str] = None,
        label_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        subject: Optional[str] = None,
        has_attachment: Optional[bool] = None,
        read: Optional[bool] = None,
    ) -> CodeFound:
        """
        Waits for a message with a one-time code, such as one for a sign-in, and returns both. `pattern` is the pattern of the
        code: the code is the first match in subject or text, or the first group of that match if there is one. With `after`,
        earlier mail counts too, and the newest code is returned, because a new code usually makes the older ones invalid.
        Raises a `WaitTimeoutError` as `wait_for` does.
        """
        filters = mail_filters(inbox_id, thread_id, label_id, from_, to, subject, has_attachment, read)
        return await self._caller.wait(
            timeout,
            lambda caller, work: wait_for_code(caller, work, timeout, filters, after, match, pattern),
        )

    async def wait_for_link(
        self,
        *,
        match: Optional[LinkMatch] = None,
        after: Optional[After] = None,
        timeout: float = TIMEOUT,
        inbox_id: Optional[str] = None,
        thread_id: Optional[str] = None,
        label_id: Optional[str] = None,
        from_: Optional[str] = None,
        to: Optional[str] = None,
        subject: Optional[str] = None,
        has_attachment: Optional[bool] = None,
        read: Optional[bool] = None,
    ) -> LinkFound:
        """
        Waits for a message with a link for a confirmation or a sign-in, or a link that `match` accepts, and returns both.
        `match` is an expression that matches the address, or a function. Without it, the link must begin with `https:`, or lead
        to this machine if the server also runs on it. With `after`, earlier mail counts too, and the newest link is returned.
        Raises a `WaitTimeoutError` as `wait_for` does.
        """
        filters = mail_filters(inbox_id, thread_id, label_id, from_, to, subject, has_attachment, read)
        return await self._caller.wait(
            timeout, lambda caller, work: wait_for_link(caller, work, timeout, filters, after, match)
        )
