import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { freePort } from '@postrider/testkit/lib/free-port.ts';
import { makeServerHome, type ServerHome } from '@postrider/testkit/servers/server-process.ts';
import pg from 'pg';
import { Postrider } from 'postrider';
import { afterEach, expect, test } from 'vitest';

const newKey = () => `pr_live_${randomBytes(22).toString('hex').slice(0, 43)}`;

let home: ServerHome;

afterEach(() => home.remove());

test('what is configured holds from the first request on, and for a draft that is due', async () => {
  const port = await freePort();
  const [known, added] = [newKey(), newKey()];
  const configured = (entry: object, ...more: object[]) => ({
    POSTRIDER_BOOTSTRAP: JSON.stringify([{ name: 'home', key: known, ...entry }, ...more]),
  });
  home = await makeServerHome({ POSTRIDER_HTTP_PORT: String(port) });
  const first = await home.start(configured({}));
  const baseURL = `${first.url}/v1`;
  const client = new Postrider({ apiKey: known, baseURL, maxRetries: 0 });
  const inbox = await client.inboxes.create({ local_part: 'home' });
  const message = { inbox_id: inbox.id, to: 'someone@customer.example', subject: 'Hello', text: 'Hi' };
  const draft = await client.drafts.create({
    ...message,
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await first.crash();
  const database = new pg.Client({ connectionString: home.env.DATABASE_URL });
  await database.connect();
  const past = "now() - interval '1 second'";
  await database.query(`update drafts set scheduled_at = ${past}, due_at = ${past} where id = $1`, [
    draft.id,
  ]);
  await database.end();

  const asking = new AbortController();
  const statuses = { send: new Set<number>(), list: new Set<number>(), ready: [] as number[] };
  const ask = async (path: string, key: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, init).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status;
  };
  const repeat = async (work: () => Promise<void>) => {
    while (!asking.signal.aborted) {
      await work();
      await sleep(2);
    }
  };
  const askers = [
    repeat(async () => {
      const status = await ask('/v1/messages', known, message);
      if (status) statuses.send.add(status);
    }),
    repeat(async () => {
      const status = await ask('/v1/inboxes', added);
      if (status) statuses.list.add(status);
    }),
    repeat(async () => {
      const status = await ask('/readyz', known);
      if (status) statuses.ready.push(status);
    }),
  ];
  const second = await home.start(
    configured({ policy: { send: 'never' } }, { name: 'other', key: added, plan: 'scale' }),
  );
  await eventually('the server to be ready', async () => statuses.ready.includes(200));
  await eventually('the draft to fail', async () => (await client.drafts.get(draft.id)).status === 'failed');
  asking.abort();
  await Promise.all(askers);

  expect([...statuses.send]).toEqual([403]);
  expect([...statuses.list]).toEqual([200]);
  expect(statuses.ready.at(-1)).toBe(200);
  expect((await client.drafts.get(draft.id)).failure).toBe('sending_not_allowed');
  expect((await client.messages.list({ inbox_id: inbox.id })).messages).toEqual([]);
  const ready = (await (await fetch(`${second.url}/readyz`)).json()) as { checks: object };
  for (const part of ['requests', 'mail', 'deliveries'])
    expect(ready.checks).toMatchObject({ [part]: { ok: true } });
});
