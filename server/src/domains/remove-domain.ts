import type { Domain } from '@postrider/contract';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';

/** A deleted domain, by what the server did elsewhere for it. */
export interface RemoveDomain {
  hostname: string;
  kind: Domain['kind'];
  selector: string;
}

/** Tells the operator to remove the records of a deleted subdomain if the server may not change its DNS. */
export function removeDomain(deps: Deps): JobDefinition<RemoveDomain> {
  return {
    name: jobNames.removeDomain,
    run: async ({ hostname, kind }) => {
      if (kind === 'subdomain') deps.log.warn({ hostname }, 'remove the records of a deleted subdomain');
    },
  };
}
