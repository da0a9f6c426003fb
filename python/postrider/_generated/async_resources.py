# Generated from the contract by scripts/python-client.ts. Do not edit.
from __future__ import annotations

from datetime import datetime
from typing import Dict, List, Literal, cast

from .._async_page import AsyncPages
from .._async_caller import AsyncCaller
from .._given import NOT_GIVEN, NotGiven, RequestOptions, given
from .._attachments import AttachmentSource
from .types import *


class AsyncResource:
    """The methods of a resource."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller


class AsyncInboxesMethods(AsyncResource):
    async def create(
        self,
        *,
        local_part: str,
        display_name: str | None | NotGiven = NOT_GIVEN,
        domain_id: str | None | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Inbox:
        """Create an inbox. On the shared domain the inbox is live at once. Names such as `postmaster` are
        reserved, and the address of a deleted inbox on the shared domain is held for its workspace for 30
        days; both are refused with `address_taken`, like an address in use, with `inbox_id` where the inbox
        is your own. The address of a person who signs in to the console counts as in use.

        `local_part`: The part before the `@`; lowercased automatically.

        `display_name`: Friendly From name on outbound mail; null for none.

        `domain_id`: A verified custom domain; the shared domain when left out.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with
        1 to 40 characters, values up to 500. They replace those that were there.
        """
        return cast("Inbox", await self._caller.call("inboxes.create", body=given({"local_part": local_part, "display_name": display_name, "domain_id": domain_id, "metadata": metadata}), options=options))

    def list(
        self,
        *,
        address: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Inbox, InboxPage]:
        """List inboxes. The inboxes of the workspace, newest first; with `address` the one that has it.

        `address`: Only the inbox with this address, in any spelling of it.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("inboxes.list", query=given({"address": address, "limit": limit, "cursor": cursor}), options=options)

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Inbox:
        """Get an inbox. One inbox by its id.
        """
        return cast("Inbox", await self._caller.call("inboxes.get", path_id=id, options=options))

    async def update(
        self,
        id: str,
        *,
        display_name: str | None | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Inbox:
        """Change an inbox. Changes its display name or metadata; the address of an inbox never changes.

        `display_name`: Friendly From name on outbound mail; null for none.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with
        1 to 40 characters, values up to 500. They replace those that were there.
        """
        return cast("Inbox", await self._caller.call("inboxes.update", path_id=id, body=given({"display_name": display_name, "metadata": metadata}), options=options))

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete an inbox. Hides the inbox and all its messages, threads and drafts at once, cancels what is
        scheduled or being retried, and removes the rest in the background.
        """
        await self._caller.call("inboxes.delete", path_id=id, options=options)


class AsyncMessagesMethods(AsyncResource):
    async def send(
        self,
        *,
        inbox_id: str,
        to: Recipient | List[Recipient],
        subject: str,
        cc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        bcc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        reply_to: Recipient | NotGiven = NOT_GIVEN,
        text: str | NotGiven = NOT_GIVEN,
        html: str | NotGiven = NOT_GIVEN,
        in_reply_to: str | NotGiven = NOT_GIVEN,
        references: List[str] | NotGiven = NOT_GIVEN,
        headers: Dict[str, str] | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        attachments: List[AttachmentSource] | NotGiven = NOT_GIVEN,
        client_id: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> SendReceipt:
        """Send a message. Recipients that are suppressed or matched by an outbound block rule are dropped. A
        repeated `client_id` returns the original message with 200 and sends nothing. While the provider has
        not accepted the message, `provider_message_id` is null and the status is `queued` or `sending`.

        `inbox_id`: The inbox that sends.

        `to`: The recipient, or a list of them; at most 50 in To, Cc and Bcc together.

        `subject`: The subject.

        `cc`: Recipients of a copy.

        `bcc`: Recipients of a blind copy.

        `reply_to`: Where replies go when it is not the inbox.

        `text`: The plain-text body, at most 5 MB.

        `html`: The HTML body, at most 5 MB.

        `in_reply_to`: A Message-ID; joins its thread when it names a message of this inbox.

        `references`: The Message-IDs of the conversation, oldest first.

        `headers`: More headers, named `X-…` or `List-…`; at most 25. Those that providers read as commands
        are refused.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with
        1 to 40 characters, values up to 500. They replace those that were there.

        `attachments`: Files, at most 7 MB in total once decoded.

        `client_id`: Idempotency key: for 24 hours, a request that repeats it returns the original message and
        sends nothing, even if its content differs.
        """
        return cast("SendReceipt", await self._caller.call("messages.send", body=given({"inbox_id": inbox_id, "to": to, "subject": subject, "cc": cc, "bcc": bcc, "reply_to": reply_to, "text": text, "html": html, "in_reply_to": in_reply_to, "references": references, "headers": headers, "metadata": metadata, "attachments": attachments, "client_id": client_id}), options=options))

    def list(
        self,
        *,
        inbox_id: str | NotGiven = NOT_GIVEN,
        thread_id: str | NotGiven = NOT_GIVEN,
        label_id: str | NotGiven = NOT_GIVEN,
        direction: Direction | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        subject: str | NotGiven = NOT_GIVEN,
        has_attachment: bool | NotGiven = NOT_GIVEN,
        read: bool | NotGiven = NOT_GIVEN,
        after: str | datetime | NotGiven = NOT_GIVEN,
        before: str | datetime | NotGiven = NOT_GIVEN,
        query: str | NotGiven = NOT_GIVEN,
        mode: SearchMode | NotGiven = NOT_GIVEN,
        wait_seconds: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[ListedMessage, MessagePage]:
        """List, search or wait for messages. Without `query` the newest messages first; with it, search results,
        best first; all filters hold for both. With `wait_seconds` the request is held until there is at least
        one message; at the end of the wait the list is empty. Semantic and hybrid search fall back to keyword
        search where they cannot run, as `mode_used` and `fallback_reason` say. Of a word that very many
        messages have, the newest are compared first, as `ranked_within` says. Bodies are cut at 64 KiB. Where
        filters are combined a page looks at 5,000 messages at most: it may then hold fewer than `limit`, or
        none, and have a `next_cursor` that goes on there.

        `inbox_id`: Only messages of this inbox.

        `thread_id`: Only messages of this thread.

        `label_id`: Only messages with this label.

        `direction`: Whether the message came in or went out.

        `from_`: Only messages from this address or domain.

        `to`: Only messages to this address or domain.

        `subject`: Only messages with these words in the subject.

        `has_attachment`: Only messages with files, or only those without.

        `read`: Only messages that were marked as read, or only the others.

        `after`: Only messages created at this time or later.

        `before`: Only messages created before this time.

        `query`: Search. All words must match, in any form (`invoices` finds `invoice`), and the last one may
        be incomplete. Quotation marks hold a phrase together, and `-word` excludes a word. The operators are
        `from:`, `to:`, `subject:`, `label:`, `in:` (an inbox), `filename:`, `has:attachment`, `is:inbound`,
        `is:outbound`, `before:` and `after:`. Anything else is words.

        `mode`: How `query` compares; `keyword` when left out.

        `wait_seconds`: The most seconds that the request waits until there is at least one item.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("messages.list", query=given({"inbox_id": inbox_id, "thread_id": thread_id, "label_id": label_id, "direction": direction, "from": from_, "to": to, "subject": subject, "has_attachment": has_attachment, "read": read, "after": after, "before": before, "query": query, "mode": mode, "wait_seconds": wait_seconds, "limit": limit, "cursor": cursor}), options=options)

    def search(
        self,
        query: str,
        *,
        inbox_id: str | NotGiven = NOT_GIVEN,
        thread_id: str | NotGiven = NOT_GIVEN,
        label_id: str | NotGiven = NOT_GIVEN,
        direction: Direction | NotGiven = NOT_GIVEN,
        from_: str | NotGiven = NOT_GIVEN,
        to: str | NotGiven = NOT_GIVEN,
        subject: str | NotGiven = NOT_GIVEN,
        has_attachment: bool | NotGiven = NOT_GIVEN,
        read: bool | NotGiven = NOT_GIVEN,
        after: str | datetime | NotGiven = NOT_GIVEN,
        before: str | datetime | NotGiven = NOT_GIVEN,
        mode: SearchMode | NotGiven = NOT_GIVEN,
        wait_seconds: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[ListedMessage, MessagePage]:
        """List, search or wait for messages. Without `query` the newest messages first; with it, search results,
        best first; all filters hold for both. With `wait_seconds` the request is held until there is at least
        one message; at the end of the wait the list is empty. Semantic and hybrid search fall back to keyword
        search where they cannot run, as `mode_used` and `fallback_reason` say. Of a word that very many
        messages have, the newest are compared first, as `ranked_within` says. Bodies are cut at 64 KiB. Where
        filters are combined a page looks at 5,000 messages at most: it may then hold fewer than `limit`, or
        none, and have a `next_cursor` that goes on there.

        `inbox_id`: Only messages of this inbox.

        `thread_id`: Only messages of this thread.

        `label_id`: Only messages with this label.

        `direction`: Whether the message came in or went out.

        `from_`: Only messages from this address or domain.

        `to`: Only messages to this address or domain.

        `subject`: Only messages with these words in the subject.

        `has_attachment`: Only messages with files, or only those without.

        `read`: Only messages that were marked as read, or only the others.

        `after`: Only messages created at this time or later.

        `before`: Only messages created before this time.

        `mode`: How `query` compares; `keyword` when left out.

        `wait_seconds`: The most seconds that the request waits until there is at least one item.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("messages.list", query=given({"inbox_id": inbox_id, "thread_id": thread_id, "label_id": label_id, "direction": direction, "from": from_, "to": to, "subject": subject, "has_attachment": has_attachment, "read": read, "after": after, "before": before, "query": query, "mode": mode, "wait_seconds": wait_seconds, "limit": limit, "cursor": cursor}), options=options)

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Message:
        """Get a message. One message with its whole bodies, labels and fresh attachment links.
        """
        return cast("Message", await self._caller.call("messages.get", path_id=id, options=options))

    async def update(
        self,
        id: str,
        *,
        add_labels: List[str] | NotGiven = NOT_GIVEN,
        remove_labels: List[str] | NotGiven = NOT_GIVEN,
        read: bool | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Message:
        """Change labels, read mark or metadata of a message. Either all changes are made or none. A label that
        is both removed and added ends up on the message.

        `add_labels`: Labels to add, by id or by name; a label that does not exist is created.

        `remove_labels`: Labels to take off it, by id or by name.

        `read`: Whether it is marked as read.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with
        1 to 40 characters, values up to 500. They replace those that were there.
        """
        return cast("Message", await self._caller.call("messages.update", path_id=id, body=given({"add_labels": add_labels, "remove_labels": remove_labels, "read": read, "metadata": metadata}), options=options))

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a message. The message is gone at once from every read, list and link, and its files are
        removed in the background. It is not sent to recipients whose delivery has not begun. Its events stay
        in the log, with `message` null. A thread goes with its last message.
        """
        await self._caller.call("messages.delete", path_id=id, options=options)

    async def reply(
        self,
        id: str,
        *,
        text: str | NotGiven = NOT_GIVEN,
        html: str | NotGiven = NOT_GIVEN,
        reply_all: bool | NotGiven = NOT_GIVEN,
        cc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        bcc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        reply_to: Recipient | NotGiven = NOT_GIVEN,
        headers: Dict[str, str] | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        attachments: List[AttachmentSource] | NotGiven = NOT_GIVEN,
        client_id: str | NotGiven = NOT_GIVEN,
        force: bool | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> SentMessage:
        """Reply to a message. Recipients, subject (`Re:`) and threading headers come from the original:
        Reply-To, else From; a reply to an own message goes to its recipients.

        `text`: The plain-text body, at most 5 MB.

        `html`: The HTML body, at most 5 MB.

        `reply_all`: Whether the other recipients get the reply too; without this inbox and repeats.

        `cc`: More recipients of a copy. The reply also goes to its usual recipients.

        `bcc`: Recipients of a blind copy.

        `reply_to`: Where replies go when it is not the inbox.

        `headers`: More headers, named `X-…` or `List-…`; at most 25. Those that providers read as commands
        are refused.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with
        1 to 40 characters, values up to 500. They replace those that were there.

        `attachments`: Files, at most 7 MB in total once decoded.

        `client_id`: Idempotency key: for 24 hours, a request that repeats it returns the original message and
        sends nothing, even if its content differs.

        `force`: Reply even if the message is automatic. The limit of replies still applies.
        """
        return cast("SentMessage", await self._caller.call("messages.reply", path_id=id, body=given({"text": text, "html": html, "reply_all": reply_all, "cc": cc, "bcc": bcc, "reply_to": reply_to, "headers": headers, "metadata": metadata, "attachments": attachments, "client_id": client_id, "force": force}), options=options))

    async def forward(
        self,
        id: str,
        *,
        to: Recipient | List[Recipient],
        cc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        bcc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        text: str | NotGiven = NOT_GIVEN,
        html: str | NotGiven = NOT_GIVEN,
        include_attachments: bool | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        client_id: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> SentMessage:
        """Forward a message. Quotes the original with its files under a subject with `Fwd:`, and stays in its
        thread.

        `to`: The recipient, or a list of them; at most 50 in To, Cc and Bcc together.

        `cc`: Recipients of a copy.

        `bcc`: Recipients of a blind copy.

        `text`: Text above the forwarded message.

        `html`: HTML above the forwarded message.

        `include_attachments`: Whether the files of the original go along.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with
        1 to 40 characters, values up to 500. They replace those that were there.

        `client_id`: Idempotency key: for 24 hours, a request that repeats it returns the original message and
        sends nothing, even if its content differs.
        """
        return cast("SentMessage", await self._caller.call("messages.forward", path_id=id, body=given({"to": to, "cc": cc, "bcc": bcc, "text": text, "html": html, "include_attachments": include_attachments, "metadata": metadata, "client_id": client_id}), options=options))

    async def raw(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> RawMessage:
        """Get the original mail. A link to the mail as it was received or sent, as an .eml file.
        """
        return cast("RawMessage", await self._caller.call("messages.raw", path_id=id, options=options))

    async def check(
        self,
        *,
        inbox_id: str,
        to: Recipient | List[Recipient],
        subject: str,
        cc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        bcc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        reply_to: Recipient | NotGiven = NOT_GIVEN,
        text: str | NotGiven = NOT_GIVEN,
        html: str | NotGiven = NOT_GIVEN,
        in_reply_to: str | NotGiven = NOT_GIVEN,
        references: List[str] | NotGiven = NOT_GIVEN,
        headers: Dict[str, str] | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        attachments: List[AttachmentSource] | NotGiven = NOT_GIVEN,
        client_id: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> SendCheck:
        """Check who would get a message. Takes the body of `messages.send` and sends nothing. Returns the
        recipients that would be dropped, and whether people have to approve the message.

        `inbox_id`: The inbox that sends.

        `to`: The recipient, or a list of them; at most 50 in To, Cc and Bcc together.

        `subject`: The subject.

        `cc`: Recipients of a copy.

        `bcc`: Recipients of a blind copy.

        `reply_to`: Where replies go when it is not the inbox.

        `text`: The plain-text body, at most 5 MB.

        `html`: The HTML body, at most 5 MB.

        `in_reply_to`: A Message-ID; joins its thread when it names a message of this inbox.

        `references`: The Message-IDs of the conversation, oldest first.

        `headers`: More headers, named `X-…` or `List-…`; at most 25. Those that providers read as commands
        are refused.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with
        1 to 40 characters, values up to 500. They replace those that were there.

        `attachments`: Files, at most 7 MB in total once decoded.

        `client_id`: Idempotency key: for 24 hours, a request that repeats it returns the original message and
        sends nothing, even if its content differs.
        """
        return cast("SendCheck", await self._caller.call("messages.check", body=given({"inbox_id": inbox_id, "to": to, "subject": subject, "cc": cc, "bcc": bcc, "reply_to": reply_to, "text": text, "html": html, "in_reply_to": in_reply_to, "references": references, "headers": headers, "metadata": metadata, "attachments": attachments, "client_id": client_id}), options=options))


class AsyncThreadsMethods(AsyncResource):
    def list(
        self,
        *,
        inbox_id: str | NotGiven = NOT_GIVEN,
        label_id: str | NotGiven = NOT_GIVEN,
        read: bool | NotGiven = NOT_GIVEN,
        query: str | NotGiven = NOT_GIVEN,
        mode: SearchMode | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Thread, ThreadPage]:
        """List or search threads. The conversations of the workspace or of one inbox, last activity first. With
        `query`, those with a message that matches, as `messages.list` finds them, each once with its best
        message, best first.

        `inbox_id`: Only threads of this inbox.

        `label_id`: Only threads with this label on a message.

        `read`: Only threads all of whose messages are read, or only the others.

        `query`: Search. All words must match, in any form (`invoices` finds `invoice`), and the last one may
        be incomplete. Quotation marks hold a phrase together, and `-word` excludes a word. The operators are
        `from:`, `to:`, `subject:`, `label:`, `in:` (an inbox), `filename:`, `has:attachment`, `is:inbound`,
        `is:outbound`, `before:` and `after:`. Anything else is words.

        `mode`: How `query` compares; `keyword` when left out.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("threads.list", query=given({"inbox_id": inbox_id, "label_id": label_id, "read": read, "query": query, "mode": mode, "limit": limit, "cursor": cursor}), options=options)

    def search(
        self,
        query: str,
        *,
        inbox_id: str | NotGiven = NOT_GIVEN,
        label_id: str | NotGiven = NOT_GIVEN,
        read: bool | NotGiven = NOT_GIVEN,
        mode: SearchMode | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Thread, ThreadPage]:
        """List or search threads. The conversations of the workspace or of one inbox, last activity first. With
        `query`, those with a message that matches, as `messages.list` finds them, each once with its best
        message, best first.

        `inbox_id`: Only threads of this inbox.

        `label_id`: Only threads with this label on a message.

        `read`: Only threads all of whose messages are read, or only the others.

        `mode`: How `query` compares; `keyword` when left out.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("threads.list", query=given({"inbox_id": inbox_id, "label_id": label_id, "read": read, "query": query, "mode": mode, "limit": limit, "cursor": cursor}), options=options)

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> ThreadWithMessages:
        """Get a thread with its messages. The id of a thread that was merged into an older one returns the older
        one. Bodies are cut at 64 KiB.
        """
        return cast("ThreadWithMessages", await self._caller.call("threads.get", path_id=id, options=options))

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a thread. The thread and all its messages are gone at once, as with `messages.delete`. A later
        reply to them begins a new thread.
        """
        await self._caller.call("threads.delete", path_id=id, options=options)


class AsyncAttachmentsMethods(AsyncResource):
    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Attachment:
        """Get an attachment with a fresh link. The attachment with a download link that works for 15 minutes
        from now.
        """
        return cast("Attachment", await self._caller.call("attachments.get", path_id=id, options=options))


class AsyncLabelsMethods(AsyncResource):
    async def create(
        self,
        *,
        name: str,
        color: str | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Label:
        """Create a label. A workspace has at most 1,000 labels.

        `name`: Its name; unique without regard to case.

        `color`: Its hex color.
        """
        return cast("Label", await self._caller.call("labels.create", body=given({"name": name, "color": color}), options=options))

    def list(
        self,
        *,
        name: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Label, LabelPage]:
        """List labels. The labels of the workspace, by name; with `name` the one that has it.

        `name`: Only the label of this name; upper and lower case are the same.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("labels.list", query=given({"name": name, "limit": limit, "cursor": cursor}), options=options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a label. Removes the label from all messages too.
        """
        await self._caller.call("labels.delete", path_id=id, options=options)

    async def assign(
        self,
        id: str,
        *,
        message_id: str,
        options: RequestOptions | None = None,
    ) -> Message:
        """Put a label on a message. Returns the message with all its labels. A message has at most 50; adding
        one twice changes nothing.

        `message_id`: The message.
        """
        return cast("Message", await self._caller.call("labels.assign", path_id=id, body=given({"message_id": message_id}), options=options))

    async def unassign(
        self,
        id: str,
        *,
        message_id: str,
        options: RequestOptions | None = None,
    ) -> Message:
        """Take a label off a message. Returns the message with its remaining labels; removing a label that is
        not on it changes nothing.

        `message_id`: The message.
        """
        return cast("Message", await self._caller.call("labels.unassign", path_id=id, body=given({"message_id": message_id}), options=options))


class AsyncRulesMethods(AsyncResource):
    async def create(
        self,
        *,
        kind: Literal["allow", "block"],
        direction: Literal["inbound", "outbound", "both"],
        pattern: str,
        options: RequestOptions | None = None,
    ) -> Rule:
        """Create an allow or block rule. Applies at once. The most specific match decides: the full address,
        then the longest domain; on a tie the block wins. An allow never overrides a suppression. Creating the
        same rule again returns the existing one with 200.

        `kind`: Whether matching mail is let through or stopped.

        `direction`: Inbound rules match the sender, outbound rules the recipient.

        `pattern`: A full address, or a bare domain, which also matches its subdomains.
        """
        return cast("Rule", await self._caller.call("rules.create", body=given({"kind": kind, "direction": direction, "pattern": pattern}), options=options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Rule, RulePage]:
        """List rules. The rules of the workspace, newest first.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("rules.list", query=given({"limit": limit, "cursor": cursor}), options=options)

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a rule. Stops applying at once.
        """
        await self._caller.call("rules.delete", path_id=id, options=options)


class AsyncSuppressionsMethods(AsyncResource):
    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Suppression, SuppressionPage]:
        """List suppressions. The addresses that are dropped from every send, newest first.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("suppressions.list", query=given({"limit": limit, "cursor": cursor}), options=options)

    async def create(
        self,
        *,
        address: str,
        options: RequestOptions | None = None,
    ) -> Suppression:
        """Suppress an address. The address is dropped from later sends. If it is already suppressed, the
        existing entry is returned with 200.

        `address`: The address.
        """
        return cast("Suppression", await self._caller.call("suppressions.create", body=given({"address": address}), options=options))

    async def delete(
        self,
        address: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Send to an address again. Takes the address off the list.
        """
        await self._caller.call("suppressions.delete", path_id=address, options=options)


class AsyncDraftsMethods(AsyncResource):
    async def create(
        self,
        *,
        inbox_id: str,
        to: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        cc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        bcc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        subject: str | None | NotGiven = NOT_GIVEN,
        text: str | None | NotGiven = NOT_GIVEN,
        html: str | None | NotGiven = NOT_GIVEN,
        attachments: List[AttachmentSource] | NotGiven = NOT_GIVEN,
        reply_to_message_id: str | None | NotGiven = NOT_GIVEN,
        reply_all: bool | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        scheduled_at: str | datetime | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Draft:
        """Create a draft. With `scheduled_at` the draft is `scheduled` and sends itself at that time. A reply
        shows its recipients and its subject: `to`, `cc` and `subject` that are left out are filled in from
        the original when the draft is created.

        `inbox_id`: The inbox that will send it.

        `to`: Recipients; needed when it is sent.

        `cc`: Recipients of a copy.

        `bcc`: Recipients of a blind copy.

        `subject`: The subject; needed when it is sent.

        `text`: The plain-text body, at most 5 MB.

        `html`: The HTML body, at most 5 MB.

        `attachments`: Files, at most 7 MB in total once decoded; an update replaces them all.

        `reply_to_message_id`: The message to reply to. Recipients and subject that are left out are filled in
        from it.

        `reply_all`: Whether the other recipients of the original are filled in, too.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with
        1 to 40 characters, values up to 500. They replace those that were there.

        `scheduled_at`: When to send it; null to send it by hand. A time that has passed sends at once.
        """
        return cast("Draft", await self._caller.call("drafts.create", body=given({"inbox_id": inbox_id, "to": to, "cc": cc, "bcc": bcc, "subject": subject, "text": text, "html": html, "attachments": attachments, "reply_to_message_id": reply_to_message_id, "reply_all": reply_all, "metadata": metadata, "scheduled_at": scheduled_at}), options=options))

    def list(
        self,
        *,
        inbox_id: str | NotGiven = NOT_GIVEN,
        status: DraftStatus | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Draft, DraftPage]:
        """List drafts. The drafts of the workspace or of one inbox, newest first.

        `inbox_id`: Only drafts of this inbox.

        `status`: Where the draft stands.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("drafts.list", query=given({"inbox_id": inbox_id, "status": status, "limit": limit, "cursor": cursor}), options=options)

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Draft:
        """Get a draft. One draft by its id.
        """
        return cast("Draft", await self._caller.call("drafts.get", path_id=id, options=options))

    async def update(
        self,
        id: str,
        *,
        to: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        cc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        bcc: Recipient | List[Recipient] | NotGiven = NOT_GIVEN,
        subject: str | None | NotGiven = NOT_GIVEN,
        text: str | None | NotGiven = NOT_GIVEN,
        html: str | None | NotGiven = NOT_GIVEN,
        attachments: List[AttachmentSource] | NotGiven = NOT_GIVEN,
        reply_to_message_id: str | None | NotGiven = NOT_GIVEN,
        reply_all: bool | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        scheduled_at: str | datetime | None | NotGiven = NOT_GIVEN,
        seen_updated_at: str | datetime | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Draft:
        """Change a draft. Setting `scheduled_at` schedules it; clearing it makes it a plain draft again.

        `to`: Recipients; needed when it is sent.

        `cc`: Recipients of a copy.

        `bcc`: Recipients of a blind copy.

        `subject`: The subject; needed when it is sent.

        `text`: The plain-text body, at most 5 MB.

        `html`: The HTML body, at most 5 MB.

        `attachments`: Files, at most 7 MB in total once decoded; an update replaces them all.

        `reply_to_message_id`: The message to reply to. Recipients and subject that are left out are filled in
        from it.

        `reply_all`: Whether the other recipients of the original are filled in, too.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of `A-Z a-z 0-9 _ . -` with
        1 to 40 characters, values up to 500. They replace those that were there.

        `scheduled_at`: When to send it; null to send it by hand. A time that has passed sends at once.

        `seen_updated_at`: The `updated_at` of the draft that a person saw. A person who rewrites the body
        becomes the writer of the draft only if it has not changed since; otherwise the policy of the key that
        wrote it still applies.
        """
        return cast("Draft", await self._caller.call("drafts.update", path_id=id, body=given({"to": to, "cc": cc, "bcc": bcc, "subject": subject, "text": text, "html": html, "attachments": attachments, "reply_to_message_id": reply_to_message_id, "reply_all": reply_all, "metadata": metadata, "scheduled_at": scheduled_at, "seen_updated_at": seen_updated_at}), options=options))

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a draft. A scheduled draft is not sent any more. One that is being sent cannot be deleted.
        """
        await self._caller.call("drafts.delete", path_id=id, options=options)

    async def send(
        self,
        id: str,
        *,
        client_id: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> SendReceipt:
        """Send a draft. Responds like `messages.send`. For a draft that was sent, the `client_id` of that send
        returns the original message with 200.

        `client_id`: Idempotency key: for 24 hours, a request that repeats it returns the original message and
        sends nothing, even if its content differs.
        """
        return cast("SendReceipt", await self._caller.call("drafts.send", path_id=id, body=given({"client_id": client_id}), options=options))


class AsyncDomainsMethods(AsyncResource):
    async def create(
        self,
        *,
        hostname: str,
        options: RequestOptions | None = None,
    ) -> Domain:
        """Add a custom domain. Returns the DNS records to publish. Needs the Pro plan or higher.

        `hostname`: The domain to add.
        """
        return cast("Domain", await self._caller.call("domains.create", body=given({"hostname": hostname}), options=options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Domain, DomainPage]:
        """List domains. The domains of the workspace, newest first.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("domains.list", query=given({"limit": limit, "cursor": cursor}), options=options)

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Domain:
        """Get a domain. One domain with its records and the results of the last check.
        """
        return cast("Domain", await self._caller.call("domains.get", path_id=id, options=options))

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a domain. Only when no inbox uses it.
        """
        await self._caller.call("domains.delete", path_id=id, options=options)

    async def verify(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Domain:
        """Check the DNS records now. Looks the records up again and returns the domain with the results.
        """
        return cast("Domain", await self._caller.call("domains.verify", path_id=id, options=options))

    async def dmarc(
        self,
        id: str,
        *,
        policy: DmarcPolicy | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Domain:
        """Ramp the DMARC policy. Moves the policy through none, quarantine and reject. It becomes stricter one
        step at a time, and weaker by any number. Without `policy` it is the next step.

        `policy`: The policy; by default the next step.
        """
        return cast("Domain", await self._caller.call("domains.dmarc", path_id=id, body=given({"policy": policy}), options=options))

    async def subdomain(
        self,
        *,
        label: str,
        options: RequestOptions | None = None,
    ) -> Domain:
        """Provision a dedicated subdomain. A subdomain of the service with DNS set up by us, for a sending
        reputation of its own. Needs the Scale plan or higher.

        `label`: The label before `.postrider.test`; lowercased automatically.
        """
        return cast("Domain", await self._caller.call("domains.subdomain", body=given({"label": label}), options=options))


class AsyncEventsMethods(AsyncResource):
    def list(
        self,
        *,
        after: str | NotGiven = NOT_GIVEN,
        events: List[EventKind] | NotGiven = NOT_GIVEN,
        inbox_id: str | NotGiven = NOT_GIVEN,
        wait_seconds: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Event, EventPage]:
        """Read or wait for events. The event log of the workspace, oldest first, kept for 30 days. A reader that
        passes `next_cursor` as `after` each time misses nothing. With `wait_seconds` the request is held
        until there is an event. If `Accept` names `text/event-stream`, the response is a stream of
        server-sent events that does not end: `id` is the id of the event, `event` its kind, and `data` the
        event as it is in a page. It begins after `Last-Event-ID` or `after`, or with new events, ignores
        `limit` and `wait_seconds`, and counts as a realtime socket. If the server ends it, an event `end`
        with `{"code"}` comes last.

        `after`: Only events after the one with this id, or after `latest`, the newest at the time of the
        request.

        `events`: Only events of these kinds, separated by commas.

        `inbox_id`: Only events of this inbox.

        `wait_seconds`: The most seconds that the request waits until there is at least one item.

        `limit`: The most items to return.
        """
        return self._caller.list("events.list", query=given({"after": after, "events": events, "inbox_id": inbox_id, "wait_seconds": wait_seconds, "limit": limit}), options=options)


class AsyncWebhooksMethods(AsyncResource):
    async def create(
        self,
        *,
        url: str,
        events: List[EventKind],
        inbox_ids: List[str] | None | NotGiven = NOT_GIVEN,
        secret: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> WebhookWithSecret:
        """Create a webhook. Returns the signing secret, once. `http:` and private, loopback or link-local
        targets are refused. A workspace has at most 50 webhooks. While a policy limits whether or to whom the
        key sends, it creates, changes and tests none.

        `url`: A public https URL.

        `events`: The event kinds to receive.

        `inbox_ids`: Only events of these inboxes; null for all.

        `secret`: A signing secret of your own; one is created if it is left out.
        """
        return cast("WebhookWithSecret", await self._caller.call("webhooks.create", body=given({"url": url, "events": events, "inbox_ids": inbox_ids, "secret": secret}), options=options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Webhook, WebhookPage]:
        """List webhooks. The webhooks of the workspace, newest first, without their secrets.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("webhooks.list", query=given({"limit": limit, "cursor": cursor}), options=options)

    async def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Webhook:
        """Get a webhook. One webhook, without its secret.
        """
        return cast("Webhook", await self._caller.call("webhooks.get", path_id=id, options=options))

    async def update(
        self,
        id: str,
        *,
        url: str | NotGiven = NOT_GIVEN,
        events: List[EventKind] | NotGiven = NOT_GIVEN,
        inbox_ids: List[str] | None | NotGiven = NOT_GIVEN,
        enabled: bool | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Webhook:
        """Change a webhook. Changes its URL, event kinds or inboxes, stops it, or starts it again.

        `url`: A public https URL.

        `events`: The event kinds to receive.

        `inbox_ids`: Only events of these inboxes; null for all.

        `enabled`: Whether events are posted.
        """
        return cast("Webhook", await self._caller.call("webhooks.update", path_id=id, body=given({"url": url, "events": events, "inbox_ids": inbox_ids, "enabled": enabled}), options=options))

    async def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a webhook. No further events go to its URL.
        """
        await self._caller.call("webhooks.delete", path_id=id, options=options)

    async def test(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Delivery:
        """Send a test event. Sends a signed `message.received` sample and returns its delivery. At most 10 tests
        and redeliveries of a workspace are under way at a time.
        """
        return cast("Delivery", await self._caller.call("webhooks.test", path_id=id, options=options))

    async def rotate_secret(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> WebhookWithSecret:
        """Replace the signing secret. Returns the new secret, once. For 24 hours `webhook-signature` carries one
        signature by each secret; `x-postrider-signature` is by the new one at once.
        """
        return cast("WebhookWithSecret", await self._caller.call("webhooks.rotateSecret", path_id=id, options=options))

    def deliveries(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> AsyncPages[Delivery, DeliveryPage]:
        """List the deliveries of a webhook. The attempts so far, their responses, and the attempts that are due,
        newest first.

        `limit`: The most items to return.

        `cursor`: `next_cursor` of the page before; opaque.
        """
        return self._caller.list("webhooks.deliveries", path_id=id, query=given({"limit": limit, "cursor": cursor}), options=options)


class AsyncDeliveriesMethods(AsyncResource):
    async def redeliver(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Delivery:
        """Deliver an event again. Posts the same event to the same webhook once more and returns the new
        delivery. At most 10 tests and redeliveries of a workspace are under way at a time.
        """
        return cast("Delivery", await self._caller.call("deliveries.redeliver", path_id=id, options=options))


class AsyncAccountMethods(AsyncResource):
    async def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Account:
        """Get workspace, plan, limits and usage. The workspace that the key belongs to, the limits of its plan,
        and its usage.
        """
        return cast("Account", await self._caller.call("account.get", options=options))


class AsyncPolicyMethods(AsyncResource):
    async def get(
        self,
        *,
        inbox_id: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> EffectivePolicy:
        """Get what people allow this key to send. Line by line, the strictest of the policies of the key, the
        inbox and the workspace applies. A cap counts the mail of the place where it is set: the key, the
        inbox or the workspace. Keys cannot change a policy.

        `inbox_id`: The inbox that would send. Without it, its lines are left out.
        """
        return cast("EffectivePolicy", await self._caller.call("policy.get", query=given({"inbox_id": inbox_id}), options=options))
