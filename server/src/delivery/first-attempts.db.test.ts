import { setTimeout as sleep } from 'node:timers/promises';
import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { Inbox } from 'postrider';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { operator } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import { createTimeScale } from '../lib/clock.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { pause, resume } from '../policies/pause.ts';
import { FirstAttempts } from './first-attempts.ts';

let running: ServerWithSink;
let server: TestServer;
let sink: MailSink;
let inbox: Inbox;

/** Without the worker, so that a recipient stays as its first attempt left it. */
beforeAll(async () => {
  running = await startServerWithSink({ roles: ['api'] });
  ({ server, sink } = running);
  inbox = await server.inbox();
});
afterEach(() => sink.clearScript());
afterAll(() => running.stop());

const freshAddress = () => `${server.freshName('rcpt')}@remote.example`;
const send = (to: string[], clientId?: string) =>
  server.client.messages.send({
    inbox_id: inbox.id,
    to,
    subject: 's',
    text: 't',
    ...(clientId !== undefined && { client_id: clientId }),
  });
const rowOf = async (address: string) => {
  const rows = await server.rows<{ status: string; due_at: Date | null }>(
    'select status, due_at from message_recipients where address = $1',
    [address],
  );
  return rows[0];
};

const isSent = (to: string) =>
  eventually('the message to be sent', async () => (await rowOf(to))?.status === 'sent');

test('a message is stored as handed over before its first byte leaves', async () => {
  const to = freshAddress();
  const release = sink.hold();
  sink.script({ at: 'dot', delayMs: 1 });
  const sent = send([to]);
  await eventually('the message to be handed over', async () => sink.copiesFor(to).length === 1);
  expect(await rowOf(to)).toMatchObject({ status: 'sending', due_at: expect.any(Date) });
  release();
  await sent;
  await isSent(to);
});

test('a message is stored also while the relay does not answer', async () => {
  const to = freshAddress();
  const release = sink.hold();
  sink.script({ at: 'rcpt', delayMs: 1 });
  const sent = send([to]);
  await eventually('the message to be stored', async () => (await rowOf(to)) !== undefined);
  expect(await rowOf(to)).toMatchObject({ status: 'queued', due_at: expect.any(Date) });
  release();
  await sent;
  await isSent(to);
  expect(sink.copiesFor(to)).toHaveLength(1);
});

test('a large message is stored before it takes a connection', async () => {
  const to = freshAddress();
  const agree = sink.hold();
  sink.script({ at: 'mail', delayMs: 1 }, { at: 'dot', delayMs: 1 });
  const before = sink.commands.length;
  const sent = server.client.messages.send({
    inbox_id: inbox.id,
    to: [to],
    subject: 's',
    text: 'A line.\n'.repeat(10_000),
  });
  await eventually('a command', async () => sink.commands.length > before);
  expect(await rowOf(to)).toMatchObject({ status: 'queued' });
  const answer = sink.hold();
  agree();
  await eventually('the message to be handed over', async () => sink.copiesFor(to).length === 1);
  expect(await rowOf(to)).toMatchObject({ status: 'sending' });
  answer();
  await sent;
  await isSent(to);
});

test('recipients that the relay agrees to at different times, or refuses, have their own outcomes', async () => {
  const [quick, slow, refused] = [freshAddress(), freshAddress(), freshAddress()];
  sink.script({ at: 'rcpt', recipient: slow, delayMs: 700 });
  sink.script({ at: 'rcpt', recipient: refused, reply: '550 5.1.1 No such user' });
  const { id } = await send([quick, slow, refused]);
  const { recipients } = await server.client.messages.get(id);
  expect(recipients.map(({ address, status }) => [address, status])).toEqual([
    [quick, 'sent'],
    [slow, 'sent'],
    [refused, 'bounced'],
  ]);
  for (const [to, copies] of [
    [quick, 1],
    [slow, 1],
    [refused, 0],
  ] as const)
    expect(sink.copiesFor(to)).toHaveLength(copies);
});

test('no byte of a message that cannot be stored leaves, and it can be sent again', async () => {
  const to = freshAddress();
  const clientId = server.freshName('client');
  const before = sink.contentBytes;
  const full = { table: 'messages', sqlstate: '53100', message: 'no space left on device' };
  await failOn(server, full, async () => {
    await expect(send([to], clientId)).rejects.toMatchObject({ status: 503 });
  });
  expect(sink.commands.filter((line) => line.includes(to))).toHaveLength(1);
  expect(sink.contentBytes).toBe(before);
  expect(await send([to], clientId)).toMatchObject({ delivery_status: 'sent' });
  expect(sink.copiesFor(to)).toHaveLength(1);
});

test('of ten requests with one client_id at once, one is handed over', async () => {
  const to = freshAddress();
  const clientId = server.freshName('client');
  const sent = await Promise.all(Array.from({ length: 10 }, () => send([to], clientId)));
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect(sink.copiesFor(to)).toHaveLength(1);
});

interface Begun {
  attempts: FirstAttempts;
  become(status: string): Promise<unknown>;
  to: string;
}

/** A message whose recipient is as it was before its first attempt, to which the relay agrees in a new one. */
const beginAgain = async (change: Partial<Context> = {}): Promise<Begun> => {
  const to = freshAddress();
  sink.script({ at: 'rcpt', reply: '451 4.3.0 Later', times: 1 });
  const { id } = await send([to]);
  const become = (status: string) =>
    server.rows('update message_recipients set status = $2 where message_id = $1', [id, status]);
  await become('queued');
  const ctx = {
    ...server.server.deps,
    workspaceId: server.id,
    plan: 'business',
    isTest: false,
    scope: wholeWorkspace,
    actor: { kind: 'server', id: null },
    requestId: null,
    ...change,
  } satisfies Context;
  const job = {
    workspaceId: server.id,
    messageId: id,
    address: to,
    attempts: 1,
    envelopeFrom: inbox.address,
    hasOwnDomain: false,
    position: 0,
    expiresAt: new Date(Date.now() + 3_600_000),
    isTest: false,
  };
  const attempts = await FirstAttempts.begin(ctx, [job], Buffer.from('Subject: s\r\n\r\nt\r\n'));
  if (attempts.agreed.has(to)) return { attempts, become, to };
  // The machine was too slow for the relay to agree in time.
  await attempts.goOnAfter(Promise.resolve({ outcome: 'not stored' }));
  await attempts.ended();
  return beginAgain(change);
};
const isTriedAgain = async (to: string) => {
  await eventually('the recipient to be tried again', async () => (await rowOf(to))?.status === 'deferred');
  // At once, and not after the wait that follows a refusal: nothing was handed over.
  expect((await rowOf(to))?.due_at?.getTime()).toBeLessThanOrEqual(Date.now());
  expect(sink.copiesFor(to)).toEqual([]);
};

test('a message that was stored without an answer of the database is tried again', async () => {
  const { attempts, become, to } = await beginAgain();
  // The row is not there for this process yet.
  const fence = (value: number) =>
    server.rows('update message_recipients set attempts = $2 where address = $1', [to, value]);
  await fence(99);
  const lost = Promise.reject(new Error('Connection terminated unexpectedly'));
  await expect(attempts.goOnAfter(lost)).rejects.toThrow('Connection terminated');
  expect(await attempts.ended()).toEqual([null]);
  // The transaction ends a moment after its connection.
  await become('sending');
  await fence(1);
  await isTriedAgain(to);
});

/** Takes more than half the lease to store. */
const storeSlowly = async (attempts: FirstAttempts, become: (status: string) => Promise<unknown>) => {
  const storing = sleep(1_700).then(() => become('sending'));
  await attempts.goOnAfter(storing.then(() => ({ outcome: 'stored' })));
  return attempts.ended();
};

test('a message that takes half its lease to store goes out if no other process has it by then', async () => {
  const { attempts, become, to } = await beginAgain({ timeScale: createTimeScale(300) });
  expect(await storeSlowly(attempts, become)).toMatchObject([{ status: 'sent' }]);
  expect(sink.copiesFor(to)).toHaveLength(1);
});

test('a message that takes half its lease to store does not go out if another process has it by then', async () => {
  const { attempts, become, to } = await beginAgain({ timeScale: createTimeScale(300) });
  const takeOver = (status: string) =>
    server.rows('update message_recipients set status = $2, attempts = 2 where address = $1', [to, status]);
  expect(await storeSlowly(attempts, (status) => become(status).then(() => takeOver(status)))).toEqual([
    null,
  ]);
  expect(sink.copiesFor(to)).toEqual([]);
});

test('a message that takes half its lease to store is tried again later if sending was paused meanwhile', async () => {
  const place = { level: 'inbox', workspaceId: server.id, subjectId: inbox.id } as const;
  const { attempts, become, to } = await beginAgain({ timeScale: createTimeScale(300) });
  await pause(server.server.deps, place, null, operator);
  expect(await storeSlowly(attempts, become)).toEqual([null]);
  await isTriedAgain(to);
  await resume(server.server.deps, place, operator);
});
