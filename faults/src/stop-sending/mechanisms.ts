import { ownCheckout } from '@postrider/testkit/servers/server-process.ts';
import pg from 'pg';
import type { Scene } from './scene.ts';

/** The mechanisms that a change relies on. A control leaves out one of them. */
export type Mechanism = 'lock' | 'version' | 'wait';

const functions: Partial<Record<Mechanism, string>> = {
  lock: `create or replace function lock_sending(ws text, alone boolean) returns void language plpgsql as $$ begin end $$`,
  version: `create or replace function sending_version(ws text) returns text language plpgsql stable as $$ begin return null; end $$`,
};

/** The mechanisms that can be left out. */
export const mechanisms: Mechanism[] = ['lock', 'version', 'wait'];

/** Returns the settings of servers without a mechanism. */
export function envWithout(mechanism: Mechanism | null): Record<string, string> {
  if (mechanism !== 'wait') return {};
  const preload = new URL('../noisy-neighbour/preload-limits.ts', import.meta.url);
  const limits = { 'policies/change-sending.ts changeLimits': { underWayMaxMs: -1 } };
  preload.search = String(new URLSearchParams({ checkout: ownCheckout, limits: JSON.stringify(limits) }));
  return { NODE_OPTIONS: `--import ${preload.href}` };
}

/** Takes a mechanism out of the database of running servers. */
export async function removeFromDatabase({ home }: Scene, mechanism: Mechanism | null): Promise<void> {
  const statement = mechanism && functions[mechanism];
  if (!statement) return;
  const client = new pg.Client({ connectionString: home.env.DATABASE_URL });
  await client.connect();
  await client.query(statement);
  await client.end();
}
