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
SIGNED_AT = datetime.now(timezone.utc)
BODY, HEADERS = sign_delivery(EVENT, timestamp=SIGNED_AT.timestamp())
PLAIN = {name: value for name, value in HEADERS.items() if not name.startswith("webhook-")}


class Unwrap(unittest.TestCase):
    def refusal(self, body: Any = BODY, headers: Any = HEADERS, secret: Any = TEST_SECRET, **options: Any) -> str:
        with self.assertRaises(WebhookVerificationError) as raised:
            unwrap(body, headers, secret, **options)
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
        upper: Dict[str, Any] = {name.upper(): value for name, value in HEADERS.items()}
        for headers in (upper, list(HEADERS.items()), {name: [value] for name, value in HEADERS.items()}):
            self.assertEqual(unwrap(BODY, headers, TEST_SECRET), EVENT)

    def test_requires_a_signed_time(self) -> None:
        self.assertEqual(self.refusal(headers=PLAIN), "missing_header")
        self.assertEqual(self.refusal(headers=PLAIN, dangerously_allow_replays="false"), "missing_header")
        self.assertEqual(unwrap(BODY, PLAIN, TEST_SECRET, dangerously_allow_replays=True), EVENT)
        later = SIGNED_AT + timedelta(seconds=302)
        self.assertEqual(self.refusal(now=later), "timestamp_too_old")
        self.assertEqual(self.refusal(now=SIGNED_AT - timedelta(seconds=302)), "timestamp_too_new")
        self.assertEqual(unwrap(BODY, HEADERS, TEST_SECRET, now=later, tolerance_seconds=400), EVENT)

    def test_says_why_it_refuses(self) -> None:
        other = "whsec_" + "BwcH" * 11 + "BwcHBw=="
        twice = [*HEADERS.items(), ("Webhook-Id", "evt_2")]
        self.assertEqual(self.refusal(secret=other), "signature_mismatch")
        self.assertEqual(self.refusal(secret="whsec_!"), "malformed_secret")
        self.assertEqual(self.refusal(body=EVENT), "parsed_body")
        self.assertEqual(self.refusal(headers=twice), "signature_mismatch")
        for name, value in (("webhook-timestamp", "soon"), ("webhook-signature", "v1,!"), ("webhook-signature", "v2,AA==")):
            self.assertEqual(self.refusal(headers={**HEADERS, name: value}), "malformed_header")
        self.assertEqual(self.refusal(*sign_delivery(EVENT, other)), "signature_mismatch")
        seconds = str(int(SIGNED_AT.timestamp()))
        key = base64.b64decode(TEST_SECRET.removeprefix("whsec_"))
        digest = hmac.new(key, f"evt_1.{seconds}.[]".encode(), hashlib.sha256).digest()
        signature = f"v1,{base64.b64encode(digest).decode()}"
        self.assertEqual(self.refusal("[]", {**HEADERS, "webhook-signature": signature}), "malformed_body")
        with mock.patch.dict(os.environ, {"POSTRIDER_WEBHOOK_SECRET": ""}):
            self.assertEqual(self.refusal(secret=None), "missing_secret")
        with mock.patch.dict(os.environ, {"POSTRIDER_WEBHOOK_SECRET": TEST_SECRET}):
            self.assertEqual(unwrap(BODY, HEADERS), EVENT)
        self.assertEqual(Postrider(api_key="k", webhook_secret=TEST_SECRET).webhooks.unwrap(BODY, HEADERS), EVENT)
