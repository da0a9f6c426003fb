from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import unittest
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Dict
from unittest import mock

from postrider import Postrider, WebhookVerificationError
from postrider.testing import TEST_SECRET, sign_delivery
from postrider.webhooks import unwrap

VECTORS = json.loads(
    (Path(__file__).parents[2] / "contract/fixtures/signature-vectors.json").read_text(encoding="utf-8")
)["deliveries"]
EVENT = {"id": "evt_1", "event": "message.received", "message": {"subject": "Grüße 🙂"}}


class Unwrap(unittest.TestCase):
    def setUp(self) -> None:
        # Each test signs its own delivery, because the tests before it can take longer than a signature is valid.
        self.signed_at = datetime.now(timezone.utc)
        self.body, self.headers = sign_delivery(EVENT, timestamp=self.signed_at.timestamp())
        self.plain = {name: value for name, value in self.headers.items() if not name.startswith("webhook-")}

    def refusal(self, body: Any = None, headers: Any = None, secret: Any = TEST_SECRET, **options: Any) -> str:
        with self.assertRaises(WebhookVerificationError) as raised:
            unwrap(body or self.body, headers or self.headers, secret, **options)
        return raised.exception.reason

    def test_takes_the_vectors_that_the_server_signs_by_in_both_schemes(self) -> None:
        for vector in VECTORS:
            with self.subTest(vector["name"]):
                body, headers, secret = vector["body"], vector["headers"], vector["secret"]
                now = datetime.fromtimestamp(int(headers["webhook-timestamp"]), timezone.utc)
                expected = json.loads(body)
                self.assertEqual(unwrap(body, headers, secret, now=now), expected)
                self.assertEqual(unwrap(body.encode(), headers, vector.get("previous_secret", secret), now=now), expected)
                plain = {"X-Postrider-Signature": headers["x-postrider-signature"]}
                self.assertEqual(unwrap(body, plain, secret, dangerously_allow_replays=True), expected)
                self.assertEqual(self.refusal(f"{body} ", headers, secret, now=now), "signature_mismatch")
                self.assertEqual(
                    self.refusal(f"{body} ", plain, secret, dangerously_allow_replays=True), "signature_mismatch"
                )

    def test_signs_as_the_server_does(self) -> None:
        for vector in (one for one in VECTORS if "previous_secret" not in one):
            at = float(vector["headers"]["webhook-timestamp"])
            signed = sign_delivery(vector["body"], vector["secret"], timestamp=at)
            self.assertEqual(signed.headers, {"content-type": "application/json", **vector["headers"]})

    def test_takes_headers_in_every_form(self) -> None:
        upper: Dict[str, Any] = {name.upper(): value for name, value in self.headers.items()}
        for headers in (upper, list(self.headers.items()), {name: [value] for name, value in self.headers.items()}):
            self.assertEqual(unwrap(self.body, headers, TEST_SECRET), EVENT)

    def test_requires_a_signed_time(self) -> None:
        self.assertEqual(self.refusal(headers=self.plain), "missing_header")
        self.assertEqual(self.refusal(headers=self.plain, dangerously_allow_replays="false"), "missing_header")
        self.assertEqual(unwrap(self.body, self.plain, TEST_SECRET, dangerously_allow_replays=True), EVENT)
        later = self.signed_at + timedelta(seconds=302)
        self.assertEqual(self.refusal(now=later), "timestamp_too_old")
        self.assertEqual(self.refusal(now=self.signed_at - timedelta(seconds=302)), "timestamp_too_new")
        self.assertEqual(unwrap(self.body, self.headers, TEST_SECRET, now=later, tolerance_seconds=400), EVENT)

    def test_says_why_it_refuses(self) -> None:
        other = "whsec_" + "BwcH" * 11 + "BwcHBw=="
        twice = [*self.headers.items(), ("Webhook-Id", "evt_2")]
        self.assertEqual(self.refusal(secret=other), "signature_mismatch")
        self.assertEqual(self.refusal(secret="whsec_!"), "malformed_secret")
        self.assertEqual(self.refusal(body=EVENT), "parsed_body")
        self.assertEqual(self.refusal(headers=twice), "signature_mismatch")
        for name, value in (("webhook-timestamp", "soon"), ("webhook-signature", "v1,!"), ("webhook-signature", "v2,AA==")):
            self.assertEqual(self.refusal(headers={**self.headers, name: value}), "malformed_header")
        self.assertEqual(self.refusal(*sign_delivery(EVENT, other)), "signature_mismatch")
        seconds = str(int(self.signed_at.timestamp()))
        key = base64.b64decode(TEST_SECRET.removeprefix("whsec_"))
        digest = hmac.new(key, f"evt_1.{seconds}.[]".encode(), hashlib.sha256).digest()
        signature = f"v1,{base64.b64encode(digest).decode()}"
        self.assertEqual(self.refusal("[]", {**self.headers, "webhook-signature": signature}), "malformed_body")
        with mock.patch.dict(os.environ, {"POSTRIDER_WEBHOOK_SECRET": ""}):
            self.assertEqual(self.refusal(secret=None), "missing_secret")
        with mock.patch.dict(os.environ, {"POSTRIDER_WEBHOOK_SECRET": TEST_SECRET}):
            self.assertEqual(unwrap(self.body, self.headers), EVENT)
        self.assertEqual(Postrider(api_key="k", webhook_secret=TEST_SECRET).webhooks.unwrap(self.body, self.headers), EVENT)
