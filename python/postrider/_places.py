"""
A place in the mail of a workspace. The order of the log never changes, so a place in it is an event. Earlier mail is
read as a list, which has another order. Until the whole list is read, a place also has how far it was read and which of
its messages may still appear in the log, because an event gets its place in the log a moment after its message can be
read.
"""
from __future__ import annotations

import re
import threading
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Union

from .errors import PostriderError

After = Union[str, datetime, Mapping[str, Any]]
"""
Where a wait or a stream of messages begins: after a message or its id, after the `cursor` of a stream or the id of an
event, or at a time of the server's clock. Mail of exactly that time counts too, so the `created_at` of a message returns
the message again.
"""

BEGINNING = "beginning"
"""The place before the first event, also while the log is empty."""

_GIVEN_MAX = 200
_CURSOR = re.compile(r"(?:beginning|evt_\w+)(?:~[\w:.,-]*){0,4}", re.ASCII)
_MESSAGE_ID = re.compile(r"msg_[0-7][0-9a-hjkmnp-tv-z]{25}")
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"


@dataclass
class MailPlace:
    """A place in the mail of a workspace."""

    event: Optional[str]
    """The event after which the log is read; `None` at its beginning."""
    since: Optional[str] = None
    """The time from which messages count, or the message after which they do; `None` if all in the log count."""
    listed: Optional[str] = None
    """How far the list was read: a time or a message; `None` if it was read completely or is not wanted."""
    given: Dict[str, None] = field(default_factory=dict)
    """The ids of the messages of the list that were returned."""
    unread: Dict[str, None] = field(default_factory=dict)
    """The ids of messages whose mail the server has not parsed yet, so that they are returned again."""

    @property
    def cursor(self) -> str:
        """Returns the place as a text with which another process can continue."""
        some, others = (",".join(list(ids)[-_GIVEN_MAX:]) for ids in (self.given, self.unread))
        parts = [self.event or BEGINNING, self.since or "", self.listed or "", some, others]
        return "~".join(parts).rstrip("~")


def from_cursor(text: str) -> Optional[MailPlace]:
    """Returns the place of a cursor or of the id of an event, or `None` if the text is neither."""
    if not _CURSOR.fullmatch(text):
        return None
    event, since, listed, given, unread = (text.split("~") + [""] * 4)[:5]
    return MailPlace(
        None if event == BEGINNING else event,
        since or None,
        listed or None,
        dict.fromkeys(given.split(",") if given else []),
        dict.fromkeys(unread.split(",") if unread else []),
    )


def since_of(after: After) -> str:
    """Returns the message or the time in `after`. Raises a `PostriderError` if it is neither."""
    start = after["id"] if isinstance(after, Mapping) and "id" in after else after
    if is_message_id(start):
        return str(start)
    try:
        if isinstance(start, datetime):
            return time_text(start)
        return time_text(read_time(str(start)))
    except ValueError:
        raise PostriderError(
            f"after must be a message, the id of a message, a time, or the cursor of a stream, not {after!r}."
        ) from None


def is_since(message: Mapping[str, Any], since: str) -> bool:
    """Returns whether a message comes after another one, or was created at a time or later."""
    if is_message_id(since):
        return str(message["id"]) > since
    return read_time(message["created_at"]) >= read_time(since)


def listed_from(since: str) -> str:
    """Returns the time from which a list contains all messages after a message, or from a time on."""
    if not is_message_id(since):
        return since
    # Ids are TypeIDs over UUIDv7 (RFC 9562, 5.7), which begin with a time in milliseconds.
    millis = 0
    for digit in since[4:14]:
        millis = millis * 32 + _DIGITS.index(digit)
    return time_text(datetime.fromtimestamp(millis / 1000, timezone.utc))


def is_message_id(value: object) -> bool:
    return isinstance(value, str) and _MESSAGE_ID.fullmatch(value) is not None


def read_time(text: str) -> datetime:
    """Returns the time in an ISO 8601 text. Raises a `ValueError` if the text is not a time."""
    return datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)


def time_text(time: datetime) -> str:
    """Returns a time as the API takes it. A time without a zone is local, as everywhere in Python."""
    utc = time.astimezone(timezone.utc)
    return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")


_REMEMBERED_MAX = 1_000


class ReadMessages:
    """
    The knowledge of a client about the messages that it received. Their events may not be in the log yet, and a wait for
    a new message has to know which messages are not new.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reads: Dict[str, int] = {}
        self._places: Dict[str, str] = {}
        self._count = 0

    def note(self, data: Any) -> None:
        """Records the messages of a response."""
        with self._lock:
            for message_id in _ids_in(data):
                self._count += 1
                if message_id not in self._reads:
                    _remember(self._reads, message_id, self._count)
        for event in _items_in(data, "events"):
            # In a webhook, this field has the names of its events.
            if isinstance(event, dict):
                self.note_event(event)

    def note_event(self, event: Any) -> None:
        """Records the place in the log of the message of an event."""
        if event.get("event") == "message.received" and event.get("message"):
            self.note_place(event["message"]["id"], event["id"])

    def note_place(self, message_id: str, cursor: str) -> None:
        """Records the place after a message that was returned to a caller."""
        with self._lock:
            self._places.pop(message_id, None)
            _remember(self._places, message_id, cursor)

    def place_behind(self, after: After) -> Optional[MailPlace]:
        """Returns the place after a message, or `None` if it was never returned, or too long ago."""
        key = after.get("id") if isinstance(after, Mapping) else after
        with self._lock:
            cursor = self._places.get(str(key))
        return None if cursor is None else from_cursor(cursor)

    def up_to_now(self) -> Callable[[str], bool]:
        """Returns a function that returns whether a message was read before this call."""
        now = self._count

        def was_read(message_id: str) -> bool:
            return self._reads.get(message_id, now + 1) <= now

        return was_read


def _remember(values: Dict[str, Any], key: str, value: Any) -> None:
    values[key] = value
    if len(values) > _REMEMBERED_MAX:
        del values[next(iter(values))]


def _items_in(data: Any, key: str) -> List[Any]:
    items = data.get(key) if isinstance(data, dict) else None
    return items if isinstance(items, list) else []


def _ids_in(data: Any) -> Iterator[str]:
    for item in [data, *_items_in(data, "messages")]:
        found = item.get("id") if isinstance(item, dict) else None
        if isinstance(found, str) and found.startswith("msg_"):
            yield found
