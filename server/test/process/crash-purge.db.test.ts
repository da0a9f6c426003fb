import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { makeServerHome, type ServerHome } from '@postrider/testkit/servers/server-process.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import pg from 'pg';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const inboxes = 30;

let home: ServerHome;
let database: pg.Client;

beforeAll(async () => {
  // The last pass begins after a second, and a lease is three.
  home = await makeServerHome({ POSTRIDER_TIME_SCALE: '60', POSTRIDER_EMBEDDINGS: 'off' });
  database = new pg.Client({ connectionString: home.env.DATABASE_URL });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await home.remove();
});

const count = async (table: string, id: string) =>
  (await database.query(`select count(*)::int as n from ${table} where workspace_id = $1`, [id])).rows[0]
    ?.n as number;

test('a server that is killed while it removes a deleted workspace goes on after its next start', async () => {
  const server = await home.start();
  const shop = (await home.operate('workspaces create', { name: 'shop', plan: 'business', test: false })) as {
    id: string;
  };
  const { key } = (await home.operate('keys create', { workspace: 'shop', name: 'x' })) as { key: string };
  const client = new Postrider({ apiKey: key, baseURL: `${server.url}/v1` });
  for (let number = 0; number < inboxes; number += 1) {
    const { address } = await client.inboxes.create({ local_part: `shop-${number}` });
    const attachments = [{ filename: 'long.txt', content: Buffer.alloc(100_000, 'A long file. ') }];
    await sendMail(server.smtpPort, {
      from: 'ada@remote.example',
      to: address,
      subject: 's',
      text: 't',
      attachments,
    });
  }
  const kept = await server.client.inboxes.create({ local_part: 'kept' });
  await sendMail(server.smtpPort, {
    from: 'ada@remote.example',
    to: kept.address,
    subject: 'Kept',
    text: 't',
  });
  expect(existsSync(join(home.dataDir, 'files', shop.id))).toBe(true);

  // One inbox is kept back, so that the server cannot be done before it is killed.
  await database.query('begin');
  await database.query(
    `select pg_advisory_xact_lock(lock_key('inbox', max(id))) from inboxes where workspace_id = $1`,
    [shop.id],
  );
  const { code, output } = await home.run(['workspaces', 'delete', 'shop', '--confirm', 'shop']);
  expect([code, JSON.parse(output)]).toEqual([0, { id: shop.id, name: 'shop', deleted: true, under_way: 0 }]);
  await eventually('some to be removed', async () => (await count('inboxes', shop.id)) < inboxes / 2);
  await server.crash();
  await database.query('rollback');
  expect(await count('inboxes', shop.id)).toBeGreaterThan(0);

  const next = await home.start();
  const list = async () =>
    (await home.operate('workspaces list', {})) as { name: string; deleted_at: string | null }[];
  await eventually('the removal', async () => !(await list()).some(({ name }) => name === 'shop'), {
    pauseMs: 50,
  });
  for (const table of ['inboxes', 'messages', 'originals', 'attachments', 'api_keys'])
    expect([table, await count(table, shop.id)]).toEqual([table, 0]);
  expect(await count('addresses', shop.id)).toBe(inboxes);
  expect(existsSync(join(home.dataDir, 'files', shop.id))).toBe(false);
  const { messages } = await next.client.messages.list();
  expect(messages.map(({ subject }) => subject)).toEqual(['Kept']);
});
