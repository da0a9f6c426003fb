import { randomBytes } from 'node:crypto';
import { type CreateDomain, limits } from '@postrider/contract';
import { getPublicSuffix } from 'tldts';
import { recordAct } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { lock } from '../db/locks.ts';
import { scoped } from '../db/scoped.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { parseDomain } from '../lib/email-address.ts';
import { newId } from '../lib/ids.ts';
import { requireUnheld } from '../policies/require-unheld.ts';
import { planLimits } from '../workspaces/usage.ts';
import { findHolder } from './claim-hostname.ts';
import { makeDomainKey } from './domain-key.ts';
import type { DomainRow } from './find-domain.ts';
import { sharedDomain } from './mail-domain.ts';

/** The labels in front of the hostname in the longest name of a record. */
const recordLabelsLength = 64;
const hostnameLengthMax = 253 - recordLabelsLength;
const domainsPerWorkspace = limits.domainsPerWorkspaceMax;

/**
 * Adds a domain that the caller owns, and begins to look for its records.
 *
 * @throws ApiError `sending_not_allowed` for a key that a policy limits, `custom_domains_require_paid_plan`, `invalid_request` for a name
 * that nobody can own, `domain_taken` if the workspace already has it or another one has verified it or a name above it, `limit_reached`.
 */
export async function createDomain(ctx: Context, input: CreateDomain): Promise<DomainRow> {
  if (!planLimits(ctx).custom_domains)
    throw new ApiError('custom_domains_require_paid_plan', { upgrade: true });
  // The operator of the zone in DNS can read its labels.
  await requireUnheld(ctx);
  const hostname = readHostname(input.hostname);
  const shared = sharedDomain(ctx).name;
  if (hostname === shared || hostname.endsWith(`.${shared}`))
    throw new ApiError(
      'domain_taken',
      {},
      { message: 'Choose another domain; this one belongs to the service.' },
    );
  return insertDomain(ctx, hostname, 'byo');
}

/** Returns the one spelling of a hostname that somebody can own. */
function readHostname(text: string): string {
  const hostname = parseDomain(text);
  if (hostname === null || !hostname.includes('.'))
    throw invalidField('hostname', 'must be a domain like mail.example.com');
  if (hostname.length > hostnameLengthMax)
    throw invalidField('hostname', `must have at most ${hostnameLengthMax} characters`);
  if (getPublicSuffix(hostname, { allowPrivateDomains: true }) === hostname)
    throw invalidField(
      'hostname',
      'is a public suffix, under which different owners have domains; add your own domain below it',
    );
  return hostname;
}

/**
 * Stores a domain with a new key and token, to be checked at once.
 *
 * @throws ApiError `domain_taken`, `limit_reached`.
 */
export async function insertDomain(
  ctx: Context,
  hostname: string,
  kind: DomainRow['kind'],
  afterwards: (tx: Context, row: DomainRow) => Promise<void> = async () => {},
): Promise<DomainRow> {
  await requireFree(ctx, hostname);
  const created_at = ctx.clock.now();
  const id = newId('dom', created_at);
  const row: DomainRow = {
    workspace_id: ctx.workspaceId,
    id,
    hostname,
    kind,
    status: 'pending',
    dmarc_policy: 'none',
    ownership_token: randomBytes(20).toString('hex'),
    ...(await makeDomainKey(ctx, { workspaceId: ctx.workspaceId, domainId: id })),
    checks: [],
    checked_at: null,
    due_at: created_at,
    fence: 0,
    looking_since: created_at,
    failing_since: null,
    verified_at: null,
    created_at,
    actor_id: ctx.actor.id,
    request_id: ctx.requestId,
  };
  await inTransaction(ctx, async (tx) => {
    await requireUnheld(tx);
    await takeTurns(tx);
    await checkLimit(tx);
    const stored = await tx.db
      .insertInto('domains')
      .values({ ...row, checks: '[]' as never })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'hostname']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!stored) throw takenByOwn();
    await afterwards(tx, row);
    const action = kind === 'subdomain' ? 'domain.subdomain_added' : 'domain.added';
    await recordAct(tx, { action, target: id, after: { hostname, kind } });
  });
  ctx.wakeups.wake(ctx.workspaceId, 'domains');
  return row;
}

/** Reports early that a hostname is taken, before a key is created. */
async function requireFree(ctx: Context, hostname: string): Promise<void> {
  const own = await scoped(ctx)
    .selectFrom('domains')
    .select('id')
    .where('hostname', '=', hostname)
    .executeTakeFirst();
  if (own) throw takenByOwn();
  const holder = await findHolder(ctx, hostname);
  if (holder?.isProven) throw new ApiError('domain_taken');
}

function takenByOwn(): ApiError<'domain_taken'> {
  return new ApiError(
    'domain_taken',
    {},
    { message: 'Use the existing domain; this workspace has already added it.' },
  );
}

function takeTurns(tx: Context) {
  return lock(tx, 'domains', tx.workspaceId);
}

async function checkLimit(tx: Context): Promise<void> {
  const { count } = await scoped(tx)
    .selectFrom('domains')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= domainsPerWorkspace) throw new ApiError('limit_reached', { limit: domainsPerWorkspace });
}
