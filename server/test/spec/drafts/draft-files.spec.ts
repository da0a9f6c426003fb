import { randomBytes } from 'node:crypto';
import { limits } from '@postrider/contract';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { Attachment, Draft, Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { removeExpired } from '../../../src/jobs/remove-expired.ts';

const clock = createMovingClock();
let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await startTestServer({ clock, env: { POSTRIDER_RATE_LIMITS: 'off' } });
  inbox = await server.inbox();
});
afterAll(() => server.stop());

const file = (filename: string, content: Buffer | string, more: object = {}) => ({
  filename,
  content: Buffer.from(content),
  ...more,
});
const first = ({ attachments }: Draft): Attachment => attachments[0] ?? expect.fail('There is no file.');
const bytesAt = async (url: string, init: RequestInit = {}): Promise<Buffer> =>
  Buffer.from(await (await fetch(url, init)).arrayBuffer());
const filesIn = (draftId: string) => server.rows('select 1 from draft_files where draft_id = $1', [draftId]);

test('Interface 3 Draft: its files are listed as they will be sent, each with a link that works without a key', async () => {
  const { client } = server;
  const bytes = randomBytes(3_000);
  const made = await client.drafts.create({
    inbox_id: inbox.id,
    html: '<p>See <img src="cid:logo"></p>',
    attachments: [
      file('Rechnung Ü.pdf', bytes),
      file('logo.png', 'png', { content_id: '<logo>' }),
      file('../../etc/passwd', '<script>', { content_type: 'text/html; charset=utf-8' }),
      file('empty.txt', ''),
    ],
  });
  expect(
    made.attachments.map((each) => [
      each.filename,
      each.mime_type,
      each.size_bytes,
      each.content_id,
      each.inline,
    ]),
  ).toEqual([
    ['Rechnung Ü.pdf', 'application/pdf', 3_000, null, false],
    ['logo.png', 'image/png', 3, 'logo', true],
    ['.._.._etc_passwd', 'text/html', 8, null, false],
    ['empty.txt', 'text/plain', 0, null, false],
  ]);
  const wanted = [bytes, Buffer.from('png'), Buffer.from('<script>'), Buffer.alloc(0)];
  for (const [index, { url }] of made.attachments.entries())
    expect(await bytesAt(url)).toEqual(wanted[index]);
  const response = await fetch(first(made).url);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
  const { drafts } = await client.drafts.list({ inbox_id: inbox.id });
  expect(drafts[0]?.attachments.map(({ id }) => id)).toEqual(made.attachments.map(({ id }) => id));
  expect((await client.drafts.update(made.id, { html: null })).attachments[1]?.inline).toBe(false);
});

test('Attachments GET /attachments/{id}: answers a file of a draft with a fresh link, to its workspace alone', async () => {
  const { client } = server;
  const made = await client.drafts.create({ inbox_id: inbox.id, attachments: [file('a.txt', 'hello')] });
  const { id } = first(made);
  clock.advance(60_000);
  const again = await client.attachments.get(id);
  expect({ ...again, url: '', expires_at: '' }).toEqual({ ...first(made), url: '', expires_at: '' });
  expect(again.expires_at > first(made).expires_at).toBe(true);
  expect((await bytesAt(again.url)).toString()).toBe('hello');
  const other = await server.workspace();
  await catchApiError(other.client.attachments.get(id), 'not_found');
  clock.advance(limits.downloadLinkMs);
  expect((await fetch(again.url)).status).toBe(404);
});

test('Interface 3 Attachment: links to files of drafts support Range', async () => {
  const bytes = randomBytes(5_000);
  const made = await server.client.drafts.create({ inbox_id: inbox.id, attachments: [file('a.bin', bytes)] });
  const { url } = first(made);
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 1],
    ['bytes=1000-1999', 1_000, 2_000],
    ['bytes=4990-', 4_990, 5_000],
    ['bytes=-10', 4_990, 5_000],
  ] as const) {
    const response = await fetch(url, { headers: { range } });
    expect(response.status).toBe(206);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes.subarray(start, end));
  }
  expect((await fetch(url, { headers: { range: 'bytes=5000-' } })).status).toBe(416);
});

test('Drafts PATCH /drafts/{id}: attachments replace all that were there, and an empty list removes them', async () => {
  const { drafts, attachments } = server.client;
  const made = await drafts.create({
    inbox_id: inbox.id,
    attachments: [file('a.txt', 'a'), file('b.txt', 'b')],
  });
  const kept = await drafts.update(made.id, { subject: 's' });
  expect(kept.attachments.map(({ id }) => id)).toEqual(made.attachments.map(({ id }) => id));
  const replaced = await drafts.update(made.id, { attachments: [file('c.txt', 'c')] });
  expect(replaced.attachments.map(({ filename }) => filename)).toEqual(['c.txt']);
  for (const { id, url } of made.attachments) {
    await catchApiError(attachments.get(id), 'not_found');
    expect((await fetch(url)).status).toBe(404);
  }
  expect((await drafts.update(made.id, { attachments: [] })).attachments).toEqual([]);
  expect(await filesIn(made.id)).toEqual([]);
});

test('Interface 3 Draft: a file goes out with the draft byte for byte, and stays with its message when it is deleted', async () => {
  const { client } = server;
  const bytes = randomBytes(200_000);
  const guest = await server.inbox();
  const made = await client.drafts.create({
    inbox_id: inbox.id,
    to: [guest.address],
    subject: 'Files',
    html: '<img src="cid:logo">',
    attachments: [
      file('a.bin', bytes),
      file('logo.png', 'png', { content_id: 'logo' }),
      file('note.txt', 'x', { content_type: 'text/plain; charset=utf-8' }),
    ],
  });
  const usage = () =>
    server.rows(`select coalesce(sum(amount), 0)::int as bytes from (select kind, amount from usage_ledger
      union all select kind, amount from usage_totals) entry where kind = 'storage_bytes'`);
  const before = await usage();
  const { id } = await client.drafts.send(made.id);
  expect(await usage()).not.toEqual(before);
  const shapeOf = (files: Attachment[]) =>
    files
      .map((each) => [each.filename, each.mime_type, each.size_bytes, each.content_id, each.inline])
      .sort();
  const sent = await client.messages.get(id);
  expect(shapeOf(sent.attachments)).toEqual(shapeOf(made.attachments));
  const received = await client.messages.waitFor({
    inbox_id: guest.id,
    after: guest.created_at,
    timeout: 300_000,
  });
  const arrived = received.attachments.find(({ filename }) => filename === 'a.bin');
  expect(await bytesAt(arrived?.url ?? '')).toEqual(bytes);
  const [listed] = (await client.drafts.list({ inbox_id: inbox.id })).drafts;
  for (const draft of [await client.drafts.get(made.id), listed])
    expect(draft?.attachments.map(({ id }) => id)).toEqual(sent.attachments.map(({ id }) => id));
  await client.drafts.delete(made.id);
  expect(await filesIn(made.id)).toEqual([]);
  expect((await fetch(first(made).url)).status).toBe(404);
  expect(
    (await bytesAt(sent.attachments.find(({ filename }) => filename === 'a.bin')?.url ?? '')).length,
  ).toBe(200_000);
});

test('Interface 3 Draft: its own files are removed within the hour once it is sent, and not while all may still reject it', async () => {
  const { client, rows } = server;
  const letter = { inbox_id: inbox.id, to: ['ada@remote.example'], subject: 'Files' };
  const make = () => client.drafts.create({ ...letter, attachments: [file('a.txt', 'hello')] });
  const [unsent, sent, open, rejected] = [await make(), await make(), await make(), await make()];
  const setStatus = async (draft: Draft, status: string) => {
    const { id } = await client.drafts.send(draft.id);
    await rows('update message_recipients set status = $2 where message_id = $1', [id, status]);
  };
  await client.drafts.send(sent.id);
  await setStatus(open, 'deferred');
  await setStatus(rejected, 'rejected');
  await removeExpired(server.server.deps).run({});
  const counts = [unsent, sent, open, rejected].map(async ({ id }) => (await filesIn(id)).length);
  expect(await Promise.all(counts)).toEqual([1, 0, 1, 1]);
  await catchApiError(client.attachments.get(first(sent).id), 'not_found');
  expect((await bytesAt(first(await client.drafts.get(sent.id)).url)).toString()).toBe('hello');
  const again = await client.drafts.send(rejected.id);
  expect((await client.messages.get(again.id)).attachments).toHaveLength(1);
});

test('Limits Attachments per email: a draft takes 7,340,032 bytes and 100 files, and no more', async () => {
  const { drafts } = server.client;
  const most = Buffer.alloc(limits.attachmentBytesMax, 7);
  const made = await drafts.create({ inbox_id: inbox.id, attachments: [file('most.bin', most)] });
  expect((await bytesAt(first(made).url)).equals(most)).toBe(true);
  const tooMuch = [file('most.bin', most), file('more.bin', 'x')];
  const limit_bytes = limits.attachmentBytesMax;
  await catchApiError(drafts.create({ inbox_id: inbox.id, attachments: tooMuch }), 'attachment_too_large', {
    limit_bytes,
  });
  await catchApiError(drafts.update(made.id, { attachments: tooMuch }), 'attachment_too_large', {
    limit_bytes,
  });
  expect((await drafts.get(made.id)).attachments).toHaveLength(1);
  const hundred = Array.from({ length: 100 }, (_, index) => file(`${index}.txt`, String(index)));
  const many = await drafts.update(made.id, { attachments: hundred });
  expect(many.attachments.map(({ filename }) => filename)).toEqual(hundred.map(({ filename }) => filename));
  const tooMany = [...hundred, file('x.txt', 'x')];
  expect(await invalidFields(drafts.update(made.id, { attachments: tooMany }))).toEqual(['attachments']);
});
