import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../deps.ts';
import type { PartName, Probe } from '../http/health.ts';

/** A part of the server's work that a process takes on. */
export type Role = 'api' | 'smtp' | 'worker';

/** The parts of a server that its roles are for. */
export interface Parts {
  /** One for each role of the process. It rejects until the part has started. */
  probes: ReadonlyMap<PartName, Probe>;
  started(part: PartName): void;
}

const partByRole: Record<Role, PartName> = { api: 'requests', smtp: 'mail', worker: 'deliveries' };

/** The query that each part makes first. */
const reads: Record<PartName, RawBuilder<unknown>> = {
  requests: sql`select from api_keys limit 1`,
  mail: sql`select from addresses limit 1`,
  deliveries: sql`select from message_recipients where due_at <= now() limit 1`,
};

/** Returns the parts of a process with these roles, none of which has started. */
export function openParts(deps: Deps, roles: Role[]): Parts {
  const probes = new Map<PartName, Probe>();
  const notStarted = async () => {
    throw new Error('has not started yet');
  };
  for (const role of roles) probes.set(partByRole[role], notStarted);
  return {
    probes,
    started: (part) => {
      if (probes.has(part)) probes.set(part, () => reads[part].execute(deps.db));
    },
  };
}
