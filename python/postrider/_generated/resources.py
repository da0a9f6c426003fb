# Generated from the contract by scripts/python-client.ts. Do not edit.
from __future__ import annotations

from datetime import datetime
from typing import Dict, List, Literal, cast

from .._page import Page
from .._caller import Caller
from .._given import NOT_GIVEN, NotGiven, RequestOptions, given
from .._attachments import AttachmentSource
from .types import *


class Resource:
    """The methods of a resource."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller


class InboxesMethods(Resource):
    def create(
        self,
        *,
        local_part: str,
        display_name: str | None | NotGiven = NOT_GIVEN,
        domain_id: str | None | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Inbox:
        """Create an inbox. On the shared domain, the inbox can send and receive mail at once. Names such as
        `postmaster` are reserved. After an inbox on the shared domain is deleted, its address is held for 30
        days, during which only its workspace can create it again. An address that is in use, reserved or held
        is refused with `address_taken`; if one of your own inboxes has it, the error names that inbox in
        `inbox_id`. The address of a person who signs in to the console counts as in use.

        `local_part`: The part before the `@`; lowercased automatically.

        `display_name`: The name in the From header of outbound mail; null for none.

        `domain_id`: A verified custom domain; by default, the shared domain.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from
        `A-Z a-z 0-9 _ . -`, with values of up to 500 characters. They replace all existing ones.
        """
        return cast("Inbox", self._caller.call("inboxes.create", body=given({"local_part": local_part, "display_name": display_name, "domain_id": domain_id, "metadata": metadata}), options=options))

    def list(
        self,
        *,
        address: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Page[Inbox, InboxPage]:
        """List inboxes. Lists the inboxes of the workspace, newest first. With `address`, lists only the inbox
        with that address.

        `address`: Only the inbox with this address, ignoring case.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
        """
        return self._caller.list("inboxes.list", query=given({"address": address, "limit": limit, "cursor": cursor}), options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Inbox:
        """Get an inbox. Returns one inbox.
        """
        return cast("Inbox", self._caller.call("inboxes.get", path_id=id, options=options))

    def update(
        self,
        id: str,
        *,
        display_name: str | None | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Inbox:
        """Change an inbox. Changes the display name or the metadata. The address of an inbox never changes.

        `display_name`: The name in the From header of outbound mail; null for none.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from
        `A-Z a-z 0-9 _ . -`, with values of up to 500 characters. They replace all existing ones.
        """
        return cast("Inbox", self._caller.call("inboxes.update", path_id=id, body=given({"display_name": display_name, "metadata": metadata}), options=options))

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete an inbox. Hides the inbox with its messages, threads and drafts at once, and cancels its
        scheduled sends and its retries. The stored data is deleted in the background.
        """
        self._caller.call("inboxes.delete", path_id=id, options=options)


class MessagesMethods(Resource):
    def send(
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
        """Send a message. Recipients that are suppressed or match an outbound block rule are dropped. A repeated
        `client_id` returns the original message with 200 and sends nothing. Until the provider accepts the
        message, `provider_message_id` is null and the status is `queued` or `sending`. A message that people
        have to approve is `held` first.

        `inbox_id`: The inbox that sends.

        `to`: One recipient or a list of recipients; at most 50 in To, Cc and Bcc together.

        `subject`: The subject.

        `cc`: The recipients in Cc.

        `bcc`: The recipients in Bcc.

        `reply_to`: The address that replies go to; by default, the inbox.

        `text`: The plain-text body, at most 5 MB.

        `html`: The HTML body, at most 5 MB.

        `in_reply_to`: A Message-ID. If it belongs to a message of this inbox, the new message joins its
        thread.

        `references`: The Message-IDs of the conversation, oldest first.

        `headers`: More headers, named `X-…` or `List-…`; at most 25. Headers that providers treat as commands
        are refused.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from
        `A-Z a-z 0-9 _ . -`, with values of up to 500 characters. They replace all existing ones.

        `attachments`: Files, at most 7 MB in total once decoded.

        `client_id`: Idempotency key: for 24 hours, a request that repeats it returns the original message and
        sends nothing, even if its content differs.
        """
        return cast("SendReceipt", self._caller.call("messages.send", body=given({"inbox_id": inbox_id, "to": to, "subject": subject, "cc": cc, "bcc": bcc, "reply_to": reply_to, "text": text, "html": html, "in_reply_to": in_reply_to, "references": references, "headers": headers, "metadata": metadata, "attachments": attachments, "client_id": client_id}), options=options))

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
    ) -> Page[ListedMessage, MessagePage]:
        """List, search or wait for messages. Without `query`, lists messages, newest first. With `query`, lists
        search results, best first. Filters apply to both. With `wait_seconds`, the request waits until there
        is at least one message; if none comes in time, the list is empty. If semantic or hybrid search cannot
        run, keyword search runs instead, as `mode_used` and `fallback_reason` say. If very many messages
        contain a word, the newest are ranked first, as `ranked_within` says. Bodies are cut at 64 KiB. With
        several filters, a page examines at most 5,000 messages: it can then have fewer than `limit` items, or
        none, and still a `next_cursor` that continues from there.

        `inbox_id`: Only messages of this inbox.

        `thread_id`: Only messages of this thread.

        `label_id`: Only messages with this label.

        `direction`: Whether the message was received (`inbound`) or sent (`outbound`).

        `from_`: Only messages from this address or domain.

        `to`: Only messages to this address or domain.

        `subject`: Only messages with these words in the subject.

        `has_attachment`: Only messages with attachments, or only those without.

        `read`: Only messages that are marked as read, or only those that are not.

        `after`: Only messages created at this time or later.

        `before`: Only messages created before this time.

        `query`: The search query. All words must match, in any form (`invoices` finds `invoice`), and the
        last word can be incomplete. Quotation marks keep a phrase together, and `-word` excludes a word. The
        operators are `from:`, `to:`, `subject:`, `label:`, `in:` (an inbox), `filename:`, `has:attachment`,
        `is:inbound`, `is:outbound`, `before:` and `after:`. Everything else is searched for as words.

        `mode`: The search mode for `query`; `keyword` by default.

        `wait_seconds`: The maximum number of seconds to wait for the first item.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
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
    ) -> Page[ListedMessage, MessagePage]:
        """List, search or wait for messages. Without `query`, lists messages, newest first. With `query`, lists
        search results, best first. Filters apply to both. With `wait_seconds`, the request waits until there
        is at least one message; if none comes in time, the list is empty. If semantic or hybrid search cannot
        run, keyword search runs instead, as `mode_used` and `fallback_reason` say. If very many messages
        contain a word, the newest are ranked first, as `ranked_within` says. Bodies are cut at 64 KiB. With
        several filters, a page examines at most 5,000 messages: it can then have fewer than `limit` items, or
        none, and still a `next_cursor` that continues from there.

        `inbox_id`: Only messages of this inbox.

        `thread_id`: Only messages of this thread.

        `label_id`: Only messages with this label.

        `direction`: Whether the message was received (`inbound`) or sent (`outbound`).

        `from_`: Only messages from this address or domain.

        `to`: Only messages to this address or domain.

        `subject`: Only messages with these words in the subject.

        `has_attachment`: Only messages with attachments, or only those without.

        `read`: Only messages that are marked as read, or only those that are not.

        `after`: Only messages created at this time or later.

        `before`: Only messages created before this time.

        `mode`: The search mode for `query`; `keyword` by default.

        `wait_seconds`: The maximum number of seconds to wait for the first item.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
        """
        return self._caller.list("messages.list", query=given({"inbox_id": inbox_id, "thread_id": thread_id, "label_id": label_id, "direction": direction, "from": from_, "to": to, "subject": subject, "has_attachment": has_attachment, "read": read, "after": after, "before": before, "query": query, "mode": mode, "wait_seconds": wait_seconds, "limit": limit, "cursor": cursor}), options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Message:
        """Get a message. Returns one message with its complete bodies, its labels and fresh attachment links.
        """
        return cast("Message", self._caller.call("messages.get", path_id=id, options=options))

    def update(
        self,
        id: str,
        *,
        add_labels: List[str] | NotGiven = NOT_GIVEN,
        remove_labels: List[str] | NotGiven = NOT_GIVEN,
        read: bool | NotGiven = NOT_GIVEN,
        metadata: Dict[str, str] | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Message:
        """Change labels, read mark or metadata of a message. Makes all of the changes or none. A label that is
        both removed and added ends up on the message.

        `add_labels`: Labels to add, by id or by name; a label that does not exist is created.

        `remove_labels`: Labels to remove, by id or by name.

        `read`: Whether the message is marked as read.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from
        `A-Z a-z 0-9 _ . -`, with values of up to 500 characters. They replace all existing ones.
        """
        return cast("Message", self._caller.call("messages.update", path_id=id, body=given({"add_labels": add_labels, "remove_labels": remove_labels, "read": read, "metadata": metadata}), options=options))

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a message. The message disappears at once from all reads, lists and links; its files are
        deleted in the background. Recipients whose delivery has not begun do not get it. Its events stay in
        the log, with `message` null. Deleting the last message of a thread deletes the thread, too.
        """
        self._caller.call("messages.delete", path_id=id, options=options)

    def reply(
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
        """Reply to a message. Takes the recipients, the subject (with `Re:`) and the threading headers from the
        original. The reply goes to its Reply-To addresses, or to its From address if it has none. A reply to
        a message that the inbox itself sent goes to the recipients of that message.

        `text`: The plain-text body, at most 5 MB.

        `html`: The HTML body, at most 5 MB.

        `reply_all`: Whether to send the reply to the other recipients, too. This inbox and duplicates are
        left out.

        `cc`: Additional recipients in Cc, besides the usual recipients of the reply.

        `bcc`: The recipients in Bcc.

        `reply_to`: The address that replies go to; by default, the inbox.

        `headers`: More headers, named `X-…` or `List-…`; at most 25. Headers that providers treat as commands
        are refused.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from
        `A-Z a-z 0-9 _ . -`, with values of up to 500 characters. They replace all existing ones.

        `attachments`: Files, at most 7 MB in total once decoded.

        `client_id`: Idempotency key: for 24 hours, a request that repeats it returns the original message and
        sends nothing, even if its content differs.

        `force`: Whether to reply even if the message was sent automatically. The limit on replies still
        applies.
        """
        return cast("SentMessage", self._caller.call("messages.reply", path_id=id, body=given({"text": text, "html": html, "reply_all": reply_all, "cc": cc, "bcc": bcc, "reply_to": reply_to, "headers": headers, "metadata": metadata, "attachments": attachments, "client_id": client_id, "force": force}), options=options))

    def forward(
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
        """Forward a message. Quotes the original, attaches its files, and adds `Fwd:` to its subject. The new
        message stays in the thread of the original.

        `to`: One recipient or a list of recipients; at most 50 in To, Cc and Bcc together.

        `cc`: The recipients in Cc.

        `bcc`: The recipients in Bcc.

        `text`: Text above the forwarded message.

        `html`: HTML above the forwarded message.

        `include_attachments`: Whether to attach the files of the original.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from
        `A-Z a-z 0-9 _ . -`, with values of up to 500 characters. They replace all existing ones.

        `client_id`: Idempotency key: for 24 hours, a request that repeats it returns the original message and
        sends nothing, even if its content differs.
        """
        return cast("SentMessage", self._caller.call("messages.forward", path_id=id, body=given({"to": to, "cc": cc, "bcc": bcc, "text": text, "html": html, "include_attachments": include_attachments, "metadata": metadata, "client_id": client_id}), options=options))

    def raw(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> RawMessage:
        """Get the original mail. Returns a link to the mail as it was received or sent, as an .eml file.
        """
        return cast("RawMessage", self._caller.call("messages.raw", path_id=id, options=options))

    def check(
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
        """Check who would receive a message. Takes the same body as `messages.send`, but sends nothing. Returns
        the recipients that would be dropped, and whether people have to approve the message.

        `inbox_id`: The inbox that sends.

        `to`: One recipient or a list of recipients; at most 50 in To, Cc and Bcc together.

        `subject`: The subject.

        `cc`: The recipients in Cc.

        `bcc`: The recipients in Bcc.

        `reply_to`: The address that replies go to; by default, the inbox.

        `text`: The plain-text body, at most 5 MB.

        `html`: The HTML body, at most 5 MB.

        `in_reply_to`: A Message-ID. If it belongs to a message of this inbox, the new message joins its
        thread.

        `references`: The Message-IDs of the conversation, oldest first.

        `headers`: More headers, named `X-…` or `List-…`; at most 25. Headers that providers treat as commands
        are refused.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from
        `A-Z a-z 0-9 _ . -`, with values of up to 500 characters. They replace all existing ones.

        `attachments`: Files, at most 7 MB in total once decoded.

        `client_id`: Idempotency key: for 24 hours, a request that repeats it returns the original message and
        sends nothing, even if its content differs.
        """
        return cast("SendCheck", self._caller.call("messages.check", body=given({"inbox_id": inbox_id, "to": to, "subject": subject, "cc": cc, "bcc": bcc, "reply_to": reply_to, "text": text, "html": html, "in_reply_to": in_reply_to, "references": references, "headers": headers, "metadata": metadata, "attachments": attachments, "client_id": client_id}), options=options))


class ThreadsMethods(Resource):
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
    ) -> Page[Thread, ThreadPage]:
        """List or search threads. Lists the threads of the workspace or of one inbox, latest activity first.
        With `query`, lists the threads of the messages that `messages.list` would find, each once with its
        best match, best first.

        `inbox_id`: Only threads of this inbox.

        `label_id`: Only threads in which a message has this label.

        `read`: Only threads in which all messages are read, or only threads with an unread message.

        `query`: The search query. All words must match, in any form (`invoices` finds `invoice`), and the
        last word can be incomplete. Quotation marks keep a phrase together, and `-word` excludes a word. The
        operators are `from:`, `to:`, `subject:`, `label:`, `in:` (an inbox), `filename:`, `has:attachment`,
        `is:inbound`, `is:outbound`, `before:` and `after:`. Everything else is searched for as words.

        `mode`: The search mode for `query`; `keyword` by default.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
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
    ) -> Page[Thread, ThreadPage]:
        """List or search threads. Lists the threads of the workspace or of one inbox, latest activity first.
        With `query`, lists the threads of the messages that `messages.list` would find, each once with its
        best match, best first.

        `inbox_id`: Only threads of this inbox.

        `label_id`: Only threads in which a message has this label.

        `read`: Only threads in which all messages are read, or only threads with an unread message.

        `mode`: The search mode for `query`; `keyword` by default.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
        """
        return self._caller.list("threads.list", query=given({"inbox_id": inbox_id, "label_id": label_id, "read": read, "query": query, "mode": mode, "limit": limit, "cursor": cursor}), options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> ThreadWithMessages:
        """Get a thread with its messages. The id of a thread that was merged into an older thread returns the
        older thread. Bodies are cut at 64 KiB.
        """
        return cast("ThreadWithMessages", self._caller.call("threads.get", path_id=id, options=options))

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a thread. The thread and all its messages disappear at once, as with `messages.delete`. A later
        reply to one of them starts a new thread.
        """
        self._caller.call("threads.delete", path_id=id, options=options)


class AttachmentsMethods(Resource):
    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Attachment:
        """Get an attachment with a fresh link. Returns the attachment with a download link that works for 15
        minutes.
        """
        return cast("Attachment", self._caller.call("attachments.get", path_id=id, options=options))


class LabelsMethods(Resource):
    def create(
        self,
        *,
        name: str,
        color: str | None | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Label:
        """Create a label. A workspace can have at most 1,000 labels.

        `name`: The name of the label; unique, ignoring case.

        `color`: The color of the label, in hex.
        """
        return cast("Label", self._caller.call("labels.create", body=given({"name": name, "color": color}), options=options))

    def list(
        self,
        *,
        name: str | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Page[Label, LabelPage]:
        """List labels. Lists the labels of the workspace, sorted by name. With `name`, lists only the label with
        that name.

        `name`: Only the label with this name, ignoring case.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
        """
        return self._caller.list("labels.list", query=given({"name": name, "limit": limit, "cursor": cursor}), options=options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a label. Also removes the label from all messages.
        """
        self._caller.call("labels.delete", path_id=id, options=options)

    def assign(
        self,
        id: str,
        *,
        message_id: str,
        options: RequestOptions | None = None,
    ) -> Message:
        """Add a label to a message. Returns the message with all its labels. A message can have at most 50
        labels. Adding a label twice changes nothing.

        `message_id`: The message.
        """
        return cast("Message", self._caller.call("labels.assign", path_id=id, body=given({"message_id": message_id}), options=options))

    def unassign(
        self,
        id: str,
        *,
        message_id: str,
        options: RequestOptions | None = None,
    ) -> Message:
        """Remove a label from a message. Returns the message with its remaining labels. Removing a label that
        the message does not have changes nothing.

        `message_id`: The message.
        """
        return cast("Message", self._caller.call("labels.unassign", path_id=id, body=given({"message_id": message_id}), options=options))


class RulesMethods(Resource):
    def create(
        self,
        *,
        kind: Literal["allow", "block"],
        direction: Literal["inbound", "outbound", "both"],
        pattern: str,
        options: RequestOptions | None = None,
    ) -> Rule:
        """Create an allow or block rule. The rule applies at once. The most specific match decides: the full
        address first, then the longest domain. In a tie, the block rule wins. An allow rule never overrides a
        suppression. Creating the same rule again returns the existing rule with 200.

        `kind`: Whether matching mail is allowed or blocked.

        `direction`: Inbound rules match the sender; outbound rules match the recipient.

        `pattern`: A full address, or a bare domain, which also matches its subdomains.
        """
        return cast("Rule", self._caller.call("rules.create", body=given({"kind": kind, "direction": direction, "pattern": pattern}), options=options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Page[Rule, RulePage]:
        """List rules. Lists the rules of the workspace, newest first.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
        """
        return self._caller.list("rules.list", query=given({"limit": limit, "cursor": cursor}), options=options)

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a rule. The rule stops applying at once.
        """
        self._caller.call("rules.delete", path_id=id, options=options)


class SuppressionsMethods(Resource):
    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Page[Suppression, SuppressionPage]:
        """List suppressions. Lists the addresses that are dropped from every send, newest first.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
        """
        return self._caller.list("suppressions.list", query=given({"limit": limit, "cursor": cursor}), options=options)

    def create(
        self,
        *,
        address: str,
        options: RequestOptions | None = None,
    ) -> Suppression:
        """Suppress an address. The address is dropped from later sends. If it is already suppressed, the
        existing entry is returned with 200.

        `address`: The address.
        """
        return cast("Suppression", self._caller.call("suppressions.create", body=given({"address": address}), options=options))

    def delete(
        self,
        address: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Remove a suppression. The workspace sends to the address again.
        """
        self._caller.call("suppressions.delete", path_id=address, options=options)


class DraftsMethods(Resource):
    def create(
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
        """Create a draft. With `scheduled_at`, the draft is `scheduled` and is sent automatically at that time.
        For a reply, `to`, `cc` and `subject` are filled in from the original when the draft is created,
        unless you set them.

        `inbox_id`: The inbox that will send the draft.

        `to`: The recipients; required to send the draft.

        `cc`: The recipients in Cc.

        `bcc`: The recipients in Bcc.

        `subject`: The subject; required to send the draft.

        `text`: The plain-text body, at most 5 MB.

        `html`: The HTML body, at most 5 MB.

        `attachments`: Files, at most 7 MB in total once decoded; an update replaces them all.

        `reply_to_message_id`: The message to reply to. If recipients and subject are left out, they are
        filled in from it.

        `reply_all`: Whether to fill in the other recipients of the original, too.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from
        `A-Z a-z 0-9 _ . -`, with values of up to 500 characters. They replace all existing ones.

        `scheduled_at`: When to send the draft; null to send it only on request. If the time is in the past,
        the draft is sent at once.
        """
        return cast("Draft", self._caller.call("drafts.create", body=given({"inbox_id": inbox_id, "to": to, "cc": cc, "bcc": bcc, "subject": subject, "text": text, "html": html, "attachments": attachments, "reply_to_message_id": reply_to_message_id, "reply_all": reply_all, "metadata": metadata, "scheduled_at": scheduled_at}), options=options))

    def list(
        self,
        *,
        inbox_id: str | NotGiven = NOT_GIVEN,
        status: DraftStatus | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Page[Draft, DraftPage]:
        """List drafts. Lists the drafts of the workspace or of one inbox, newest first.

        `inbox_id`: Only drafts of this inbox.

        `status`: The status of the draft.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
        """
        return self._caller.list("drafts.list", query=given({"inbox_id": inbox_id, "status": status, "limit": limit, "cursor": cursor}), options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Draft:
        """Get a draft. Returns one draft.
        """
        return cast("Draft", self._caller.call("drafts.get", path_id=id, options=options))

    def update(
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
        """Change a draft. Setting `scheduled_at` schedules the draft. Setting it to null makes it an unscheduled
        draft again.

        `to`: The recipients; required to send the draft.

        `cc`: The recipients in Cc.

        `bcc`: The recipients in Bcc.

        `subject`: The subject; required to send the draft.

        `text`: The plain-text body, at most 5 MB.

        `html`: The HTML body, at most 5 MB.

        `attachments`: Files, at most 7 MB in total once decoded; an update replaces them all.

        `reply_to_message_id`: The message to reply to. If recipients and subject are left out, they are
        filled in from it.

        `reply_all`: Whether to fill in the other recipients of the original, too.

        `metadata`: Your own keys and values, never sent in mail: at most 20 keys of 1 to 40 characters from
        `A-Z a-z 0-9 _ . -`, with values of up to 500 characters. They replace all existing ones.

        `scheduled_at`: When to send the draft; null to send it only on request. If the time is in the past,
        the draft is sent at once.

        `seen_updated_at`: The `updated_at` of the draft as a person saw it. A person who rewrites the body
        becomes the writer of the draft only if the draft has not changed since then. Otherwise, the policy of
        the key that wrote it still applies.
        """
        return cast("Draft", self._caller.call("drafts.update", path_id=id, body=given({"to": to, "cc": cc, "bcc": bcc, "subject": subject, "text": text, "html": html, "attachments": attachments, "reply_to_message_id": reply_to_message_id, "reply_all": reply_all, "metadata": metadata, "scheduled_at": scheduled_at, "seen_updated_at": seen_updated_at}), options=options))

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a draft. If the draft is scheduled, it will not be sent. A draft that is being sent cannot be
        deleted.
        """
        self._caller.call("drafts.delete", path_id=id, options=options)

    def send(
        self,
        id: str,
        *,
        client_id: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> SendReceipt:
        """Send a draft. Responds like `messages.send`. Sending a draft again with the `client_id` of the first
        send returns the original message with 200.

        `client_id`: Idempotency key: for 24 hours, a request that repeats it returns the original message and
        sends nothing, even if its content differs.
        """
        return cast("SendReceipt", self._caller.call("drafts.send", path_id=id, body=given({"client_id": client_id}), options=options))


class DomainsMethods(Resource):
    def create(
        self,
        *,
        hostname: str,
        options: RequestOptions | None = None,
    ) -> Domain:
        """Add a custom domain. Returns the DNS records to publish. Requires the Pro plan or higher.

        `hostname`: The domain to add.
        """
        return cast("Domain", self._caller.call("domains.create", body=given({"hostname": hostname}), options=options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Page[Domain, DomainPage]:
        """List domains. Lists the domains of the workspace, newest first.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
        """
        return self._caller.list("domains.list", query=given({"limit": limit, "cursor": cursor}), options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Domain:
        """Get a domain. Returns one domain with its records and the results of the last check.
        """
        return cast("Domain", self._caller.call("domains.get", path_id=id, options=options))

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a domain. A domain can be deleted only if no inbox uses it.
        """
        self._caller.call("domains.delete", path_id=id, options=options)

    def verify(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Domain:
        """Check the DNS records now. Looks up the records again and returns the domain with the results.
        """
        return cast("Domain", self._caller.call("domains.verify", path_id=id, options=options))

    def dmarc(
        self,
        id: str,
        *,
        policy: DmarcPolicy | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Domain:
        """Change the DMARC policy. The policies are none, quarantine and reject, from the weakest to the
        strictest. The policy can become stricter by one step at a time, and weaker by any number of steps.
        Without `policy`, it becomes one step stricter.

        `policy`: The policy; by default, the next stricter one.
        """
        return cast("Domain", self._caller.call("domains.dmarc", path_id=id, body=given({"policy": policy}), options=options))

    def subdomain(
        self,
        *,
        label: str,
        options: RequestOptions | None = None,
    ) -> Domain:
        """Provision a dedicated subdomain. Creates a subdomain of the service, whose DNS the service sets up,
        with its own sending reputation. Requires the Scale plan or higher.

        `label`: The label before `.postrider.test`; lowercased automatically.
        """
        return cast("Domain", self._caller.call("domains.subdomain", body=given({"label": label}), options=options))


class EventsMethods(Resource):
    def list(
        self,
        *,
        after: str | NotGiven = NOT_GIVEN,
        events: List[EventKind] | NotGiven = NOT_GIVEN,
        inbox_id: str | NotGiven = NOT_GIVEN,
        wait_seconds: int | NotGiven = NOT_GIVEN,
        limit: int | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Page[Event, EventPage]:
        """Read or wait for events. Lists the event log of the workspace, oldest first. Events are kept for 30
        days. A client that passes `next_cursor` as `after` each time misses nothing. With `wait_seconds`, the
        request waits until there is an event. If `Accept` names `text/event-stream`, the response is an
        endless stream of server-sent events: `id` is the id of the event, `event` its kind, and `data` the
        same event as in a page. The stream starts after `Last-Event-ID` or `after`, or else with new events.
        It ignores `limit` and `wait_seconds`, and counts as a realtime socket. If the server ends the stream,
        its last event is `end` with `{"code"}`.

        `after`: Only events after the event with this id. `latest` stands for the newest event at the time of
        the request.

        `events`: Only events of these kinds, separated by commas.

        `inbox_id`: Only events of this inbox.

        `wait_seconds`: The maximum number of seconds to wait for the first item.

        `limit`: The maximum number of items to return.
        """
        return self._caller.list("events.list", query=given({"after": after, "events": events, "inbox_id": inbox_id, "wait_seconds": wait_seconds, "limit": limit}), options=options)


class WebhooksMethods(Resource):
    def create(
        self,
        *,
        url: str,
        events: List[EventKind],
        inbox_ids: List[str] | None | NotGiven = NOT_GIVEN,
        secret: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> WebhookWithSecret:
        """Create a webhook. Returns the signing secret, which is shown only once. `http:` URLs and private,
        loopback or link-local targets are refused. A workspace can have at most 50 webhooks. A key cannot
        create, change or test webhooks while a policy limits whether it can send, or to whom.

        `url`: A public https URL.

        `events`: The event kinds to receive.

        `inbox_ids`: Only events of these inboxes; null for all.

        `secret`: Your own signing secret; by default, the server creates one.
        """
        return cast("WebhookWithSecret", self._caller.call("webhooks.create", body=given({"url": url, "events": events, "inbox_ids": inbox_ids, "secret": secret}), options=options))

    def list(
        self,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Page[Webhook, WebhookPage]:
        """List webhooks. Lists the webhooks of the workspace, newest first, without their secrets.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
        """
        return self._caller.list("webhooks.list", query=given({"limit": limit, "cursor": cursor}), options=options)

    def get(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Webhook:
        """Get a webhook. Returns one webhook, without its secret.
        """
        return cast("Webhook", self._caller.call("webhooks.get", path_id=id, options=options))

    def update(
        self,
        id: str,
        *,
        url: str | NotGiven = NOT_GIVEN,
        events: List[EventKind] | NotGiven = NOT_GIVEN,
        inbox_ids: List[str] | None | NotGiven = NOT_GIVEN,
        enabled: bool | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Webhook:
        """Change a webhook. Changes the URL, event kinds or inboxes of the webhook, or disables or enables it.

        `url`: A public https URL.

        `events`: The event kinds to receive.

        `inbox_ids`: Only events of these inboxes; null for all.

        `enabled`: Whether events are posted.
        """
        return cast("Webhook", self._caller.call("webhooks.update", path_id=id, body=given({"url": url, "events": events, "inbox_ids": inbox_ids, "enabled": enabled}), options=options))

    def delete(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> None:
        """Delete a webhook. No more events are posted to its URL.
        """
        self._caller.call("webhooks.delete", path_id=id, options=options)

    def test(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Delivery:
        """Send a test event. Posts a signed `message.received` sample and returns its delivery. A workspace can
        have at most 10 tests and redeliveries in progress at a time.
        """
        return cast("Delivery", self._caller.call("webhooks.test", path_id=id, options=options))

    def rotate_secret(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> WebhookWithSecret:
        """Replace the signing secret. Returns the new secret, which is shown only once. For 24 hours,
        `webhook-signature` has a signature for each of the two secrets; `x-postrider-signature` uses the new
        secret at once.
        """
        return cast("WebhookWithSecret", self._caller.call("webhooks.rotateSecret", path_id=id, options=options))

    def deliveries(
        self,
        id: str,
        *,
        limit: int | NotGiven = NOT_GIVEN,
        cursor: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> Page[Delivery, DeliveryPage]:
        """List the deliveries of a webhook. Lists the deliveries, newest first, with all attempts so far and the
        time of the next one.

        `limit`: The maximum number of items to return.

        `cursor`: The `next_cursor` of the previous page; opaque.
        """
        return self._caller.list("webhooks.deliveries", path_id=id, query=given({"limit": limit, "cursor": cursor}), options=options)


class DeliveriesMethods(Resource):
    def redeliver(
        self,
        id: str,
        *,
        options: RequestOptions | None = None,
    ) -> Delivery:
        """Deliver an event again. Posts the same event to the same webhook once more and returns the new
        delivery. A workspace can have at most 10 tests and redeliveries in progress at a time.
        """
        return cast("Delivery", self._caller.call("deliveries.redeliver", path_id=id, options=options))


class AccountMethods(Resource):
    def get(
        self,
        *,
        options: RequestOptions | None = None,
    ) -> Account:
        """Get workspace, plan, limits and usage. Returns the workspace that the key belongs to, its plan, limits
        and usage.
        """
        return cast("Account", self._caller.call("account.get", options=options))


class PolicyMethods(Resource):
    def get(
        self,
        *,
        inbox_id: str | NotGiven = NOT_GIVEN,
        options: RequestOptions | None = None,
    ) -> EffectivePolicy:
        """Get the sending policy of this key. For each setting, the strictest of the policies of the key, the
        inbox and the workspace applies. A cap counts the mail of the key, inbox or workspace that it is set
        on. Keys cannot change a policy.

        `inbox_id`: The inbox that would send. Without it, the policies of inboxes are left out.
        """
        return cast("EffectivePolicy", self._caller.call("policy.get", query=given({"inbox_id": inbox_id}), options=options))
