import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { type LeaseLength, leaseMs } from '../../lib/lease.ts';

const length: LeaseLength = { ms: 8_000, leastMs: 2_000 };

/** The lease of one kind of work, as held by this process. */
export interface Leadership {
  /**
   * Takes the lease if it is free, or renews it if it is due. Returns the name of the holder, which is new each time that the lease is taken,
   * or null while another process holds it.
   */
  hold(): Promise<string | null>;
  /** Gives up the lease, so that another process need not wait for its end. */
  leave(): Promise<void>;
}

type LeaseDeps = Pick<Deps, 'database' | 'db' | 'clock' | 'timeScale'>;

/** Creates the lease for a kind of work that one process does for all. The embedded database has only one process, which takes it at once. */
export function createLeadership(deps: LeaseDeps, name: string): Leadership {
  let holder: string | null = null;
  let renewedAt = 0;
  const renewMs = leaseMs(deps, length) / 4;
  return {
    hold: async () => {
      if (holder !== null && performance.now() - renewedAt < renewMs) return holder;
      const startedAt = performance.now();
      holder = await take(deps, name, holder ?? randomUUID());
      renewedAt = startedAt;
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

async function take(deps: LeaseDeps, name: string, holder: string): Promise<string | null> {
  const now = deps.clock.now();
  const endsAt = new Date(now.getTime() + leaseMs(deps, length));
  const isAlone = deps.database.kind === 'embedded';
  const { rows } = await sql<{ holder: string }>`
    insert into leases as l (name, holder, ends_at) values (${name}, ${holder}, ${endsAt})
    on conflict (name) do update set holder = excluded.holder, ends_at = excluded.ends_at
      where l.holder = excluded.holder or l.ends_at <= ${now} or ${isAlone} returning holder`.execute(
    acrossWorkspaces(deps, 'one process works for all workspaces'),
  );
  return rows[0]?.holder ?? null;
}
