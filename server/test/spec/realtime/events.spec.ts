import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { byWakeups } from '@postrider/testkit/servers/by-wakeups.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { unknownId } from '@postrider/testkit/servers/workspace-things.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
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

const mail = async (to: string, subject: string) => {
  await sendMail(server.smtpPort, { from: 'ada@remote.example', to, subject, text: subject });
  await server.filed();
};
const send = (owner: TestWorkspace, inbox_id: string, subject: string) =>
  owner.client.messages.send({ inbox_id, to: ['x@remote.example'], subject });
const list = async (
  owner: TestWorkspace,
  query: Parameters<TestWorkspace['client']['events']['list']>[0],
) => {
  const { events, next_cursor } = await owner.client.events.list(query);
  return { subjects: events.map((event) => event.message?.subject), events, next_cursor };
};
/** Resolves once the log of a workspace has so many events. */
const logged = (owner: TestWorkspace, count: number) =>
  eventually(`${count} events`, async () => (await list(owner, { limit: 100 })).events.length === count);
const waiting = (count: number, owner: TestWorkspace) =>
  eventually(
    `${count} requests to wait`,
    async () => waitingRequests(server.server.deps).countOf(owner.id) === count,
  );

/** A workspace whose log has five events, of two inboxes and two kinds. */
const makeLog = async () => {
  const owner = await server.workspace();
  const [inbox, other] = [await server.inbox(owner), await server.inbox(owner)];
  await mail(inbox.address, 'one');
  await mail(other.address, 'two');
  await send(owner, inbox.id, 'three');
  await mail(inbox.address, 'four');
  await send(owner, other.id, 'five');
  await logged(owner, 5);
  return { owner, inbox, other };
};

test('Interface 4 GET /events: answers oldest first, and next_cursor leads through all of it, page by page', async () => {
  const { owner } = await makeLog();
  const all = await list(owner, {});
  expect(all.subjects).toEqual(['one', 'two', 'three', 'four', 'five']);
  expect(all.events.map(({ event }) => event)).toEqual([
    'message.received',
    'message.received',
    'message.sent',
    'message.received',
    'message.sent',
  ]);
  const pages: unknown[][] = [];
  let after: string | undefined;
  for (let page = 0; page < 4; page++) {
    const { subjects, next_cursor } = await list(owner, { limit: 2, ...(after && { after }) });
    pages.push(subjects);
    after = next_cursor ?? expect.fail('no cursor');
  }
  expect(pages).toEqual([['one', 'two'], ['three', 'four'], ['five'], []]);
  expect(after).toBe(all.events.at(-1)?.id);
});

test('Interface 4 GET /events: next_cursor is null only while the log is empty', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  expect(await list(owner, {})).toMatchObject({ events: [], next_cursor: null });
  expect(await list(owner, { after: 'latest' })).toMatchObject({ events: [], next_cursor: null });
  await mail(inbox.address, 'first');
  await logged(owner, 1);
  const { next_cursor } = await list(owner, { after: 'latest' });
  expect(next_cursor).toBe((await list(owner, {})).events[0]?.id);
});

test('Interface 4 GET /events: after latest answers what comes from then on', async () => {
  const { owner, inbox } = await makeLog();
  const { subjects, next_cursor } = await list(owner, { after: 'latest' });
  expect(subjects).toEqual([]);
  await mail(inbox.address, 'six');
  expect((await list(owner, { after: next_cursor ?? '', wait_seconds: 60 })).subjects).toEqual(['six']);
});

test('Interface 4 GET /events: an unknown after is a 400, and so is one of another workspace', async () => {
  const { owner } = await makeLog();
  const foreign = (await list(owner, {})).events[0]?.id ?? '';
  for (const after of ['evt_x', 'newest', '', unknownId('message'), foreign]) {
    const { status, body } = await server.request(`/v1/events?after=${after}`);
    expect([after, status, body.issues]).toMatchObject([after, 400, [{ path: 'after' }]]);
  }
});

test('Interface 4 GET /events: filters choose by kind and inbox, and next_cursor moves on over what they leave out', async () => {
  const { owner, inbox, other } = await makeLog();
  const last = (await list(owner, {})).next_cursor;
  const ofInbox = await list(owner, { inbox_id: inbox.id });
  expect([ofInbox.subjects, ofInbox.next_cursor]).toEqual([['one', 'three', 'four'], last]);
  const sent = await list(owner, { events: ['message.sent'] });
  expect([sent.subjects, sent.next_cursor]).toEqual([['three', 'five'], last]);
  const both = await list(owner, { events: ['message.received', 'message.bounced'], inbox_id: other.id });
  expect(both.subjects).toEqual(['two']);
  const none = await list(owner, { events: ['message.bounced'] });
  expect([none.subjects, none.next_cursor]).toEqual([[], last]);
  const page = await list(owner, { inbox_id: inbox.id, limit: 2 });
  expect(page.subjects).toEqual(['one', 'three']);
  expect((await list(owner, { inbox_id: inbox.id, after: page.next_cursor ?? '' })).subjects).toEqual([
    'four',
  ]);
});

test('Interface 4 GET /events: an inbox that is unknown, deleted or of another workspace is a 404', async () => {
  const owner = await server.workspace();
  const [inbox, foreign] = [await server.inbox(owner), await server.inbox()];
  await owner.client.inboxes.delete(inbox.id);
  for (const inbox_id of [inbox.id, foreign.id, unknownId('inbox')])
    await catchApiError(Promise.resolve(owner.client.events.list({ inbox_id })), 'not_found');
});

test('Interface 5: an event whose inbox was deleted stays, with message null, also once the inbox is removed', async () => {
  const { owner, inbox } = await makeLog();
  const ids = (await list(owner, {})).events.map(({ id }) => id);
  await owner.client.inboxes.delete(inbox.id);
  const after = async () => {
    const { events } = await list(owner, {});
    expect(events.map(({ id }) => id)).toEqual(ids);
    return events.map(({ message }) => message?.subject ?? null);
  };
  expect(await after()).toEqual([null, 'two', null, null, 'five']);
  const rows = () => server.rows('select from messages where inbox_id = $1', [inbox.id]);
  await eventually('the removal', async () => (await rows()).length === 0);
  expect(await after()).toEqual([null, 'two', null, null, 'five']);
});

test('Interface 4 wait_seconds: GET /events is held until an event that its filters let through, and answers an empty page at the end', async () => {
  const owner = await server.workspace();
  const [inbox, other] = [await server.inbox(owner), await server.inbox(owner)];
  const { next_cursor } = await byWakeups(server, async () => {
    const wanted = list(owner, { inbox_id: inbox.id, wait_seconds: 60 });
    const any = list(owner, { wait_seconds: 60 });
    await waiting(2, owner);
    await mail(other.address, 'left out');
    expect((await any).subjects).toEqual(['left out']);
    await waiting(1, owner);
    await mail(inbox.address, 'wanted');
    expect((await wanted).subjects).toEqual(['wanted']);
    return wanted;
  });
  const empty = await list(owner, { after: next_cursor ?? '', wait_seconds: 1 });
  expect([empty.subjects, empty.next_cursor]).toEqual([[], next_cursor]);
});

test('Interface 5: revoking a key ends its wait for events at once with 401', async () => {
  const { deps } = server.server;
  const owner = await server.workspace();
  const { id, key } = await createKey(deps, owner.name, 'short-lived');
  await byWakeups(server, async () => {
    const doomed = server.request('/v1/events?wait_seconds=60', { key });
    await waiting(1, owner);
    await revokeKey(deps, id);
    expect((await doomed).body.error).toBe('invalid_token');
  });
});

test('Interface 4 wait_seconds: deleting the inbox ends the wait for its events at once with 404', async () => {
  const owner = await server.workspace();
  const { id } = await server.inbox(owner);
  await byWakeups(server, async () => {
    const doomed = list(owner, { inbox_id: id, wait_seconds: 60 });
    await waiting(1, owner);
    await Promise.all([catchApiError(doomed, 'not_found'), owner.client.inboxes.delete(id)]);
  });
});

test('Interface 5: followers by GET /events and wait_seconds have each event once and in order, while mail comes in at many sessions', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const mails = 60;
  const follow = async (limit: number) => {
    const ids: string[] = [];
    let after: string | undefined;
    while (ids.length < mails) {
      const { events, next_cursor } = await list(owner, { limit, wait_seconds: 60, ...(after && { after }) });
      ids.push(...events.map(({ id }) => id));
      after = next_cursor ?? undefined;
    }
    return ids;
  };
  const followers = [follow(3), follow(25), follow(100)];
  const deliver = async (from: number) => {
    for (let number = from; number < mails; number += 6)
      await sendMail(server.smtpPort, {
        from: 'ada@remote.example',
        to: inbox.address,
        subject: `${number}`,
        text: 'x',
      });
  };
  await Promise.all([0, 1, 2, 3, 4, 5].map(deliver));
  const [first, ...others] = await Promise.all(followers);
  expect(new Set(first).size).toBe(mails);
  for (const ids of others) expect(ids).toEqual(first);
});

test('Interface 4 wait_seconds: a server that stops answers who waits for events with an empty page', async () => {
  const owner = await server.workspace();
  const answer = list(owner, { wait_seconds: 60 });
  await waiting(1, owner);
  stopped = true;
  await Promise.all([server.stop(), answer]);
  expect((await answer).subjects).toEqual([]);
});
