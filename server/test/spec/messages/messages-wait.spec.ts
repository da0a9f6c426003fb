import { limits } from '@postrider/contract';
import { errorOf } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { ListMessages } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/workspaces/manage-keys.ts';
import { waitingRequestsOf } from '../../../src/workspaces/wait-for-change.ts';

const wakeMsMax = 300;
let server: TestServer;
let stopped = false;

beforeAll(async () => {
  server = await startTestServer();
  // The first mail of a process takes longer than any other.
  await deliver((await server.inbox()).address, 'warm');
});
afterAll(async () => {
  if (!stopped) await server.stop();
});

const deliver = (to: string, subject: string) =>
  sendMail(server.smtpPort, { from: 'ada@example.com', to, subject, text: subject });

/** The subjects that a list answers, and how long it took. */
const timed = async (filter: ListMessages, owner: TestWorkspace = server) => {
  const start = performance.now();
  const { messages, mode_used } = await owner.client.messages.list(filter);
  expect(mode_used).toBe('recent');
  return { subjects: messages.map((message) => message.subject), ms: performance.now() - start };
};

const waitingCount = (owner: TestWorkspace = server) =>
  waitingRequestsOf(server.server.deps).get(owner.id) ?? 0;
const waiting = (count: number, owner?: TestWorkspace) =>
  eventually(`${count} requests to wait`, async () => waitingCount(owner) === count);

test('Interface 4 wait_seconds: 0 answers at once, also without a result', async () => {
  const inbox = await server.inbox();
  const { subjects, ms } = await timed({ inbox_id: inbox.id, wait_seconds: 0 });
  expect(subjects).toEqual([]);
  expect(ms).toBeLessThan(500);
});

test('Interface 4 wait_seconds: a result that is there already answers at once', async () => {
  const inbox = await server.inbox();
  await deliver(inbox.address, 'there');
  const { subjects, ms } = await timed({ inbox_id: inbox.id, wait_seconds: 60 });
  expect(subjects).toEqual(['there']);
  expect(ms).toBeLessThan(1_000);
});

test('Interface 4 wait_seconds: at the end of the wait the answer is an empty list', async () => {
  const inbox = await server.inbox();
  const { subjects, ms } = await timed({ inbox_id: inbox.id, wait_seconds: 1 });
  expect(subjects).toEqual([]);
  expect(ms).toBeGreaterThan(950);
  expect(ms).toBeLessThan(2_500);
});

test('Events 5, Interface 4 wait_seconds: a mail answers the waiting request within 300 ms of its 250', async () => {
  const inbox = await server.inbox();
  const lateMs: number[] = [];
  for (let round = 0; round < 5; round++) {
    const after = new Date().toISOString();
    const answer = server.client.messages.list({ inbox_id: inbox.id, after, wait_seconds: 30 });
    await waiting(1);
    await deliver(inbox.address, `round ${round}`);
    const taken = performance.now();
    expect((await answer).messages.map((message) => message.subject)).toEqual([`round ${round}`]);
    lateMs.push(performance.now() - taken);
  }
  expect(lateMs.sort((a, b) => a - b)[2]).toBeLessThan(wakeMsMax);
});

test('Interface 4 wait_seconds: an outbound message ends a wait too', async () => {
  const inbox = await server.inbox();
  const answer = timed({ inbox_id: inbox.id, direction: 'outbound', wait_seconds: 30 });
  await waiting(1);
  await server.client.messages.send({ inbox_id: inbox.id, to: ['x@example.com'], subject: 'out' });
  expect((await answer).subjects).toEqual(['out']);
});

test('Interface 4 wait_seconds: mail that the filters leave out, or of another workspace, does not end the wait', async () => {
  const [inbox, other] = [await server.inbox(), await server.inbox()];
  const foreign = await server.inbox(await server.workspace());
  const answer = timed({ inbox_id: inbox.id, subject: 'wanted', wait_seconds: 30 });
  await waiting(1);
  for (const address of [other.address, foreign.address]) await deliver(address, 'wanted');
  await deliver(inbox.address, 'unwanted');
  expect(waitingCount()).toBe(1);
  await deliver(inbox.address, 'wanted');
  expect((await answer).subjects).toEqual(['wanted']);
});

test('Interface 4 wait_seconds: fifty requests for one inbox are all answered by one mail', async () => {
  const inbox = await server.inbox();
  const answers = Array.from({ length: 50 }, () => timed({ inbox_id: inbox.id, wait_seconds: 30 }));
  await waiting(50);
  await deliver(inbox.address, 'all');
  for (const answer of answers) expect((await answer).subjects).toEqual(['all']);
});

test('Interface 7: 100 requests of a workspace may wait; one more is 409 limit_reached, and what does not wait is answered', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const enough = new AbortController();
  const answers = Array.from({ length: limits.waitingRequestsPerWorkspaceMax }, () =>
    owner.client.messages.list({ inbox_id: inbox.id, wait_seconds: 60 }, { signal: enough.signal }).then(
      () => 'answered',
      () => 'gone',
    ),
  );
  await waiting(100, owner);
  await errorOf(
    Promise.resolve(owner.client.messages.list({ inbox_id: inbox.id, wait_seconds: 1 })),
    'limit_reached',
    {
      limit: 100,
      message: expect.stringContaining('Let one of them end'),
    },
  );
  expect((await timed({ inbox_id: inbox.id }, owner)).subjects).toEqual([]);
  expect((await timed({ inbox_id: inbox.id, wait_seconds: 0 }, owner)).subjects).toEqual([]);
  expect((await timed({ inbox_id: (await server.inbox()).id, wait_seconds: 1 })).subjects).toEqual([]);
  enough.abort();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['gone']));
  await waiting(0, owner);
  expect((await timed({ inbox_id: inbox.id, wait_seconds: 1 }, owner)).subjects).toEqual([]);
});

test('Interface 5: revoking a key ends its waiting requests at once with 401, and no others', async () => {
  const { deps } = server.server;
  const { id, key } = await createKey(deps, server.name, 'short-lived');
  const inbox = await server.inbox();
  const path = `/v1/messages?inbox_id=${inbox.id}&wait_seconds=30`;
  const doomed = Array.from({ length: 10 }, () => server.request(path, { key }));
  const other = timed({ inbox_id: inbox.id, wait_seconds: 30 });
  await waiting(11);
  const start = performance.now();
  await revokeKey(deps, id);
  for (const answer of doomed) expect((await answer).body.error).toBe('invalid_token');
  expect(performance.now() - start).toBeLessThan(1_000);
  expect(waitingCount()).toBe(1);
  await deliver(inbox.address, 'still here');
  expect((await other).subjects).toEqual(['still here']);
});

test('Interface 3 Inbox: deleting an inbox ends the waits for its mail with a 404', async () => {
  const inbox = await server.inbox();
  const answer = errorOf(
    Promise.resolve(server.client.messages.list({ inbox_id: inbox.id, wait_seconds: 30 })),
    'not_found',
  );
  await waiting(1);
  const start = performance.now();
  await server.client.inboxes.delete(inbox.id);
  await answer;
  expect(performance.now() - start).toBeLessThan(1_000);
});

test('Interface 4 wait_seconds: is a whole number from 0 to 60', async () => {
  for (const value of ['-1', '61', '1.5', '1e1', '', '9'.repeat(12)]) {
    const { status, body } = await server.request(`/v1/messages?wait_seconds=${value}`);
    expect([value, status, body.issues]).toMatchObject([value, 400, [{ path: 'wait_seconds' }]]);
  }
});

test('Interface 4 wait_seconds: a client that leaves gives its place back', async () => {
  const inbox = await server.inbox();
  const leaving = new AbortController();
  const answer = server.client.messages
    .list({ inbox_id: inbox.id, wait_seconds: 60 }, { signal: leaving.signal })
    .then(
      () => 'answered',
      () => 'gone',
    );
  await waiting(1);
  leaving.abort();
  expect(await answer).toBe('gone');
  await waiting(0);
});

test('Interface 4 wait_seconds: a server that stops answers what waits with an empty list', async () => {
  const inbox = await server.inbox();
  const answer = timed({ inbox_id: inbox.id, wait_seconds: 60 });
  await waiting(1);
  stopped = true;
  await Promise.all([server.stop(), answer]);
  expect((await answer).subjects).toEqual([]);
});
