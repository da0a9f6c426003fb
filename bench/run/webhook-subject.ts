import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '@postrider/testkit/servers/server-process.ts';
import pg from 'pg';
import { Postrider } from 'postrider';
import type { Bench } from './group.ts';
import { startScript } from './program.ts';
import { sendLoad } from './send-load.ts';
import { type Server, startServer } from './start-server.ts';

/** A workspace with an inbox, mail in it, and a webhook at a path of the sink. */
export interface Subscriber {
  client: Postrider;
  workspaceId: string;
  inbox: { id: string; address: string };
  webhookId: string;
  path: string;
}

/** A server with webhooks, and the sink that they post to. */
export interface WebhookSubject {
  server: Server;
  subscribers: Subscriber[];
  sinkPort: number;
  database: pg.Client;
  /** Returns the number of posts to a path since `forget`. `noted` returns their events and times. */
  count(path: string): Promise<number>;
  noted(path: string): Promise<[eventId: string, at: number][]>;
  forget(): Promise<void>;
  /**
   * Writes `each` events for each subscriber about stored mail, as the server does, and wakes the process that orders them. Returns their
   * ids.
   */
  writeEvents(subscribers: Subscriber[], each: number): Promise<string[]>;
  /** Returns the time when the last events were committed, in milliseconds of the machine's clock. */
  committedAt(): number;
}

const mailsEach = 100;

/** Starts all of it with `count` subscribers. */
export async function startWebhookSubject(bench: Bench, count: number): Promise<WebhookSubject> {
  const sink = await startScript<{ port: number }>(new URL('../load/webhook-sink.ts', import.meta.url), {});
  bench.atEnd(sink.stop);
  const { port: sinkPort } = sink.ready;
  const databaseUrl = await bench.postgres.createDatabase();
  const keys = Array.from({ length: count }, makeKey);
  const settings = { POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'true' };
  const server = await startServer(bench, databaseUrl, settings, keys);
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  bench.atEnd(() => database.end());
  const subscribers: Subscriber[] = [];
  for (const [index, key] of keys.entries())
    subscribers.push(await subscribe(server, { key, index, sinkPort, seed: bench.seed + index }));
  let committed = 0;
  const ask = async (target: string) => (await fetch(`http://127.0.0.1:${sinkPort}${target}`)).json();
  return {
    server,
    subscribers,
    sinkPort,
    database,
    count: (path) => ask(`/count?${path}`) as Promise<number>,
    noted: (path) => ask(`/noted?${path}`) as Promise<[string, number][]>,
    forget: async () => {
      await ask('/forget');
    },
    writeEvents: async (some, each) => {
      const ids = await writeEvents(
        database,
        some.map(({ workspaceId }) => workspaceId),
        each,
      );
      committed = performance.timeOrigin + performance.now();
      await database.query('select pg_notify($1, $2)', ['wakeups', `bench ${some[0]?.workspaceId}`]);
      return ids;
    },
    committedAt: () => committed,
  };
}

async function subscribe(
  server: Server,
  { key, index, sinkPort, seed }: { key: string; index: number; sinkPort: number; seed: number },
): Promise<Subscriber> {
  const client = new Postrider({ apiKey: key, baseURL: `${server.origin}/v1` });
  const inbox = await client.inboxes.create({ local_part: `subscriber-${index}` });
  await sendLoad({
    to: inbox.address,
    size: 'small',
    seed,
    port: server.smtpPort,
    sessions: 5,
    reuse: true,
    mails: mailsEach,
  });
  const { workspace } = await client.account.get();
  while ((await client.messages.list({ inbox_id: inbox.id, limit: 100 })).messages.length < mailsEach)
    await sleep(100);
  const path = `/hooks-${index}`;
  const webhook = await client.webhooks.create({
    url: `http://127.0.0.1:${sinkPort}${path}`,
    events: ['message.received'],
  });
  return { client, workspaceId: workspace.id, inbox, webhookId: webhook.id, path };
}

let events = 0;
/** Returns an id that no event of the server has. The id of a delivery is made of the first 20 characters. */
function nextEventId(): string {
  return `evt_01m9${String(events++).padStart(16, '0')}000000`;
}

/** Writes events. The workspaces take turns, as those of a busy server do. */
async function writeEvents(database: pg.Client, workspaceIds: string[], each: number): Promise<string[]> {
  const ids = Array.from({ length: workspaceIds.length * each }, nextEventId);
  await database.query(
    `insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at)
      select m.workspace_id, e.id, 'message.received', m.inbox_id, m.thread_id, m.id, '{}', now()
      from unnest($2::text[]) with ordinality e(id, n)
      join (select *, row_number() over (partition by workspace_id order by id) - 1 as n from messages) m
        on m.workspace_id = ($1::text[])[1 + e.n % cardinality($1::text[])]
          and m.n = e.n / cardinality($1::text[]) % ${mailsEach}
      order by e.n`,
    [workspaceIds, ids],
  );
  return ids;
}

/** Returns the posts a second, from the first to the last of `each` posts to each subscriber, once all have come. */
export async function ratePosted(subject: WebhookSubject, some: Subscriber[], each: number): Promise<number> {
  for (const { path } of some) while ((await subject.count(path)) < each) await sleep(50);
  const posts = await Promise.all(some.map(({ path }) => subject.noted(path)));
  const times = posts.flatMap((list) => list.slice(0, each).map(([, at]) => at));
  return times.length / ((Math.max(...times) - Math.min(...times)) / 1_000);
}
