import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { type LeaseLength, leaseMs } from '../../lib/clock.ts';

/** Renewed whenever its holder looks for work. It is longer than the time between two looks, and longer than a process may stall. */
const length: LeaseLength = { ms: 25_000, leastMs: 3_000 };

/** How often another process asks whether the lease is free. It locks the lease, for which the work of its holder waits. */
const askAgainMs = 1_000;

/** Thrown when another process has taken the lease. What was not written is done by that process. */
export class LeaseLost extends Error {
  constructor() {
    super('Another process has taken over.');
  }
}

/** The lease of one kind of work, as held by this process. */
export interface Leadership {
  /**
   * Takes the lease if it is free, or renews it if it is due. Returns the name of the holder, which is new each time the lease is taken, or
   * null while another process holds it.
   */
  hold(): Promise<string | null>;
  /** Gives up the lease, so that another process need not wait for its end. */
  leave(): Promise<void>;
}

type LeaseDeps = Pick<Deps, 'db' | 'clock' | 'timeScale'>;

/** Creates the lease for a kind of work that one process does for all. */
export function createLeadership(deps: LeaseDeps, name: string): Leadership {
  let holder: string | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  const renewMs = leaseMs(deps, length) / 4;
  return {
    hold: async () => {
      const nowMs = performance.now();
      if (nowMs - askedAt < (holder === null ? askAgainMs : renewMs)) return holder;
      // The caches of this process are out of date once another process has had the lease, even if it has released it.
      if (holder !== null && !(await renew(deps, name, holder))) holder = null;
      holder ??= await take(deps, name);
      askedAt = nowMs;
      return holder;
    },
    leave: async () => {
      if (holder === null) return;
      await acrossWorkspaces(deps, 'one process works for all workspaces')
        .deleteFrom('leases')
        .where('name', '=', name)
        .where('holder', '=', holder)
        .execute()
        .catch(() => {});
      holder = null;
    },
  };
}

/** Returns whether no other process has taken the lease since. */
async function renew(deps: LeaseDeps, name: string, holder: string): Promise<boolean> {
  const renewed = await acrossWorkspaces(deps, 'one process works for all workspaces')
    .updateTable('leases')
    .set({ ends_at: new Date(deps.clock.now().getTime() + leaseMs(deps, length)) })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .executeTakeFirst();
  return renewed.numUpdatedRows > 0n;
}

async function take(deps: LeaseDeps, name: string): Promise<string | null> {
  const now = deps.clock.now();
  const endsAt = new Date(now.getTime() + leaseMs(deps, length));
  const { rows } = await sql<{ holder: string }>`
    insert into leases as l (name, holder, ends_at) values (${name}, ${randomUUID()}, ${endsAt})
    on conflict (name) do update set holder = excluded.holder, ends_at = excluded.ends_at
      where l.ends_at <= ${now} returning holder`.execute(
    acrossWorkspaces(deps, 'one process works for all workspaces'),
  );
  return rows[0]?.holder ?? null;
}
