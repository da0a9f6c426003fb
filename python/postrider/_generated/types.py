# Generated from the contract by scripts/python-client.ts. Do not edit.
from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, TypeAlias, TypedDict

Access: TypeAlias = Literal["read", "inbox", "inboxes", "workspace"]
"""`read`: changes nothing. `inbox`: changes the contents of its inboxes. `inboxes`: also creates and deletes
inboxes and labels. `workspace`: also changes rules, suppressions and domains.
"""

AdminRight: TypeAlias = Literal["keys", "policies", "pauses", "approvals", "people", "webhooks", "domains", "usage", "workspaces"]
"""A right of an admin token."""

AuthenticationResult: TypeAlias = Literal["pass", "fail", "none", "neutral", "softfail", "policy", "temperror", "permerror"]
"""The result of a sender check (RFC 8601)."""

DeliveryStatus: TypeAlias = Literal["received", "queued", "held", "sending", "sent", "delivered", "deferred", "bounced", "complained", "rejected", "failed"]
"""Inbound: `received`. Outbound: `queued`, or `held` until people approve it; `sending` and `sent`; then
`delivered`, `deferred` (will be retried), `bounced`, `complained`, `rejected` (by the provider or by people)
or `failed`. A message has the worst status of its recipients.
"""

Direction: TypeAlias = Literal["inbound", "outbound"]
"""Whether the message was received (`inbound`) or sent (`outbound`)."""

DmarcPolicy: TypeAlias = Literal["none", "quarantine", "reject"]
"""How receivers should treat mail that fails DMARC."""

DraftStatus: TypeAlias = Literal["draft", "scheduled", "sending", "sent", "failed"]
"""The status of the draft."""

Event: TypeAlias = "MessageReceivedEvent | MessageSentEvent | MessageDeliveredEvent | MessageBouncedEvent | MessageComplainedEvent | MessageRejectedEvent | MessageHeldEvent | MessageDeferredEvent | MessageUpdatedEvent | MessageDeletedEvent | DraftSentEvent | DraftFailedEvent"
"""An event. It has the same form in webhook deliveries, in realtime frames and in the event log."""

EventKind: TypeAlias = Literal["message.received", "message.sent", "message.delivered", "message.bounced", "message.complained", "message.rejected", "message.held", "message.deferred", "message.updated", "message.deleted", "draft.sent", "draft.failed"]
"""The kind of the event."""

Metadata: TypeAlias = Dict[str, str]
"""Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ . -`,
with values of up to 500 characters.
"""

Plan: TypeAlias = Literal["free", "pro", "scale", "business"]
"""The plan of a workspace."""

Recipient: TypeAlias = str
"""An address, alone or as `Name <address>`. UTF-8 local parts and international domains are accepted."""

SearchMode: TypeAlias = Literal["keyword", "semantic", "hybrid"]
"""How a search compares: by words, by meaning, or by both."""

SendMode: TypeAlias = Literal["allow", "approve", "never"]
"""`allow`: mail is sent. `approve`: mail is held until people approve it. `never`: mail is refused."""

ErrorCode: TypeAlias = Literal[
    "invalid_request",
    "malformed_json",
    "invalid_token",
    "inbox_limit_reached",
    "custom_domains_require_paid_plan",
    "dedicated_subdomain_requires_scale",
    "email_limit_reached",
    "storage_limit_reached",
    "sending_not_allowed",
    "right_missing",
    "not_found",
    "method_not_allowed",
    "address_taken",
    "sending_paused",
    "label_name_taken",
    "domain_taken",
    "domain_in_use",
    "draft_already_sent",
    "domain_not_verified",
    "auto_reply_loop",
    "limit_reached",
    "cursor_expired",
    "attachment_too_large",
    "payload_too_large",
    "unsupported_media_type",
    "no_deliverable_recipients",
    "message_rejected",
    "rate_limited",
    "internal_error",
    "unavailable",
]
"""The code of an error."""

# The status of each error.
ERROR_STATUSES: Dict[str, int] = {
    "invalid_request": 400,
    "malformed_json": 400,
    "invalid_token": 401,
    "inbox_limit_reached": 402,
    "custom_domains_require_paid_plan": 402,
    "dedicated_subdomain_requires_scale": 402,
    "email_limit_reached": 402,
    "storage_limit_reached": 402,
    "sending_not_allowed": 403,
    "right_missing": 403,
    "not_found": 404,
    "method_not_allowed": 405,
    "address_taken": 409,
    "sending_paused": 409,
    "label_name_taken": 409,
    "domain_taken": 409,
    "domain_in_use": 409,
    "draft_already_sent": 409,
    "domain_not_verified": 409,
    "auto_reply_loop": 409,
    "limit_reached": 409,
    "cursor_expired": 410,
    "attachment_too_large": 413,
    "payload_too_large": 413,
    "unsupported_media_type": 415,
    "no_deliverable_recipients": 422,
    "message_rejected": 422,
    "rate_limited": 429,
    "internal_error": 500,
    "unavailable": 503,
}

class Account(TypedDict):
    """The workspace of the key, its plan and its usage."""

    workspace: Workspace
    plan: Plan
    limits: PlanLimits
    usage: Usage


class AppliedLabel(TypedDict):
    """A label on a message or thread."""

    id: str
    """The label."""
    name: str
    """The name of the label; unique, ignoring case."""
    color: str | None
    """The color of the label, in hex."""


class Attachment(TypedDict):
    """A file of a message, with a fresh download link."""

    id: str
    """The attachment."""
    filename: str
    """The file name, without folders."""
    mime_type: str
    """The media type that the sender declared."""
    size_bytes: int
    """The decoded size in bytes."""
    content_id: str | None
    """The Content-ID without brackets, as used in `cid:` links in HTML."""
    inline: bool
    """Whether the file is shown within the text rather than as an attachment."""
    url: str
    """A download link that needs no key and works for 15 minutes; `Range` requests are supported."""
    expires_at: str
    """When the link expires."""


class _AttachmentInputAlways(TypedDict):
    filename: str
    """The file name, without folders."""
    content_base64: str
    """The content in base64."""


class AttachmentInput(_AttachmentInputAlways, total=False):
    """A file to send."""

    content_type: str
    """The media type; by default, it is guessed from the file name."""
    content_id: str
    """The Content-ID. The HTML body can show the file with `<img src="cid:logo">`."""


class Authentication(TypedDict):
    """The results of SPF, DKIM and DMARC for an inbound message."""

    spf: AuthenticationResult
    dkim: AuthenticationResult
    dmarc: AuthenticationResult
    verified_domain: str | None
    """The domain of the From address, if the checks prove that the mail comes from it."""


class Bounce(TypedDict):
    """The reason for a bounce."""

    type: Literal["hard", "soft"]
    """`hard`: refused permanently. `soft`: refused temporarily, until the server gave up."""
    code: str | None
    """The enhanced status code (RFC 3463), or the reply code if there is none."""
    diagnostic: str | None
    """The reply of the recipient’s server."""


class Complaint(TypedDict):
    """A recipient’s complaint."""

    feedback_type: str | None
    """The type in the report (RFC 5965), such as `abuse` or `fraud`."""


class CreateDomain(TypedDict):

    hostname: str
    """The domain to add."""


class _CreateDraftAlways(TypedDict):
    inbox_id: str
    """The inbox that will send the draft."""


class CreateDraft(_CreateDraftAlways, total=False):

    to: Recipient | List[Recipient]
    """The recipients; required to send the draft."""
    cc: Recipient | List[Recipient]
    """The recipients in Cc."""
    bcc: Recipient | List[Recipient]
    """The recipients in Bcc."""
    subject: str | None
    """The subject; required to send the draft."""
    text: str | None
    """The plain-text body, at most 5 MB."""
    html: str | None
    """The HTML body, at most 5 MB."""
    attachments: List[AttachmentInput]
    """Files, at most 7 MB in total once decoded; an update replaces them all."""
    reply_to_message_id: str | None
    """The message to reply to. If recipients and subject are left out, they are filled in from it."""
    reply_all: bool
    """Whether to fill in the other recipients of the original, too."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
    -`, with values of up to 500 characters. They replace all existing ones.
    """
    scheduled_at: str | datetime | None
    """When to send the draft; null to send it only on request. If the time is in the past, the draft is sent at
    once.
    """


class _CreateInboxAlways(TypedDict):
    local_part: str
    """The part before the `@`; lowercased automatically."""


class CreateInbox(_CreateInboxAlways, total=False):

    display_name: str | None
    """The name in the From header of outbound mail; null for none."""
    domain_id: str | None
    """A verified custom domain; by default, the shared domain."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
    -`, with values of up to 500 characters. They replace all existing ones.
    """


class _CreateLabelAlways(TypedDict):
    name: str
    """The name of the label; unique, ignoring case."""


class CreateLabel(_CreateLabelAlways, total=False):

    color: str | None
    """The color of the label, in hex."""


class CreateRule(TypedDict):

    kind: Literal["allow", "block"]
    """Whether matching mail is allowed or blocked."""
    direction: Literal["inbound", "outbound", "both"]
    """Inbound rules match the sender; outbound rules match the recipient."""
    pattern: str
    """A full address, or a bare domain, which also matches its subdomains."""


class CreateSubdomain(TypedDict):

    label: str
    """The label before `.postrider.test`; lowercased automatically."""


class CreateSuppression(TypedDict):

    address: str
    """The address."""


class _CreateWebhookAlways(TypedDict):
    url: str
    """A public https URL."""
    events: List[EventKind]
    """The event kinds to receive."""


class CreateWebhook(_CreateWebhookAlways, total=False):

    inbox_ids: List[str] | None
    """Only events of these inboxes; null for all."""
    secret: str
    """Your own signing secret; by default, the server creates one."""


class Delivery(TypedDict):
    """One event on its way to one webhook."""

    id: str
    """The delivery."""
    webhook_id: str
    """The webhook."""
    event_id: str
    """The event, as in the `webhook-id` header."""
    event: EventKind
    status: Literal["pending", "succeeded", "failed"]
    """The status of the delivery."""
    attempts: List[DeliveryAttempt]
    """All attempts so far, oldest first; at most 8."""
    next_attempt_at: str | None
    """When the next attempt is due; null if there is none."""
    created_at: str
    """When the delivery was created."""


class DeliveryAttempt(TypedDict):
    """One attempt of a delivery."""

    at: str
    """When the attempt began."""
    status_code: int | None
    """The HTTP status of your endpoint’s response."""
    error: str | None
    """The error, if there was no response."""
    duration_ms: int
    """The duration of the attempt in milliseconds."""


class DeliveryPage(TypedDict):
    """Deliveries, newest first."""

    deliveries: List[Delivery]
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class DnsRecord(TypedDict):
    """A DNS record to publish."""

    type: str
    """The type of the record."""
    name: str
    """The full name of the record."""
    value: str
    """The value to publish."""
    priority: int | None
    """The priority of an MX record."""
    purpose: Literal["ownership", "dkim", "spf", "dmarc", "mail_from", "inbound"]
    """The purpose of the record."""
    status: Literal["pending", "verified", "failed"]
    """The result of the last check."""
    found: str | None
    """The published value; null if there is none. If there are several, this is the one closest to `value`.
    Characters that change the direction of text are shown as code points, such as `[U+202E]`.
    """
    hint: str | None
    """The problem, the name server of the last check, and the time of the next check; for DMARC, also the
    reports of receivers. Null if everything is in order.
    """


class Domain(TypedDict):
    """A sending domain of the workspace."""

    id: str
    """The domain."""
    hostname: str
    """The domain as ASCII."""
    kind: Literal["byo", "subdomain"]
    """`byo`: your own domain. `subdomain`: a subdomain of the service, whose DNS the service sets up."""
    status: Literal["pending", "verifying", "verified", "failed"]
    """Whether the DNS records were found. Only a verified domain can have inboxes."""
    dmarc_policy: DmarcPolicy
    mail_from_domain: str
    """The domain in the return paths of its mail."""
    records: List[DnsRecord]
    """The DNS records to publish."""
    verified_at: str | None
    """When all records were first found."""
    created_at: str
    """When the domain was added."""


class DomainPage(TypedDict):
    """Domains, newest first."""

    domains: List[Domain]
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class Draft(TypedDict):
    """A message to send later, on request or at a scheduled time."""

    id: str
    """The draft."""
    inbox_id: str
    """The inbox that will send the draft."""
    to: List[str]
    """The recipients."""
    cc: List[str]
    """The recipients in Cc."""
    bcc: List[str]
    """The recipients in Bcc."""
    subject: str | None
    """The subject."""
    text: str | None
    """The plain-text body."""
    html: str | None
    """The HTML body."""
    attachments: List[Attachment]
    """The files of the draft, or of the message once the draft is sent; each with a fresh link."""
    reply_to_message_id: str | None
    """The message that the draft replies to."""
    metadata: Metadata
    scheduled_at: str | None
    """When the draft will be sent."""
    status: DraftStatus
    message_id: str | None
    """The message that was sent from the draft."""
    failure: str | None
    """The error code, if a scheduled send failed."""
    created_at: str
    """When the draft was created."""
    updated_at: str
    """When the draft last changed."""


class DraftFailedEvent(TypedDict):
    """A scheduled draft was not sent because of an error. It can be changed and sent again."""

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["draft.failed"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str | None
    """Null, because the draft did not become a message."""
    message_ref: str | None
    """Null, because the draft did not become a message."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """
    draft_id: str
    """The draft."""
    failure: str
    """The code of the error that prevented the send."""


class DraftPage(TypedDict):
    """Drafts, newest first."""

    drafts: List[Draft]
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class DraftSentEvent(TypedDict):
    """A draft was sent as `message`, on schedule or on request. Later events belong to the message."""

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["draft.sent"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The id of the message, even if `message` is null."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """
    draft_id: str
    """The draft."""


class _DroppedRecipientAlways(TypedDict):
    address: str
    """The address that was dropped."""
    reason: Literal["suppressed", "rule", "policy"]
    """`suppressed`: the address is on the suppression list. `rule`: an outbound block rule matches it. `policy`:
    people do not allow mail to it.
    """


class DroppedRecipient(_DroppedRecipientAlways, total=False):
    """A recipient that a send leaves out."""

    rule_id: str
    """The rule that matched, if the reason is `rule`."""


class EffectivePolicyFrom(TypedDict):
    """Where each setting comes from."""

    send: Literal["key", "inbox", "workspace", "default"]
    """Where the setting comes from; `default` if nobody has set it."""
    recipients: Literal["key", "inbox", "workspace", "default"]
    """Where the setting comes from; `default` if nobody has set it."""
    per_hour: Literal["key", "inbox", "workspace", "default"]
    """Where the setting comes from; `default` if nobody has set it."""
    per_day: Literal["key", "inbox", "workspace", "default"]
    """Where the setting comes from; `default` if nobody has set it."""
    per_thread_hour: Literal["key", "inbox", "workspace", "default"]
    """Where the setting comes from; `default` if nobody has set it."""
    per_recipient_day: Literal["key", "inbox", "workspace", "default"]
    """Where the setting comes from; `default` if nobody has set it."""
    recipients_max: Literal["key", "inbox", "workspace", "default"]
    """Where the setting comes from; `default` if nobody has set it."""


class EffectivePolicyPlaces(TypedDict):
    """The settings of the key, the inbox and the workspace."""

    key: Dict[str, Any]
    inbox: Dict[str, Any]
    workspace: Dict[str, Any]


# The sending policy that applies to this key.
EffectivePolicy = TypedDict(
    "EffectivePolicy",
    {
        "send": "SendMode",
        "recipients": "Literal['anyone', 'known'] | List[str]",
        "per_hour": "int | None",
        "per_day": "int | None",
        "per_thread_hour": "int | None",
        "per_recipient_day": "int | None",
        "recipients_max": "int | None",
        "from": "EffectivePolicyFrom",
        "places": "EffectivePolicyPlaces",
        "paused": "Literal['key', 'inbox', 'workspace', 'server', None]",
        "read_only": "bool",
        "access": "Access",
        "inbox_ids": "List[str] | None",
        "expires_at": "str | None",
    },
)


class EventPage(TypedDict):
    """Events, oldest first."""

    events: List[Event]
    next_cursor: str | None
    """The `after` of the next request, even if this page has no events; null only while the log is empty."""


class _ForwardMessageAlways(TypedDict):
    to: Recipient | List[Recipient]
    """One recipient or a list of recipients; at most 50 in To, Cc and Bcc together."""


class ForwardMessage(_ForwardMessageAlways, total=False):

    cc: Recipient | List[Recipient]
    """The recipients in Cc."""
    bcc: Recipient | List[Recipient]
    """The recipients in Bcc."""
    text: str
    """Text above the forwarded message."""
    html: str
    """HTML above the forwarded message."""
    include_attachments: bool
    """Whether to attach the files of the original."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
    -`, with values of up to 500 characters. They replace all existing ones.
    """
    client_id: str
    """Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing,
    even if its content differs.
    """


class GetPolicy(TypedDict, total=False):

    inbox_id: str
    """The inbox that would send. Without it, the policies of inboxes are left out."""


class Inbox(TypedDict):
    """An address that can send and receive mail."""

    id: str
    """The inbox."""
    local_part: str
    """The part of the address before the `@`."""
    display_name: str | None
    """The name in the From header of outbound mail."""
    domain_id: str | None
    """The custom domain of the address; null on the shared domain."""
    address: str
    """The address. Mail to `local+anything@` also arrives here."""
    metadata: Metadata
    created_at: str
    """When the inbox was created."""


class InboxPage(TypedDict):
    """Inboxes, newest first."""

    inboxes: List[Inbox]
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class Issue(TypedDict):
    """One field of a request that is missing or malformed."""

    path: str
    """The path of the field, with dots: `to.0`, `attachments.2.filename`."""
    message: str
    """The problem with the field."""


class Label(TypedDict):
    """A label that messages can have."""

    id: str
    """The label."""
    name: str
    """The name of the label; unique, ignoring case."""
    color: str | None
    """The color of the label, in hex."""
    created_at: str
    """When the label was created."""


class LabelMessage(TypedDict):

    message_id: str
    """The message."""


class LabelPage(TypedDict):
    """Labels, sorted by name."""

    labels: List[Label]
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class ListDeliveries(TypedDict, total=False):

    limit: int
    """The maximum number of items to return."""
    cursor: str
    """The `next_cursor` of the previous page; opaque."""


class ListDomains(TypedDict, total=False):

    limit: int
    """The maximum number of items to return."""
    cursor: str
    """The `next_cursor` of the previous page; opaque."""


class ListDrafts(TypedDict, total=False):

    inbox_id: str
    """Only drafts of this inbox."""
    status: DraftStatus
    limit: int
    """The maximum number of items to return."""
    cursor: str
    """The `next_cursor` of the previous page; opaque."""


class ListEvents(TypedDict, total=False):

    after: str
    """Only events after the event with this id. `latest` stands for the newest event at the time of the request."""
    events: List[EventKind]
    """Only events of these kinds, separated by commas."""
    inbox_id: str
    """Only events of this inbox."""
    wait_seconds: int
    """The maximum number of seconds to wait for the first item."""
    limit: int
    """The maximum number of items to return."""


class ListInboxes(TypedDict, total=False):

    address: str
    """Only the inbox with this address, ignoring case."""
    limit: int
    """The maximum number of items to return."""
    cursor: str
    """The `next_cursor` of the previous page; opaque."""


class ListLabels(TypedDict, total=False):

    name: str
    """Only the label with this name, ignoring case."""
    limit: int
    """The maximum number of items to return."""
    cursor: str
    """The `next_cursor` of the previous page; opaque."""


ListMessages = TypedDict(
    "ListMessages",
    {
        "inbox_id": "str",
        "thread_id": "str",
        "label_id": "str",
        "direction": "Direction",
        "from": "str",
        "to": "str",
        "subject": "str",
        "has_attachment": "bool",
        "read": "bool",
        "after": "str | datetime",
        "before": "str | datetime",
        "query": "str",
        "mode": "SearchMode",
        "wait_seconds": "int",
        "limit": "int",
        "cursor": "str",
    },
    total=False,
)


class ListRules(TypedDict, total=False):

    limit: int
    """The maximum number of items to return."""
    cursor: str
    """The `next_cursor` of the previous page; opaque."""


class ListSuppressions(TypedDict, total=False):

    limit: int
    """The maximum number of items to return."""
    cursor: str
    """The `next_cursor` of the previous page; opaque."""


class ListThreads(TypedDict, total=False):

    inbox_id: str
    """Only threads of this inbox."""
    label_id: str
    """Only threads in which a message has this label."""
    read: bool
    """Only threads in which all messages are read, or only threads with an unread message."""
    query: str
    """The search query. All words must match, in any form (`invoices` finds `invoice`), and the last word can be
    incomplete. Quotation marks keep a phrase together, and `-word` excludes a word. The operators are
    `from:`, `to:`, `subject:`, `label:`, `in:` (an inbox), `filename:`, `has:attachment`, `is:inbound`,
    `is:outbound`, `before:` and `after:`. Everything else is searched for as words.
    """
    mode: SearchMode
    """The search mode for `query`; `keyword` by default."""
    limit: int
    """The maximum number of items to return."""
    cursor: str
    """The `next_cursor` of the previous page; opaque."""


class ListWebhooks(TypedDict, total=False):

    limit: int
    """The maximum number of items to return."""
    cursor: str
    """The `next_cursor` of the previous page; opaque."""


class _ListedMessageAlways(TypedDict):
    id: str
    """The message."""
    thread_id: str
    """The thread of the message."""
    inbox_id: str
    """The inbox that it belongs to."""
    direction: Direction
    from_addr: str
    """The address in From."""
    from_name: str | None
    """The name in From."""
    to_addrs: List[str]
    """The addresses in To."""
    cc_addrs: List[str]
    """The addresses in Cc."""
    bcc_addrs: List[str]
    """The addresses in Bcc of an outbound message; empty for inbound messages."""
    reply_to_addrs: List[str]
    """The addresses in Reply-To; empty if replies go to From."""
    envelope_from: str | None
    """Inbound: the sender of the SMTP envelope; null for delivery reports."""
    envelope_to: List[str]
    """Inbound: the recipients of the SMTP envelope, with their plus tags."""
    subject: str
    """The decoded subject."""
    body_text: str | None
    """The plain-text body. If an email has only HTML, this is the visible text of the HTML."""
    body_html: str | None
    """The HTML body as it was sent. It is not sanitised: treat it as hostile."""
    extracted_text: str | None
    """The new text of a reply, without quoted history and signature; for other mail, all of its text. If the
    text part only refers to the HTML, or contains text that the HTML hides, this is taken from the visible
    text of the HTML.
    """
    body_truncated: bool
    """Whether a body was cut at 64 KiB; `messages.get` returns complete bodies."""
    snippet: str
    """The beginning of the text, at most 200 characters."""
    delivery_status: DeliveryStatus
    read: bool
    """Whether the message is marked as read. Outbound messages are read from the start; inbound messages become
    read when you mark them.
    """
    metadata: Metadata
    labels: List[AppliedLabel]
    """The labels of the message."""
    attachments: List[Attachment]
    """The attachments, each with a fresh link."""
    message_id: str
    """The RFC 5322 Message-ID, as recipients see it."""
    in_reply_to: str | None
    """The Message-ID of the message that this one replies to."""
    references: List[str]
    """The Message-IDs in References: the earlier messages of the conversation."""
    provider_message_id: str | None
    """The id from the sending provider; null until the provider accepts the message."""
    client_id: str | None
    """The idempotency key of the request that sent the message."""
    recipients: List[MessageRecipient]
    """Outbound: the delivery to each recipient that was not dropped. Inbound: empty."""
    authentication: Authentication | None
    """The results of the sender checks; null for outbound messages."""
    auto_submitted: bool
    """Whether the message was sent automatically (RFC 3834), such as an out-of-office reply, list mail or a
    report. Also true for your own mail that came back.
    """
    hidden_text: bool
    """Inbound: whether the HTML contains text that a person would not see, for example because of `display:
    none`. Such text is only in `body_html`.
    """
    size_bytes: int
    """The size of the whole mail as transferred, in bytes."""
    truncated: List[str]
    """The names of the fields that were cut. Lists, threads and events cut each body at 64 KiB, each list of
    addresses at 100 entries, and `references` at 20 (the first and the last ones); `messages.get` returns
    them complete. All responses cut `attachments` at 100 files (the original has all of them), and take
    `extracted_text` from the first 250,000 characters of a text. If the server was too busy to parse the mail
    on arrival, `body_text` and `attachments` are named, too: they are null and `[]` until a `message.updated`
    event, and stay that way if that event names no fields.
    """
    created_at: str
    """When the message was received or sent."""


class ListedMessage(_ListedMessageAlways, total=False):
    """A message in a list. Search results have a score, and their snippet shows the matches: each match is
    enclosed in `**`, and each `*`, `_`, `` ` `` and `\\` of the text itself has a backslash before it.
    """

    score: float
    """Search results: how well the message matches, from 0 to 1. Scores of different searches cannot be
    compared.
    """
    matched_attachments: List[str]
    """Search results: the attachments whose name or text contains words of the query."""


class Message(TypedDict):
    """An email, received or sent."""

    id: str
    """The message."""
    thread_id: str
    """The thread of the message."""
    inbox_id: str
    """The inbox that it belongs to."""
    direction: Direction
    from_addr: str
    """The address in From."""
    from_name: str | None
    """The name in From."""
    to_addrs: List[str]
    """The addresses in To."""
    cc_addrs: List[str]
    """The addresses in Cc."""
    bcc_addrs: List[str]
    """The addresses in Bcc of an outbound message; empty for inbound messages."""
    reply_to_addrs: List[str]
    """The addresses in Reply-To; empty if replies go to From."""
    envelope_from: str | None
    """Inbound: the sender of the SMTP envelope; null for delivery reports."""
    envelope_to: List[str]
    """Inbound: the recipients of the SMTP envelope, with their plus tags."""
    subject: str
    """The decoded subject."""
    body_text: str | None
    """The plain-text body. If an email has only HTML, this is the visible text of the HTML."""
    body_html: str | None
    """The HTML body as it was sent. It is not sanitised: treat it as hostile."""
    extracted_text: str | None
    """The new text of a reply, without quoted history and signature; for other mail, all of its text. If the
    text part only refers to the HTML, or contains text that the HTML hides, this is taken from the visible
    text of the HTML.
    """
    body_truncated: bool
    """Whether a body was cut at 64 KiB; `messages.get` returns complete bodies."""
    snippet: str
    """The beginning of the text, at most 200 characters."""
    delivery_status: DeliveryStatus
    read: bool
    """Whether the message is marked as read. Outbound messages are read from the start; inbound messages become
    read when you mark them.
    """
    metadata: Metadata
    labels: List[AppliedLabel]
    """The labels of the message."""
    attachments: List[Attachment]
    """The attachments, each with a fresh link."""
    message_id: str
    """The RFC 5322 Message-ID, as recipients see it."""
    in_reply_to: str | None
    """The Message-ID of the message that this one replies to."""
    references: List[str]
    """The Message-IDs in References: the earlier messages of the conversation."""
    provider_message_id: str | None
    """The id from the sending provider; null until the provider accepts the message."""
    client_id: str | None
    """The idempotency key of the request that sent the message."""
    recipients: List[MessageRecipient]
    """Outbound: the delivery to each recipient that was not dropped. Inbound: empty."""
    authentication: Authentication | None
    """The results of the sender checks; null for outbound messages."""
    auto_submitted: bool
    """Whether the message was sent automatically (RFC 3834), such as an out-of-office reply, list mail or a
    report. Also true for your own mail that came back.
    """
    hidden_text: bool
    """Inbound: whether the HTML contains text that a person would not see, for example because of `display:
    none`. Such text is only in `body_html`.
    """
    size_bytes: int
    """The size of the whole mail as transferred, in bytes."""
    truncated: List[str]
    """The names of the fields that were cut. Lists, threads and events cut each body at 64 KiB, each list of
    addresses at 100 entries, and `references` at 20 (the first and the last ones); `messages.get` returns
    them complete. All responses cut `attachments` at 100 files (the original has all of them), and take
    `extracted_text` from the first 250,000 characters of a text. If the server was too busy to parse the mail
    on arrival, `body_text` and `attachments` are named, too: they are null and `[]` until a `message.updated`
    event, and stay that way if that event names no fields.
    """
    created_at: str
    """When the message was received or sent."""


class MessageBouncedEvent(TypedDict):
    """The message bounced, hard or soft. The address is now suppressed."""

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["message.bounced"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The id of the message, even if `message` is null."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """
    recipient: str
    """The recipient."""
    bounce: Bounce


class MessageComplainedEvent(TypedDict):
    """The recipient complained of spam. The address is now suppressed."""

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["message.complained"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The id of the message, even if `message` is null."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """
    recipient: str
    """The recipient."""
    complaint: Complaint


class MessageDeferredEvent(TypedDict):
    """The first attempt to deliver an outbound message to a recipient was deferred, and will be retried. Later
    deferrals create no event.
    """

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["message.deferred"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The id of the message, even if `message` is null."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """
    recipient: str
    """The recipient."""
    detail: str | None
    """The reply of the recipient’s server or the provider."""


class MessageDeletedEvent(TypedDict):
    """A message was deleted, alone or with its thread. `message` is null. Deleting an inbox creates no events."""

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["message.deleted"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The id of the message, even if `message` is null."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """


class MessageDeliveredEvent(TypedDict):
    """The recipient’s server accepted an outbound message."""

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["message.delivered"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The id of the message, even if `message` is null."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """
    recipient: str
    """The recipient."""


class MessageHeldEvent(TypedDict):
    """An outbound message waits for people to approve or refuse it."""

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["message.held"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The id of the message, even if `message` is null."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """


class _MessagePageAlways(TypedDict):
    messages: List[ListedMessage]
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""
    mode_used: Literal["recent", "keyword", "semantic", "hybrid"]
    """The search mode that ran; `recent` without a query."""


class MessagePage(_MessagePageAlways, total=False):
    """Messages, newest first, or by score."""

    fallback_reason: Literal["plan", "unavailable"]
    """Why a mode other than the requested one ran; absent if the requested mode ran. `unavailable`: semantic
    search is off on this server, is failing, or was first requested by this workspace a moment ago.
    """
    ranked_within: str
    """The time from which messages were compared; absent if all were. In keyword search, older messages follow
    on later pages, ranked separately. In semantic search, older messages are not compared. After an update of
    the server, or the first semantic search of a workspace, older messages may not be in the search index
    yet.
    """


class MessageReceivedEvent(TypedDict):
    """An inbound email arrived at one of the workspace’s inboxes."""

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["message.received"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The id of the message, even if `message` is null."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """


class MessageRecipient(TypedDict):
    """The delivery of a message to one recipient."""

    address: str
    """The recipient."""
    status: DeliveryStatus
    detail: str | None
    """The reply of the recipient’s server or the provider."""
    sandboxed: bool
    """Whether the sandbox kept the mail. Its status is `sent`, but it did not leave this server."""
    updated_at: str
    """When the status last changed."""


class MessageRejectedEvent(TypedDict):
    """The provider rejected the message, the message expired before the provider could be reached, or people did
    not approve it.
    """

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["message.rejected"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The id of the message, even if `message` is null."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """
    recipient: str | None
    """The recipient; null if the whole message was rejected."""
    reason: str
    """The reply of the provider, `expired`, or `not_approved: ` with the reason that people gave."""


class MessageSentEvent(TypedDict):
    """The next hop, such as a relay, accepted an outbound message for a recipient. If the recipient’s server
    itself accepts the message, there is only `message.delivered`.
    """

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["message.sent"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The id of the message, even if `message` is null."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """
    recipient: str
    """The recipient."""


class MessageUpdatedEvent(TypedDict):
    """A request changed the labels, the read mark or the metadata of a message. A request creates one event, or
    none if it changes nothing. Deleting a label creates none. The server also creates one after it parses an
    email that it was too busy to parse on arrival: `changed` names the text, the attachments and every other
    field that was filled in. It is empty if parsing the mail would take more resources than one email is
    allowed.
    """

    id: str
    """The id of the event, also in the `webhook-id` header."""
    event: Literal["message.updated"]
    """The kind of the event."""
    created_at: str
    """When the event happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The id of the message, even if `message` is null."""
    message: Message | None
    """The message in its state when the event is sent or read; null if the message or its inbox has been
    deleted.
    """
    changed: List[str]
    """The names of the fields that changed."""


class PlanLimits(TypedDict):
    """The limits of a workspace’s plan."""

    inboxes: int
    """The maximum number of inboxes."""
    emails_per_month: int
    """The maximum number of messages sent in a UTC calendar month, whatever their number of recipients."""
    storage_bytes: int
    """The maximum size of stored attachments, inbound and outbound, in bytes."""
    mail_bytes: int
    """The maximum size of stored mail in bytes: originals and bodies, inbound and outbound."""
    requests_per_second: int
    """The sustained number of requests per second."""
    requests_burst: int
    """The number of requests that can be sent at once."""
    custom_domains: bool
    """Whether the plan includes custom domains."""
    semantic_search: bool
    """Whether the plan includes semantic and hybrid search."""
    dedicated_subdomain: bool
    """Whether the plan includes a dedicated subdomain."""


class RawMessage(TypedDict):
    """A link to the original mail."""

    url: str
    """A download link for the original mail, which needs no key."""
    expires_at: str
    """When the link expires."""
    size_bytes: int
    """The size of the original mail in bytes."""


class ReplyToMessage(TypedDict, total=False):

    text: str
    """The plain-text body, at most 5 MB."""
    html: str
    """The HTML body, at most 5 MB."""
    reply_all: bool
    """Whether to send the reply to the other recipients, too. This inbox and duplicates are left out."""
    cc: Recipient | List[Recipient]
    """Additional recipients in Cc, besides the usual recipients of the reply."""
    bcc: Recipient | List[Recipient]
    """The recipients in Bcc."""
    reply_to: Recipient
    """The address that replies go to; by default, the inbox."""
    headers: Dict[str, str]
    """More headers, named `X-…` or `List-…`; at most 25. Headers that providers treat as commands are refused."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
    -`, with values of up to 500 characters. They replace all existing ones.
    """
    attachments: List[AttachmentInput]
    """Files, at most 7 MB in total once decoded."""
    client_id: str
    """Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing,
    even if its content differs.
    """
    force: bool
    """Whether to reply even if the message was sent automatically. The limit on replies still applies."""


class Rule(TypedDict):
    """An entry of the allow and block lists."""

    id: str
    """The rule."""
    kind: Literal["allow", "block"]
    """Whether matching mail is allowed or blocked."""
    direction: Literal["inbound", "outbound", "both"]
    """Inbound rules match the sender; outbound rules match the recipient."""
    pattern: str
    """The address or domain in the form that is matched: in lowercase, with an ASCII domain."""
    created_at: str
    """When the rule was created."""


class RulePage(TypedDict):
    """Rules, newest first."""

    rules: List[Rule]
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class SendCheck(TypedDict):
    """Who would receive a message."""

    deliverable: List[str]
    """The addresses that a send would go to."""
    dropped: List[DroppedRecipient]
    """The addresses that a send would leave out, and why."""
    send: SendMode
    """The decision of the policy. `allow`: the message would be sent. `approve`: it would be held. `never`: it
    would be refused. Pauses and caps are not considered here: `GET /v1/policy` has them.
    """


class SendDraft(TypedDict, total=False):

    client_id: str
    """Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing,
    even if its content differs.
    """


class _SendMessageAlways(TypedDict):
    inbox_id: str
    """The inbox that sends."""
    to: Recipient | List[Recipient]
    """One recipient or a list of recipients; at most 50 in To, Cc and Bcc together."""
    subject: str
    """The subject."""


class SendMessage(_SendMessageAlways, total=False):

    cc: Recipient | List[Recipient]
    """The recipients in Cc."""
    bcc: Recipient | List[Recipient]
    """The recipients in Bcc."""
    reply_to: Recipient
    """The address that replies go to; by default, the inbox."""
    text: str
    """The plain-text body, at most 5 MB."""
    html: str
    """The HTML body, at most 5 MB."""
    in_reply_to: str
    """A Message-ID. If it belongs to a message of this inbox, the new message joins its thread."""
    references: List[str]
    """The Message-IDs of the conversation, oldest first."""
    headers: Dict[str, str]
    """More headers, named `X-…` or `List-…`; at most 25. Headers that providers treat as commands are refused."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
    -`, with values of up to 500 characters. They replace all existing ones.
    """
    attachments: List[AttachmentInput]
    """Files, at most 7 MB in total once decoded."""
    client_id: str
    """Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing,
    even if its content differs.
    """


class _SendReceiptAlways(TypedDict):
    id: str
    """The message."""
    thread_id: str
    """The thread of the message."""
    message_id: str
    """The RFC 5322 Message-ID, as recipients see it."""
    provider_message_id: str | None
    """The id from the sending provider; null until the provider accepts the message."""
    idempotent: bool
    """Whether this repeats the response to an earlier request with the same `client_id`."""
    dropped: List[DroppedRecipient]
    """The recipients that were left out, and why; empty if none were."""
    delivery_status: DeliveryStatus


class SendReceipt(_SendReceiptAlways, total=False):
    """The outcome of a send."""

    differs: Literal[True]
    """True if the earlier request had different content, so the content of this request was not sent; absent
    otherwise.
    """


class _SentMessageAlways(TypedDict):
    id: str
    """The message."""
    thread_id: str
    """The thread of the message."""
    inbox_id: str
    """The inbox that it belongs to."""
    direction: Direction
    from_addr: str
    """The address in From."""
    from_name: str | None
    """The name in From."""
    to_addrs: List[str]
    """The addresses in To."""
    cc_addrs: List[str]
    """The addresses in Cc."""
    bcc_addrs: List[str]
    """The addresses in Bcc of an outbound message; empty for inbound messages."""
    reply_to_addrs: List[str]
    """The addresses in Reply-To; empty if replies go to From."""
    envelope_from: str | None
    """Inbound: the sender of the SMTP envelope; null for delivery reports."""
    envelope_to: List[str]
    """Inbound: the recipients of the SMTP envelope, with their plus tags."""
    subject: str
    """The decoded subject."""
    body_text: str | None
    """The plain-text body. If an email has only HTML, this is the visible text of the HTML."""
    body_html: str | None
    """The HTML body as it was sent. It is not sanitised: treat it as hostile."""
    extracted_text: str | None
    """The new text of a reply, without quoted history and signature; for other mail, all of its text. If the
    text part only refers to the HTML, or contains text that the HTML hides, this is taken from the visible
    text of the HTML.
    """
    body_truncated: bool
    """Whether a body was cut at 64 KiB; `messages.get` returns complete bodies."""
    snippet: str
    """The beginning of the text, at most 200 characters."""
    delivery_status: DeliveryStatus
    read: bool
    """Whether the message is marked as read. Outbound messages are read from the start; inbound messages become
    read when you mark them.
    """
    metadata: Metadata
    labels: List[AppliedLabel]
    """The labels of the message."""
    attachments: List[Attachment]
    """The attachments, each with a fresh link."""
    message_id: str
    """The RFC 5322 Message-ID, as recipients see it."""
    in_reply_to: str | None
    """The Message-ID of the message that this one replies to."""
    references: List[str]
    """The Message-IDs in References: the earlier messages of the conversation."""
    provider_message_id: str | None
    """The id from the sending provider; null until the provider accepts the message."""
    client_id: str | None
    """The idempotency key of the request that sent the message."""
    recipients: List[MessageRecipient]
    """Outbound: the delivery to each recipient that was not dropped. Inbound: empty."""
    authentication: Authentication | None
    """The results of the sender checks; null for outbound messages."""
    auto_submitted: bool
    """Whether the message was sent automatically (RFC 3834), such as an out-of-office reply, list mail or a
    report. Also true for your own mail that came back.
    """
    hidden_text: bool
    """Inbound: whether the HTML contains text that a person would not see, for example because of `display:
    none`. Such text is only in `body_html`.
    """
    size_bytes: int
    """The size of the whole mail as transferred, in bytes."""
    truncated: List[str]
    """The names of the fields that were cut. Lists, threads and events cut each body at 64 KiB, each list of
    addresses at 100 entries, and `references` at 20 (the first and the last ones); `messages.get` returns
    them complete. All responses cut `attachments` at 100 files (the original has all of them), and take
    `extracted_text` from the first 250,000 characters of a text. If the server was too busy to parse the mail
    on arrival, `body_text` and `attachments` are named, too: they are null and `[]` until a `message.updated`
    event, and stay that way if that event names no fields.
    """
    created_at: str
    """When the message was received or sent."""
    idempotent: bool
    """Whether this repeats the response to an earlier request with the same `client_id`."""
    dropped: List[DroppedRecipient]
    """The recipients that were left out, and why; empty if none were."""


class SentMessage(_SentMessageAlways, total=False):
    """The message that was sent, and the outcome of the send."""

    differs: Literal[True]
    """True if the earlier request had different content, so the content of this request was not sent; absent
    otherwise.
    """


class SetDmarcPolicy(TypedDict, total=False):

    policy: DmarcPolicy
    """The policy; by default, the next stricter one."""


class Suppression(TypedDict):
    """An address that the workspace no longer sends to."""

    address: str
    """The address."""
    reason: Literal["hard_bounce", "soft_bounce", "complaint", "manual"]
    """Why the address is on the list."""
    message_id: str | None
    """The message that bounced or caused the complaint."""
    created_at: str
    """When the address was suppressed."""


class SuppressionPage(TypedDict):
    """Suppressions, newest first."""

    suppressions: List[Suppression]
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class _ThreadAlways(TypedDict):
    id: str
    """The thread."""
    inbox_id: str
    """The inbox that it belongs to."""
    subject: str
    """The subject of the first message."""
    participants: List[str]
    """The addresses of the participants."""
    message_count: int
    """The number of messages."""
    last_message_at: str
    """When the newest message was received or sent."""
    created_at: str
    """When the first message was received or sent."""
    labels: List[AppliedLabel]
    """The labels of the messages."""


class Thread(_ThreadAlways, total=False):
    """A conversation within one inbox."""

    messages: List[ListedMessage]
    """Only in search results: a list with the best match of the thread."""


class _ThreadPageAlways(TypedDict):
    threads: List[Thread]
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""
    mode_used: Literal["recent", "keyword", "semantic", "hybrid"]
    """The search mode that ran; `recent` without a query."""


class ThreadPage(_ThreadPageAlways, total=False):
    """Threads, latest activity first, or by the score of their best match."""

    fallback_reason: Literal["plan", "unavailable"]
    """Why a mode other than the requested one ran; absent if the requested mode ran. `unavailable`: semantic
    search is off on this server, is failing, or was first requested by this workspace a moment ago.
    """
    ranked_within: str
    """The time from which messages were compared; absent if all were. In keyword search, older messages follow
    on later pages, ranked separately. In semantic search, older messages are not compared. After an update of
    the server, or the first semantic search of a workspace, older messages may not be in the search index
    yet.
    """


class ThreadWithMessages(TypedDict):
    """A thread with its messages, oldest first."""

    id: str
    """The thread."""
    inbox_id: str
    """The inbox that it belongs to."""
    subject: str
    """The subject of the first message."""
    participants: List[str]
    """The addresses of the participants."""
    message_count: int
    """The number of messages."""
    last_message_at: str
    """When the newest message was received or sent."""
    created_at: str
    """When the first message was received or sent."""
    labels: List[AppliedLabel]
    """The labels of the messages."""
    messages: List[Message]
    """The newest 200 messages, oldest first, with their bodies and attachments."""
    messages_truncated: bool
    """Whether older messages were left out."""


class UpdateDraft(TypedDict, total=False):

    to: Recipient | List[Recipient]
    """The recipients; required to send the draft."""
    cc: Recipient | List[Recipient]
    """The recipients in Cc."""
    bcc: Recipient | List[Recipient]
    """The recipients in Bcc."""
    subject: str | None
    """The subject; required to send the draft."""
    text: str | None
    """The plain-text body, at most 5 MB."""
    html: str | None
    """The HTML body, at most 5 MB."""
    attachments: List[AttachmentInput]
    """Files, at most 7 MB in total once decoded; an update replaces them all."""
    reply_to_message_id: str | None
    """The message to reply to. If recipients and subject are left out, they are filled in from it."""
    reply_all: bool
    """Whether to fill in the other recipients of the original, too."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
    -`, with values of up to 500 characters. They replace all existing ones.
    """
    scheduled_at: str | datetime | None
    """When to send the draft; null to send it only on request. If the time is in the past, the draft is sent at
    once.
    """
    seen_updated_at: str | datetime
    """The `updated_at` of the draft as a person saw it. A person who rewrites the body becomes the writer of the
    draft only if the draft has not changed since then. Otherwise, the policy of the key that wrote it still
    applies.
    """


class UpdateInbox(TypedDict, total=False):

    display_name: str | None
    """The name in the From header of outbound mail; null for none."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
    -`, with values of up to 500 characters. They replace all existing ones.
    """


class UpdateMessage(TypedDict, total=False):

    add_labels: List[str]
    """Labels to add, by id or by name; a label that does not exist is created."""
    remove_labels: List[str]
    """Labels to remove, by id or by name."""
    read: bool
    """Whether the message is marked as read."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from `A-Z a-z 0-9 _ .
    -`, with values of up to 500 characters. They replace all existing ones.
    """


class UpdateWebhook(TypedDict, total=False):

    url: str
    """A public https URL."""
    events: List[EventKind]
    """The event kinds to receive."""
    inbox_ids: List[str] | None
    """Only events of these inboxes; null for all."""
    enabled: bool
    """Whether events are posted."""


class Usage(TypedDict):
    """The usage of the workspace."""

    inboxes: int
    """The number of inboxes."""
    emails_this_month: int
    """The number of messages sent in this UTC calendar month."""
    storage_bytes: int
    """The size of stored attachments in bytes."""
    mail_bytes: int
    """The size of stored mail in bytes: originals and bodies."""
    month_ends_at: str
    """When the month ends and the count of messages restarts."""


class Webhook(TypedDict):
    """Your endpoint that receives events."""

    id: str
    """The webhook."""
    url: str
    """Where events are posted."""
    events: List[EventKind]
    """The event kinds that it receives."""
    inbox_ids: List[str] | None
    """The inboxes whose events it receives; null for all."""
    enabled: bool
    """Whether events are posted. It becomes false after 5 days in which every attempt failed."""
    created_at: str
    """When the webhook was created."""


class WebhookPage(TypedDict):
    """Webhooks, newest first."""

    webhooks: List[Webhook]
    next_cursor: str | None
    """The `cursor` of the next page; null on the last page."""


class WebhookWithSecret(TypedDict):
    """A webhook with its signing secret, which is shown only this once."""

    id: str
    """The webhook."""
    url: str
    """Where events are posted."""
    events: List[EventKind]
    """The event kinds that it receives."""
    inbox_ids: List[str] | None
    """The inboxes whose events it receives; null for all."""
    enabled: bool
    """Whether events are posted. It becomes false after 5 days in which every attempt failed."""
    created_at: str
    """When the webhook was created."""
    secret: str
    """The signing secret; it is shown only this once."""


class Workspace(TypedDict):
    """The owner of inboxes, mail and keys."""

    id: str
    """The workspace."""
    name: str
    """The name on this server, which the operator chose."""
    title: str
    """The title that the owners chose; by default, the name."""
    test: bool
    """Whether it is a test workspace, whose mail never leaves the server."""
    created_at: str
    """When the workspace was created."""

__all__ = [
    "Access",
    "Account",
    "AdminRight",
    "AppliedLabel",
    "Attachment",
    "AttachmentInput",
    "Authentication",
    "AuthenticationResult",
    "Bounce",
    "Complaint",
    "CreateDomain",
    "CreateDraft",
    "CreateInbox",
    "CreateLabel",
    "CreateRule",
    "CreateSubdomain",
    "CreateSuppression",
    "CreateWebhook",
    "Delivery",
    "DeliveryAttempt",
    "DeliveryPage",
    "DeliveryStatus",
    "Direction",
    "DmarcPolicy",
    "DnsRecord",
    "Domain",
    "DomainPage",
    "Draft",
    "DraftFailedEvent",
    "DraftPage",
    "DraftSentEvent",
    "DraftStatus",
    "DroppedRecipient",
    "EffectivePolicy",
    "Event",
    "EventKind",
    "EventPage",
    "ForwardMessage",
    "GetPolicy",
    "Inbox",
    "InboxPage",
    "Issue",
    "Label",
    "LabelMessage",
    "LabelPage",
    "ListDeliveries",
    "ListDomains",
    "ListDrafts",
    "ListEvents",
    "ListInboxes",
    "ListLabels",
    "ListMessages",
    "ListRules",
    "ListSuppressions",
    "ListThreads",
    "ListWebhooks",
    "ListedMessage",
    "Message",
    "MessageBouncedEvent",
    "MessageComplainedEvent",
    "MessageDeferredEvent",
    "MessageDeletedEvent",
    "MessageDeliveredEvent",
    "MessageHeldEvent",
    "MessagePage",
    "MessageReceivedEvent",
    "MessageRecipient",
    "MessageRejectedEvent",
    "MessageSentEvent",
    "MessageUpdatedEvent",
    "Metadata",
    "Plan",
    "PlanLimits",
    "RawMessage",
    "Recipient",
    "ReplyToMessage",
    "Rule",
    "RulePage",
    "SearchMode",
    "SendCheck",
    "SendDraft",
    "SendMessage",
    "SendMode",
    "SendReceipt",
    "SentMessage",
    "SetDmarcPolicy",
    "Suppression",
    "SuppressionPage",
    "Thread",
    "ThreadPage",
    "ThreadWithMessages",
    "UpdateDraft",
    "UpdateInbox",
    "UpdateMessage",
    "UpdateWebhook",
    "Usage",
    "Webhook",
    "WebhookPage",
    "WebhookWithSecret",
    "Workspace",
    "ErrorCode",
]
