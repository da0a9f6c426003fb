"""Detects that a sent message has failed, while a call waits for its reply."""
from __future__ import annotations

import json
import re
import time
from typing import Any, Callable, List, Literal, Mapping, Optional, Set

from ._generated.types import Event, Message, MessageRecipient
from ._log_reader import PersistentRequests
from .errors import PostriderError

DeliveryFailureReason = Literal[
    "bounced", "complained", "rejected", "not_approved", "expired", "unconfirmed"
]

_FAILURES = ("complained", "bounced", "rejected", "failed")
"""The statuses of recipients that the message failed for, from worst to best."""
_EXPLANATIONS = {
    "bounced": (
        "bounced, so no reply will come",
        "Do not send it again: the address is now suppressed. Check the address, or write to another one.",
    ),
    "complained": (
        "was marked as spam",
        "Do not write to this recipient again: the address is now suppressed.",
    ),
    "rejected": ("was refused, so no reply will come", "Do not send it again unchanged."),
    "not_approved": (
        "was not approved by people, so it was not sent",
        "Do not send it again unless they ask for it.",
    ),
    "expired": (
        "could not be delivered in time, so no reply will come",
        "You can send it once more, as a new message. If that also expires, tell the people who run the server.",
    ),
    "unconfirmed": (
        "may or may not have arrived, because the connection broke during delivery",
        "Do not send it again. Ask the recipient some other way, or tell the person who asked you.",
    ),
}
_DETAIL_SHOWN = 200
_ADDRESSES_SHOWN = 3


class DeliveryFailedError(PostriderError):
    """
    The message whose reply was awaited failed for all of its recipients. The error's text is plain English for an agent:
    what happened, what the other server or the people said, and what to do.
    """

    def __init__(self, sent: Message) -> None:
        failed = [recipient for recipient in sent["recipients"] if recipient["status"] in _FAILURES]
        self.recipients: List[MessageRecipient] = sorted(
            failed, key=lambda recipient: _FAILURES.index(recipient["status"])
        )
        """The recipients that it failed for, the worst first."""
        self.sent = sent
        """The message that failed."""
        self.thread_id = sent["thread_id"]
        self.reason: DeliveryFailureReason = _reason(self.recipients[0])
        """Why it failed; the worst reason if recipients differ."""
        self.is_retryable = self.reason == "expired"
        """Whether the same message may be sent again as it is, with a new `client_id`."""
        super().__init__(_text(sent, self.recipients, self.reason))


def find_delivery_failure(message: Message) -> Optional[DeliveryFailedError]:
    """Returns the error for a sent message that failed for all of its recipients; `None` while a reply may come."""
    recipients = message["recipients"]
    has_failed = bool(recipients) and all(recipient["status"] in _FAILURES for recipient in recipients)
    return DeliveryFailedError(message) if has_failed else None


def _reason(worst: MessageRecipient) -> DeliveryFailureReason:
    detail = worst["detail"] or ""
    if worst["status"] == "bounced" or worst["status"] == "complained":
        return worst["status"]
    if worst["status"] == "rejected":
        return "not_approved" if detail.startswith("not_approved:") else "rejected"
    return "unconfirmed" if detail.startswith("unconfirmed") else "expired"


def _text(sent: Message, recipients: List[MessageRecipient], reason: DeliveryFailureReason) -> str:
    addresses = [recipient["address"] for recipient in recipients[:_ADDRESSES_SHOWN]]
    more = len(recipients) - len(addresses)
    whom = ", ".join(addresses) + (f" and {more} more" if more > 0 else "")
    detail = recipients[0]["detail"] or ""
    said = re.sub(r"^(?:not_approved|expired|unconfirmed|feedback): ", "", detail)[:_DETAIL_SHOWN]
    happened, following = _EXPLANATIONS[reason]
    # The words of another server are quoted, because they are not those of this client.
    quoted = f": {json.dumps(said, ensure_ascii=False)}" if said else ""
    subject = json.dumps(sent["subject"], ensure_ascii=False)
    return f"The message {subject} to {whom} {happened}{quoted}. {following}"


_LOOK_AGAIN = 25.0
"""The message is read again after this many seconds, because an unconfirmed delivery has no event."""
_NEWEST_ITEMS = 5
"""The number of newest messages of a thread that are read. Some of them may be automatic replies."""


class DeliveryWatch:
    """Raises a `DeliveryFailedError` once the message that should be replied to has failed."""

    kinds = ("message.bounced", "message.complained", "message.rejected")

    def __init__(
        self, read: Callable[[], Optional[Message]], is_about: Callable[[Mapping[str, Any]], bool]
    ) -> None:
        self.message: Optional[Message] = None
        """The message when it was last read; `None` if there is none."""
        self.status: Optional[str] = None
        self._read = read
        self._is_about = is_about
        self._read_at = float("-inf")

    def look(self, events: List[Event]) -> None:
        is_due = time.monotonic() - self._read_at >= _LOOK_AGAIN
        if not is_due and not any(self._is_about(event) for event in events):
            return
        message = self._read()
        self._read_at = time.monotonic()
        self.message = message
        self.status = None if message is None else message["delivery_status"]
        failure = None if message is None else find_delivery_failure(message)
        if failure is not None:
            raise failure


def watch_message(requests: PersistentRequests, message_id: str) -> DeliveryWatch:
    """Watches one sent message."""

    def read() -> Message:
        return requests.make(
            lambda work: requests.caller.call("messages.get", path_id=message_id, work=work)
        )

    return DeliveryWatch(read, lambda event: event["message_ref"] == message_id)


def watch_thread(requests: PersistentRequests, thread_id: str) -> DeliveryWatch:
    """Watches the newest message of a thread, automatic replies aside, as long as it is a sent one."""
    # The caller may have the id of a thread that was merged into another, which the log names.
    ids: Set[str] = {thread_id}
    query = {"thread_id": thread_id, "limit": _NEWEST_ITEMS}

    def read() -> Optional[Message]:
        page = requests.make(lambda work: requests.caller.call("messages.list", query=query, work=work))
        for message in page["messages"]:
            ids.add(message["thread_id"])
        for message in page["messages"]:
            if message["direction"] == "outbound":
                return message
            if not message["auto_submitted"]:
                return None
        return None

    return DeliveryWatch(read, lambda event: event["thread_id"] in ids)
