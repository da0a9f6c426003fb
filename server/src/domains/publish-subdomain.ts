import { scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { expectedRecords } from './records/expected-records.ts';

/** The dedicated subdomain whose records are to be published. */
export interface PublishSubdomain {
  workspaceId: string;
  domainId: string;
}

/** Publishes the records of a dedicated subdomain, or prints them for the operator if the server may not change its DNS. */
export function publishSubdomain(deps: Deps): JobDefinition<PublishSubdomain> {
  return {
    name: jobNames.publishSubdomain,
    run: async ({ workspaceId, domainId }) => {
      const row = await scoped({ db: deps.db, workspaceId })
        .selectFrom('domains')
        .selectAll()
        .where('id', '=', domainId)
        .executeTakeFirst();
      if (!row) return;
      const records = expectedRecords(deps.config, row).map(
        ({ name, type, value, priority }) =>
          `${name}. ${type} ${priority === null ? '' : `${priority} `}${value}`,
      );
      deps.log.warn({ hostname: row.hostname, records }, 'publish these records of a dedicated subdomain');
    },
  };
}
