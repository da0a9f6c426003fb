from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import unittest
import uuid
from pathlib import Path
from typing import Any, List

import postrider

from .support import HANG_SECONDS, SILENT, Peer, deliver, error, eventually, new_inbox


async def deliver_soon(to: str, subject: str) -> None:
    await asyncio.to_thread(deliver, to, subject)


class Async(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.client = postrider.AsyncPostrider()
        self.inbox = await asyncio.to_thread(new_inbox)

    async def asyncTearDown(self) -> None:
        await self.client.close()

    async def test_calls_pages_and_errors(self) -> None:
        name = f"py-{uuid.uuid4().hex[:12]}"
        inbox = await self.client.inboxes.get_or_create(local_part=name)
        for number in range(3):
            await self.client.messages.send(inbox_id=inbox["id"], to="bob@remote.example", subject=f"number {number}")
        page = await self.client.messages.list(inbox_id=inbox["id"], limit=2)
        self.assertEqual((len(page.items), page.data["mode_used"]), (2, "recent"))
        subjects = [message["subject"] async for message in self.client.messages.list(inbox_id=inbox["id"], limit=2)]
        self.assertEqual(subjects, ["number 2", "number 1", "number 0"])
        self.assertEqual(len(await self.client.messages.list(inbox_id=inbox["id"]).to_list(limit=2)), 2)
        with self.assertRaises(postrider.NotFoundError):
            await self.client.messages.get("msg_unknown")

    async def test_fifty_waits_at_once_each_get_their_own(self) -> None:
        def begin(number: int) -> Any:
            subject = f"number {number}"
            return self.client.messages.wait_for(
                inbox_id=self.inbox["id"], match=lambda message: message["subject"] == subject, timeout=300
            )

        waits = [asyncio.create_task(begin(number)) for number in range(50)]
        await asyncio.sleep(0)
        for number in range(50):
            await deliver_soon(self.inbox["address"], f"number {number}")
        found = await asyncio.gather(*waits)
        self.assertEqual([message["subject"] for message in found], [f"number {n}" for n in range(50)])

    async def test_what_is_asked_after_a_wait_comes_after_it(self) -> None:
        for number in range(5):
            wait = self.client.messages.wait_for(inbox_id=self.inbox["id"], timeout=300)
            send = self.client.messages.send(
                inbox_id=self.inbox["id"], to=self.inbox["address"], subject=f"number {number}"
            )
            message, _ = await asyncio.gather(wait, send)
            self.assertEqual(message["subject"], f"number {number}")

    async def test_cancelling_a_call_closes_its_connection(self) -> None:
        with Peer(SILENT) as peer:
            client = postrider.AsyncPostrider(api_key="k", base_url=peer.base_url)
            task = asyncio.create_task(client.account.get())
            await asyncio.to_thread(eventually, "the request", lambda: peer.requests)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertTrue(await asyncio.to_thread(peer.hung_up.wait, 60))
            self.assertEqual(len(peer.requests), 1)
            await client.close()

    async def test_a_wait_can_be_given_up(self) -> None:
        wait = self.client.messages.wait_for(inbox_id=self.inbox["id"], timeout=300)
        with self.assertRaises(asyncio.TimeoutError):
            await asyncio.wait_for(wait, 0.3)

    async def test_a_stream_loses_nothing_to_a_task_that_is_cancelled(self) -> None:
        streams: List[Any] = [
            self.client.events.stream(inbox_id=self.inbox["id"], events=["message.received"]),
            self.client.messages.stream(inbox_id=self.inbox["id"]),
        ]
        for stream in streams:
            self.assertTrue(await stream.ready())
        ids: List[List[str]] = [[], []]

        async def follow(index: int) -> None:
            while len(ids[index]) < 20:
                try:
                    item = await asyncio.wait_for(streams[index].__anext__(), 0.03)
                    ids[index].append(item["message"]["id"] if index == 0 else item["id"])
                except asyncio.TimeoutError:
                    pass

        followers = [asyncio.create_task(follow(index)) for index in range(2)]
        for number in range(20):
            await deliver_soon(self.inbox["address"], f"number {number}")
        await asyncio.gather(*followers)
        log = [event async for event in self.client.events.list(inbox_id=self.inbox["id"], limit=100)]
        expected = [event["message"]["id"] for event in log if event["message"]]
        self.assertEqual(ids, [expected, expected])
        for stream in streams:
            stream.close()

    async def test_tasks_that_share_a_stream_get_an_item_each(self) -> None:
        streams: List[Any] = [
            self.client.events.stream(inbox_id=self.inbox["id"], events=["message.received"]),
            self.client.messages.stream(inbox_id=self.inbox["id"]),
        ]
        for stream in streams:
            await stream.ready()
        shared = [asyncio.as_completed([stream.__anext__() for _ in range(3)]) for stream in streams]
        for number in range(2):
            await deliver_soon(self.inbox["address"], f"number {number}")
        for stream, items in zip(streams, shared):
            self.assertEqual(len({(await next(items))["id"] for _ in range(2)}), 2)
            stream.close()
            with self.assertRaises(StopAsyncIteration):
                await next(items)

    async def test_the_cursor_of_a_stream_is_that_of_the_last_item_that_a_task_got(self) -> None:
        streams: List[Any] = [
            self.client.events.stream(inbox_id=self.inbox["id"], events=["message.received"]),
            self.client.messages.stream(inbox_id=self.inbox["id"]),
        ]
        for stream in streams:
            place = await stream.ready()
            task = asyncio.create_task(stream.__anext__())
            while stream._pending is None:
                await asyncio.sleep(0)
            # The loop stands still, so that the item is there and the task has not got it.
            deliver(self.inbox["address"], "one")
            eventually("the item", lambda: stream._pending[0].done())
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual(stream.cursor, place)
            await stream.__anext__()
            self.assertNotEqual(stream.cursor, place)
            stream.close()

    async def test_a_stream_that_is_cancelled_before_it_is_open_closes_its_connection_and_can_be_opened_again(self) -> None:
        page = (200, {}, b'{"events": [], "next_cursor": "evt_1"}')
        with Peer(SILENT, page) as peer:
            client = postrider.AsyncPostrider(api_key="k", base_url=peer.base_url)
            stream = client.events.stream()
            task = asyncio.create_task(stream.__anext__())
            await asyncio.to_thread(eventually, "the request", lambda: peer.requests)
            task.cancel()
            with self.assertNoLogs("asyncio"):
                with self.assertRaises(asyncio.CancelledError):
                    await task
                self.assertTrue(await asyncio.to_thread(peer.hung_up.wait, HANG_SECONDS))
                self.assertEqual(await stream.ready(), "evt_1")
                gc.collect()
            await client.close()

    async def test_what_waits_ends_with_its_client(self) -> None:
        with Peer(SILENT) as peer:
            client = postrider.AsyncPostrider(api_key="k", base_url=peer.base_url)
            stream = client.messages.stream()
            item = asyncio.create_task(stream.__anext__())
            await asyncio.to_thread(eventually, "the request", lambda: peer.requests)
            await client.close()
            with self.assertRaises(StopAsyncIteration):
                await item
            with self.assertRaises(postrider.AbortedError):
                await client.account.get()

    async def test_a_program_ends_although_a_stream_could_not_be_opened(self) -> None:
        cancelled = "await asyncio.wait_for(client.messages.stream().__anext__(), 0.2)"
        closed = "client.messages.stream()\n    await asyncio.sleep(0.2)\n    await client.close()"
        with Peer(error(503, "unavailable")) as peer:
            for steps in (cancelled, closed):
                with self.subTest(steps=steps):
                    client = f"postrider.AsyncPostrider(api_key='k', base_url={peer.base_url!r})"
                    program = f"import asyncio, postrider\nasync def main():\n    client = {client}\n    {steps}\nasyncio.run(main())"
                    ended = await asyncio.to_thread(
                        subprocess.run,
                        [sys.executable, "-c", program],
                        cwd=Path(__file__).parents[1],
                        stderr=subprocess.PIPE,
                        timeout=HANG_SECONDS,
                    )
                    self.assertEqual(ended.stderr == b"", steps == closed, ended.stderr)

    async def test_a_stream_ends_when_it_is_closed(self) -> None:
        async with self.client.events.stream(inbox_id=self.inbox["id"]) as stream:
            task = asyncio.create_task(stream.__anext__())
            await asyncio.sleep(0.2)
        with self.assertRaises(StopAsyncIteration):
            await task
