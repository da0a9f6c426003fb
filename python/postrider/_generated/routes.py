# Generated from the contract by scripts/python-client.ts. Do not edit.
from __future__ import annotations

from typing import Dict, NamedTuple, Optional


class Route(NamedTuple):
    """A route of the API."""

    method: str
    path: str
    items: Optional[str]
    """The field of a page that has its items."""
    takes_attachments: bool
    takes_client_id: bool
    continues_after: bool
    """Whether `after` instead of `cursor` asks for the next page."""


ROUTES: Dict[str, Route] = {
    "inboxes.create": Route("POST", "/inboxes", None, False, False, False),
    "inboxes.list": Route("GET", "/inboxes", "inboxes", False, False, False),
    "inboxes.get": Route("GET", "/inboxes/:id", None, False, False, False),
    "inboxes.update": Route("PATCH", "/inboxes/:id", None, False, False, False),
    "inboxes.delete": Route("DELETE", "/inboxes/:id", None, False, False, False),
    "messages.send": Route("POST", "/messages", None, True, True, False),
    "messages.list": Route("GET", "/messages", "messages", False, False, False),
    "messages.get": Route("GET", "/messages/:id", None, False, False, False),
    "messages.update": Route("PATCH", "/messages/:id", None, False, False, False),
    "messages.delete": Route("DELETE", "/messages/:id", None, False, False, False),
    "messages.reply": Route("POST", "/messages/:id/reply", None, True, True, False),
    "messages.forward": Route("POST", "/messages/:id/forward", None, False, True, False),
    "messages.raw": Route("GET", "/messages/:id/raw", None, False, False, False),
    "messages.check": Route("POST", "/messages/check", None, True, True, False),
    "threads.list": Route("GET", "/threads", "threads", False, False, False),
    "threads.get": Route("GET", "/threads/:id", None, False, False, False),
    "threads.delete": Route("DELETE", "/threads/:id", None, False, False, False),
    "attachments.get": Route("GET", "/attachments/:id", None, False, False, False),
    "labels.create": Route("POST", "/labels", None, False, False, False),
    "labels.list": Route("GET", "/labels", "labels", False, False, False),
    "labels.delete": Route("DELETE", "/labels/:id", None, False, False, False),
    "labels.assign": Route("POST", "/labels/:id/assign", None, False, False, False),
    "labels.unassign": Route("POST", "/labels/:id/unassign", None, False, False, False),
    "rules.create": Route("POST", "/lists", None, False, False, False),
    "rules.list": Route("GET", "/lists", "rules", False, False, False),
    "rules.delete": Route("DELETE", "/lists/:id", None, False, False, False),
    "suppressions.list": Route("GET", "/suppressions", "suppressions", False, False, False),
    "suppressions.create": Route("POST", "/suppressions", None, False, False, False),
    "suppressions.delete": Route("DELETE", "/suppressions/:address", None, False, False, False),
    "drafts.create": Route("POST", "/drafts", None, True, False, False),
    "drafts.list": Route("GET", "/drafts", "drafts", False, False, False),
    "drafts.get": Route("GET", "/drafts/:id", None, False, False, False),
    "drafts.update": Route("PATCH", "/drafts/:id", None, True, False, False),
    "drafts.delete": Route("DELETE", "/drafts/:id", None, False, False, False),
    "drafts.send": Route("POST", "/drafts/:id/send", None, False, True, False),
    "domains.create": Route("POST", "/domains", None, False, False, False),
    "domains.list": Route("GET", "/domains", "domains", False, False, False),
    "domains.get": Route("GET", "/domains/:id", None, False, False, False),
    "domains.delete": Route("DELETE", "/domains/:id", None, False, False, False),
    "domains.verify": Route("POST", "/domains/:id/verify", None, False, False, False),
    "domains.dmarc": Route("POST", "/domains/:id/dmarc", None, False, False, False),
    "domains.subdomain": Route("POST", "/domains/subdomain", None, False, False, False),
    "events.list": Route("GET", "/events", "events", False, False, True),
    "webhooks.create": Route("POST", "/webhooks", None, False, False, False),
    "webhooks.list": Route("GET", "/webhooks", "webhooks", False, False, False),
    "webhooks.get": Route("GET", "/webhooks/:id", None, False, False, False),
    "webhooks.update": Route("PATCH", "/webhooks/:id", None, False, False, False),
    "webhooks.delete": Route("DELETE", "/webhooks/:id", None, False, False, False),
    "webhooks.test": Route("POST", "/webhooks/:id/test", None, False, False, False),
    "webhooks.rotateSecret": Route("POST", "/webhooks/:id/rotate-secret", None, False, False, False),
    "webhooks.deliveries": Route("GET", "/webhooks/:id/deliveries", "deliveries", False, False, False),
    "deliveries.redeliver": Route("POST", "/deliveries/:id/redeliver", None, False, False, False),
    "account.get": Route("GET", "/account", None, False, False, False),
    "policy.get": Route("GET", "/policy", None, False, False, False),
}

VERSION = "0.1.0"
USER_AGENT = "postrider-python/0.1.0"
LOGGER_NAME = "postrider"
DEFAULT_BASE_URL = "http://127.0.0.1:4400/v1"
ENV_API_KEY = "POSTRIDER_API_KEY"
ENV_BASE_URL = "POSTRIDER_BASE_URL"
ENV_WEBHOOK_SECRET = "POSTRIDER_WEBHOOK_SECRET"
SIGNATURE_HEADER = "x-postrider-signature"
EVENT_HEADER = "x-postrider-event"
WEBHOOK_SECRET_PREFIX = "whsec_"
EVENT_STREAM_TYPE = "text/event-stream"
EVENT_STREAM_END = "end"
TOO_SLOW_CODE = 4008
