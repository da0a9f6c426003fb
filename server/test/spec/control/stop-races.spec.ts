/*
 * Interface 11: what people forbid has ended when it is acknowledged, at each of two servers on one database. `faults/` does it for
 * longer.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FreshDatabase, freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { type Inbox, Postrider, PostriderError } from 'postrider';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { recipientLease } from '../../../src/delivery/recipient-state.ts';
import { createKey, revokeKey } from '../../../src/keys/manage-keys.ts';
import { type PausePlace, pause, resume, wholeServer } from '../../../src/policies/pause.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

const rounds = 8;
const callersEach = 2;
const holdMs = 30;

const usualLease = { ...recipientLease };
let database: FreshDatabase;
let folder: string;
let sink: MailSink;
let one: TestServer;
let two: TestServer;
let inboxes: Inbox[];
const random = seededRandom(23);

beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'postrider-shared-'));
  sink = await MailSink.start();
  const env = {
    POSTRIDER_TRANSPORT: 'smtp',
    POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}?tls=never`,
    POSTRIDER_SECRET: 'a'.repeat(64),
    POSTRIDER_FILES: `file:${folder}`,
    POSTRIDER_TIME_SCALE: '60',
  };
  // Neither a lease nor a peer's time ends because the machine is busy.
  recipientLease.leastMs = 60_000;
  const waits = { peerMs: 300_000 };
  one = await startTestServer({ database: database.settings, env, waits });
  two = await startTestServer({ database: database.settings, env, waits });
  inboxes = [await one.inbox(), await one.inbox()];
});
afterEach(() => sink.clearScript());
afterAll(async () => {
  Object.assign(recipientLease, usualLease);
  await Promise.all([one.stop(), two.stop()]);
  await sink.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** A key with callers that send with it from an inbox, at both servers in turn, until they are stopped. */
interface Callers {
  keyId: string;
  inbox: Inbox;
  /** The addresses that were sent to, with the id of the message if it was accepted. */
  sent: Map<string, string | null>;
  refusals: Set<string>;
  /** How many calls were refused. */
  refused: number;
  stop(): Promise<void>;
}

async function startCallers(inbox: Inbox): Promise<Callers> {
  const { id: keyId, key } = await createKey(one.server.deps, one.name, 'sender');
  const clients = [one, two].map(
    ({ url }) => new Postrider({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 }),
  );
  const sent = new Map<string, string | null>();
  const refusals = new Set<string>();
  let isStopped = false;
  const callers: Callers = { keyId, inbox, sent, refusals, refused: 0, stop: async () => {} };
  const call = async () => {
    for (let n = 0; !isStopped; n += 1) {
      const to = `${one.freshName('rcpt')}@remote.example`;
      sent.set(to, null);
      try {
        const message = { inbox_id: inbox.id, to, subject: 'Hello', text: 'Hello' };
        sent.set(to, (await clients[n % 2]!.messages.send(message)).id);
      } catch (error) {
        refusals.add(
          error instanceof PostriderError ? ((error as { code?: string }).code ?? '') : String(error),
        );
        callers.refused += 1;
        await sleep(2);
      }
    }
  };
  const ended = Promise.all(Array.from({ length: callersEach }, call));
  callers.stop = async () => {
    isStopped = true;
    await ended;
  };
  return callers;
}

/** Makes the relay slow and, if wanted, refuse some mails for now. */
function disturb(defers: boolean): void {
  sink.clearScript();
  sink.script({ at: 'dot', times: 4, delayMs: Math.ceil(random() * 20) });
  if (defers && random() < 0.4) sink.script({ at: 'data', reply: '451 4.7.1 Later', times: 2 });
}

/** Checks that the relay gets nothing of some callers while each of them is refused and for a moment more, and has nothing of theirs. */
async function expectSilence(callers: Callers[]): Promise<void> {
  const from = performance.now();
  const before = callers.map(({ refused }) => refused);
  await eventually('refusals', async () =>
    callers.every(({ refused }, index) => refused > (before[index] ?? 0)),
  );
  await sleep(holdMs);
  const late = sink.contents.filter(
    ({ recipients: [to = ''], begunAtMs, answeredAtMs }) =>
      callers.some(({ sent }) => sent.has(to)) && (begunAtMs > from || (answeredAtMs ?? from + 1) > from),
  );
  expect(late).toEqual([]);
}

/** Checks that everything that was accepted has gone out once, and nothing else. */
async function expectAllSent({ sent }: Callers): Promise<void> {
  for (const [to, id] of sent) {
    if (id)
      await eventually(`${id} to be sent`, async () => {
        const { recipients } = await one.client.messages.get(id);
        return recipients[0]?.status === 'sent';
      });
    expect([to, sink.copiesFor(to).length]).toEqual([to, id ? 1 : 0]);
  }
}

const placesOf = ({ keyId, inbox }: Callers): PausePlace[] => [
  { level: 'key', workspaceId: one.id, subjectId: keyId },
  { level: 'inbox', workspaceId: one.id, subjectId: inbox.id },
  { level: 'workspace', workspaceId: one.id, subjectId: one.id },
  wholeServer,
];

test('Interface 11 Pause: nothing is handed over after the acknowledgement, and all of it after the resumes, once', async () => {
  const [left, right] = (await Promise.all(inboxes.map(startCallers))) as [Callers, Callers];
  for (let round = 0; round < rounds; round += 1) {
    disturb(true);
    const level = Math.floor(random() * 4);
    const place = placesOf(left)[level]!;
    const { deps } = (round % 2 === 0 ? one : two).server;
    expect(await pause(deps, place, null, operator)).toEqual({ underWay: 0 });
    await expectSilence(level < 2 ? [left] : [left, right]);
    await resume(deps, place, operator);
    await sleep(random() * holdMs);
  }
  sink.clearScript();
  for (const callers of [left, right]) {
    await callers.stop();
    expect([...callers.refusals]).toEqual(['sending_paused']);
    await expectAllSent(callers);
  }
});

test('Interface 11 Policy: once never is acknowledged, nothing more of the place is accepted or leaves', async () => {
  const [left, right] = (await Promise.all(inboxes.map(startCallers))) as [Callers, Callers];
  for (let round = 0; round < rounds; round += 1) {
    disturb(false);
    const place = placesOf(left)[Math.floor(random() * 3)]! as Exclude<PausePlace, { level: 'server' }>;
    const { deps } = (round % 2 === 0 ? one : two).server;
    await setPolicy(deps, place, { send: 'never' }, operator);
    await expectSilence(place.level === 'workspace' ? [left, right] : [left]);
    await setPolicy(deps, place, {}, operator);
  }
  for (const callers of [left, right]) {
    await callers.stop();
    expect([...callers.refusals]).toEqual(['sending_not_allowed']);
    await expectAllSent(callers);
  }
});

test('Interface 11 Keys: once a revocation is acknowledged, nothing more of the key is accepted or leaves', async () => {
  for (let round = 0; round < rounds / 2; round += 1) {
    const callers = await startCallers(inboxes[0]!);
    await eventually('some sends', async () => callers.sent.size > 4, { pauseMs: 2 });
    disturb(false);
    await revokeKey((round % 2 === 0 ? one : two).server.deps, callers.keyId, operator);
    await expectSilence([callers]);
    await callers.stop();
    expect([...callers.refusals]).toEqual(['invalid_token']);
    await expectAllSent(callers);
  }
});

test('Interface 11 Policy: a cap is exact over two servers, however many send at once', async () => {
  const cap = 20;
  const place = { level: 'inbox', workspaceId: one.id, subjectId: inboxes[0]!.id } as const;
  await setPolicy(one.server.deps, place, { per_hour: cap, per_day: cap }, operator);
  const callers = await Promise.all(Array.from({ length: 5 }, () => startCallers(inboxes[0]!)));
  await eventually('the cap', async () => callers.every(({ refusals }) => refusals.size > 0), { pauseMs: 2 });
  await Promise.all(callers.map(({ stop }) => stop()));
  const accepted = callers.flatMap(({ sent }) => [...sent.values()].filter((id) => id !== null));
  expect(accepted).toHaveLength(cap);
  for (const { refusals } of callers) expect([...refusals]).toEqual(['rate_limited']);
  await setPolicy(one.server.deps, place, {}, operator);
});
