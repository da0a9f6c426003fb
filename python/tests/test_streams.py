from __future__ import annotations

import threading
import time
import unittest
from typing import Any, List

import postrider

from .support import Peer, Proxy, client, deliver, error, eventually, new_inbox


def ids_of(events: List[Any]) -> List[str]:
    return [event["id"] for event in events]


def take(stream: Any, count: int) -> List[Any]:
    return [next(stream) for _ in range(count)]


class Streams(unittest.TestCase):
    def setUp(self) -> None:
        self.client = client()
        self.inbox = new_inbox(self.client)
        self.addCleanup(self.client.close)

    def log(self) -> List[str]:
        return ids_of(list(self.client.events.list(inbox_id=self.inbox["id"], limit=100)))


class Events(Streams):
    def test_come_once_each_and_in_order_by_either_way(self) -> None:
        deliver(self.inbox["address"], "before")
        eventually("it", self.log)
        ways: List[Any] = ["sse", "poll"]
        streams = [self.client.events.stream(inbox_id=self.inbox["id"], transport=way) for way in ways]
        for number in range(12):
            deliver(self.inbox["address"], f"number {number}")
        for stream in streams:
            events = take(stream, 12)
            self.assertEqual([event["message"]["subject"] for event in events], [f"number {n}" for n in range(12)])
            self.assertEqual(ids_of(events), self.log()[1:])
            self.assertEqual(stream.cursor, events[-1]["id"])
            stream.close()

    def test_go_on_over_connections_that_break(self) -> None:
        with Proxy() as proxy:
            through = client(base_url=proxy.base_url)
            stream = through.events.stream(inbox_id=self.inbox["id"], events=["message.received"])
            seen: List[Any] = []
            reader = threading.Thread(target=lambda: seen.extend(take(stream, 30)))
            reader.start()
            for number in range(30):
                deliver(self.inbox["address"], f"number {number}")
                if number % 5 == 4:
                    proxy.cut()
            reader.join()
            stream.close()
            through.close()
        self.assertEqual(ids_of(seen), self.log())
        self.assertTrue(any(b"limit=" not in line and b"after=evt_" in line for line in proxy.requests))

    def test_begin_where_another_stream_was(self) -> None:
        with self.client.events.stream(inbox_id=self.inbox["id"]) as first:
            place = first.cursor
        for subject in ("one", "two"):
            deliver(self.inbox["address"], subject)
        for start, expected in ((place, ["one", "two"]), ("beginning", ["one", "two"])):
            with self.client.events.stream(inbox_id=self.inbox["id"], after=start) as stream:
                self.assertEqual([event["message"]["subject"] for event in take(stream, 2)], expected)

    def test_end_when_they_are_closed_from_elsewhere(self) -> None:
        ways: List[Any] = ["sse", "poll"]
        for way in ways:
            stream = self.client.events.stream(inbox_id=self.inbox["id"], transport=way)
            seen: List[Any] = []
            reader = threading.Thread(target=lambda: seen.extend(stream))
            reader.start()
            time.sleep(0.2)
            stream.close()
            reader.join()
            self.assertEqual(seen, [])

    def test_end_with_the_error_of_the_log(self) -> None:
        with self.assertRaises(postrider.BadRequestError):
            next(self.client.events.stream(after="evt_unknown"))
        with self.assertRaises(postrider.NotFoundError):
            next(self.client.events.stream(inbox_id="inb_unknown"))

    def test_are_read_by_polls_where_no_stream_can_be_opened(self) -> None:
        page = (200, {}, b'{"events": [{"id": "evt_2", "event": "message.sent", "message": null}], "next_cursor": "evt_2"}')
        with Peer(error(404, "not_found"), page) as peer:
            with self.assertLogs("postrider", "INFO") as logged:
                event = next(peer.client().events.stream(after="evt_1"))
            self.assertIn("because no stream can be opened: ", "\n".join(logged.output))
            self.assertEqual((event["id"], len(peer.requests)), ("evt_2", 2))
            self.assertEqual(peer.requests[0].headers["accept"], "text/event-stream")


class Messages(Streams):
    def test_come_once_each_also_across_restarts(self) -> None:
        deliver(self.inbox["address"], "there before")
        cursor: postrider.After = self.inbox["created_at"]
        for number in range(4):
            deliver(self.inbox["address"], f"number {number}")
        subjects: List[str] = []
        for _ in range(5):
            with client().messages.stream(inbox_id=self.inbox["id"], after=cursor) as stream:
                subjects.append(next(stream)["subject"])
                cursor = stream.cursor
        self.assertEqual(subjects, ["there before", *(f"number {number}" for number in range(4))])

    def test_pass_the_filters_of_the_server_and_match(self) -> None:
        stream = self.client.messages.stream(
            inbox_id=self.inbox["id"], subject="wanted", match=lambda message: "!" in message["subject"]
        )
        for subject in ("other!", "wanted", "wanted!"):
            deliver(self.inbox["address"], subject)
        self.assertEqual(next(stream)["subject"], "wanted!")
        stream.close()
