from __future__ import annotations

import json
import os
import unittest
from datetime import datetime, timezone
from typing import Any
from unittest import mock

import postrider
from postrider._retry import delay

from .support import CUT, HALF, SILENT, Peer, error, ok

SENT = ok('{"id": "msg_1", "idempotent": false}')


def send(client: postrider.Postrider, **more: Any) -> object:
    return client.messages.send(inbox_id="inb_1", to="ada@example.com", subject="Hi", **more)


class Retries(unittest.TestCase):
    def test_a_failed_connection_a_cut_answer_and_a_busy_server_are_tried_again(self) -> None:
        for failure in (CUT, HALF, error(503, "unavailable"), error(500, "internal_error"), (502, {}, b"<html>")):
            with self.subTest(failure=failure), Peer(failure, ok('{"id": "inb_1"}')) as peer:
                self.assertEqual(peer.client().inboxes.get("inb_1")["id"], "inb_1")
                self.assertEqual(len(peer.requests), 2)

    def test_the_attempts_of_a_send_share_a_client_id_and_calls_do_not(self) -> None:
        with Peer(CUT, error(503, "unavailable"), SENT) as peer:
            client = peer.client()
            send(client)
            send(client)
            send(client, client_id="mine")
            ids = [json.loads(request.body)["client_id"] for request in peer.requests]
        self.assertEqual(ids[0], ids[1])
        self.assertEqual(ids[1], ids[2])
        self.assertNotEqual(ids[2], ids[3])
        self.assertEqual(ids[4], "mine")

    def test_a_post_without_a_client_id_is_repeated_only_if_the_server_did_nothing(self) -> None:
        for failure in (CUT, error(503, "unavailable")):
            with self.subTest(failure=failure), Peer(failure, ok()) as peer:
                with self.assertRaises(postrider.PostriderError):
                    peer.client().webhooks.test("whk_1")
                self.assertEqual(len(peer.requests), 1)
        with Peer(error(429, "rate_limited", {"retry-after": "0"}), ok('{"id": "dlv_1"}')) as peer:
            self.assertEqual(peer.client().webhooks.test("whk_1")["id"], "dlv_1")

    def test_a_limit_of_what_is_sent_is_raised_at_once(self) -> None:
        for reason in ("loop", "policy"):
            answer = error(429, "rate_limited", {"retry-after": "1"}, f', "reason": "{reason}"')
            with self.subTest(reason=reason), Peer(answer) as peer:
                with self.assertRaises(postrider.RateLimitError) as raised:
                    send(peer.client())
                self.assertEqual((raised.exception.reason, len(peer.requests)), (reason, 1))

    def test_a_wait_of_more_than_a_minute_is_for_the_caller(self) -> None:
        for asked in ("61", "Fri, 31 Dec 2060 23:59:59 GMT"):
            with self.subTest(asked=asked), Peer(error(503, "unavailable", {"retry-after": asked})) as peer:
                with self.assertRaises(postrider.ServerError):
                    peer.client().account.get()
                self.assertEqual(len(peer.requests), 1)

    def test_retries_end_and_their_number_can_be_set(self) -> None:
        with Peer(error(503, "unavailable", {"retry-after": "0"})) as peer:
            with self.assertRaises(postrider.ServerError):
                peer.client().account.get()
            self.assertEqual(len(peer.requests), 3)
            with self.assertRaises(postrider.ServerError):
                peer.client(max_retries=4).account.get(options={"max_retries": 0})
            self.assertEqual(len(peer.requests), 4)

    def test_a_404_after_an_attempt_that_may_have_deleted_is_success(self) -> None:
        gone = error(404, "not_found")
        with Peer(CUT, gone) as peer:
            self.assertIsNone(peer.client().labels.delete("lbl_1"))
        with Peer(error(429, "rate_limited", {"retry-after": "0"}), gone) as peer:
            with self.assertRaises(postrider.NotFoundError):
                peer.client().labels.delete("lbl_1")

    def test_an_attempt_has_a_time_limit(self) -> None:
        with Peer(SILENT) as peer:
            with self.assertRaisesRegex(postrider.TimeoutError, "account.get: no response within the timeout of 0.2 s"):
                peer.client().account.get(options={"timeout": 0.2, "max_retries": 0})
            self.assertTrue(peer.hung_up.wait(60))

    def test_a_refused_connection_says_where(self) -> None:
        with Peer(ok()) as peer:
            client = peer.client(max_retries=0)
        with self.assertRaisesRegex(postrider.ConnectionError, "Is the server running there"):
            client.account.get()


class Requests(unittest.TestCase):
    def test_say_who_asks_and_keep_their_connection(self) -> None:
        with Peer(ok('{"id": "inb_1"}')) as peer:
            client = peer.client()
            for _ in range(3):
                client.inboxes.get("inb_1")
            self.assertEqual(peer.connections, 1)
            [request, *_] = peer.requests
        self.assertEqual(request.headers["authorization"], "Bearer pr_test_key")
        self.assertTrue(request.headers["user-agent"].startswith(f"postrider-python/{postrider.VERSION}"))

    def test_leave_out_what_was_not_given_and_keep_none(self) -> None:
        with Peer(ok('{"id": "inb_1", "messages": [], "next_cursor": null}')) as peer:
            client = peer.client()
            client.inboxes.update("inb_1/..", display_name=None)
            after = datetime(2026, 1, 2, 3, 4, 5, 678_900, timezone.utc)
            client.messages.list(from_="example.com", after=after, has_attachment=True, limit=2)
        update, listing = peer.requests
        self.assertEqual((update.path, json.loads(update.body)), ("/v1/inboxes/inb_1%2F..", {"display_name": None}))
        self.assertEqual(
            listing.path,
            "/v1/messages?from=example.com&has_attachment=true&after=2026-01-02T03%3A04%3A05.678Z&limit=2",
        )

    def test_refuse_ids_and_paths_that_name_something_else(self) -> None:
        with Peer(ok()) as peer:
            client = peer.client()
            for bad in ("", "..", "."):
                with self.assertRaises(postrider.PostriderError):
                    client.inboxes.get(bad)
            for path in ("account", "/a/../b", "/a/%2E%2e/b", "/a?b=c"):
                with self.assertRaises(postrider.PostriderError):
                    client.request("GET", path)
            self.assertEqual(peer.requests, [])

    def test_send_files_by_path_and_as_bytes(self) -> None:
        with Peer(SENT) as peer:
            client = peer.client()
            client.messages.send(
                inbox_id="inb_1",
                to=["ada@example.com"],
                subject="Files",
                attachments=[
                    {"path": __file__},
                    {"content": b"\x01\x02\x03", "filename": "a.bin"},
                    {"content_base64": "AQID", "filename": "b.bin"},
                ],
            )
            with self.assertRaisesRegex(postrider.PostriderError, "cannot be read"):
                client.messages.send(inbox_id="i", to="a@b.c", subject="", attachments=[{"path": "/no/such/file"}])
            files = json.loads(peer.requests[0].body)["attachments"]
        self.assertEqual([file["filename"] for file in files], [os.path.basename(__file__), "a.bin", "b.bin"])
        self.assertEqual([file["content_base64"] for file in files][1:], ["AQID", "AQID"])


class Errors(unittest.TestCase):
    def test_have_the_class_of_their_status_and_the_fields_of_their_code(self) -> None:
        more = ', "blocked": [{"address": "a@b.c", "reason": "suppressed"}]'
        with Peer(error(422, "no_deliverable_recipients", None, more)) as peer:
            with self.assertRaises(postrider.UnprocessableEntityError) as raised:
                send(peer.client())
        self.assertEqual(raised.exception.code, "no_deliverable_recipients")
        self.assertEqual(raised.exception.blocked[0]["reason"], "suppressed")
        self.assertEqual(raised.exception.request_id, "req_1")
        self.assertIn("(request req_1)", str(raised.exception))
        with self.assertRaises(AttributeError):
            raised.exception.issues

    def test_name_what_is_no_answer_of_the_api(self) -> None:
        for answer in ((200, {"content-type": "text/html"}, b"<html>"), (308, {"location": "https://x"}, b"")):
            with self.subTest(answer=answer), Peer(answer) as peer:
                with self.assertRaises(postrider.APIError) as raised:
                    peer.client().account.get()
                self.assertEqual(raised.exception.code, "unexpected_answer")

    def test_of_options_come_before_any_request(self) -> None:
        with mock.patch.dict(os.environ, {"POSTRIDER_API_KEY": ""}):
            with self.assertRaisesRegex(postrider.PostriderError, "API key is missing"):
                postrider.Postrider()
        for options in ({"base_url": "ftp://x"}, {"timeout": 0}, {"max_retries": -1}, {"api_key": "a b"}):
            with self.subTest(options=options), self.assertRaises(postrider.PostriderError):
                postrider.Postrider(**{"api_key": "k", **options})  # type: ignore[arg-type]

    def test_of_the_function_that_gives_the_key_are_its_own(self) -> None:
        keys = iter(["first", "second"])
        with Peer(error(503, "unavailable", {"retry-after": "0"}), ok()) as peer:
            postrider.Postrider(api_key=lambda: next(keys), base_url=peer.base_url).account.get()
            asked = [request.headers["authorization"] for request in peer.requests]
        self.assertEqual(asked, ["Bearer first", "Bearer second"])


class Delays(unittest.TestCase):
    def test_double_up_to_a_limit_and_are_never_short(self) -> None:
        for retry, full in ((1, 0.3), (2, 0.6), (3, 1.2), (6, 8.0), (100, 8.0)):
            for _ in range(20):
                self.assertTrue(full / 2 <= delay(retry) <= full)
