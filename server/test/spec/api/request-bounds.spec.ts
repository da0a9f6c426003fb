/* The cost of one request: its body is bounded before it is read, few large ones are taken at once, large responses count more. */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import { openRaw, sayHttp } from '@postrider/testkit/http/raw-http.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyClockLimits } from '../../../src/http/bodies/read-body.ts';
import { largeBodySlots } from '../../../src/lib/admission/server-limits.ts';

const mib = 1_048_576;
const json = { 'content-type': 'application/json' };
let server: TestServer;

beforeAll(async () => {
  const plans = { free: { requests_per_second: 0, requests_burst: 1_000 } };
  server = await startTestServer({
    env: { POSTRIDER_RATE_LIMITS: 'on', POSTRIDER_PLANS: JSON.stringify(plans) },
  });
});
afterAll(() => server.stop());

const post = (body: string, { key } = server as TestWorkspace) =>
  server.request('/v1/messages', { method: 'POST', body, headers: json, key });
const issuesOf = ({ body }: { body: Record<string, unknown> }) =>
  body.issues as { path: string; message: string }[];
const headOf = (key: string, ...more: string[]) =>
  [
    'POST /v1/messages HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    `Authorization: Bearer ${key}`,
    ...more,
    '',
    '',
  ].join('\r\n');

/** Takes all places that a workspace has for large bodies, for which `largeBodySlots.waitMs` is short meanwhile. */
const takePlaces = async (owner: TestWorkspace) => {
  const head = headOf(owner.key, `Content-Length: ${mib}`);
  const takePlace = async () => {
    const connection = await openRaw(server.url);
    connection.write(`${head}{"text":"`);
    return connection;
  };
  const open = await Promise.all(
    Array.from({ length: limits.largeRequestsPerWorkspaceMax }, () => takePlace()),
  );
  largeBodySlots.waitMs = 20;
  const large = JSON.stringify({ text: 'x'.repeat(limits.largeRequestBytes) });
  await eventually('the places to be taken', async () => {
    if ((await post(large, owner)).status === 429) return true;
    // On a busy machine, the request above may have come before one of these, which then waited too long.
    for (const [at, { received }] of open.entries()) if (received() !== '') open[at] = await takePlace();
    return false;
  });
  return open;
};

test('Interface 2: a body of too many values, too much outside its strings or too deep is a 400 that says so', async () => {
  const at = (count: number) => `{"inbox_id":"x","attachments":[${'{},'.repeat(count - 3)}{}]}`;
  for (const [body, message] of [
    [at(limits.jsonValuesMax + 3), 'must have at most 10000 values'],
    [`{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()}}`, 'must have at most 10000 values'],
    [`{"a":1${' '.repeat(mib)}}`, 'must have at most 1048576 bytes outside strings'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 'must be at most 32 levels deep'],
  ] as const) {
    const answer = await post(body);
    expect([answer.status, answer.body.error, issuesOf(answer)]).toEqual([
      400,
      'invalid_request',
      [{ path: '', message }],
    ]);
  }
  expect(issuesOf(await post(at(5_000)))).not.toEqual([
    { path: '', message: expect.stringMatching(/values/) },
  ]);
  // Brackets inside a text are not structure.
  const text = '[{,:"\\'.repeat(50_000);
  expect(issuesOf(await post(JSON.stringify({ text })))?.map(({ path }) => path)).toContain('inbox_id');
});

test('Interface 2: what is wrong with a body is said as soon as it is seen, and the rest of it is not waited for', async () => {
  const connection = await openRaw(server.url);
  connection.write(`${headOf(server.key, 'Content-Length: 30000000')}[${'[],'.repeat(30_000)}`);
  await connection.until('must have at most 10000 values');
  expect(connection.received()).toMatch(/^HTTP\/1\.1 400 /);
  connection.destroy();
});

test('Errors 400 invalid_request: a name of megabytes is not repeated', async () => {
  const answer = await post(`{"${'k'.repeat(3 * mib)}":1}`);
  const unknown = issuesOf(answer).find(({ message }) => message === 'is not a known field');
  expect([answer.status, unknown?.path.length]).toEqual([400, 300]);
  expect(answer.text.length).toBeLessThan(2_000);
});

test('Interface 2: large bodies are read as small ones are, in one piece, in chunks and with a byte order mark', async () => {
  const { id } = await server.inbox();
  const text = `é😀"\\\n${'x'.repeat(limits.largeRequestBytes)}`;
  const body = JSON.stringify({ inbox_id: id, to: ['ada@remote.example'], subject: 's', text });
  const bytes = Buffer.from(`\ufeff${body}`);
  const chunks = Array.from({ length: Math.ceil(bytes.length / 9_999) }, (_, i) => {
    const part = bytes.subarray(i * 9_999, (i + 1) * 9_999);
    return Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
  });
  const chunked = Buffer.concat([
    Buffer.from(headOf(server.key, 'Transfer-Encoding: chunked')),
    ...chunks,
    Buffer.from('0\r\n\r\n'),
  ]);
  const answers = [await post(body), await post(bytes.toString('utf8'))];
  const raw = await sayHttp(server.url, chunked);
  expect([...answers.map(({ status }) => status), raw.status]).toEqual([201, 201, 201]);
  for (const sent of [...answers.map(({ text }) => text), raw.body]) {
    const message = await server.client.messages.get((JSON.parse(sent) as { id: string }).id);
    expect(message.body_text === text).toBe(true);
  }
  const broken = await post(`{"text":"${'x'.repeat(limits.largeRequestBytes)}"`);
  expect([broken.status, broken.body.error]).toEqual([400, 'malformed_json']);
});

test('Interface 2: large requests of a workspace beyond its places wait unread and then hear 429; small ones and other workspaces do not', async () => {
  const [owner, other] = [await server.workspace(), await server.workspace()];
  const { waitMs } = largeBodySlots;
  try {
    const open = await takePlaces(owner);
    largeBodySlots.waitMs = 1_000;
    const large = JSON.stringify({ text: 'x'.repeat(limits.largeRequestBytes) });
    const started = performance.now();
    const refused = post(large, owner);
    expect((await post('{}', owner)).status).toBe(400);
    expect((await post(large, other)).status).toBe(400);
    const { status, body, headers } = await refused;
    expect(performance.now() - started).toBeGreaterThan(900);
    expect([status, body.error, body.reason]).toEqual([429, 'rate_limited', 'requests']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    largeBodySlots.waitMs = 300_000;
    const waits = post(large, owner);
    open[0]?.destroy();
    expect((await waits).status).toBe(400);
    for (const connection of open) connection.destroy();
  } finally {
    largeBodySlots.waitMs = waitMs;
  }
});

test('Interface 2: places of large bodies whose clients leave at once are free again', async () => {
  const owner = await server.workspace();
  for (let n = 0; n < 2 * limits.largeRequestsPerWorkspaceMax; n += 1) {
    const connection = await openRaw(server.url);
    connection.write(headOf(owner.key, 'Content-Length: 10000000'));
    connection.destroy();
  }
  const large = JSON.stringify({ text: 'x'.repeat(limits.largeRequestBytes) });
  expect((await post(large, owner)).status).toBe(400);
});

test('Interface 2: a chunked body that is refused while it waits for a place is drained, and its answer is heard', async () => {
  const owner = await server.workspace();
  const { waitMs } = largeBodySlots;
  try {
    const open = await takePlaces(owner);
    largeBodySlots.waitMs = 300;
    const waiting = await openRaw(server.url);
    const chunk = 'x'.repeat(65_536);
    waiting.write(`${headOf(owner.key, 'Transfer-Encoding: chunked')}`);
    for (let n = 0; n < 40; n += 1) waiting.write(`10000\r\n${chunk}\r\n`);
    waiting.write('0\r\n\r\nGET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
    await waiting.until('"status":"ok"');
    expect(waiting.received()).toMatch(/^HTTP\/1\.1 429 /);
    for (const connection of [...open, waiting]) connection.destroy();
  } finally {
    largeBodySlots.waitMs = waitMs;
  }
});

test('Interface 2: a body that does not come is given up, small or large, and its connection ends', async () => {
  const { ...usual } = bodyClockLimits;
  Object.assign(bodyClockLimits, { silenceMs: 500, lookEveryMs: 100, largeBytes: 50_000 });
  try {
    for (const length of [10, mib]) {
      const connection = await openRaw(server.url);
      connection.write(`${headOf(server.key, `Content-Length: ${length}`)}{`);
      await connection.until('did not arrive in time');
      expect(connection.received()).toMatch(/^HTTP\/1\.1 400 /);
      connection.destroy();
    }
    const dripping = await openRaw(server.url);
    dripping.write(`${headOf(server.key, `Content-Length: ${mib}`)}{"text":"`);
    const drip = setInterval(() => dripping.write('x'), 100);
    await dripping.until('did not arrive in time');
    clearInterval(drip);
    dripping.destroy();
    // One that comes slowly and steadily is a large one that takes its time, even if a part is late on a busy machine.
    bodyClockLimits.silenceMs = 3_000;
    const { id } = await server.inbox();
    const body = JSON.stringify({
      inbox_id: id,
      to: ['a@remote.example'],
      subject: 's',
      text: 'x'.repeat(300_000),
    });
    const slow = await openRaw(server.url);
    slow.write(headOf(server.key, `Content-Length: ${body.length}`));
    for (let at = 0; at < body.length; at += 30_000) {
      slow.write(body.slice(at, at + 30_000));
      await pause(400);
    }
    await slow.until('"delivery_status"');
    slow.destroy();
  } finally {
    Object.assign(bodyClockLimits, usual);
  }
});

test('Interface 2: an answer of many bytes counts as more requests, which come back with time', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const inbox = await server.inbox(owner);
  const text = 'x'.repeat(limits.largeRequestBytes * 2);
  const sent = await owner.client.messages.send({
    inbox_id: inbox.id,
    to: ['a@remote.example'],
    subject: 's',
    text,
  });
  const remaining = async () => {
    const { headers } = await server.request('/v1/inboxes', { key: owner.key });
    return Number(headers.get('ratelimit-remaining'));
  };
  const before = await remaining();
  const { text: answer } = await server.request(`/v1/messages/${sent.id}`, { key: owner.key });
  const requests = Math.ceil(answer.length / limits.bytesPerRequest);
  expect(requests).toBe(3);
  expect(await remaining()).toBe(before - requests - 1);
});

test('Interface 2: a body of many bytes counts as more requests, whether or not it says how long it is', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const { id } = await server.inbox(owner);
  const remaining = async () => {
    const { headers } = await server.request('/v1/inboxes', { key: owner.key });
    return Number(headers.get('ratelimit-remaining'));
  };
  const body = JSON.stringify({
    inbox_id: id,
    to: ['not an address'],
    subject: 's',
    text: 'x'.repeat(4 * 2 ** 20),
  });
  const requests = Math.ceil(body.length / limits.bytesPerRequest);
  expect(requests).toBe(17);
  for (const sent of [body, new Blob([body]).stream()]) {
    const before = await remaining();
    const { status } = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      headers: { ...json, authorization: `Bearer ${owner.key}` },
      body: sent,
      duplex: 'half',
    } as RequestInit);
    expect(status).toBe(400);
    expect(await remaining()).toBeLessThan(before - requests / 2);
  }
});
