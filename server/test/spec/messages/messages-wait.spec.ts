import { limits } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { byWakeups } from '@postrider/testkit/servers/by-wakeups.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { ListMessages } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingRequests } from '../../../src/events/wait-for-change.ts';
import { createKey, revokeKey } from '../../../src/keys/manage-keys.ts';

let server: TestServer;
let stopped = false;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => {
  if (!stopped) await server.stop();
});

const deliver = (to: string, subject: string) =>
  sendMail(server.smtpPort, { from: 'ada@example.com', to, subject, text: subject });

/** The subjects that a list answers. */
const subjectsOf = async (filter: ListMessages, owner: TestWorkspace = server) => {
  const { messages, mode_used } = await owner.client.messages.list(filter);
  expect(mode_used).toBe('recent');
  return messages.map((message) => message.subject);
};

const waitingCount = (owner: TestWorkspace = server) => waitingRequests(server.server.deps).countOf(owner.id);
const waiting = (count: number, owner?: TestWorkspace) =>
  eventually(`${count} requests to wait`, async () => waitingCount(owner) === count);

test('Interface 4 wait_seconds: 0 answers at once, also without a result', async () => {
  const inbox = await server.inbox();
  await byWakeups(server, async () => {
    expect(await subjectsOf({ inbox_id: inbox.id, wait_seconds: 0 })).toEqual([]);
  });
});

test('Interface 4 wait_seconds: a result that is there already answers at once', async () => {
  const inbox = await server.inbox();
  await deliver(inbox.address, 'there');
  await byWakeups(server, async () => {
    expect(await subjectsOf({ inbox_id: inbox.id, wait_seconds: 60 })).toEqual(['there']);
  });
});

test('Interface 4 wait_seconds: at the end of the wait the answer is an empty list', async () => {
  const inbox = await server.inbox();
  await byWakeups(server, async () => {
    const start = performance.now();
    expect(await subjectsOf({ inbox_id: inbox.id, wait_seconds: 1 })).toEqual([]);
    // A timer may end a millisecond early, and a slow machine only makes it late.
    expect(performance.now() - start).toBeGreaterThan(950);
  });
});

test('Events 5, Interface 4 wait_seconds: a mail answers the waiting request as soon as it is taken', async () => {
  const inbox = await server.inbox();
  await byWakeups(server, async () => {
    for (let round = 0; round < 5; round++) {
      const after = new Date().toISOString();
      const answer = subjectsOf({ inbox_id: inbox.id, after, wait_seconds: 60 });
      await waiting(1);
      await deliver(inbox.address, `round ${round}`);
      expect(await answer).toEqual([`round ${round}`]);
    }
  });
});

test('Interface 4 wait_seconds: an outbound message ends a wait too', async () => {
  const inbox = await server.inbox();
  const answer = subjectsOf({ inbox_id: inbox.id, direction: 'outbound', wait_seconds: 60 });
  await waiting(1);
  await server.client.messages.send({ inbox_id: inbox.id, to: ['x@example.com'], subject: 'out' });
  expect(await answer).toEqual(['out']);
});

test('Interface 4 wait_seconds: mail that the filters leave out, or of another workspace, does not end the wait', async () => {
  const [inbox, other] = [await server.inbox(), await server.inbox()];
  const foreign = await server.inbox(await server.workspace());
  const answer = subjectsOf({ inbox_id: inbox.id, subject: 'wanted', wait_seconds: 60 });
  await waiting(1);
  for (const address of [other.address, foreign.address]) await deliver(address, 'wanted');
  await deliver(inbox.address, 'unwanted');
  expect(waitingCount()).toBe(1);
  await deliver(inbox.address, 'wanted');
  expect(await answer).toEqual(['wanted']);
});

test('Interface 4 wait_seconds: fifty requests for one inbox are all answered by one mail', async () => {
  const inbox = await server.inbox();
  const answers = Array.from({ length: 50 }, () => subjectsOf({ inbox_id: inbox.id, wait_seconds: 60 }));
  await waiting(50);
  await deliver(inbox.address, 'all');
  for (const answer of answers) expect(await answer).toEqual(['all']);
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
  await catchApiError(
    Promise.resolve(owner.client.messages.list({ inbox_id: inbox.id, wait_seconds: 1 })),
    'limit_reached',
    {
      limit: 100,
      message: expect.stringContaining('Let one of them end'),
    },
  );
  expect(await subjectsOf({ inbox_id: inbox.id }, owner)).toEqual([]);
  expect(await subjectsOf({ inbox_id: inbox.id, wait_seconds: 0 }, owner)).toEqual([]);
  expect(await subjectsOf({ inbox_id: (await server.inbox()).id, wait_seconds: 1 })).toEqual([]);
  enough.abort();
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['gone']));
  await waiting(0, owner);
  expect(await subjectsOf({ inbox_id: inbox.id, wait_seconds: 1 }, owner)).toEqual([]);
});

test('Interface 5: revoking a key ends its waiting requests at once with 401, and no others', async () => {
  const { deps } = server.server;
  const { id, key } = await createKey(deps, server.name, 'short-lived');
  const inbox = await server.inbox();
  await byWakeups(server, async () => {
    const path = `/v1/messages?inbox_id=${inbox.id}&wait_seconds=60`;
    const doomed = Array.from({ length: 10 }, () => server.request(path, { key }));
    const other = subjectsOf({ inbox_id: inbox.id, wait_seconds: 60 });
    await waiting(11);
    await revokeKey(deps, id);
    for (const answer of doomed) expect((await answer).body.error).toBe('invalid_token');
    expect(waitingCount()).toBe(1);
    await deliver(inbox.address, 'still here');
    expect(await other).toEqual(['still here']);
  });
});

test('Interface 3 Inbox: deleting an inbox ends the waits for its mail with a 404', async () => {
  const inbox = await server.inbox();
  await byWakeups(server, async () => {
    const answer = catchApiError(
      Promise.resolve(server.client.messages.list({ inbox_id: inbox.id, wait_seconds: 60 })),
      'not_found',
    );
    await waiting(1);
    await server.client.inboxes.delete(inbox.id);
    await answer;
  });
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
  const answer = subjectsOf({ inbox_id: inbox.id, wait_seconds: 60 });
  await waiting(1);
  stopped = true;
  await Promise.all([server.stop(), answer]);
  expect(await answer).toEqual([]);
});
