"""
Follows the inbound mail of a workspace without missing any. It first finds its place in the log. It then returns existing
messages, if they are wanted, and then the messages in the log after that place. The server decides which messages pass
the filters.

A mail that the server has not parsed yet is returned twice: with its header alone, and again once it has been parsed. An event
in the log says when that is; these events are read only while there is such an email.
"""
from __future__ import annotations

import time
from datetime import timedelta
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Set

from ._caller import end_search
from ._event_stream import ResumableStream
from ._generated.types import Event, Message
from ._log_reader import PAGE_ITEMS, LogReader, PersistentRequests
from ._places import (
    After,
    MailPlace,
    from_cursor,
    is_since,
    listed_from,
    read_time,
    since_of,
    time_text,
)
from .errors import PostriderError

_RECEIVED = "message.received"
_UPDATED = "message.updated"
_SETTLED_SECONDS = 10.0
"""This many seconds after the list was read, all its messages have their places in the log."""


class FollowedMail(NamedTuple):
    """A message of the followed mail."""

    message: Any
    passes: bool
    """Whether it passes the filters."""
    is_unread: bool
    """Whether the server has not parsed the mail yet. The message is then returned again, with text and files."""


class LogWatch(Protocol):
    """Other events that are followed in the same log."""

    @property
    def kinds(self) -> Sequence[str]: ...

    def look(self, events: List[Event]) -> None:
        """
        Called once all existing mail has been returned, and then after the mail of each part of the log, with the events of
        these kinds in it. It can end the stream by raising an error.
        """


class MailFollower:
    """Reads inbound mail from a place on, each message once."""

    def __init__(
        self, requests: PersistentRequests, filters: Mapping[str, Any], after: Optional[After]
    ) -> None:
        """Creates a follower that begins at `after`. Default: after the newest event."""
        if filters.get("direction", "inbound") != "inbound":
            raise PostriderError(
                "Only inbound mail is followed; events.stream() reports the delivery of sent messages."
            )
        self._requests = requests
        self._caller = requests.caller
        self._filters = {key: value for key, value in filters.items() if value is not None}
        self._was_read: Callable[[str], bool] = lambda _: False
        self._settled_at: Optional[float] = None
        self._place = self._open(after)
        end_search(requests.work)

    def _open(self, after: Optional[After]) -> MailPlace:
        if after is None or after == "latest":
            self._was_read = self._caller.read.up_to_now()
            return MailPlace(self._requests.newest_event())
        known = self._caller.read.place_behind(after)
        if known is None and isinstance(after, str):
            known = from_cursor(after)
        if known is not None:
            return known
        since = since_of(after)
        return MailPlace(self._requests.newest_event(), since, since)

    @property
    def cursor(self) -> str:
        """The place after the last message that was returned."""
        return self._place.cursor

    def there(self) -> List[FollowedMail]:
        """Returns all existing messages, oldest first. `follow` continues after them."""
        mail = list(self._give_listed())
        while True:
            before = self._place.event
            mail.extend(self._read_log(0))
            if self._place.event == before:
                return mail

    def follow(self, watch: Optional[LogWatch] = None) -> Iterator[FollowedMail]:
        """Yields the messages, oldest first, without end."""
        yield from self._give_listed()
        if watch is not None:
            watch.look([])
        while True:
            yield from self._read_log(None, watch)

    def _give_listed(self) -> Iterator[FollowedMail]:
        place = self._place
        start = place.listed
        if start is not None:
            for message, passes in self._list_from(start):
                if not is_since(message, start) or message["id"] in place.given:
                    continue
                place.listed = message["id"]
                if not is_unread(message):
                    place.given[message["id"]] = None
                yield self._give(message, passes)
            place.listed = None
        elif self._is_filtered() and self._settled_at is None:
            # The result is not used, but the request fails at once for an unknown thread or label.
            query = {**self._filters, "limit": 1}
            self._requests.make(lambda work: self._caller.call("messages.list", query=query, work=work))
        if self._settled_at is None:
            self._settled_at = time.monotonic() + _SETTLED_SECONDS

    def _list_from(self, start: str) -> List[Any]:
        """
        Returns the existing mail, oldest first. An email that the server has not parsed yet seems to have no files, so that
        filter is left out of the list.
        """
        after = listed_from(start)
        every = self._list({"after": after, "has_attachment": None}) if self._filters.get("has_attachment") else []
        passing = self._list({"after": after})
        ids = {message["id"] for message in passing}
        unread = [message for message in every if is_unread(message) and message["id"] not in ids]
        found = sorted([*unread, *passing], key=lambda message: message["id"])
        return [(message, message["id"] in ids) for message in found]

    def _read_log(
        self, wait_seconds: Optional[int] = None, watch: Optional[LogWatch] = None
    ) -> Iterator[FollowedMail]:
        place = self._place
        is_settled = time.monotonic() > (self._settled_at or 0)
        awaits_text = bool(place.unread)
        kinds = [_RECEIVED, *([_UPDATED] if awaits_text else []), *(watch.kinds if watch else [])]
        wanted = {"events": kinds, "inbox_id": self._filters.get("inbox_id")}
        log = LogReader(self._requests, wanted, place.event)
        events = log.poll() if wait_seconds is None else log.poll(wait_seconds)
        fresh = {event["id"]: event["message"] for event in events if event["message"] and self._is_fresh(event)}
        passing = self._passing(list(fresh.values()))
        for event in events:
            place.event = event["id"]
            message = event["message"]
            if message is None:
                continue
            if event["event"] == _RECEIVED:
                place.given.pop(message["id"], None)
            is_update = event["event"] == _UPDATED
            if event["id"] not in fresh or (is_update and message["id"] not in place.unread):
                continue
            mail = self._give(message, passing is None or message["id"] in passing, is_update)
            yield mail
            # The log is read again from here, including the event that says when the mail was parsed.
            if mail.is_unread and not awaits_text:
                return
        place.event = log.after
        if is_settled and len(events) < PAGE_ITEMS:
            place.since = None
            place.given.clear()
        if watch is not None:
            watch.look([event for event in events if event["event"] not in (_RECEIVED, _UPDATED)])

    def _give(self, message: Any, passes: bool, is_end: bool = False) -> FollowedMail:
        """`is_end` says that the server has finished with an email that it could not parse at first."""
        is_awaited = is_unread(message) and not is_end
        if is_awaited:
            self._place.unread[message["id"]] = None
        else:
            self._place.unread.pop(message["id"], None)
        if passes and not is_awaited:
            self._caller.read.note_place(message["id"], self.cursor)
        return FollowedMail(message, passes, is_awaited)

    def _is_fresh(self, event: Any) -> bool:
        """Returns whether an event is about mail that may be wanted: mail that has arrived, or that has been parsed later."""
        if event["event"] == _RECEIVED:
            return self._is_wanted(event["message"])
        return event["event"] == _UPDATED and (not event["changed"] or "body_text" in event["changed"])

    def _is_wanted(self, message: Any) -> bool:
        if message["id"] in self._place.given or self._was_read(message["id"]):
            return False
        return self._place.since is None or is_since(message, self._place.since)

    def _is_filtered(self) -> bool:
        """Returns whether there are filters besides `inbox_id`, which the log applies already."""
        return any(key != "inbox_id" for key in self._filters)

    def _passing(self, messages: List[Any]) -> Optional[Set[str]]:
        """Returns the ids of the messages that pass the filters, or `None` if all do."""
        if not self._is_filtered() or not messages:
            return None
        times = [read_time(message["created_at"]) for message in messages]
        after = time_text(min(times))
        before = time_text(max(times) + timedelta(milliseconds=1))
        return {message["id"] for message in self._list({"after": after, "before": before})}

    def _list(self, params: Dict[str, Any]) -> List[Any]:
        query = {**self._filters, "direction": "inbound", "limit": PAGE_ITEMS, **params}
        return self._requests.make(
            lambda work: list(self._caller.list("messages.list", query=query, work=work))
        )


def is_unread(message: Mapping[str, Any]) -> bool:
    """Returns whether the server has not parsed an email yet: its text is `None`, and named as cut."""
    return message["body_text"] is None and "body_text" in message["truncated"]


class MessageStream(ResumableStream[Message]):
    """A stream of inbound messages as they arrive, once each."""

    def __init__(
        self,
        requests: PersistentRequests,
        filters: Mapping[str, Any],
        after: Optional[After],
        match: Optional[Callable[[Message], bool]],
    ) -> None:
        super().__init__(requests)
        self._follower = MailFollower(requests, filters, after)
        self._match = match
        self._mail = self._follower.follow()

    @property
    def cursor(self) -> str:
        return self._follower.cursor

    def _next(self) -> Message:
        try:
            for message, passes, unread in self._mail:
                if passes and not unread and (self._match is None or self._match(message)):
                    return message
            raise PostriderError("The log has ended.")
        except BaseException:
            # An error ends a generator. The next generator continues at the place of the follower.
            self._mail = self._follower.follow()
            raise
