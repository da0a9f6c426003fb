import { Writable } from 'node:stream';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actorOf } from '../context.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { type DueDraft, sendDue } from './send-due.ts';

let running: ServerWithSink;

beforeAll(async () => {
  running = await startServerWithSink();
});
afterAll(() => running.stop());

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Tries a scheduled draft while a table is away, from the moment of the first argument on; answers what was logged as an error. */
const tryWithout = async (table: string, from: 'start' | 'stored') => {
  const { server, sink } = running;
  const inbox = await server.inbox();
  const to = `${server.freshName()}@remote.example`;
  const release = sink.hold();
  sink.script({ at: 'dot', recipient: to, delayMs: 1, times: 1 });
  const letter = { inbox_id: inbox.id, to: [to], subject: 'Hello', scheduled_at: inAnHour() };
  const { id } = await server.client.drafts.create(letter);
  const logged: string[] = [];
  const stream = new Writable({
    write: (line, _encoding, done) => {
      logged.push(JSON.parse(String(line)).msg);
      done();
    },
  });
  const stopping = new AbortController();
  const takeAway = () => server.rows(`alter table ${table} rename to away`);
  const deps = { ...server.server.deps, log: pino({ level: 'error' }, stream), stopping: stopping.signal };
  const due: DueDraft = {
    id,
    version: 1,
    attempts: 1,
    workspaceId: server.id,
    plan: 'business',
    isTest: false,
    scope: wholeWorkspace,
    actor: actorOf(null),
    requestId: null,
  };
  if (from === 'start') await takeAway();
  const onStored = () => {
    // A send that waits for outcomes reads the message once the server stops.
    if (from === 'stored') takeAway().then(() => stopping.abort());
  };
  try {
    await sendDue(deps, due, onStored);
  } finally {
    await server.rows(`alter table away rename to ${table}`);
    release();
  }
  return { logged, id, to };
};

test('an error before the message is stored is logged as a try that is made again', async () => {
  const { logged, id } = await tryWithout('message_terms', 'start');
  expect(logged).toEqual(['a draft was not sent, trying again']);
  expect(await running.server.client.drafts.get(id)).toMatchObject({ status: 'scheduled', failure: null });
});

test('an error after the message was stored is logged as one, and the draft goes out once', async () => {
  const { logged, id, to } = await tryWithout('message_labels', 'stored');
  expect(logged).toEqual(['a draft was sent, but the outcomes could not be read']);
  const isSent = async () => (await running.server.client.drafts.get(id)).status === 'sent';
  await eventually('the draft to be sent', isSent);
  expect(running.sink.copiesFor(to)).toHaveLength(1);
});
