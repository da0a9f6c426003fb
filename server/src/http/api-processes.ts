import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { isUnavailable } from '../db/database-errors.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';

/** Several looks, longer than clocks differ, and than a database is usually away. */
const goneAfterMs = 40_000;

/** The processes that serve the API, as seen by one of them. */
export interface ApiProcesses {
  /** Their number, including this one. */
  count(): number;
  leave(): Promise<void>;
}

/** Without rates nobody counts. */
const alone: ApiProcesses = { count: () => 1, leave: async () => {} };

/** Joins the processes that serve the API. Each gives a sign of life whenever it looks again, and is forgotten when these stop. */
export async function joinApiProcesses(deps: Deps): Promise<ApiProcesses> {
  if (!deps.config.rateLimits) return alone;
  const id = randomUUID();
  let count = await beat(deps, id);
  const loop = startLoop({
    look: async () => {
      count = await beat(deps, id);
      return nothingDue;
    },
    onError: (error) => {
      if (!isUnavailable(error))
        deps.log.error({ err: error }, 'the number of API processes could not be read');
    },
    lookAgainMs: deps.lookAgainMs,
  });
  return {
    count: () => count,
    leave: async () => {
      await loop.stop();
      // The other processes take over this share at once, and not after a while, if the database can be reached.
      await acrossWorkspaces(deps, 'processes serve all workspaces')
        .deleteFrom('api_processes')
        .where('id', '=', id)
        .execute()
        .catch(() => {});
    },
  };
}

/** Gives a sign of life, forgets processes that are gone, and returns the number of the others. */
async function beat(deps: Deps, id: string): Promise<number> {
  const now = deps.clock.now();
  const gone = new Date(now.getTime() - goneAfterMs);
  // Rows that another process is removing or renewing are skipped, so that no two processes wait for each other.
  const { rows } = await sql<{ count: number }>`
    with forgotten as (delete from api_processes where id in (
        select id from api_processes where seen_at < ${gone} and id <> ${id} for update skip locked)),
      renewed as (insert into api_processes (id, seen_at) values (${id}, ${now})
        on conflict (id) do update set seen_at = excluded.seen_at)
    select 1 + count(*)::int as count from api_processes where id <> ${id} and seen_at >= ${gone}
  `.execute(acrossWorkspaces(deps, 'processes serve all workspaces'));
  return rows[0]?.count ?? 1;
}
