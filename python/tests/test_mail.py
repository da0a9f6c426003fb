from __future__ import annotations

import threading
import time
import unittest
import uuid
from datetime import datetime, timezone
from typing import Any, Callable, List

import postrider

from .support import Peer, client, deliver, error, eventually, new_inbox


def later(work: Callable[[], Any]) -> threading.Thread:
    """Does something while the test waits."""

    def run() -> None:
        time.sleep(0.3)
        work()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


class Mail(unittest.TestCase):
    def setUp(self) -> None:
        self.client = client()
        self.inbox = new_inbox(self.client)
        self.addCleanup(self.client.close)

    def send(self, to: str, subject: str = "Lunch?", **more: Any) -> Any:
        return self.client.messages.send(inbox_id=self.inbox["id"], to=to, subject=subject, text="Noodles?", **more)


class Calls(Mail):
    def test_make_read_change_and_delete(self) -> None:
        messages = self.client.messages
        sent = self.send(self.inbox["address"], client_id=f"once-{uuid.uuid4()}", metadata={"order": "17"})
        self.assertEqual(messages.wait_for_delivery(sent)["metadata"], {"order": "17"})
        label = self.client.labels.create(name=f"py {uuid.uuid4().hex[:8]}")
        labelled = messages.update(sent["id"], add_labels=[label["name"]], read=True)
        self.assertEqual([one["id"] for one in labelled["labels"]], [label["id"]])
        self.client.labels.delete(label["id"])
        messages.delete(sent["id"])
        with self.assertRaises(postrider.NotFoundError) as raised:
            messages.get(sent["id"])
        self.assertEqual((raised.exception.code, raised.exception.param), ("not_found", "id"))
        self.assertEqual(self.client.request("GET", "/account")["plan"], self.client.account.get()["plan"])

    def test_a_repeated_client_id_sends_nothing(self) -> None:
        key = f"once-{uuid.uuid4()}"
        first, second = (self.send("bob@remote.example", client_id=key) for _ in range(2))
        self.assertEqual((first["id"], second["idempotent"]), (second["id"], True))

    def test_a_refusal_names_the_field(self) -> None:
        with self.assertRaises(postrider.BadRequestError) as raised:
            self.client.inboxes.create(local_part="not one!")
        self.assertEqual(raised.exception.issues[0]["path"], "local_part")

    def test_lists_go_on_from_page_to_page(self) -> None:
        for number in range(5):
            self.send("bob@remote.example", f"number {number}")
        page = self.client.messages.list(inbox_id=self.inbox["id"], limit=2)
        self.assertEqual([len(page.items), page.has_next_page(), page.data["mode_used"]], [2, True, "recent"])
        subjects = [message["subject"] for message in page]
        self.assertEqual(subjects, [f"number {number}" for number in (4, 3, 2, 1, 0)])
        self.assertEqual(len(page.to_list(limit=3)), 3)
        last = page.next_page().next_page()
        with self.assertRaises(postrider.PostriderError):
            last.next_page()

    def test_files_go_out_and_come_back(self) -> None:
        content = bytes(range(256))
        files: List[postrider.AttachmentSource] = [{"content": content, "filename": "a.bin"}]
        after = self.inbox["created_at"]
        self.send(self.inbox["address"], attachments=files)
        [file] = self.client.messages.wait_for(inbox_id=self.inbox["id"], after=after)["attachments"]
        self.assertEqual(self.client.attachments.download(file), content)

    def test_inboxes_labels_and_webhooks_are_made_once(self) -> None:
        local_part = f"py-{uuid.uuid4().hex[:12]}"
        made = [self.client.inboxes.get_or_create(local_part=local_part)["id"] for _ in range(2)]
        self.assertEqual(made[0], made[1])
        name = f"Py {uuid.uuid4()}"
        labels = [self.client.labels.get_or_create(name=one, color="#d33") for one in (name, f" {name.upper()} ")]
        self.assertEqual(labels[0], labels[1])
        self.assertEqual((labels[0]["name"], labels[0]["color"]), (name, "#d33"))
        with self.assertRaises(postrider.BadRequestError):
            self.client.labels.get_or_create(name="")
        self.client.labels.delete(labels[0]["id"])
        url = f"https://agent.example.com/{uuid.uuid4()}"
        first = self.client.webhooks.ensure(url=url, events=["message.received"])
        again = self.client.webhooks.ensure(url=url, events=["message.bounced"])
        self.assertEqual((again["id"], again["events"], "secret" in again), (first["id"], ["message.bounced"], False))
        self.client.webhooks.delete(first["id"])


class Waits(Mail):
    def test_fail_with_the_error_itself_or_with_the_last_one_as_its_cause(self) -> None:
        waits: List[Any] = ["wait_for_reply", "wait_for_delivery"]
        for wait in waits:
            with self.subTest(wait=wait), self.assertRaises(postrider.NotFoundError) as raised:
                getattr(self.client.messages, wait)("msg_unknown")
            self.assertIsNone(raised.exception.__cause__)
            with self.subTest(wait=wait), Peer(error(503, "unavailable", {"retry-after": "0"})) as peer:
                with self.assertRaises(postrider.WaitTimeoutError) as late:
                    getattr(peer.client().messages, wait)("msg_1", timeout=1)
            self.assertIsInstance(late.exception.__cause__, postrider.ServerError)

    def test_for_a_message_that_arrives_meanwhile(self) -> None:
        deliver(self.inbox["address"], "before")
        eventually("it", lambda: self.client.messages.list(inbox_id=self.inbox["id"]).items)
        thread = later(lambda: [deliver(self.inbox["address"], subject) for subject in ("other", "wanted")])
        found = self.client.messages.wait_for(
            inbox_id=self.inbox["id"], from_="remote.example", match=lambda message: message["subject"] == "wanted"
        )
        thread.join()
        self.assertEqual(found["subject"], "wanted")

    def test_for_what_was_there_and_behind_a_message(self) -> None:
        for subject in ("one", "two", "three"):
            deliver(self.inbox["address"], subject)
        after: postrider.After = self.inbox["created_at"]
        for subject in ("one", "two", "three"):
            message = self.client.messages.wait_for(inbox_id=self.inbox["id"], after=after)
            self.assertEqual(message["subject"], subject)
            after = message
        start = datetime.fromisoformat(self.inbox["created_at"].replace("Z", "+00:00"))
        self.assertEqual(client().messages.wait_for(inbox_id=self.inbox["id"], after=start)["subject"], "one")
        thread = later(lambda: deliver(self.inbox["address"], "four"))
        last = client().messages.wait_for(inbox_id=self.inbox["id"], after=message["id"])
        thread.join()
        self.assertEqual(last["subject"], "four")

    def test_end_with_what_came_instead(self) -> None:
        deliver(self.inbox["address"], "another one")
        eventually("it", lambda: self.client.messages.list(inbox_id=self.inbox["id"]).items)
        after = self.inbox["created_at"]
        with self.assertRaises(postrider.WaitTimeoutError) as raised:
            self.client.messages.wait_for(inbox_id=self.inbox["id"], after=after, match=lambda _: False, timeout=5)
        self.assertEqual((raised.exception.timeout, raised.exception.other_messages), (5, 1))
        self.assertIn("another one", str(raised.exception))
        with self.assertRaises(postrider.NotFoundError):
            self.client.messages.wait_for(inbox_id="inb_unknown")
        with self.assertRaises(postrider.PostriderError):
            self.client.messages.wait_for(inbox_id=self.inbox["id"], after="yesterday")

    def test_for_a_reply(self) -> None:
        other = new_inbox(self.client)
        sent = self.send(other["address"])
        question = self.client.messages.wait_for(inbox_id=other["id"], after=other["created_at"])
        thread = later(lambda: self.client.messages.reply(question["id"], text="Gladly."))
        reply = self.client.messages.wait_for_reply(sent)
        thread.join()
        self.assertEqual((reply["subject"], reply["extracted_text"]), ("Re: Lunch?", "Gladly."))

    def test_for_a_reply_end_once_the_message_has_failed(self) -> None:
        name = f"bounce+{uuid.uuid4().hex[:8]}"
        sent = self.send(f"{name}@simulator.postrider.test")
        for wait in (self.client.messages.wait_for_reply, self.client.messages.wait_for_delivery):
            with self.assertRaises(postrider.DeliveryFailedError) as raised:
                wait(sent)
            failure = raised.exception
            self.assertEqual((failure.reason, failure.is_retryable, failure.sent["id"]), ("bounced", False, sent["id"]))
            self.assertIn("Do not send it again", str(failure))

    def test_for_a_code_and_a_link(self) -> None:
        deliver(self.inbox["address"], "Sign in", "Your code is 482 913.\n\nOr https://example.com/login?token=abc")
        deliver(self.inbox["address"], "Sign in", html='<p>Your code: <b>77AB31</b></p><a href="https://x.example/verify">Confirm</a>')
        after = self.inbox["created_at"]
        eventually("both", lambda: len(self.client.messages.list(inbox_id=self.inbox["id"]).items) == 2)
        newest = self.client.messages.wait_for_code(inbox_id=self.inbox["id"], after=after)
        self.assertEqual((newest.code, newest.message["subject"]), ("77AB31", "Sign in"))
        own = self.client.messages.wait_for_code(inbox_id=self.inbox["id"], after=after, pattern=r"code is (\d+ \d+)")
        self.assertEqual(own.code, "482 913")
        link = self.client.messages.wait_for_link(inbox_id=self.inbox["id"], after=after)
        self.assertEqual(link.url, "https://x.example/verify")
        found = self.client.messages.wait_for_link(inbox_id=self.inbox["id"], after=after, match=r"token=")
        self.assertEqual(found.url, "https://example.com/login?token=abc")

    def test_know_what_this_client_has_read(self) -> None:
        for number in range(5):
            deliver(self.inbox["address"], f"number {number}")
            eventually("it", lambda: len(self.client.messages.list(inbox_id=self.inbox["id"]).items) == number + 1)
            with self.assertRaises(postrider.WaitTimeoutError):
                self.client.messages.wait_for(inbox_id=self.inbox["id"], timeout=0.5)

    def test_of_a_time_zone_less_time_mean_local_time(self) -> None:
        deliver(self.inbox["address"], "now")
        start = datetime.fromisoformat(self.inbox["created_at"].replace("Z", "+00:00"))
        local = start.astimezone(timezone.utc).astimezone().replace(tzinfo=None)
        self.assertEqual(self.client.messages.wait_for(inbox_id=self.inbox["id"], after=local)["subject"], "now")
