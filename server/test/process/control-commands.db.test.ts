import { carefulPolicy } from '@postrider/contract';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  makeServerHome,
  type ServerHome,
  type ServerProcess,
} from '@postrider/testkit/servers/server-process.ts';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

let home: ServerHome;
let server: ServerProcess;
let inboxId: string;

beforeAll(async () => {
  home = await makeServerHome();
  server = await home.start();
  inboxId = (await server.client.inboxes.create({ local_part: 'agent' })).id;
});
afterAll(() => home.remove());
beforeEach(async () => {
  await home.operate('policy clear', { workspace: 'home' });
});

const run = async (...args: string[]): Promise<string> => {
  const { code, output } = await home.run(args);
  expect([args, code, output]).toEqual([args, 0, output]);
  return output.trim();
};
const send = () =>
  server.client.messages.send({ inbox_id: inboxId, to: 'ada@remote.example', subject: 's', text: 't' });

test('init explains what --careful sets, and sets nothing', async () => {
  const explained = await run('init');
  for (const line of Object.keys(carefulPolicy)) expect(explained).toContain(line);
  expect(await home.operate('policy show', { workspace: 'home' })).toEqual({});
});

test('init --careful sets the policy of a workspace, and says what it is and how to change it', async () => {
  const said = await run('init', '--careful', '--workspace', 'home');
  expect(said).toMatch(/^ {2}per_hour +20$/m);
  expect(said).toContain('policy set --per-hour 50');
  const { per_hour, recipients } = await server.client.policy.get();
  expect({ per_hour, recipients }).toEqual({ per_hour: 20, recipients: 'known' });
  await expect(send()).rejects.toMatchObject({ code: 'no_deliverable_recipients' });
});

test('init --careful says what it changes, and leaves what is stricter', async () => {
  const lines = { send: 'approve', per_hour: 50, per_day: 30, recipients: ['partner.example'] };
  await home.operate('policy set', { workspace: 'home', lines });
  const said = await run('init', '--careful', '--workspace', 'home');
  expect(said).toMatch(/per_hour +20 +it was 50$/m);
  expect(said).toMatch(/per_day +30 +stays, because it is stricter$/m);
  expect(said).toMatch(/send +approve +stays, because it is stricter$/m);
  expect(await home.operate('policy show', { workspace: 'home' })).toMatchObject({
    send: 'approve',
    recipients: ['partner.example'],
    per_hour: 20,
    per_day: 30,
    recipients_max: 5,
  });
  expect((await home.run(['init', '--careful', '--workspace', 'nowhere'])).code).toBe(1);
});

test('policy, pause, resume and pauses work from the command line', async () => {
  await run(
    'policy',
    'set',
    '--inbox',
    inboxId,
    '--recipients',
    'remote.example, b@other.example',
    '--per-day',
    '7',
  );
  expect(JSON.parse(await run('policy', 'show', '--inbox', inboxId))).toEqual({
    recipients: ['remote.example', 'b@other.example'],
    per_day: 7,
  });
  await run('policy', 'set', '--inbox', inboxId, '--per-day', 'any');
  expect(JSON.parse(await run('policy', 'show', '--inbox', inboxId))).not.toHaveProperty('per_day');
  await run('policy', 'clear', '--inbox', inboxId);
  expect(JSON.parse(await run('pause', '--server', '--reason', 'drill'))).toEqual({
    paused: true,
    under_way: 0,
  });
  await expect(send()).rejects.toMatchObject({ status: 409, body: { at: 'server' } });
  expect(JSON.parse(await run('pauses'))).toMatchObject([{ level: 'server', reason: 'drill' }]);
  expect(JSON.parse(await run('resume', '--server'))).toEqual({ resumed: true });
  expect(await send()).toMatchObject({ delivery_status: 'sent' });
});

test('pause works while many send, and nothing is accepted after it', async () => {
  let isStopped = false;
  const sent: { at: number; ok: boolean }[] = [];
  const call = async () => {
    while (!isStopped) {
      const at = performance.now();
      sent.push({
        at,
        ok: await send().then(
          () => true,
          () => false,
        ),
      });
    }
  };
  const callers = Promise.all(Array.from({ length: 30 }, call));
  await eventually('some sends', async () => sent.length > 30);
  await run('pause', '--server');
  const pausedAt = performance.now();
  await eventually('refusals', async () => sent.filter(({ at, ok }) => at > pausedAt && !ok).length > 30);
  isStopped = true;
  await callers;
  expect(sent.filter(({ at, ok }) => at > pausedAt && ok)).toEqual([]);
  await run('resume', '--server');
});

test('pause works while all connections to the database are in use', async () => {
  const client = new pg.Client({ connectionString: home.env.DATABASE_URL });
  await client.connect();
  await client.query('begin; lock table labels in access exclusive mode');
  let isStopped = false;
  // On a busy machine some have given up before enough of them wait, so they ask again.
  const ask = async (n: number) => {
    while (!isStopped) await server.client.labels.create({ name: `Label ${n}` }).catch(() => null);
  };
  const stuck = Array.from({ length: 30 }, (_, n) => ask(n));
  await eventually('the connections to be in use', async () => {
    const { rows } = await client.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    );
    return (rows[0]?.n ?? 0) >= 10;
  });
  const paused = await home.operate('pause', { server: true }).finally(() => {
    isStopped = true;
    return client.query('rollback');
  });
  expect(paused).toEqual({ paused: true, under_way: 0 });
  await client.end();
  await Promise.all(stuck);
  await home.operate('resume', { server: true });
});
