/*
 * Texts that a database or a mail cannot hold, in everything that a caller may write: they are refused by name, or they are sent,
 * received by another inbox and shown in both as a mail can hold them.
 */

import { fuzzTest } from '@postrider/testkit/lib/fuzz-rounds.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import fc from 'fast-check';
import { APIError, type Inbox, type SendMessageParams } from 'postrider';
import { afterAll, beforeAll, expect } from 'vitest';

const messagesARound = 40;

let server: TestServer;
let sender: Inbox;
let receiver: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  sender = await server.inbox();
  receiver = await server.inbox();
});
afterAll(() => server.stop());

const distinctWords = (count: number) =>
  Array.from({ length: count }, (_, i) => `w${(i * 7_919).toString(36)}`).join(' ');

const oddText = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom('\ud800', '\udc00', '\0', '\u0085', '\u2028', '\ufeff', '😀', 'é', '\t', ' ', '\\'),
    )
    .map((units) => units.join('')),
  fc.constantFrom(
    'From the start\n.\n..\n>From\r\n.\r\n-- \nsignature',
    '\r\r\n\n\r',
    '=?utf-8?q?=00?=',
    '\\u0000',
    '__proto__',
    "it''s $1 %s \\' :* & | !",
    'x'.repeat(5_000),
    'w '.repeat(3_000),
    '用'.repeat(2_000),
    distinctWords(4_000),
  ),
);

const bodies = fc.record({ subject: oddText, text: oddText, html: oddText }, { requiredKeys: ['subject'] });
/** Each of these takes less than a body does, so that one at a time is enough to be refused. */
const others = [
  fc.record({ client_id: oddText }),
  fc.record({ reply_to: oddText.map((name) => `"${name.replace(/["\\]/g, '')}" <a@b.example>`) }),
  fc.record({ in_reply_to: oddText }),
  fc.record({ references: fc.array(oddText, { maxLength: 3 }) }),
  fc.record({ headers: oddText.map((value) => ({ 'X-Odd': value })) }),
  fc.record({ filename: oddText, content: oddText }).map(({ filename, content }) => ({
    attachments: [{ filename, content_base64: Buffer.from(content).toString('base64') }],
  })),
];
const message = fc
  .tuple(bodies, fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, ...others))
  .map(([body, other]) => ({ ...body, ...other }));

/** Returns a text as a mail holds it: without NUL and halves of characters. */
const held = (text: string): string => text.replaceAll('\0', '').toWellFormed();

let taken = 0;
const sendAndRead = async (change: Partial<SendMessageParams> & { subject: string }): Promise<void> => {
  const { client } = server;
  const params = { inbox_id: sender.id, to: [receiver.address], ...change };
  const sent = await client.messages.send(params).catch((error: unknown) => {
    if (!(error instanceof APIError) || error.status !== 400) throw error;
    const { issues } = error.body as { issues: { path: string }[] };
    for (const { path } of issues) expect(Object.keys(change)).toContain(path.split('.')[0]);
    return null;
  });
  if (sent === null || sent.idempotent) return;
  taken++;
  const outbound = await client.messages.get(sent.id);
  expect(outbound.subject ?? '').toBe(held(change.subject));
  if (change.text !== undefined) expect(outbound.body_text ?? '').toBe(held(change.text));
  if (change.html !== undefined) expect(outbound.body_html ?? '').toBe(held(change.html));
  expect(outbound.delivery_status).toBe('delivered');
  const { messages } = await client.messages.list({ inbox_id: receiver.id, limit: 1 });
  expect(messages[0]?.message_id).toBe(sent.message_id);
  expect((await client.threads.get(sent.thread_id)).id).toBe(sent.thread_id);
};

fuzzTest(
  'whatever texts a message has, it is refused by name or sent, received and shown',
  'contents',
  async (seed) => {
    await fc.assert(fc.asyncProperty(message, sendAndRead), {
      seed,
      numRuns: messagesARound,
      examples: [[{ subject: 'Words', text: distinctWords(60_000) }]],
    });
    if (seed % 10 === 1) console.log(`contents: seed ${seed}, ${taken} messages were sent`);
    return messagesARound;
  },
);
