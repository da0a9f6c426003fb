"""Waits for a message, a reply, a code, a link, or a delivery."""
from __future__ import annotations

import json
import re
import urllib.parse
from typing import Any, Callable, Dict, Mapping, NamedTuple, NoReturn, Optional, Set, TypeVar, Union

from ._caller import Caller
from ._delivery import DeliveryWatch, watch_message, watch_thread
from ._find_code import find_code
from ._find_link import LinkMatch, find_link, is_loopback
from ._generated.types import Message, SendReceipt, SentMessage
from ._log_reader import LogReader, PersistentRequests
from ._mail_follower import FollowedMail, LogWatch, MailFollower
from ._places import After
from ._work import Work
from .errors import PostriderError, WaitTimeoutError

TIMEOUT = 60.0
"""The default time limit of a wait, in seconds."""

Found = TypeVar("Found")
Sent = Union[str, SendReceipt, SentMessage, Message]
Match = Callable[[Message], bool]


class CodeFound(NamedTuple):
    """A one-time code and its message."""

    code: str
    message: Message


class LinkFound(NamedTuple):
    """A link and its message."""

    url: str
    message: Message


class _Wait:
    """The time limit of a wait, which begins when this object is created."""

    def __init__(self, caller: Caller, timeout: float, work: Work) -> None:
        self.timeout = timeout
        self.work = work
        self.requests = PersistentRequests(caller, work)
        self.others = 0
        self.last: Optional[Message] = None
        """The last message that arrived but was not the awaited one."""

    @property
    def is_over(self) -> bool:
        """Whether the time is over. A wait that was stopped has no timeout."""
        return self.work.is_expired and not self.work.is_stopped

    def fail(self, error: BaseException, what: str, status: Optional[str] = None) -> NoReturn:
        """Raises the error of a failed wait: a `WaitTimeoutError` if the time is over, and else the error itself."""
        if not self.is_over:
            raise error
        failure = self.requests.failure
        reason = "" if failure is None else f"; the last request failed: {str(failure).rstrip('.')}"
        text = f"No {what} came within {self.timeout:g} s{self._others_text()}{reason}.{_status_text(status)}"
        raise WaitTimeoutError(
            text, timeout=self.timeout, other_messages=self.others, sent_status=status
        ) from failure

    def _others_text(self) -> str:
        if self.last is None:
            return ""
        text = f"{json.dumps(self.last['subject'], ensure_ascii=False)} from {self.last['from_addr']}"
        return f", but {text} did" if self.others == 1 else f", but {self.others} others did, the last {text}"


def _status_text(status: Optional[str]) -> str:
    """A message that has not gone out yet cannot have a reply."""
    if status == "held":
        return " The message was held: it will be sent once people approve it."
    if status == "deferred":
        return " The message was deferred: the server will try to deliver it again."
    return ""


def wait_for(
    caller: Caller,
    work: Work,
    timeout: float,
    filters: Mapping[str, Any],
    after: Optional[After],
    match: Optional[Match],
) -> Message:
    """Returns the first message that matches."""
    wait = _Wait(caller, timeout, work)
    thread_id = filters.get("thread_id")
    watch = None if thread_id is None else watch_thread(wait.requests, thread_id)

    def find(message: Message) -> Optional[Message]:
        return message if match is None or match(message) else None

    what = "" if match is None else " that passes match"
    return _wait_for_found(wait, filters, after, find, what, watch=watch)


def wait_for_reply(
    caller: Caller,
    work: Work,
    timeout: float,
    sent: Sent,
    after: Optional[After],
    automatic: bool,
    match: Optional[Match],
) -> Message:
    """Returns the first reply in the thread of a message, even if it arrived before the call."""
    message_id = _id_of(sent, "wait_for_reply")
    wait = _Wait(caller, timeout, work)
    watch = watch_message(wait.requests, message_id)
    try:
        original = wait.requests.make(
            lambda own: caller.call("messages.get", path_id=message_id, work=own)
        )
    except Exception as error:
        wait.fail(error, f"reply to {message_id}")
    watch.status = original["delivery_status"]

    def find(message: Message) -> Optional[Message]:
        # A message that an inbox sends to itself arrives in the same thread.
        is_own = message["message_id"] == original["message_id"]
        is_wanted = not is_own and (automatic or not message["auto_submitted"])
        return message if is_wanted and (match is None or match(message)) else None

    # A thread that was merged into another is still found by its id.
    thread = {"inbox_id": original["inbox_id"], "thread_id": original["thread_id"]}
    start = original["created_at"] if after is None else after
    what = "" if match is None else " that passes match"
    return _wait_for_found(wait, thread, start, find, what, watch=watch)


def wait_for_code(
    caller: Caller,
    work: Work,
    timeout: float,
    filters: Mapping[str, Any],
    after: Optional[After],
    match: Optional[Match],
    pattern: "Optional[Union[str, re.Pattern[str]]]",
) -> CodeFound:
    """Returns the code of the first message that has one. Of earlier messages, the newest one counts."""
    wait = _Wait(caller, timeout, work)
    wanted = re.compile(pattern) if isinstance(pattern, str) else pattern

    def find(message: Message) -> Optional[CodeFound]:
        if match is not None and not match(message):
            return None
        code = find_code(_read_whole(wait.requests, message), wanted)
        return None if code is None else CodeFound(code, message)

    what = " with a code" if wanted is None else f" with a code like {wanted.pattern}"
    return _wait_for_found(wait, filters, after, find, what, prefers_newest=True, takes_header=True)


def wait_for_link(
    caller: Caller,
    work: Work,
    timeout: float,
    filters: Mapping[str, Any],
    after: Optional[After],
    match: Optional[LinkMatch],
) -> LinkFound:
    """Returns the link of the first message that has one. Of earlier messages, the newest one counts."""
    wait = _Wait(caller, timeout, work)
    # If the server is on this machine, mail of a site under development may have links to this machine.
    allows_local = is_loopback(urllib.parse.urlsplit(caller.settings.base_url).hostname or "")

    def find(message: Message) -> Optional[LinkFound]:
        url = find_link(_read_whole(wait.requests, message), match, allows_local=allows_local)
        return None if url is None else LinkFound(url, message)

    what = " with a confirmation link" if match is None else " with a link that passes match"
    return _wait_for_found(wait, filters, after, find, what, prefers_newest=True)


_KINDS = ("message.sent", "message.delivered", *DeliveryWatch.kinds)
_WAITING = ("queued", "held", "sending", "deferred")
"""The statuses of recipients that still wait for an outcome."""


def wait_for_delivery(caller: Caller, work: Work, timeout: float, sent: Sent) -> Message:
    """Returns a sent message once no recipient waits for an outcome and at least one is `sent` or `delivered`."""
    message_id = _id_of(sent, "wait_for_delivery")
    wait = _Wait(caller, timeout, work)
    watch = watch_message(wait.requests, message_id)
    try:
        after = wait.requests.newest_event()
        watch.look([])
        inbox_id = None if watch.message is None else watch.message["inbox_id"]
        log = LogReader(wait.requests, {"events": _KINDS, "inbox_id": inbox_id}, after)
        while _is_waiting(watch.message):
            watch.look(log.poll())
    except Exception as error:
        wait.fail(error, f"delivery of {message_id}", watch.status)
    if watch.message is not None and watch.message["direction"] == "outbound":
        return watch.message
    raise PostriderError(f"{message_id} is a received message, so it has no delivery.")


def _is_waiting(message: Optional[Message]) -> bool:
    return message is not None and any(one["status"] in _WAITING for one in message["recipients"])


def _wait_for_found(
    wait: _Wait,
    filters: Mapping[str, Any],
    after: Optional[After],
    find: Callable[[Message], Optional[Found]],
    what: str,
    *,
    prefers_newest: bool = False,
    takes_header: bool = False,
    watch: Optional[DeliveryWatch] = None,
) -> Found:
    """
    Returns the result of `find` for the first inbound message for which it is not `None`. A message whose mail the server has
    not parsed yet is checked again after parsing. If the wait ends first, it is checked as it is.
    """
    seen: Set[str] = set()
    unread: Optional[Found] = None

    def look(mail: FollowedMail) -> Optional[Found]:
        nonlocal unread
        found = find(mail.message) if mail.passes else None
        if found is not None and (takes_header or not mail.is_unread):
            return found
        if unread is None:
            unread = found
        seen.add(mail.message["id"])
        wait.others, wait.last = len(seen), mail.message
        return None

    try:
        follower = MailFollower(wait.requests, filters, after)
        there = reversed(follower.there()) if prefers_newest and after is not None else ()
        for mail in there:
            found = look(mail)
            if found is not None:
                return found
        watched: Optional[LogWatch] = watch
        for mail in follower.follow(watched):
            found = look(mail)
            if found is not None:
                return found
        raise PostriderError("The log has ended.")
    except Exception as error:
        if unread is not None and wait.is_over:
            return unread
        wait.fail(error, f"{_describe(filters)}{what}", None if watch is None else watch.status)


def _describe(filters: Mapping[str, Any]) -> str:
    named = [f"{key} {json.dumps(value, default=str)}" for key, value in filters.items() if value is not None]
    return f"inbound message{' with ' + ', '.join(named) if named else ''}"


def _id_of(sent: Sent, name: str) -> str:
    fields: Mapping[str, Any] = {"id": sent} if isinstance(sent, str) else sent
    message_id = fields.get("id")
    if not isinstance(message_id, str) or message_id == "":
        raise PostriderError(f"{name} needs the sent message, as messages.send() returned it, or its id.")
    return message_id


def _read_whole(requests: PersistentRequests, message: Message) -> Dict[str, Any]:
    """
    Returns the message with its whole bodies. The bodies in events are cut, possibly in the middle of a code or link.
    """
    if not message["body_truncated"]:
        return dict(message)
    return requests.make(
        lambda work: requests.caller.call("messages.get", path_id=message["id"], work=work)
    )
