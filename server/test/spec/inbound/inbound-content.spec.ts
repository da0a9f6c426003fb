/* The fields of a message that came in by SMTP, and whether a program sent it. */

import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendLines } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ada = 'ada@remote.example';
let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
});
afterAll(() => server.stop());

/** The message that the last mail became. */
const received = async (): Promise<Message> => {
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id, limit: 1 });
  return server.client.messages.get(messages[0]?.id ?? '');
};
const receive = async (lines: string[], from = ada): Promise<Message> => {
  await sendLines(server.smtpPort, { from, to: inbox.address }, lines);
  return received();
};

test('Message: every field of an inbound mail is as its header and envelope have it', async () => {
  const message = await receive([
    `From: "Lovelace, Ada" <Ada@Remote.EXAMPLE>`,
    `To: Agent <${inbox.address}>, "Bob" <bob@remote.example>`,
    'Cc: Team: carol@remote.example, dave@remote.example;',
    'Reply-To: answers@remote.example',
    'Subject: The plan',
    'Message-ID: <plan@remote.example>',
    'In-Reply-To: <before@remote.example>',
    'References: <first@remote.example> <before@remote.example>',
    'Date: Fri, 20 Nov 2026 09:30:00 +0100',
    '',
    'Is it sound?',
  ]);
  expect(message).toMatchObject({
    inbox_id: inbox.id,
    direction: 'inbound',
    from_addr: 'ada@remote.example',
    from_name: 'Lovelace, Ada',
    to_addrs: [inbox.address, 'bob@remote.example'],
    cc_addrs: ['carol@remote.example', 'dave@remote.example'],
    bcc_addrs: [],
    reply_to_addrs: ['answers@remote.example'],
    envelope_from: ada,
    envelope_to: [inbox.address],
    subject: 'The plan',
    body_text: 'Is it sound?\n',
    body_html: null,
    extracted_text: 'Is it sound?',
    snippet: 'Is it sound?',
    delivery_status: 'received',
    message_id: '<plan@remote.example>',
    in_reply_to: '<before@remote.example>',
    references: ['<first@remote.example>', '<before@remote.example>'],
    provider_message_id: null,
    client_id: null,
    recipients: [],
    labels: [],
    attachments: [],
    auto_submitted: false,
  });
});

test('Interface 3 Message: auto_submitted by RFC 3834, the null sender, Precedence and List fields', async () => {
  const cases: [string[], boolean, string?][] = [
    [[], false],
    [['Auto-Submitted: no'], false],
    [['Auto-Submitted: auto-replied'], true],
    [['auto-submitted: AUTO-GENERATED; owner-email=x'], true],
    [['Auto-Submitted: (a comment) auto-notified'], true],
    [['Precedence: bulk'], true],
    [['Precedence: Junk'], true],
    [['Precedence: list'], true],
    [['Precedence: first-class'], false],
    [['List-Id: <dev.lists.example>'], true],
    [['List-Unsubscribe: <https://lists.example/u>'], true],
    [['X-Auto-Response-Suppress: All'], false],
    [['X-Auto-Response-Suppress: All', 'Auto-Submitted: auto-replied'], true],
    [['X-Mailer: bulk'], false],
    [[], true, ''],
  ];
  for (const [header, expected, from] of cases) {
    const { auto_submitted } = await receive([`From: ${ada}`, ...header, 'Subject: x', '', 'x'], from);
    expect([header, from, auto_submitted]).toEqual([header, from, expected]);
  }
});
