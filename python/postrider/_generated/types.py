# Generated from the contract by scripts/python-client.ts. Do not edit.
from __future__ import annotations

from datetime import datetime
from typing import Any, Dict, List, Literal, TypeAlias, TypedDict

Access: TypeAlias = Literal["read", "inbox", "inboxes", "workspace"]
"""`read`: it changes nothing. `inbox`: it changes what belongs to its inboxes. `inboxes`: also labels, and which
inboxes there are. `workspace`: also rules, suppressions and domains.
"""

AuthenticationResult: TypeAlias = Literal["pass", "fail", "none", "neutral", "softfail", "policy", "temperror", "permerror"]
"""What a check of the sender said (RFC 8601)."""

DeliveryStatus: TypeAlias = Literal["received", "queued", "held", "sending", "sent", "delivered", "deferred", "bounced", "complained", "rejected", "failed"]
"""Inbound `received`. Outbound `queued`, or `held` until people approve it, `sending`, `sent`, then `delivered`,
`deferred` (tried again), `bounced`, `complained`, `rejected` (by the provider or by people) or `failed`. That
of a message is the worst of its recipients.
"""

Direction: TypeAlias = Literal["inbound", "outbound"]
"""Whether the message came in or went out."""

DmarcPolicy: TypeAlias = Literal["none", "quarantine", "reject"]
"""How receivers should treat mail that fails DMARC."""

DraftStatus: TypeAlias = Literal["draft", "scheduled", "sending", "sent", "failed"]
"""Where the draft stands."""

Event: TypeAlias = "MessageReceivedEvent | MessageSentEvent | MessageDeliveredEvent | MessageBouncedEvent | MessageComplainedEvent | MessageRejectedEvent | MessageHeldEvent | MessageDeferredEvent | MessageUpdatedEvent | MessageDeletedEvent | DraftSentEvent | DraftFailedEvent"
"""An event: the body of a webhook delivery, a realtime frame and a row of the event log are the same."""

EventKind: TypeAlias = Literal["message.received", "message.sent", "message.delivered", "message.bounced", "message.complained", "message.rejected", "message.held", "message.deferred", "message.updated", "message.deleted", "draft.sent", "draft.failed"]
"""What happened."""

Metadata: TypeAlias = Dict[str, str]
"""Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40 characters,
values up to 500.
"""

Plan: TypeAlias = Literal["free", "pro", "scale", "business"]
"""The plan of a workspace."""

Recipient: TypeAlias = str
"""An address, alone or as `Name <address>`. UTF-8 local parts and international domains are accepted."""

SearchMode: TypeAlias = Literal["keyword", "semantic", "hybrid"]
"""How a search compares: by words, by meaning, or both."""

SendMode: TypeAlias = Literal["allow", "approve", "never"]
"""`allow`: it goes out. `approve`: it is held until people approve it. `never`: it is refused."""

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
    """Its name; unique without regard to case."""
    color: str | None
    """Its hex color."""


class Attachment(TypedDict):
    """A file of a message, with a fresh download link."""

    id: str
    """The attachment."""
    filename: str
    """Its name, without folders."""
    mime_type: str
    """Its media type as the sender declared it."""
    size_bytes: int
    """Its size once decoded."""
    content_id: str | None
    """Its Content-ID without brackets, as `cid:` links in HTML name it."""
    inline: bool
    """Whether it is shown within the text rather than beside it."""
    url: str
    """Download link that needs no key and works for 15 minutes; `Range` requests are supported."""
    expires_at: str
    """When the link stops working."""


class _AttachmentInputAlways(TypedDict):
    filename: str
    """Its name, without folders."""
    content_base64: str
    """Its bytes in base64."""


class AttachmentInput(_AttachmentInputAlways, total=False):
    """A file to send."""

    content_type: str
    """Its media type; guessed from the name when left out."""
    content_id: str
    """Its Content-ID: HTML shows it as `<img src="cid:logo">`."""


class Authentication(TypedDict):
    """What SPF, DKIM and DMARC say of an inbound message."""

    spf: AuthenticationResult
    dkim: AuthenticationResult
    dmarc: AuthenticationResult
    verified_domain: str | None
    """The domain that the sender is proven to write for."""


class Bounce(TypedDict):
    """Why a message came back."""

    type: Literal["hard", "soft"]
    """`hard`: refused for good. `soft`: refused for now until we gave up."""
    code: str | None
    """The enhanced status code (RFC 3463), else the reply code."""
    diagnostic: str | None
    """What the recipient’s server said."""


class Complaint(TypedDict):
    """What a recipient complained of."""

    feedback_type: str | None
    """The type in the report (RFC 5965), such as `abuse` or `fraud`."""


class CreateDomain(TypedDict):

    hostname: str
    """The domain to add."""


class _CreateDraftAlways(TypedDict):
    inbox_id: str
    """The inbox that will send it."""


class CreateDraft(_CreateDraftAlways, total=False):

    to: Recipient | List[Recipient]
    """Recipients; needed when it is sent."""
    cc: Recipient | List[Recipient]
    """Recipients of a copy."""
    bcc: Recipient | List[Recipient]
    """Recipients of a blind copy."""
    subject: str | None
    """The subject; needed when it is sent."""
    text: str | None
    """The plain-text body, at most 5 MB."""
    html: str | None
    """The HTML body, at most 5 MB."""
    attachments: List[AttachmentInput]
    """Files, at most 7 MB in total once decoded; an update replaces them all."""
    reply_to_message_id: str | None
    """The message to reply to. Recipients and subject that are left out are filled in from it."""
    reply_all: bool
    """Whether the other recipients of the original are filled in, too."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
    characters, values up to 500. They replace those that were there.
    """
    scheduled_at: str | datetime | None
    """When to send it; null to send it by hand. A time that has passed sends at once."""


class _CreateInboxAlways(TypedDict):
    local_part: str
    """The part before the `@`; lowercased automatically."""


class CreateInbox(_CreateInboxAlways, total=False):

    display_name: str | None
    """Friendly From name on outbound mail; null for none."""
    domain_id: str | None
    """A verified custom domain; the shared domain when left out."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
    characters, values up to 500. They replace those that were there.
    """


class _CreateLabelAlways(TypedDict):
    name: str
    """Its name; unique without regard to case."""


class CreateLabel(_CreateLabelAlways, total=False):

    color: str | None
    """Its hex color."""


class CreateRule(TypedDict):

    kind: Literal["allow", "block"]
    """Whether matching mail is let through or stopped."""
    direction: Literal["inbound", "outbound", "both"]
    """Inbound rules match the sender, outbound rules the recipient."""
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
    """A signing secret of your own; one is created if it is left out."""


class Delivery(TypedDict):
    """One event on its way to one webhook."""

    id: str
    """The delivery."""
    webhook_id: str
    """The webhook."""
    event_id: str
    """The event; `webhook-id` of the request."""
    event: EventKind
    status: Literal["pending", "succeeded", "failed"]
    """Where it stands."""
    attempts: List[DeliveryAttempt]
    """Every try so far, oldest first; at most 8."""
    next_attempt_at: str | None
    """When it is tried next; null when it is not."""
    created_at: str
    """When the delivery was created."""


class DeliveryAttempt(TypedDict):
    """One try of a delivery."""

    at: str
    """When it began."""
    status_code: int | None
    """The status that your endpoint responded with."""
    error: str | None
    """What went wrong if there was no response."""
    duration_ms: int
    """How long it took."""


class DeliveryPage(TypedDict):
    """Deliveries, newest first."""

    deliveries: List[Delivery]
    next_cursor: str | None
    """What to pass as `cursor` for the next page; null on the last one."""


class DnsRecord(TypedDict):
    """A DNS record to publish."""

    type: str
    """The type of the record."""
    name: str
    """The full name of the record."""
    value: str
    """What to publish."""
    priority: int | None
    """The priority of an MX record."""
    purpose: Literal["ownership", "dkim", "spf", "dmarc", "mail_from", "inbound"]
    """What the record is for."""
    status: Literal["pending", "verified", "failed"]
    """What the last check found."""
    found: str | None
    """The published value, or null if there is none. If there are several, it is the one nearest to `value`.
    Characters that change the direction of text are shown as `[U+202E]`.
    """
    hint: str | None
    """The problem, the server of the last check, and the time of the next one; for DMARC also the reports of
    receivers. Null if everything is in order.
    """


class Domain(TypedDict):
    """A sending domain of the workspace."""

    id: str
    """The domain."""
    hostname: str
    """The domain as ASCII."""
    kind: Literal["byo", "subdomain"]
    """`byo`: brought by you. `subdomain`: one of ours, with DNS set up by us."""
    status: Literal["pending", "verifying", "verified", "failed"]
    """Whether its records were found. Inboxes need a verified one."""
    dmarc_policy: DmarcPolicy
    mail_from_domain: str
    """The domain of its return paths."""
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
    """What to pass as `cursor` for the next page; null on the last one."""


class Draft(TypedDict):
    """A message that is not sent yet, or only at its time."""

    id: str
    """The draft."""
    inbox_id: str
    """The inbox that will send it."""
    to: List[str]
    """Its recipients."""
    cc: List[str]
    """Recipients of a copy."""
    bcc: List[str]
    """Recipients of a blind copy."""
    subject: str | None
    """Its subject."""
    text: str | None
    """Its plain-text body."""
    html: str | None
    """Its HTML body."""
    attachments: List[Attachment]
    """Its files, once it is sent those of the message; each with a fresh link."""
    reply_to_message_id: str | None
    """The message that it replies to."""
    metadata: Metadata
    scheduled_at: str | None
    """When it will be sent."""
    status: DraftStatus
    message_id: str | None
    """The message that was sent from it."""
    failure: str | None
    """The error code of a scheduled send that failed."""
    created_at: str
    """When the draft was created."""
    updated_at: str
    """When the draft last changed."""


class DraftFailedEvent(TypedDict):
    """A scheduled draft was not sent because of an error. It can be changed and sent again."""

    id: str
    """The event; also `webhook-id`."""
    event: Literal["draft.failed"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str | None
    """Null: the draft became no message."""
    message_ref: str | None
    """Null: the draft became no message."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""
    draft_id: str
    """The draft."""
    failure: str
    """The error code for which it was not sent."""


class DraftPage(TypedDict):
    """Drafts, newest first."""

    drafts: List[Draft]
    next_cursor: str | None
    """What to pass as `cursor` for the next page; null on the last one."""


class DraftSentEvent(TypedDict):
    """A draft became `message`, at its time or by a request. From then on, there are events of the message."""

    id: str
    """The event; also `webhook-id`."""
    event: Literal["draft.sent"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The message, also when `message` is null."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""
    draft_id: str
    """The draft."""


class _DroppedRecipientAlways(TypedDict):
    address: str
    """The address left out."""
    reason: Literal["suppressed", "rule", "policy"]
    """`suppressed`: on the suppression list. `rule`: an outbound block rule matches. `policy`: people do not
    allow mail to it.
    """


class DroppedRecipient(_DroppedRecipientAlways, total=False):
    """A recipient that is not sent to."""

    rule_id: str
    """The rule that matched, with reason `rule`."""


class EffectivePolicyFrom(TypedDict):
    """Where each line is set."""

    send: Literal["key", "inbox", "workspace", "default"]
    """Where the line is set; `default` where nobody has set one."""
    recipients: Literal["key", "inbox", "workspace", "default"]
    """Where the line is set; `default` where nobody has set one."""
    per_hour: Literal["key", "inbox", "workspace", "default"]
    """Where the line is set; `default` where nobody has set one."""
    per_day: Literal["key", "inbox", "workspace", "default"]
    """Where the line is set; `default` where nobody has set one."""
    per_thread_hour: Literal["key", "inbox", "workspace", "default"]
    """Where the line is set; `default` where nobody has set one."""
    per_recipient_day: Literal["key", "inbox", "workspace", "default"]
    """Where the line is set; `default` where nobody has set one."""
    recipients_max: Literal["key", "inbox", "workspace", "default"]
    """Where the line is set; `default` where nobody has set one."""


class EffectivePolicyPlaces(TypedDict):
    """The lines that are set at each place."""

    key: Dict[str, Any]
    inbox: Dict[str, Any]
    workspace: Dict[str, Any]


# What people allow this key to send.
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
    """The `after` of the next request, even if there were no events; null only while the log is empty."""


class _ForwardMessageAlways(TypedDict):
    to: Recipient | List[Recipient]
    """The recipient, or a list of them; at most 50 in To, Cc and Bcc together."""


class ForwardMessage(_ForwardMessageAlways, total=False):

    cc: Recipient | List[Recipient]
    """Recipients of a copy."""
    bcc: Recipient | List[Recipient]
    """Recipients of a blind copy."""
    text: str
    """Text above the forwarded message."""
    html: str
    """HTML above the forwarded message."""
    include_attachments: bool
    """Whether the files of the original go along."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
    characters, values up to 500. They replace those that were there.
    """
    client_id: str
    """Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing,
    even if its content differs.
    """


class GetPolicy(TypedDict, total=False):

    inbox_id: str
    """The inbox that would send. Without it, its lines are left out."""


class Inbox(TypedDict):
    """An address that can send and receive mail."""

    id: str
    """The inbox."""
    local_part: str
    """The part of the address before the `@`."""
    display_name: str | None
    """Friendly From name on outbound mail."""
    domain_id: str | None
    """The custom domain of the address; null on the shared domain."""
    address: str
    """The address. Mail to `local+anything@` arrives here too."""
    metadata: Metadata
    created_at: str
    """When the inbox was created."""


class InboxPage(TypedDict):
    """Inboxes, newest first."""

    inboxes: List[Inbox]
    next_cursor: str | None
    """What to pass as `cursor` for the next page; null on the last one."""


class Issue(TypedDict):
    """One field of a request that is missing or malformed."""

    path: str
    """The field, with dots into it: `to.0`, `attachments.2.filename`."""
    message: str
    """What is wrong with it."""


class Label(TypedDict):
    """A mark that messages can carry."""

    id: str
    """The label."""
    name: str
    """Its name; unique without regard to case."""
    color: str | None
    """Its hex color."""
    created_at: str
    """When the label was created."""


class LabelMessage(TypedDict):

    message_id: str
    """The message."""


class LabelPage(TypedDict):
    """Labels by name."""

    labels: List[Label]
    next_cursor: str | None
    """What to pass as `cursor` for the next page; null on the last one."""


class ListDeliveries(TypedDict, total=False):

    limit: int
    """The most items to return."""
    cursor: str
    """`next_cursor` of the page before; opaque."""


class ListDomains(TypedDict, total=False):

    limit: int
    """The most items to return."""
    cursor: str
    """`next_cursor` of the page before; opaque."""


class ListDrafts(TypedDict, total=False):

    inbox_id: str
    """Only drafts of this inbox."""
    status: DraftStatus
    limit: int
    """The most items to return."""
    cursor: str
    """`next_cursor` of the page before; opaque."""


class ListEvents(TypedDict, total=False):

    after: str
    """Only events after the one with this id, or after `latest`, the newest at the time of the request."""
    events: List[EventKind]
    """Only events of these kinds, separated by commas."""
    inbox_id: str
    """Only events of this inbox."""
    wait_seconds: int
    """The most seconds that the request waits until there is at least one item."""
    limit: int
    """The most items to return."""


class ListInboxes(TypedDict, total=False):

    address: str
    """Only the inbox with this address, in any spelling of it."""
    limit: int
    """The most items to return."""
    cursor: str
    """`next_cursor` of the page before; opaque."""


class ListLabels(TypedDict, total=False):

    name: str
    """Only the label of this name; upper and lower case are the same."""
    limit: int
    """The most items to return."""
    cursor: str
    """`next_cursor` of the page before; opaque."""


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
    """The most items to return."""
    cursor: str
    """`next_cursor` of the page before; opaque."""


class ListSuppressions(TypedDict, total=False):

    limit: int
    """The most items to return."""
    cursor: str
    """`next_cursor` of the page before; opaque."""


class ListThreads(TypedDict, total=False):

    inbox_id: str
    """Only threads of this inbox."""
    label_id: str
    """Only threads with this label on a message."""
    read: bool
    """Only threads all of whose messages are read, or only the others."""
    query: str
    """Search. All words must match, in any form (`invoices` finds `invoice`), and the last one may be
    incomplete. Quotation marks hold a phrase together, and `-word` excludes a word. The operators are
    `from:`, `to:`, `subject:`, `label:`, `in:` (an inbox), `filename:`, `has:attachment`, `is:inbound`,
    `is:outbound`, `before:` and `after:`. Anything else is words.
    """
    mode: SearchMode
    """How `query` compares; `keyword` when left out."""
    limit: int
    """The most items to return."""
    cursor: str
    """`next_cursor` of the page before; opaque."""


class ListWebhooks(TypedDict, total=False):

    limit: int
    """The most items to return."""
    cursor: str
    """`next_cursor` of the page before; opaque."""


class _ListedMessageAlways(TypedDict):
    id: str
    """The message."""
    thread_id: str
    """The conversation it belongs to."""
    inbox_id: str
    """The inbox it belongs to."""
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
    """Blind copies of an outbound message; empty on inbound ones."""
    reply_to_addrs: List[str]
    """Where replies go when it is not From."""
    envelope_from: str | None
    """Inbound: the sender as given by SMTP; null for reports."""
    envelope_to: List[str]
    """Inbound: the recipients as given by SMTP, with the plus tag."""
    subject: str
    """The subject, decoded."""
    body_text: str | None
    """The plain-text body; of a mail that has only HTML, the text that a person sees of it."""
    body_html: str | None
    """The HTML body as it was sent, unsanitised: treat it as hostile."""
    extracted_text: str | None
    """What is new in a reply: the text without quoted history and signature. For other mail, all of its text.
    Where the text part only points to the HTML, or says what that hides, it is the text that a person sees of
    the HTML.
    """
    body_truncated: bool
    """Whether a body was cut at 64 KiB; `messages.get` returns whole ones."""
    snippet: str
    """The beginning of the text, at most 200 characters."""
    delivery_status: DeliveryStatus
    read: bool
    """Whether it was marked as read; outbound messages are, inbound ones once you say so."""
    metadata: Metadata
    labels: List[AppliedLabel]
    """The labels assigned to it."""
    attachments: List[Attachment]
    """Its files, each with a fresh link."""
    message_id: str
    """The RFC 5322 Message-ID, as recipients see it."""
    in_reply_to: str | None
    """The Message-ID that it replies to."""
    references: List[str]
    """The Message-IDs of its conversation."""
    provider_message_id: str | None
    """The id that the sending provider gave; null until it accepts."""
    client_id: str | None
    """The idempotency key that it was sent with."""
    recipients: List[MessageRecipient]
    """Outbound: the delivery to each recipient that was not dropped. Inbound: empty."""
    authentication: Authentication | None
    """Checks of the sender; null on outbound messages."""
    auto_submitted: bool
    """Whether a machine sent it (RFC 3834): out of office, list, report; or it is own mail that came back."""
    hidden_text: bool
    """Inbound: whether the HTML has text that a person would not see, such as `display: none`. It is only in
    `body_html`.
    """
    size_bytes: int
    """The size of the whole mail as transferred."""
    truncated: List[str]
    """The fields that were cut: in lists, threads and events each body at 64 KiB, each list of addresses at 100
    and `references` at 20 (the first and the last ones). `messages.get` returns them whole. Everywhere
    `attachments`, where the mail had more than 100 files: its original has all of them; and `extracted_text`,
    where it is the new text of the first 250,000 characters alone. `body_text` and `attachments` of a mail
    that the server has not read yet, because it was busy: they are null and `[]` until one `message.updated`,
    and stay so if that names nothing.
    """
    created_at: str
    """When it was received or sent."""


class ListedMessage(_ListedMessageAlways, total=False):
    """A message in a list. Search results carry a score, and their snippet shows what was found: `**` stands
    around each match, and a backslash before each `*`, `_`, `` ` `` and `\\` of the text itself.
    """

    score: float
    """Search results: how well it matches, from 0 to 1; comparable with the others of the same search."""
    matched_attachments: List[str]
    """Search results: the files whose name or text has words of the query."""


class Message(TypedDict):
    """A mail, received or sent."""

    id: str
    """The message."""
    thread_id: str
    """The conversation it belongs to."""
    inbox_id: str
    """The inbox it belongs to."""
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
    """Blind copies of an outbound message; empty on inbound ones."""
    reply_to_addrs: List[str]
    """Where replies go when it is not From."""
    envelope_from: str | None
    """Inbound: the sender as given by SMTP; null for reports."""
    envelope_to: List[str]
    """Inbound: the recipients as given by SMTP, with the plus tag."""
    subject: str
    """The subject, decoded."""
    body_text: str | None
    """The plain-text body; of a mail that has only HTML, the text that a person sees of it."""
    body_html: str | None
    """The HTML body as it was sent, unsanitised: treat it as hostile."""
    extracted_text: str | None
    """What is new in a reply: the text without quoted history and signature. For other mail, all of its text.
    Where the text part only points to the HTML, or says what that hides, it is the text that a person sees of
    the HTML.
    """
    body_truncated: bool
    """Whether a body was cut at 64 KiB; `messages.get` returns whole ones."""
    snippet: str
    """The beginning of the text, at most 200 characters."""
    delivery_status: DeliveryStatus
    read: bool
    """Whether it was marked as read; outbound messages are, inbound ones once you say so."""
    metadata: Metadata
    labels: List[AppliedLabel]
    """The labels assigned to it."""
    attachments: List[Attachment]
    """Its files, each with a fresh link."""
    message_id: str
    """The RFC 5322 Message-ID, as recipients see it."""
    in_reply_to: str | None
    """The Message-ID that it replies to."""
    references: List[str]
    """The Message-IDs of its conversation."""
    provider_message_id: str | None
    """The id that the sending provider gave; null until it accepts."""
    client_id: str | None
    """The idempotency key that it was sent with."""
    recipients: List[MessageRecipient]
    """Outbound: the delivery to each recipient that was not dropped. Inbound: empty."""
    authentication: Authentication | None
    """Checks of the sender; null on outbound messages."""
    auto_submitted: bool
    """Whether a machine sent it (RFC 3834): out of office, list, report; or it is own mail that came back."""
    hidden_text: bool
    """Inbound: whether the HTML has text that a person would not see, such as `display: none`. It is only in
    `body_html`.
    """
    size_bytes: int
    """The size of the whole mail as transferred."""
    truncated: List[str]
    """The fields that were cut: in lists, threads and events each body at 64 KiB, each list of addresses at 100
    and `references` at 20 (the first and the last ones). `messages.get` returns them whole. Everywhere
    `attachments`, where the mail had more than 100 files: its original has all of them; and `extracted_text`,
    where it is the new text of the first 250,000 characters alone. `body_text` and `attachments` of a mail
    that the server has not read yet, because it was busy: they are null and `[]` until one `message.updated`,
    and stay so if that names nothing.
    """
    created_at: str
    """When it was received or sent."""


class MessageBouncedEvent(TypedDict):
    """A hard or soft bounce; the address is now suppressed."""

    id: str
    """The event; also `webhook-id`."""
    event: Literal["message.bounced"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The message, also when `message` is null."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""
    recipient: str
    """The recipient."""
    bounce: Bounce


class MessageComplainedEvent(TypedDict):
    """A spam complaint; the address is now suppressed."""

    id: str
    """The event; also `webhook-id`."""
    event: Literal["message.complained"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The message, also when `message` is null."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""
    recipient: str
    """The recipient."""
    complaint: Complaint


class MessageDeferredEvent(TypedDict):
    """The first attempt to deliver an outbound message to a recipient was deferred, and it is tried again. Later
    deferred attempts create no event.
    """

    id: str
    """The event; also `webhook-id`."""
    event: Literal["message.deferred"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The message, also when `message` is null."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""
    recipient: str
    """The recipient."""
    detail: str | None
    """What the recipient’s server or the provider said."""


class MessageDeletedEvent(TypedDict):
    """A message was deleted, alone or with its thread. `message` is null. Deleting an inbox creates no events."""

    id: str
    """The event; also `webhook-id`."""
    event: Literal["message.deleted"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The message, also when `message` is null."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""


class MessageDeliveredEvent(TypedDict):
    """An outbound message was accepted by the recipient’s server."""

    id: str
    """The event; also `webhook-id`."""
    event: Literal["message.delivered"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The message, also when `message` is null."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""
    recipient: str
    """The recipient."""


class MessageHeldEvent(TypedDict):
    """An outbound message waits until people approve or refuse it."""

    id: str
    """The event; also `webhook-id`."""
    event: Literal["message.held"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The message, also when `message` is null."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""


class _MessagePageAlways(TypedDict):
    messages: List[ListedMessage]
    next_cursor: str | None
    """What to pass as `cursor` for the next page; null on the last one."""
    mode_used: Literal["recent", "keyword", "semantic", "hybrid"]
    """`recent` without a query, else the search mode that ran."""


class MessagePage(_MessagePageAlways, total=False):
    """Messages, newest first, or by score."""

    fallback_reason: Literal["plan", "unavailable"]
    """Why another mode ran than the requested one; absent if the requested one ran. `unavailable`: semantic
    search is off on this server, is out of order, or was first requested by this workspace a moment ago.
    """
    ranked_within: str
    """Only there when a search compared the newest messages alone, from this time on. In keyword search, older
    ones follow on the next pages, ranked among themselves. In semantic search, they are not compared. After
    an update of the server, and after the first semantic search of a workspace, older ones may also not be in
    the search index yet.
    """


class MessageReceivedEvent(TypedDict):
    """An inbound email arrived at one of the workspace’s inboxes."""

    id: str
    """The event; also `webhook-id`."""
    event: Literal["message.received"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The message, also when `message` is null."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""


class MessageRecipient(TypedDict):
    """The delivery of a message to one recipient."""

    address: str
    """The recipient."""
    status: DeliveryStatus
    detail: str | None
    """What the recipient’s server or the provider said."""
    sandboxed: bool
    """Whether the sandbox kept the mail: it is `sent`, and no other server was told of it."""
    updated_at: str
    """When the status last changed."""


class MessageRejectedEvent(TypedDict):
    """The provider rejected the send or could not be reached until the message expired, or people did not
    approve it.
    """

    id: str
    """The event; also `webhook-id`."""
    event: Literal["message.rejected"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The message, also when `message` is null."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""
    recipient: str | None
    """The recipient; null for the whole message."""
    reason: str
    """What the provider said, `expired`, or `not_approved: ` with the reason that people gave."""


class MessageSentEvent(TypedDict):
    """The next hop, such as a relay, accepted an outbound message for a recipient. If it is known at once that
    the recipient’s server has it, there is only `message.delivered`.
    """

    id: str
    """The event; also `webhook-id`."""
    event: Literal["message.sent"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The message, also when `message` is null."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""
    recipient: str
    """The recipient."""


class MessageUpdatedEvent(TypedDict):
    """A request changed labels, the read mark or metadata of a message. One request creates one event, or none
    if it changed nothing. Deleting a label creates none. The server creates one itself once it has read a
    mail that it was too busy to read: `changed` names the text, the files and what else came with them, and
    nothing if the mail takes too much to be read.
    """

    id: str
    """The event; also `webhook-id`."""
    event: Literal["message.updated"]
    """What happened."""
    created_at: str
    """When it happened."""
    workspace_id: str
    """The workspace."""
    inbox_id: str
    """The inbox."""
    thread_id: str
    """The thread of the message."""
    message_ref: str
    """The message, also when `message` is null."""
    message: Message | None
    """The message as it is when the event is sent or read; null once it or its inbox is deleted."""
    changed: List[str]
    """The names of the fields that changed."""


class PlanLimits(TypedDict):
    """What the plan of a workspace allows."""

    inboxes: int
    """Inboxes at one time."""
    emails_per_month: int
    """Messages sent in a UTC calendar month; recipients do not count."""
    storage_bytes: int
    """Bytes of stored attachments, inbound and outbound."""
    mail_bytes: int
    """Bytes of stored mail: originals and bodies, inbound and outbound."""
    requests_per_second: int
    """Requests a second, sustained."""
    requests_burst: int
    """Requests that may come at once."""
    custom_domains: bool
    """Whether the plan includes own domains."""
    semantic_search: bool
    """Whether the plan includes semantic and hybrid search."""
    dedicated_subdomain: bool
    """Whether the plan includes a dedicated subdomain."""


class RawMessage(TypedDict):
    """A link to the original mail."""

    url: str
    """Download link of the original mail, without a key."""
    expires_at: str
    """When the link stops working."""
    size_bytes: int
    """The size of the original mail."""


class ReplyToMessage(TypedDict, total=False):

    text: str
    """The plain-text body, at most 5 MB."""
    html: str
    """The HTML body, at most 5 MB."""
    reply_all: bool
    """Whether the other recipients get the reply too; without this inbox and repeats."""
    cc: Recipient | List[Recipient]
    """More recipients of a copy. The reply also goes to its usual recipients."""
    bcc: Recipient | List[Recipient]
    """Recipients of a blind copy."""
    reply_to: Recipient
    """Where replies go when it is not the inbox."""
    headers: Dict[str, str]
    """More headers, named `X-…` or `List-…`; at most 25. Those that providers read as commands are refused."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
    characters, values up to 500. They replace those that were there.
    """
    attachments: List[AttachmentInput]
    """Files, at most 7 MB in total once decoded."""
    client_id: str
    """Idempotency key: for 24 hours, a request that repeats it returns the original message and sends nothing,
    even if its content differs.
    """
    force: bool
    """Reply even if the message is automatic. The limit of replies still applies."""


class Rule(TypedDict):
    """An entry of the allow and block lists."""

    id: str
    """The rule."""
    kind: Literal["allow", "block"]
    """Whether matching mail is let through or stopped."""
    direction: Literal["inbound", "outbound", "both"]
    """Inbound rules match the sender, outbound rules the recipient."""
    pattern: str
    """The address or domain as it is matched: lowercase, ASCII domain."""
    created_at: str
    """When the rule was created."""


class RulePage(TypedDict):
    """Rules, newest first."""

    rules: List[Rule]
    next_cursor: str | None
    """What to pass as `cursor` for the next page; null on the last one."""


class SendCheck(TypedDict):
    """Who would get a message."""

    deliverable: List[str]
    """The addresses that a send would go to."""
    dropped: List[DroppedRecipient]
    """The addresses that it would leave out, and why."""
    send: SendMode
    """What the policy says: `allow`: it goes out. `approve`: it is held. `never`: it is refused. Pauses and caps
    are not looked at: `GET /v1/policy` has them.
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
    """The recipient, or a list of them; at most 50 in To, Cc and Bcc together."""
    subject: str
    """The subject."""


class SendMessage(_SendMessageAlways, total=False):

    cc: Recipient | List[Recipient]
    """Recipients of a copy."""
    bcc: Recipient | List[Recipient]
    """Recipients of a blind copy."""
    reply_to: Recipient
    """Where replies go when it is not the inbox."""
    text: str
    """The plain-text body, at most 5 MB."""
    html: str
    """The HTML body, at most 5 MB."""
    in_reply_to: str
    """A Message-ID; joins its thread when it names a message of this inbox."""
    references: List[str]
    """The Message-IDs of the conversation, oldest first."""
    headers: Dict[str, str]
    """More headers, named `X-…` or `List-…`; at most 25. Those that providers read as commands are refused."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
    characters, values up to 500. They replace those that were there.
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
    """The conversation it belongs to."""
    message_id: str
    """The RFC 5322 Message-ID, as recipients see it."""
    provider_message_id: str | None
    """The id that the sending provider gave; null until it accepts."""
    idempotent: bool
    """Whether this repeats the response to an earlier request with the same `client_id`."""
    dropped: List[DroppedRecipient]
    """Recipients that were not sent to, and why; empty when all were."""
    delivery_status: DeliveryStatus


class SendReceipt(_SendReceiptAlways, total=False):
    """The outcome of a send."""

    differs: Literal[True]
    """True if this repeats the response to a request with different content, so nothing of the present one was
    sent; absent otherwise.
    """


class _SentMessageAlways(TypedDict):
    id: str
    """The message."""
    thread_id: str
    """The conversation it belongs to."""
    inbox_id: str
    """The inbox it belongs to."""
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
    """Blind copies of an outbound message; empty on inbound ones."""
    reply_to_addrs: List[str]
    """Where replies go when it is not From."""
    envelope_from: str | None
    """Inbound: the sender as given by SMTP; null for reports."""
    envelope_to: List[str]
    """Inbound: the recipients as given by SMTP, with the plus tag."""
    subject: str
    """The subject, decoded."""
    body_text: str | None
    """The plain-text body; of a mail that has only HTML, the text that a person sees of it."""
    body_html: str | None
    """The HTML body as it was sent, unsanitised: treat it as hostile."""
    extracted_text: str | None
    """What is new in a reply: the text without quoted history and signature. For other mail, all of its text.
    Where the text part only points to the HTML, or says what that hides, it is the text that a person sees of
    the HTML.
    """
    body_truncated: bool
    """Whether a body was cut at 64 KiB; `messages.get` returns whole ones."""
    snippet: str
    """The beginning of the text, at most 200 characters."""
    delivery_status: DeliveryStatus
    read: bool
    """Whether it was marked as read; outbound messages are, inbound ones once you say so."""
    metadata: Metadata
    labels: List[AppliedLabel]
    """The labels assigned to it."""
    attachments: List[Attachment]
    """Its files, each with a fresh link."""
    message_id: str
    """The RFC 5322 Message-ID, as recipients see it."""
    in_reply_to: str | None
    """The Message-ID that it replies to."""
    references: List[str]
    """The Message-IDs of its conversation."""
    provider_message_id: str | None
    """The id that the sending provider gave; null until it accepts."""
    client_id: str | None
    """The idempotency key that it was sent with."""
    recipients: List[MessageRecipient]
    """Outbound: the delivery to each recipient that was not dropped. Inbound: empty."""
    authentication: Authentication | None
    """Checks of the sender; null on outbound messages."""
    auto_submitted: bool
    """Whether a machine sent it (RFC 3834): out of office, list, report; or it is own mail that came back."""
    hidden_text: bool
    """Inbound: whether the HTML has text that a person would not see, such as `display: none`. It is only in
    `body_html`.
    """
    size_bytes: int
    """The size of the whole mail as transferred."""
    truncated: List[str]
    """The fields that were cut: in lists, threads and events each body at 64 KiB, each list of addresses at 100
    and `references` at 20 (the first and the last ones). `messages.get` returns them whole. Everywhere
    `attachments`, where the mail had more than 100 files: its original has all of them; and `extracted_text`,
    where it is the new text of the first 250,000 characters alone. `body_text` and `attachments` of a mail
    that the server has not read yet, because it was busy: they are null and `[]` until one `message.updated`,
    and stay so if that names nothing.
    """
    created_at: str
    """When it was received or sent."""
    idempotent: bool
    """Whether this repeats the response to an earlier request with the same `client_id`."""
    dropped: List[DroppedRecipient]
    """Recipients that were not sent to, and why; empty when all were."""


class SentMessage(_SentMessageAlways, total=False):
    """The message that was sent, and the outcome of the send."""

    differs: Literal[True]
    """True if this repeats the response to a request with different content, so nothing of the present one was
    sent; absent otherwise.
    """


class SetDmarcPolicy(TypedDict, total=False):

    policy: DmarcPolicy
    """The policy; by default the next step."""


class Suppression(TypedDict):
    """An address that the workspace no longer sends to."""

    address: str
    """The address."""
    reason: Literal["hard_bounce", "soft_bounce", "complaint", "manual"]
    """What put it on the list."""
    message_id: str | None
    """The message that bounced or was complained of."""
    created_at: str
    """When it was suppressed."""


class SuppressionPage(TypedDict):
    """Suppressions, newest first."""

    suppressions: List[Suppression]
    next_cursor: str | None
    """What to pass as `cursor` for the next page; null on the last one."""


class _ThreadAlways(TypedDict):
    id: str
    """The thread."""
    inbox_id: str
    """The inbox it belongs to."""
    subject: str
    """The subject of its first message."""
    participants: List[str]
    """The addresses that take part."""
    message_count: int
    """How many messages it has."""
    last_message_at: str
    """When its newest message was received or sent."""
    created_at: str
    """When its first message was received or sent."""
    labels: List[AppliedLabel]
    """The labels of its messages."""


class Thread(_ThreadAlways, total=False):
    """A conversation within one inbox."""

    messages: List[ListedMessage]
    """Only in search results: the message of the thread that matches best, and no other."""


class _ThreadPageAlways(TypedDict):
    threads: List[Thread]
    next_cursor: str | None
    """What to pass as `cursor` for the next page; null on the last one."""
    mode_used: Literal["recent", "keyword", "semantic", "hybrid"]
    """`recent` without a query, else the search mode that ran."""


class ThreadPage(_ThreadPageAlways, total=False):
    """Threads, last activity first, or by the score of their best message."""

    fallback_reason: Literal["plan", "unavailable"]
    """Why another mode ran than the requested one; absent if the requested one ran. `unavailable`: semantic
    search is off on this server, is out of order, or was first requested by this workspace a moment ago.
    """
    ranked_within: str
    """Only there when a search compared the newest messages alone, from this time on. In keyword search, older
    ones follow on the next pages, ranked among themselves. In semantic search, they are not compared. After
    an update of the server, and after the first semantic search of a workspace, older ones may also not be in
    the search index yet.
    """


class ThreadWithMessages(TypedDict):
    """A thread with its messages, oldest first."""

    id: str
    """The thread."""
    inbox_id: str
    """The inbox it belongs to."""
    subject: str
    """The subject of its first message."""
    participants: List[str]
    """The addresses that take part."""
    message_count: int
    """How many messages it has."""
    last_message_at: str
    """When its newest message was received or sent."""
    created_at: str
    """When its first message was received or sent."""
    labels: List[AppliedLabel]
    """The labels of its messages."""
    messages: List[Message]
    """The newest 200 messages, oldest first, bodies and attachments inlined."""
    messages_truncated: bool
    """Whether older messages were left out."""


class UpdateDraft(TypedDict, total=False):

    to: Recipient | List[Recipient]
    """Recipients; needed when it is sent."""
    cc: Recipient | List[Recipient]
    """Recipients of a copy."""
    bcc: Recipient | List[Recipient]
    """Recipients of a blind copy."""
    subject: str | None
    """The subject; needed when it is sent."""
    text: str | None
    """The plain-text body, at most 5 MB."""
    html: str | None
    """The HTML body, at most 5 MB."""
    attachments: List[AttachmentInput]
    """Files, at most 7 MB in total once decoded; an update replaces them all."""
    reply_to_message_id: str | None
    """The message to reply to. Recipients and subject that are left out are filled in from it."""
    reply_all: bool
    """Whether the other recipients of the original are filled in, too."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
    characters, values up to 500. They replace those that were there.
    """
    scheduled_at: str | datetime | None
    """When to send it; null to send it by hand. A time that has passed sends at once."""
    seen_updated_at: str | datetime
    """The `updated_at` of the draft that a person saw. A person who rewrites the body becomes the writer of the
    draft only if it has not changed since; otherwise the policy of the key that wrote it still applies.
    """


class UpdateInbox(TypedDict, total=False):

    display_name: str | None
    """Friendly From name on outbound mail; null for none."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
    characters, values up to 500. They replace those that were there.
    """


class UpdateMessage(TypedDict, total=False):

    add_labels: List[str]
    """Labels to add, by id or by name; a label that does not exist is created."""
    remove_labels: List[str]
    """Labels to take off it, by id or by name."""
    read: bool
    """Whether it is marked as read."""
    metadata: Dict[str, str]
    """Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with 1 to 40
    characters, values up to 500. They replace those that were there.
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
    """Messages sent in this UTC calendar month."""
    storage_bytes: int
    """Bytes of stored attachments."""
    mail_bytes: int
    """Bytes of stored mail: originals and bodies."""
    month_ends_at: str
    """When the count of messages starts again."""


class Webhook(TypedDict):
    """An endpoint of yours that receives events."""

    id: str
    """The webhook."""
    url: str
    """Where events are posted."""
    events: List[EventKind]
    """The kinds it receives."""
    inbox_ids: List[str] | None
    """The inboxes whose events it receives; null for all."""
    enabled: bool
    """Whether events are posted; false after 5 days of nothing but failures."""
    created_at: str
    """When the webhook was created."""


class WebhookPage(TypedDict):
    """Webhooks, newest first."""

    webhooks: List[Webhook]
    next_cursor: str | None
    """What to pass as `cursor` for the next page; null on the last one."""


class WebhookWithSecret(TypedDict):
    """A webhook with its signing secret, shown this once."""

    id: str
    """The webhook."""
    url: str
    """Where events are posted."""
    events: List[EventKind]
    """The kinds it receives."""
    inbox_ids: List[str] | None
    """The inboxes whose events it receives; null for all."""
    enabled: bool
    """Whether events are posted; false after 5 days of nothing but failures."""
    created_at: str
    """When the webhook was created."""
    secret: str
    """The signing secret; shown this once."""


class Workspace(TypedDict):
    """The owner of inboxes, mail and keys."""

    id: str
    """The workspace."""
    name: str
    """Its name on this server, which the operator chose."""
    title: str
    """The title that its owners gave it; by default the name."""
    test: bool
    """Whether it is a test workspace, whose mail never leaves the server."""
    created_at: str
    """When the workspace was created."""

__all__ = [
    "Access",
    "Account",
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
