import { randomBytes } from 'node:crypto';
import { type CreateSubdomain, type Domain, reservedNames } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import type { RecordChange } from '../dns/publish/publish-records.ts';
import { jobNames } from '../jobs/job-names.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { ApiError } from '../lib/api-error.ts';
import { requireUnheld } from '../policies/require-unheld.ts';
import { planLimits } from '../workspaces/usage.ts';
import { claimHostname, lockHostname } from './claim-hostname.ts';
import { insertDomain } from './create-domain.ts';
import type { DomainRow } from './find-domain.ts';
import { sharedDomain } from './mail-domain.ts';
import { type ExpectedRecord, expectedRecords } from './records/expected-records.ts';
import { forgetAtSes } from './register-at-ses.ts';
import { reportAddressFor } from './reports/find-reported-domain.ts';

/**
 * Creates a subdomain of the shared domain for the caller alone, and has its records published in the background.
 *
 * @throws ApiError `dedicated_subdomain_requires_scale`, `domain_taken` if the label is reserved or in use, `limit_reached`,
 * `sending_not_allowed` for a key that a policy holds.
 */
export async function createSubdomain(ctx: Context, { label }: CreateSubdomain): Promise<DomainRow> {
  if (!planLimits(ctx).dedicated_subdomain)
    throw new ApiError('dedicated_subdomain_requires_scale', { upgrade: true });
  // The label becomes public in DNS.
  await requireUnheld(ctx);
  if ((reservedNames as readonly string[]).includes(label))
    throw new ApiError('domain_taken', {}, { message: 'Choose another label; this one is reserved.' });
  const name = `${label}.${sharedDomain(ctx).name}`;
  if (ctx.dnsPublisher && (await isInUse(ctx, name)))
    throw new ApiError(
      'domain_taken',
      {},
      { message: 'Choose another label; DNS already has records for this one.' },
    );
  return insertDomain(ctx, name, 'subdomain', async (tx, { id, hostname }) => {
    await lockHostname(tx, hostname);
    // The label belongs to the workspace that asked for it first, because its DNS is the service's.
    if (!(await claimHostname(tx, { id, hostname }))) throw new ApiError('domain_taken');
    await tx.queue.enqueue(tx, jobNames.publishSubdomain, { workspaceId: tx.workspaceId, domainId: id });
  });
}

/**
 * Returns whether DNS has records of a name already, which publishing would replace. Those of a wildcard, which any other name has as
 * well, do not count, and neither does the exchange that this server published for a subdomain that was deleted a moment ago.
 */
async function isInUse(
  { askZone, config }: Pick<Context, 'askZone' | 'config'>,
  name: string,
): Promise<boolean> {
  const parent = name.slice(name.indexOf('.') + 1);
  const types = ['MX', 'TXT', 'A', 'CNAME'] as const;
  const questions = types.map(async (type) => {
    const [own, other] = await Promise.all([
      askZone(name, type),
      askZone(`${randomBytes(8).toString('hex')}.${parent}`, type),
    ]);
    if (own.kind !== 'records' || other.kind === 'records') return false;
    return own.records.some(
      (record) => record.type !== 'MX' || record.value !== config.smtp.hostname.toLowerCase(),
    );
  });
  return (await Promise.all(questions)).includes(true);
}

/** The dedicated subdomain whose records are to be published. */
interface PublishSubdomain {
  workspaceId: string;
  domainId: string;
}

/** A deleted domain, with what the server set up elsewhere for it. */
interface RemoveDomain {
  hostname: string;
  kind: Domain['kind'];
  selector: string;
}

const ttlSeconds = 300;

/**
 * Publishes the records of a dedicated subdomain and starts their check. If the server cannot change its DNS, it prints them for the
 * operator. If a name server fails, the job is repeated.
 */
export function publishSubdomain(deps: Deps): JobDefinition<PublishSubdomain> {
  return {
    name: jobNames.publishSubdomain,
    run: async ({ workspaceId, domainId }) => {
      const rows = scoped({ db: deps.db, workspaceId });
      const row = await rows.selectFrom('domains').selectAll().where('id', '=', domainId).executeTakeFirst();
      if (!row) return;
      const records = expectedRecords(deps.config, row, reportAddressFor(deps, row));
      if (!deps.dnsPublisher) {
        const lines = records.map(writeLine);
        deps.log.warn({ hostname: row.hostname, records: lines }, 'publish these records of a subdomain');
        return;
      }
      await deps.dnsPublisher.publish(records.map((record) => toChange(record, record)));
      await rows
        .updateTable('domains')
        // A check under way has looked before the records were there, so its result must not count.
        .set({ due_at: deps.clock.now(), fence: sql`fence + 1` })
        .where('id', '=', domainId)
        .execute();
      deps.wakeups.wake(workspaceId, 'domains');
    },
  };
}

/** Has Amazon SES forget a deleted domain, and removes the records of a subdomain, or asks the operator to. */
export function removeDomain(deps: Deps): JobDefinition<RemoveDomain> {
  return {
    name: jobNames.removeDomain,
    run: async ({ hostname, kind, selector }) => {
      await forgetAtSes(deps, { hostname, selector });
      if (kind !== 'subdomain') return;
      const heir = await findByHostname(deps, hostname);
      const sample = { hostname, kind, dmarc_policy: 'none', ownership_token: '' } as const;
      const removed = { ...sample, dkim_selector: selector, dkim_public_key: '' };
      // A subdomain of the same name has the same records, except for its key.
      const records = expectedRecords(deps.config, removed, null).filter(
        ({ purpose }) => !heir || purpose === 'dkim',
      );
      if (deps.dnsPublisher) await deps.dnsPublisher.publish(records.map((record) => toChange(record, null)));
      else
        deps.log.warn(
          { hostname, names: records.map(({ name }) => name) },
          'remove the records of a deleted subdomain',
        );
      // It may have been created again meanwhile.
      const later = heir ?? (await findByHostname(deps, hostname));
      if (later)
        await deps.queue.enqueue(deps, jobNames.publishSubdomain, {
          workspaceId: later.workspace_id,
          domainId: later.id,
        });
    },
  };
}

function findByHostname(deps: Deps, hostname: string) {
  return acrossWorkspaces(deps, 'a subdomain may belong to another workspace by now')
    .selectFrom('domains')
    .select(['workspace_id', 'id'])
    .where('hostname', '=', hostname)
    .where('kind', '=', 'subdomain')
    .executeTakeFirst();
}

function toChange({ name, type }: ExpectedRecord, record: ExpectedRecord | null): RecordChange {
  const values = record && [{ value: record.value, priority: record.priority }];
  return { name, type, values, ttl: ttlSeconds };
}

function writeLine({ name, type, value, priority }: ExpectedRecord): string {
  return `${name}. ${type} ${priority === null ? '' : `${priority} `}${value}`;
}
