import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../audit/append-audit.ts';
import { addUpSendCounts } from './caps.ts';
import { setPolicy } from './set-policy.ts';

const slotMs = 5 * 60_000;
let server: TestServer;
let workspaceId: string;
let messages = 0;

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
});
afterAll(() => server.stop());

beforeEach(async () => {
  ({ id: workspaceId } = await server.workspace());
  const place = { workspaceId, level: 'workspace', subjectId: workspaceId } as const;
  await setPolicy(server.server.deps, place, { per_day: 1_000_000, per_recipient_day: 5 }, operator);
});

const addUp = () => addUpSendCounts(server.server.deps).run({});
const slotAt = (ageMs: number) => new Date(Math.floor((Date.now() - ageMs) / slotMs) * slotMs);
const count = (subject: string, slot: Date, amount = 1) =>
  server.rows(
    'insert into send_counts (workspace_id, subject, slot, message_id, amount) values ($1, $2, $3, $4, $5)',
    [workspaceId, subject, slot, `msg_${++messages}`, amount],
  );
const counts = () =>
  server.rows<{ subject: string; slot: Date; amount: number }>(
    'select subject, slot, amount from send_counts where workspace_id = $1 order by subject, slot, amount',
    [workspaceId],
  );

test('a slot keeps one row of a policy, to which later ones are added', async () => {
  const [before, now] = [slotAt(slotMs), slotAt(0)];
  for (const amount of [1, 2, 3]) await count(workspaceId, before, amount);
  await count(workspaceId, now, 4);
  await addUp();
  await count(workspaceId, now, 5);
  await addUp();
  expect(await counts()).toEqual([
    { subject: workspaceId, slot: before, amount: 6 },
    { subject: workspaceId, slot: now, amount: 9 },
  ]);
});

test('counts of recipients, of threads, of others and of long ago stay as they are', async () => {
  const rows: [string, Date][] = [
    [`${workspaceId}>ann@remote.example`, slotAt(0)],
    ['key_without_policy', slotAt(0)],
    [workspaceId, slotAt(2 * 3_600_000)],
  ];
  for (const [subject, slot] of [...rows, ...rows]) await count(subject, slot);
  await addUp();
  expect((await counts()).map(({ amount }) => amount)).toEqual([1, 1, 1, 1, 1, 1]);
});

test('nothing is lost or counted twice while mail is sent and two processes add up', async () => {
  const slot = slotAt(0);
  let isCounting = true;
  const counting = Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let n = 0; n < 40; n++) await count(workspaceId, slot);
    }),
  ).finally(() => {
    isCounting = false;
  });
  const adder = async () => {
    while (isCounting) await addUp();
  };
  await Promise.all([counting, adder(), adder()]);
  await addUp();
  expect(await counts()).toEqual([{ subject: workspaceId, slot, amount: 240 }]);
});
