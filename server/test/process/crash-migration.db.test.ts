import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { makeServerHome, type ServerHome, watch } from '@postrider/testkit/servers/server-process.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrations } from '../../src/db/schema/list.ts';

const upToDate = 'The schema is up to date.\n';
const applied = `Applied ${migrations.map(({ name }) => name).join(', ')}.\n`;

/** Short enough to see a migration at work. */
const pauseMs = 2;

let home: ServerHome;

beforeEach(async () => {
  home = await makeServerHome({}, { migrated: false });
});

afterEach(() => home.remove());

/** Starts to migrate, kills the process at a moment, and says whether it was still at it. */
const killAt = async (moment: (ended: Promise<unknown>) => Promise<unknown>): Promise<boolean> => {
  const child = home.spawn(['migrate']);
  const { ended } = watch(child);
  await moment(ended);
  child.kill('SIGKILL');
  return (await ended).signal === 'SIGKILL';
};

/** Resolves when a query on the database finds something, or when the process has ended before it was seen. */
const untilFound = (query: string) => async (ended: Promise<unknown>) => {
  const client = new pg.Client({ connectionString: home.env.DATABASE_URL });
  await client.connect();
  let isOver = false;
  void ended.then(() => (isOver = true));
  const isFound = async () => isOver || ((await client.query(query)).rowCount ?? 0) > 0;
  try {
    await eventually(query, isFound, { pauseMs });
  } finally {
    await client.end();
  }
};

const moments = (): ((ended: Promise<unknown>) => Promise<unknown>)[] => {
  const others = `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  return [
    untilFound(`select ${others}`),
    untilFound(`select ${others} and state like 'active%' and query like 'create table%'`),
    untilFound(`select ${others} and xact_start is not null and query like 'create%index%'`),
    untilFound(`select from pg_tables where tablename = 'mikro_orm_migrations'`),
    untilFound(`select from pg_tables where tablename = 'threads'`),
    untilFound(`select from pg_proc where proname = 'store_messages'`),
  ];
};

describe('a migration', () => {
  test('that is killed again and again is finished by the next start', async () => {
    const kills: boolean[] = [];
    for (const moment of moments()) kills.push(await killAt(moment));
    expect(kills.filter(Boolean).length).toBeGreaterThanOrEqual(2);
    const server = await home.start();
    await server.client.inboxes.create({ local_part: 'after' });
    await server.stop();
    expect((await home.run(['migrate'])).output).toBe(upToDate);
  });

  test('is done once though two processes begin at the same moment, on Postgres', async () => {
    const both = await Promise.all([home.run(['migrate']), home.run(['migrate'])]);
    expect(both.map(({ output }) => output).sort()).toEqual([applied, upToDate]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
  });

  test('and all else of a first start is done once though two servers start, on Postgres', async () => {
    const servers = await Promise.all([home.start(), home.start()]);
    for (const { client } of servers) expect((await client.inboxes.list()).inboxes).toEqual([]);
    expect((await home.run(['keys', 'list'])).output.match(/"id"/g)).toHaveLength(1);
    const ends = await Promise.all(servers.map((server) => server.stop()));
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  });
});
