import { limits } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendLines, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Attachment, Inbox, Message } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signFileToken } from '../../../src/files/signed-url.ts';
import { readSlots } from '../../../src/lib/admission/server-limits.ts';
import { deriveKeys } from '../../../src/lib/crypto/primitives.ts';

const clock = createMovingClock();
const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 7) % 256));
let server: TestServer;
let inbox: Inbox;
let message: Message;

beforeAll(async () => {
  server = await startTestServer({ clock });
  inbox = await server.inbox();
  message = await receive(inbox);
});
afterAll(() => server.stop());

const receive = async (box: Inbox): Promise<Message> => {
  await sendMail(server.smtpPort, {
    from: 'ada@example.com',
    to: box.address,
    subject: 'Files',
    html: '<p>See <img src="cid:logo@example.com"></p>',
    attachments: [
      { filename: 'Rechnung Ü.pdf', content: bytes, contentType: 'application/pdf' },
      {
        filename: 'logo.png',
        content: Buffer.from('png'),
        contentType: 'image/png',
        cid: 'logo@example.com',
      },
      { filename: '../../etc/passwd', content: Buffer.from('<script>'), contentType: 'text/html' },
      { filename: 'empty.txt', content: '' },
    ],
  });
  const { messages } = await server.client.messages.list({ inbox_id: box.id, limit: 1 });
  return messages[0] ?? expect.fail('The mail is not there.');
};

const file = (name: string, of: Message = message): Attachment =>
  of.attachments.find((each) => each.filename.includes(name)) ?? expect.fail(name);
const get = (url: string, init: RequestInit = {}) => fetch(url, init);
const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('Message attachments, Attachment id, Attachment filename, Attachment mime_type, Attachment size_bytes, Attachment url: signed links need no key', async () => {
  const shapes = message.attachments.map((each) => [
    each.mime_type,
    each.size_bytes,
    each.content_id,
    each.inline,
  ]);
  expect(shapes).toEqual([
    ['image/png', 3, 'logo@example.com', true],
    ['application/pdf', 3_000, null, false],
    ['text/html', 8, null, false],
    ['text/plain', 0, null, false],
  ]);
  expect((await bodyOf(await get(file('Rechnung').url))).equals(bytes)).toBe(true);
  expect((await bodyOf(await get(file('logo').url))).toString()).toBe('png');
  expect((await bodyOf(await get(file('empty').url))).length).toBe(0);
});

test('Attachments GET /attachments/{id}, Attachment url: in lists, threads and by itself, the link is fresh and the same file', async () => {
  const { id } = file('Rechnung');
  const thread = await server.client.threads.get(message.thread_id);
  const listed = await server.client.messages.list({ inbox_id: inbox.id });
  for (const each of [thread.messages[0], listed.messages[0]]) expect(file('Rechnung', each).id).toBe(id);
  clock.advance(60_000);
  const fresh = await server.client.attachments.get(id);
  expect(Date.parse(fresh.expires_at)).toBeGreaterThan(Date.parse(file('Rechnung').expires_at));
  expect({ ...fresh, url: '', expires_at: '' }).toEqual({ ...file('Rechnung'), url: '', expires_at: '' });
  expect((await bodyOf(await get(fresh.url))).equals(bytes)).toBe(true);
});

test('Attachments GET /attachments/{id}: of an unknown or foreign id is a 404', async () => {
  const other = await server.workspace();
  for (const id of ['x', message.id, 'att_01m7yyvjvwe8jaq5t3r9gvd6kh'])
    await catchApiError(server.client.attachments.get(id), 'not_found');
  await catchApiError(other.client.attachments.get(file('Rechnung').id), 'not_found');
});

test('Interface 3 Attachment: links live 15 minutes', async () => {
  clock.stop();
  const { url, expires_at } = await server.client.attachments.get(file('Rechnung').id);
  const lifeMs = Date.parse(expires_at) - clock.now().getTime();
  // The time of a link is in whole seconds.
  expect(Math.abs(lifeMs - limits.downloadLinkMs)).toBeLessThanOrEqual(1_000);
  clock.advance(14 * 60_000);
  expect((await get(url)).status).toBe(200);
  clock.advance(61_000);
  const expired = await get(url);
  expect([expired.status, ((await expired.json()) as { error: string }).error]).toEqual([404, 'not_found']);
  clock.goOn();
});

test('Interface 3 Attachment: links support Range', async () => {
  const { url } = await server.client.attachments.get(file('Rechnung').id);
  const ranged = async (range: string) => {
    const response = await get(url, { headers: { range } });
    return [response.status, response.headers.get('content-range'), await bodyOf(response)] as const;
  };
  expect(await ranged('bytes=0-0')).toEqual([206, 'bytes 0-0/3000', bytes.subarray(0, 1)]);
  expect(await ranged('bytes=1000-1999')).toEqual([
    206,
    'bytes 1000-1999/3000',
    bytes.subarray(1_000, 2_000),
  ]);
  expect(await ranged('bytes=2990-')).toEqual([206, 'bytes 2990-2999/3000', bytes.subarray(2_990)]);
  expect(await ranged('bytes=-10')).toEqual([206, 'bytes 2990-2999/3000', bytes.subarray(2_990)]);
  expect(await ranged('bytes=2990-9999')).toEqual([206, 'bytes 2990-2999/3000', bytes.subarray(2_990)]);
  for (const range of ['bytes=3000-', 'bytes=9999-10000'])
    expect((await ranged(range)).slice(0, 2)).toEqual([416, 'bytes */3000']);
  for (const range of ['bytes=x', 'items=0-1', 'bytes=5-1'])
    expect((await ranged(range))[0]).toBeOneOf([200, 416]);
  const { status, headers } = await get(url, { method: 'HEAD' });
  expect([status, headers.get('content-length'), headers.get('accept-ranges')]).toEqual([
    200,
    '3000',
    'bytes',
  ]);
});

test('Interface 3 Attachment: whatever a file says it is, it is a download that no browser runs or sniffs', async () => {
  for (const name of ['Rechnung', 'passwd', 'logo']) {
    const { headers } = await get((await server.client.attachments.get(file(name).id)).url);
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=/);
    expect(headers.get('content-disposition')).not.toMatch(/[/\\]/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
  expect(file('passwd').filename).not.toMatch(/[/\\]/);
  const disposition = (await get((await server.client.attachments.get(file('Rechnung').id)).url)).headers;
  expect(disposition.get('content-disposition')).toContain("filename*=UTF-8''Rechnung%20%C3%9C.pdf");
});

test('Interface 3 Attachment: a link that was tampered with is a 404', async () => {
  const { url, id } = await server.client.attachments.get(file('Rechnung').id);
  const [base, token = ''] = [url.slice(0, url.lastIndexOf('/') + 1), url.slice(url.lastIndexOf('/') + 1)];
  const [keyId = '', grant = '', signature = ''] = token.split('.');
  const later = Buffer.from(grant, 'base64url').toString().replace(/\S+$/, 'zzzzzzzz');
  const forged = { workspaceId: server.id, fileId: id, expiresAt: new Date(clock.now().getTime() + 60_000) };
  const tokens = [
    '',
    'x',
    `${keyId}.${grant}`,
    `${keyId}.${grant}.`,
    `${keyId}.${grant}.${signature.slice(0, -2)}AA`,
    `${keyId}.${grant}.${'A'.repeat(43)}`,
    `${'A'.repeat(8)}.${grant}.${signature}`,
    `${keyId}.${Buffer.from(later).toString('base64url')}.${signature}`,
    `${keyId}.${grant}.${signature}x`,
    `${keyId}.${grant.slice(1)}.${signature}`,
    signFileToken(deriveKeys('another secret'), forged),
    `${token}%00`,
    `${token}/`.repeat(2),
  ];
  for (const each of tokens) expect([each, (await get(base + each)).status]).toEqual([each, 404]);
  const other = await server.workspace();
  const foreign = signFileToken(server.server.deps.keys, { ...forged, workspaceId: other.id });
  expect((await get(base + foreign)).status).toBe(404);
  expect((await get(base + signFileToken(server.server.deps.keys, forged))).status).toBe(200);
});

test('Interface 3 Attachment: links are a 404 once the inbox is gone', async () => {
  const box = await server.inbox();
  const doomed = await receive(box);
  const raw = await server.client.messages.raw(doomed.id);
  const urls = [...doomed.attachments.map((each) => each.url), raw.url];
  for (const url of urls) expect((await get(url)).status).toBe(200);
  await server.client.inboxes.delete(box.id);
  for (const url of urls) expect((await get(url)).status).toBe(404);
  for (const each of doomed.attachments)
    await catchApiError(server.client.attachments.get(each.id), 'not_found');
});

test('Attachment: twenty first downloads at once all get the whole file', async () => {
  const fresh = await receive(inbox);
  const { url } = file('Rechnung', fresh);
  const downloads = await Promise.all(Array.from({ length: 20 }, async () => bodyOf(await get(url))));
  for (const download of downloads) expect(download.equals(bytes)).toBe(true);
});

test('Attachment: a first download waits for the turn of its workspace, hears 429 after a while, and works later', async () => {
  const { url } = file('passwd', await receive(inbox));
  const { waitMs } = readSlots;
  readSlots.waitMs = 200;
  const { promise: held, resolve: end } = Promise.withResolvers<void>();
  const reading = server.server.deps.readLimiter.run(server.id, () => held);
  const refused = await get(url);
  end();
  await reading;
  readSlots.waitMs = waitMs;
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, 2]);
  expect((await bodyOf(await get(url))).toString()).toBe('<script>');
});

test('Attachment: files of sent messages are kept and downloaded the same way', async () => {
  const { id } = await server.client.messages.send({
    inbox_id: inbox.id,
    to: ['ada@example.com'],
    subject: 's',
    attachments: [{ filename: 'out.bin', content: bytes, content_id: '<out@example.com>' }],
  });
  const [sent] = (await server.client.messages.get(id)).attachments;
  expect(sent).toMatchObject({
    filename: 'out.bin',
    mime_type: 'application/octet-stream',
    size_bytes: 3_000,
  });
  expect((await bodyOf(await get(sent?.url ?? ''))).equals(bytes)).toBe(true);
});

test('Attachment: a message in a message is one file, and names that are hostile or missing become harmless', async () => {
  const part = (headers: string, body = 'x') => ['--b', ...headers.split('|'), '', body];
  const lines = [
    'From: ada@example.com',
    'Subject: odd',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...part('Content-Type: text/plain', 'see files'),
    ...part('Content-Type: message/rfc822', 'Subject: inner\r\nFrom: a@b.example\r\n\r\ninner text'),
    ...part('Content-Type: application/octet-stream|Content-Disposition: attachment'),
    ...part(
      'Content-Type: application/x-sh|Content-Disposition: attachment; filename="C:\\\\temp\\\\run.sh"',
    ),
    ...part('Content-Type: text/x-a|Content-Disposition: attachment; filename="=?utf-8?q?a=00b=0D=0A.txt?="'),
    '--b--',
  ];
  await sendLines(server.smtpPort, { from: 'ada@example.com', to: inbox.address }, lines);
  const odd =
    (await server.client.messages.list({ inbox_id: inbox.id, limit: 1 })).messages[0] ?? expect.fail();
  expect(odd.attachments).toHaveLength(4);
  for (const each of odd.attachments) {
    expect(each.filename).toMatch(/^[^/\\\0\r\n]+$/);
    expect((await get(each.url)).status).toBe(200);
  }
  const inner = odd.attachments.find((each) => each.mime_type === 'message/rfc822');
  expect(await (await get(inner?.url ?? '')).text()).toContain('Subject: inner');
});

test('Attachment size_bytes: a file that another version of the server decoded otherwise is served as it is, and its size says so', async () => {
  const { id, url, size_bytes } = file('Rechnung', await receive(inbox));
  const note = (bytesMore: number) =>
    server.rows('update attachments set size_bytes = $2 where id = $1', [id, size_bytes + bytesMore]);
  // Entries of the ledger may be added to the totals at any moment.
  const entries = 'select kind, amount from usage_ledger union all select kind, amount from usage_totals';
  const storage = async () => {
    const rows = await server.rows(`select amount from (${entries}) entry where kind = 'storage_bytes'`);
    return rows.reduce((sum, { amount }) => sum + Number(amount), 0);
  };
  await note(-2);
  const before = await storage();
  const part = await get(url, { headers: { range: 'bytes=2990-' } });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 2990-2999/3000']);
  expect((await bodyOf(await get(url))).equals(bytes)).toBe(true);
  expect(await server.client.attachments.get(id)).toMatchObject({ size_bytes });
  expect((await storage()) - before).toBe(2);
});
