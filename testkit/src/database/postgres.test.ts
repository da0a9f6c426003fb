import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { startPostgres } from './postgres.ts';

const query = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
};

it('starts a Postgres, copies templates and drops databases', async () => {
  const postgres = await startPostgres();
  expect(Number.parseInt(postgres.version, 10)).toBeGreaterThanOrEqual(15);
  const template = await postgres.templateFrom(
    async (url) => void (await query(url, 'create table kept ()')),
  );
  const [first, second] = await Promise.all([
    postgres.createDatabase(template),
    postgres.createDatabase(template),
  ]);
  expect(first).not.toBe(second);
  expect(await query(postgres.socketUrl, 'select inet_client_addr() as address')).toEqual([
    { address: null },
  ]);
  await query(first, 'drop table kept');
  expect(await query(second, "select to_regclass('kept')::text as name")).toEqual([{ name: 'kept' }]);
  await postgres.dropDatabase(first);
  await expect(query(first, 'select 1')).rejects.toThrow('does not exist');
  await postgres.stop();
  await expect(query(second, 'select 1')).rejects.toThrow('ECONNREFUSED');
});

it('keeps what was committed over a crash when it writes through to the disk', async () => {
  const postgres = await startPostgres({ fsync: true, connectionsMax: 12 });
  expect(await query(postgres.url, 'show max_connections')).toEqual([{ max_connections: '12' }]);
  expect(await query(postgres.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
  await query(postgres.url, 'create table safe as select 1 as one');
  await postgres.stop({ mode: 'kill', keepData: true });
  await expect(query(postgres.url, 'select 1')).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
  await postgres.start();
  expect(await query(postgres.url, 'select one from safe')).toEqual([{ one: 1 }]);
  await postgres.stop();
});

it('folds letter case beyond ASCII, as servers in the wild do', async () => {
  const postgres = await startPostgres();
  expect(await query(postgres.url, "select lower('ÄÉ') as lower")).toEqual([{ lower: 'äé' }]);
  await postgres.stop();
});

it('ends a Postgres whose process was killed before it could stop it', async () => {
  const harness = new URL('./postgres.ts', import.meta.url).href;
  const script = `const { url } = await (await import('${harness}')).startPostgres(); console.log(url); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const isUp = () =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    );
  for (let waitedMs = 0; waitedMs < 10_000 && (await isUp()); waitedMs += 100) await sleep(100);
  expect(await isUp()).toBe(false);
});
