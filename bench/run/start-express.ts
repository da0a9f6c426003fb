import { createHash } from 'node:crypto';
import pg from 'pg';
import type { ExpressOrder } from '../baselines/express-messages.ts';
import type { Bench } from './group.ts';
import { startScript } from './program.ts';
import type { Relay } from './start-relay.ts';

/** The baseline of HTTP with its tables, and a key that it knows. */
export interface ExpressBaseline {
  origin: string;
  key: string;
  databaseUrl: string;
}

const key = 'bench-key';

/** Starts the baseline on a database of its own, which has no messages yet. It sends to a relay. */
export async function startExpress(
  bench: Bench,
  { port: relayPort }: Pick<Relay, 'port'>,
): Promise<ExpressBaseline> {
  const databaseUrl = await bench.postgres.createDatabase();
  await runSql(databaseUrl, [
    'create table api_keys (key_hash bytea primary key, workspace_id text not null)',
    `insert into api_keys values (decode('${createHash('sha256').update(key).digest('hex')}', 'hex'), 'one')`,
    `create table messages (workspace_id text, id text, from_addr text not null, to_addrs text[] not null,
      subject text not null, body_text text, body_html text, status text not null, reply text, created_at timestamptz not null,
      primary key (workspace_id, id))`,
  ]);
  const order: ExpressOrder = { databaseUrl, relayPort };
  const script = new URL('../baselines/express-messages.ts', import.meta.url);
  const program = await startScript<{ port: number }>(script, order);
  bench.atEnd(program.stop);
  return { origin: `http://127.0.0.1:${program.ready.port}`, key, databaseUrl };
}

/** Runs statements one after another on one connection. */
export async function runSql(databaseUrl: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
