// Generated from the contract by scripts/sdk-types.ts. Do not edit.

import type { Event, EventKind } from './types.ts';

/** An event of each kind. */
export const sampleEvents: { readonly [Kind in EventKind]: Extract<Event, { event: Kind }> } = {
  'message.received': {
    "id": "evt_01m7yyvjvwe8jaq5vxxzpjt8xv",
    "event": "message.received",
    "created_at": "2026-11-20T09:30:00.000Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
    "message_ref": "msg_01m7yyvjvwe8jaq5sc6ne7a3b2",
    "message": {
      "id": "msg_01m7yyvjvwe8jaq5sc6ne7a3b2",
      "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
      "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
      "direction": "inbound",
      "from_addr": "ada@example.com",
      "from_name": "Ada Lovelace",
      "to_addrs": [
        "support@postrider.test"
      ],
      "cc_addrs": [],
      "bcc_addrs": [],
      "reply_to_addrs": [],
      "envelope_from": "ada@example.com",
      "envelope_to": [
        "support+order-17@postrider.test"
      ],
      "subject": "Where is my order?",
      "body_text": "Hello,\nwhere is my order? The invoice is attached.\n\n-- \nAda Lovelace\n",
      "body_html": null,
      "extracted_text": "Hello,\nwhere is my order? The invoice is attached.",
      "body_truncated": false,
      "snippet": "Hello, where is my order? The invoice is attached.",
      "delivery_status": "received",
      "read": false,
      "metadata": {},
      "labels": [
        {
          "id": "lbl_01m7yyvjvwe8jaq5tas174ywtc",
          "name": "urgent",
          "color": "#ff8800"
        }
      ],
      "attachments": [
        {
          "id": "att_01m7yyvjvwe8jaq5t3r9gvd6kh",
          "filename": "invoice.pdf",
          "mime_type": "application/pdf",
          "size_bytes": 48213,
          "content_id": null,
          "inline": false,
          "url": "http://127.0.0.1:4400/files/k1.eyJhIjoiYXR0XzAxbTd5eXZqdndlOGphcTV0M3I5Z3ZkNmtoIn0.3vYw1f8L",
          "expires_at": "2026-11-20T09:45:00.000Z"
        }
      ],
      "message_id": "<b1f2c3@example.com>",
      "in_reply_to": null,
      "references": [],
      "provider_message_id": null,
      "client_id": null,
      "recipients": [],
      "authentication": {
        "spf": "pass",
        "dkim": "pass",
        "dmarc": "pass",
        "verified_domain": "example.com"
      },
      "auto_submitted": false,
      "hidden_text": false,
      "size_bytes": 67914,
      "truncated": [],
      "created_at": "2026-11-20T09:30:00.000Z"
    }
  },
  'message.sent': {
    "id": "evt_01m7yz2d9xe8jaq5w3k5n8r2fq",
    "event": "message.sent",
    "created_at": "2026-11-20T09:33:20.410Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
    "message_ref": "msg_01m7yz2c4he8jaq5snbd2y1w07",
    "message": {
      "id": "msg_01m7yz2c4he8jaq5snbd2y1w07",
      "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
      "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
      "direction": "outbound",
      "from_addr": "support@postrider.test",
      "from_name": "Support Agent",
      "to_addrs": [
        "ada@example.com"
      ],
      "cc_addrs": [],
      "bcc_addrs": [],
      "reply_to_addrs": [],
      "envelope_from": null,
      "envelope_to": [],
      "subject": "Re: Where is my order?",
      "body_text": "Hello Ada,\nit was shipped this morning.\n",
      "body_html": null,
      "extracted_text": null,
      "body_truncated": false,
      "snippet": "Hello Ada, it was shipped this morning.",
      "delivery_status": "sent",
      "read": true,
      "metadata": {},
      "labels": [],
      "attachments": [],
      "message_id": "<01m7yz2c4he8jaq5snbd2y1w07@postrider.test>",
      "in_reply_to": "<b1f2c3@example.com>",
      "references": [
        "<b1f2c3@example.com>"
      ],
      "provider_message_id": "0100019a-3b1c-4d5e",
      "client_id": "order-17-reply-1",
      "recipients": [
        {
          "address": "ada@example.com",
          "status": "sent",
          "detail": "250 2.0.0 Queued",
          "sandboxed": false,
          "updated_at": "2026-11-20T09:33:20.410Z"
        }
      ],
      "authentication": null,
      "auto_submitted": false,
      "hidden_text": false,
      "size_bytes": 1204,
      "truncated": [],
      "created_at": "2026-11-20T09:33:20.000Z"
    },
    "recipient": "ada@example.com"
  },
  'message.delivered': {
    "id": "evt_01m7yz3f2me8jaq5w7sxvz0jt5",
    "event": "message.delivered",
    "created_at": "2026-11-20T09:33:21.120Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
    "message_ref": "msg_01m7yz2c4he8jaq5snbd2y1w07",
    "message": {
      "id": "msg_01m7yz2c4he8jaq5snbd2y1w07",
      "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
      "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
      "direction": "outbound",
      "from_addr": "support@postrider.test",
      "from_name": "Support Agent",
      "to_addrs": [
        "ada@example.com"
      ],
      "cc_addrs": [],
      "bcc_addrs": [],
      "reply_to_addrs": [],
      "envelope_from": null,
      "envelope_to": [],
      "subject": "Re: Where is my order?",
      "body_text": "Hello Ada,\nit was shipped this morning.\n",
      "body_html": null,
      "extracted_text": null,
      "body_truncated": false,
      "snippet": "Hello Ada, it was shipped this morning.",
      "delivery_status": "delivered",
      "read": true,
      "metadata": {},
      "labels": [],
      "attachments": [],
      "message_id": "<01m7yz2c4he8jaq5snbd2y1w07@postrider.test>",
      "in_reply_to": "<b1f2c3@example.com>",
      "references": [
        "<b1f2c3@example.com>"
      ],
      "provider_message_id": "0100019a-3b1c-4d5e",
      "client_id": "order-17-reply-1",
      "recipients": [
        {
          "address": "ada@example.com",
          "status": "delivered",
          "detail": "250 2.0.0 OK",
          "sandboxed": false,
          "updated_at": "2026-11-20T09:33:21.120Z"
        }
      ],
      "authentication": null,
      "auto_submitted": false,
      "hidden_text": false,
      "size_bytes": 1204,
      "truncated": [],
      "created_at": "2026-11-20T09:33:20.000Z"
    },
    "recipient": "ada@example.com"
  },
  'message.bounced': {
    "id": "evt_01m7yz4r9te8jaq5x1q8m5c2hn",
    "event": "message.bounced",
    "created_at": "2026-11-20T09:41:03.480Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": "thr_01m7yz4n1qe8jaq5wbk5pwzzyd",
    "message_ref": "msg_01m7yz4n1qe8jaq5wdd8s2f6hy",
    "message": {
      "id": "msg_01m7yz4n1qe8jaq5wdd8s2f6hy",
      "thread_id": "thr_01m7yz4n1qe8jaq5wbk5pwzzyd",
      "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
      "direction": "outbound",
      "from_addr": "support@postrider.test",
      "from_name": "Support Agent",
      "to_addrs": [
        "nobody@example.com"
      ],
      "cc_addrs": [],
      "bcc_addrs": [],
      "reply_to_addrs": [],
      "envelope_from": null,
      "envelope_to": [],
      "subject": "Your invoice",
      "body_text": "The invoice for order 18 is ready.\n",
      "body_html": null,
      "extracted_text": null,
      "body_truncated": false,
      "snippet": "The invoice for order 18 is ready.",
      "delivery_status": "bounced",
      "read": true,
      "metadata": {},
      "labels": [],
      "attachments": [],
      "message_id": "<01m7yz4n1qe8jaq5wdd8s2f6hy@postrider.test>",
      "in_reply_to": null,
      "references": [],
      "provider_message_id": "0100019a-3b1c-4d5e",
      "client_id": null,
      "recipients": [
        {
          "address": "nobody@example.com",
          "status": "bounced",
          "detail": "550 5.1.1 No such user",
          "sandboxed": false,
          "updated_at": "2026-11-20T09:41:03.480Z"
        }
      ],
      "authentication": null,
      "auto_submitted": false,
      "hidden_text": false,
      "size_bytes": 1204,
      "truncated": [],
      "created_at": "2026-11-20T09:33:20.000Z"
    },
    "recipient": "nobody@example.com",
    "bounce": {
      "type": "hard",
      "code": "5.1.1",
      "diagnostic": "550 5.1.1 No such user"
    }
  },
  'message.complained': {
    "id": "evt_01m7yz5w3xe8jaq5y7d0r6v4kb",
    "event": "message.complained",
    "created_at": "2026-11-20T10:02:45.007Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": "thr_01m7yz5s6ve8jaq5xcj4q8m2tr",
    "message_ref": "msg_01m7yz5s6ve8jaq5xef7t3g5jz",
    "message": {
      "id": "msg_01m7yz5s6ve8jaq5xef7t3g5jz",
      "thread_id": "thr_01m7yz5s6ve8jaq5xcj4q8m2tr",
      "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
      "direction": "outbound",
      "from_addr": "support@postrider.test",
      "from_name": "Support Agent",
      "to_addrs": [
        "charles@example.com"
      ],
      "cc_addrs": [],
      "bcc_addrs": [],
      "reply_to_addrs": [],
      "envelope_from": null,
      "envelope_to": [],
      "subject": "What is new in November",
      "body_text": "Three things are new this month.\n",
      "body_html": null,
      "extracted_text": null,
      "body_truncated": false,
      "snippet": "Three things are new this month.",
      "delivery_status": "complained",
      "read": true,
      "metadata": {},
      "labels": [],
      "attachments": [],
      "message_id": "<01m7yz5s6ve8jaq5xef7t3g5jz@postrider.test>",
      "in_reply_to": null,
      "references": [],
      "provider_message_id": "0100019a-3b1c-4d5e",
      "client_id": null,
      "recipients": [
        {
          "address": "charles@example.com",
          "status": "complained",
          "detail": "abuse report",
          "sandboxed": false,
          "updated_at": "2026-11-20T10:02:45.007Z"
        }
      ],
      "authentication": null,
      "auto_submitted": false,
      "hidden_text": false,
      "size_bytes": 1204,
      "truncated": [],
      "created_at": "2026-11-20T09:33:20.000Z"
    },
    "recipient": "charles@example.com",
    "complaint": {
      "feedback_type": "abuse"
    }
  },
  'message.rejected': {
    "id": "evt_01m7yz6z8de8jaq5z2f9t1w7ga",
    "event": "message.rejected",
    "created_at": "2026-11-20T10:15:12.300Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": "thr_01m7yz6w0be8jaq5ydk3n7p1vs",
    "message_ref": "msg_01m7yz6w0be8jaq5yfh6v4h4k0",
    "message": {
      "id": "msg_01m7yz6w0be8jaq5yfh6v4h4k0",
      "thread_id": "thr_01m7yz6w0be8jaq5ydk3n7p1vs",
      "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
      "direction": "outbound",
      "from_addr": "support@postrider.test",
      "from_name": "Support Agent",
      "to_addrs": [
        "grace@example.com"
      ],
      "cc_addrs": [],
      "bcc_addrs": [],
      "reply_to_addrs": [],
      "envelope_from": null,
      "envelope_to": [],
      "subject": "Test",
      "body_text": "A test message.\n",
      "body_html": null,
      "extracted_text": null,
      "body_truncated": false,
      "snippet": "A test message.",
      "delivery_status": "rejected",
      "read": true,
      "metadata": {},
      "labels": [],
      "attachments": [],
      "message_id": "<01m7yz6w0be8jaq5yfh6v4h4k0@postrider.test>",
      "in_reply_to": null,
      "references": [],
      "provider_message_id": null,
      "client_id": null,
      "recipients": [
        {
          "address": "grace@example.com",
          "status": "rejected",
          "detail": "554 5.7.1 Message content rejected",
          "sandboxed": false,
          "updated_at": "2026-11-20T10:15:12.300Z"
        }
      ],
      "authentication": null,
      "auto_submitted": false,
      "hidden_text": false,
      "size_bytes": 1204,
      "truncated": [],
      "created_at": "2026-11-20T09:33:20.000Z"
    },
    "recipient": null,
    "reason": "554 5.7.1 Message content rejected"
  },
  'message.held': {
    "id": "evt_01m7yz2c4he8jaq5w0a7d4t9mv",
    "event": "message.held",
    "created_at": "2026-11-20T09:33:20.000Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
    "message_ref": "msg_01m7yz2c4he8jaq5snbd2y1w07",
    "message": {
      "id": "msg_01m7yz2c4he8jaq5snbd2y1w07",
      "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
      "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
      "direction": "outbound",
      "from_addr": "support@postrider.test",
      "from_name": "Support Agent",
      "to_addrs": [
        "ada@example.com"
      ],
      "cc_addrs": [],
      "bcc_addrs": [],
      "reply_to_addrs": [],
      "envelope_from": null,
      "envelope_to": [],
      "subject": "Re: Where is my order?",
      "body_text": "Hello Ada,\nit was shipped this morning.\n",
      "body_html": null,
      "extracted_text": null,
      "body_truncated": false,
      "snippet": "Hello Ada, it was shipped this morning.",
      "delivery_status": "held",
      "read": true,
      "metadata": {},
      "labels": [],
      "attachments": [],
      "message_id": "<01m7yz2c4he8jaq5snbd2y1w07@postrider.test>",
      "in_reply_to": "<b1f2c3@example.com>",
      "references": [
        "<b1f2c3@example.com>"
      ],
      "provider_message_id": null,
      "client_id": "order-17-reply-1",
      "recipients": [
        {
          "address": "ada@example.com",
          "status": "held",
          "detail": null,
          "sandboxed": false,
          "updated_at": "2026-11-20T09:33:20.000Z"
        }
      ],
      "authentication": null,
      "auto_submitted": false,
      "hidden_text": false,
      "size_bytes": 1204,
      "truncated": [],
      "created_at": "2026-11-20T09:33:20.000Z"
    }
  },
  'message.deferred': {
    "id": "evt_01m7yz2db1e8jaq5w6p0q7y5zc",
    "event": "message.deferred",
    "created_at": "2026-11-20T09:33:20.455Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
    "message_ref": "msg_01m7yz2c4he8jaq5snbd2y1w07",
    "message": {
      "id": "msg_01m7yz2c4he8jaq5snbd2y1w07",
      "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
      "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
      "direction": "outbound",
      "from_addr": "support@postrider.test",
      "from_name": "Support Agent",
      "to_addrs": [
        "ada@example.com"
      ],
      "cc_addrs": [],
      "bcc_addrs": [],
      "reply_to_addrs": [],
      "envelope_from": null,
      "envelope_to": [],
      "subject": "Re: Where is my order?",
      "body_text": "Hello Ada,\nit was shipped this morning.\n",
      "body_html": null,
      "extracted_text": null,
      "body_truncated": false,
      "snippet": "Hello Ada, it was shipped this morning.",
      "delivery_status": "deferred",
      "read": true,
      "metadata": {},
      "labels": [],
      "attachments": [],
      "message_id": "<01m7yz2c4he8jaq5snbd2y1w07@postrider.test>",
      "in_reply_to": "<b1f2c3@example.com>",
      "references": [
        "<b1f2c3@example.com>"
      ],
      "provider_message_id": null,
      "client_id": "order-17-reply-1",
      "recipients": [
        {
          "address": "ada@example.com",
          "status": "deferred",
          "detail": "451 4.7.1 Try again later",
          "sandboxed": false,
          "updated_at": "2026-11-20T09:33:20.455Z"
        }
      ],
      "authentication": null,
      "auto_submitted": false,
      "hidden_text": false,
      "size_bytes": 1204,
      "truncated": [],
      "created_at": "2026-11-20T09:33:20.000Z"
    },
    "recipient": "ada@example.com",
    "detail": "451 4.7.1 Try again later"
  },
  'message.updated': {
    "id": "evt_01m7yyx6hqe8jaq5w9m2c6b1ks",
    "event": "message.updated",
    "created_at": "2026-11-20T09:30:52.880Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
    "message_ref": "msg_01m7yyvjvwe8jaq5sc6ne7a3b2",
    "message": {
      "id": "msg_01m7yyvjvwe8jaq5sc6ne7a3b2",
      "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
      "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
      "direction": "inbound",
      "from_addr": "ada@example.com",
      "from_name": "Ada Lovelace",
      "to_addrs": [
        "support@postrider.test"
      ],
      "cc_addrs": [],
      "bcc_addrs": [],
      "reply_to_addrs": [],
      "envelope_from": "ada@example.com",
      "envelope_to": [
        "support+order-17@postrider.test"
      ],
      "subject": "Where is my order?",
      "body_text": "Hello,\nwhere is my order? The invoice is attached.\n\n-- \nAda Lovelace\n",
      "body_html": null,
      "extracted_text": "Hello,\nwhere is my order? The invoice is attached.",
      "body_truncated": false,
      "snippet": "Hello, where is my order? The invoice is attached.",
      "delivery_status": "received",
      "read": true,
      "metadata": {},
      "labels": [
        {
          "id": "lbl_01m7yyvjvwe8jaq5tas174ywtc",
          "name": "urgent",
          "color": "#d92d20"
        }
      ],
      "attachments": [
        {
          "id": "att_01m7yyvjvwe8jaq5t3r9gvd6kh",
          "filename": "invoice.pdf",
          "mime_type": "application/pdf",
          "size_bytes": 48213,
          "content_id": null,
          "inline": false,
          "url": "http://127.0.0.1:4400/files/k1.eyJhIjoiYXR0XzAxbTd5eXZqdndlOGphcTV0M3I5Z3ZkNmtoIn0.3vYw1f8L",
          "expires_at": "2026-11-20T09:45:00.000Z"
        }
      ],
      "message_id": "<b1f2c3@example.com>",
      "in_reply_to": null,
      "references": [],
      "provider_message_id": null,
      "client_id": null,
      "recipients": [],
      "authentication": {
        "spf": "pass",
        "dkim": "pass",
        "dmarc": "pass",
        "verified_domain": "example.com"
      },
      "auto_submitted": false,
      "hidden_text": false,
      "size_bytes": 67914,
      "truncated": [],
      "created_at": "2026-11-20T09:30:00.000Z"
    },
    "changed": [
      "labels",
      "read"
    ]
  },
  'message.deleted': {
    "id": "evt_01m7yz8v4ne8jaq5wbt8h3x0rp",
    "event": "message.deleted",
    "created_at": "2026-11-20T10:16:13.620Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
    "message_ref": "msg_01m7yyvjvwe8jaq5sc6ne7a3b2",
    "message": null
  },
  'draft.sent': {
    "id": "evt_01m7yz2c4he8jaq5w1d2f6g8hj",
    "event": "draft.sent",
    "created_at": "2026-11-20T09:33:20.000Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
    "message_ref": "msg_01m7yz2c4he8jaq5snbd2y1w07",
    "message": {
      "id": "msg_01m7yz2c4he8jaq5snbd2y1w07",
      "thread_id": "thr_01m7yyvjvwe8jaq5st2hkw14nx",
      "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
      "direction": "outbound",
      "from_addr": "support@postrider.test",
      "from_name": "Support Agent",
      "to_addrs": [
        "ada@example.com"
      ],
      "cc_addrs": [],
      "bcc_addrs": [],
      "reply_to_addrs": [],
      "envelope_from": null,
      "envelope_to": [],
      "subject": "Re: Where is my order?",
      "body_text": "Hello Ada,\nit was shipped this morning.\n",
      "body_html": null,
      "extracted_text": null,
      "body_truncated": false,
      "snippet": "Hello Ada, it was shipped this morning.",
      "delivery_status": "delivered",
      "read": true,
      "metadata": {},
      "labels": [],
      "attachments": [],
      "message_id": "<01m7yz2c4he8jaq5snbd2y1w07@postrider.test>",
      "in_reply_to": "<b1f2c3@example.com>",
      "references": [
        "<b1f2c3@example.com>"
      ],
      "provider_message_id": "0100019a-3b1c-4d5e",
      "client_id": "order-17-reply-1",
      "recipients": [
        {
          "address": "ada@example.com",
          "status": "delivered",
          "detail": "250 2.0.0 OK",
          "sandboxed": false,
          "updated_at": "2026-11-20T09:33:21.120Z"
        }
      ],
      "authentication": null,
      "auto_submitted": false,
      "hidden_text": false,
      "size_bytes": 1204,
      "truncated": [],
      "created_at": "2026-11-20T09:33:20.000Z"
    },
    "draft_id": "dft_01m7yyvjvwe8jaq5ve64mbcat7"
  },
  'draft.failed': {
    "id": "evt_01m7yz9x2ae8jaq5wd5k7m9n1q",
    "event": "draft.failed",
    "created_at": "2026-11-20T10:16:48.330Z",
    "workspace_id": "wsp_01m7yyvjvwe8jaq5wmwbafz3s4",
    "inbox_id": "inb_01m7yyvjvve8jaq5s0hvhdb6px",
    "thread_id": null,
    "message_ref": null,
    "message": null,
    "draft_id": "dft_01m7yyvjvwe8jaq5ve64mbcat7",
    "failure": "no_deliverable_recipients"
  },
};
