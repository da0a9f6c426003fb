import { timingSafeEqual } from 'node:crypto';
import { consoleLimits } from '@postrider/contract/console';
import { sql } from 'kysely';
import type { Caller } from '../context.ts';
import { batchedQuery } from '../db/batched.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { hashApiKey, looksLikeApiKey } from '../lib/crypto/api-key.ts';
import { isId } from '../lib/ids.ts';
import { type Scope, wholeWorkspace } from '../lib/scope.ts';

/** Decides whether a key is looked up, and is told whether the key was known. */
export interface KeyGate {
  /**
   * @throws ApiError if the key is not to be looked up.
   */
  admit(keyHash: string): void;
  note(keyHash: string, isKnown: boolean): void;
}

const lastUsedIntervalMs = 60_000;
const scheme = 'bearer';

/**
 * Returns the caller that an `Authorization` header names. The key is looked up for each request, after the request arrived, and never
 * cached, so that every process refuses a revoked key at once.
 *
 * @throws ApiError `invalid_token`, which looks the same for a key that is malformed, unknown, revoked or expired; whatever the gate
 * throws.
 */
export async function authenticate(
  deps: Deps,
  authorization: string | undefined,
  gate?: KeyGate,
): Promise<Caller> {
  const key = readBearer(authorization, 'API key');
  if (!looksLikeApiKey(key)) throw new ApiError('invalid_token');
  const hash = hashApiKey(key);
  const keyHash = hash.toString('hex');
  gate?.admit(keyHash);
  const row = await findKey(deps, hash);
  const isKnown = row !== null && timingSafeEqual(row.key_hash, hash) && !hasExpired(deps, row);
  gate?.note(keyHash, isKnown);
  if (!isKnown) throw new ApiError('invalid_token');
  noteUse(deps, 'api_keys', row);
  return {
    workspaceId: row.workspace_id,
    plan: row.plan,
    isTest: row.is_test,
    scope: toScope(row),
    actor: { kind: 'key', id: row.id },
    requestId: null,
  };
}

/**
 * Returns the text after `Bearer`, which is a key or a token. A header without one gets its own error, because that reveals nothing.
 *
 * @throws ApiError `invalid_token`.
 */
export function readBearer(authorization = '', what: 'API key' | 'admin token'): string {
  const text = authorization.trim();
  if (/^bearer +/i.test(text)) return text.slice(scheme.length).trim();
  const isMissing = text === '' || text.toLowerCase() === scheme;
  const problem = isMissing ? `The ${what} is missing` : 'The `Authorization` header has another form';
  throw new ApiError(
    'invalid_token',
    {},
    { message: `${problem}: send \`Authorization: Bearer <${what}>\`.` },
  );
}

const hasPolicy = sql<boolean>`exists (select from policies p
  where p.workspace_id = api_keys.workspace_id and p.level = 'key' and p.subject_id = api_keys.id)`;

const selectKeys = prepared((db, { hashes }: { hashes: Buffer[] }) =>
  acrossWorkspaces({ db }, 'a key leads to its workspace')
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .select(['api_keys.id', 'key_hash', 'workspace_id', 'last_used_at', 'plan', 'is_test'])
    .select(['inbox_ids', 'read_only', 'expires_at', hasPolicy.as('has_policy')])
    .where('key_hash', '=', sql<Buffer>`any(${hashes}::bytea[])`)
    .where('revoked_at', 'is', null)
    .where('workspaces.deleted_at', 'is', null)
    .compile(),
);

const findKey = batchedQuery(async (ctx, hashes: Buffer[]) => {
  const rows = await selectKeys(ctx, { hashes });
  const found = new Map(rows.map((row) => [row.key_hash.toString('hex'), row]));
  return hashes.map((hash) => found.get(hash.toString('hex')) ?? null);
});

/** Returns whether the time of a key is over. */
export function hasExpired(
  { clock }: Pick<Deps, 'clock'>,
  { expires_at }: { expires_at: Date | null },
): boolean {
  return expires_at !== null && expires_at <= clock.now();
}

interface Limits {
  inbox_ids: string[] | null;
  read_only: boolean;
  expires_at: Date | null;
  has_policy: boolean;
}

/** Returns the scope of a key of the workspace. */
export async function scopeOfKey(
  ctx: Pick<Deps, 'db'> & { workspaceId: string },
  keyId: string,
): Promise<Readonly<Scope>> {
  const row = await scoped(ctx)
    .selectFrom('api_keys')
    .select(['inbox_ids', 'read_only', 'expires_at', hasPolicy.as('has_policy')])
    .where('id', '=', keyId)
    .executeTakeFirst();
  return row ? toScope(row) : wholeWorkspace;
}

/** A key with a policy could otherwise lift a part of it with a rule that makes an address known. */
function toScope({ inbox_ids, read_only, expires_at, has_policy }: Limits): Scope {
  const access = inbox_ids !== null ? 'inbox' : has_policy ? 'inboxes' : 'workspace';
  return { inboxIds: inbox_ids, access: read_only ? 'read' : access, expiresAt: expires_at };
}

/**
 * Records the use of a key or an admin token in the background, and at most once a minute, so that a busy one does not cost a write for
 * each request.
 */
export function noteUse(
  deps: Deps,
  table: 'api_keys' | 'admin_tokens',
  { id, last_used_at: lastUsedAt }: { id: string; last_used_at: Date | null },
): void {
  const now = deps.clock.now();
  const due = new Date(now.getTime() - lastUsedIntervalMs);
  if (lastUsedAt && lastUsedAt > due) return;
  const noted = sql`update ${sql.table(table)} set last_used_at = ${now}
    where id = ${id} and (last_used_at is null or last_used_at <= ${due})`
    .execute(acrossWorkspaces(deps, 'a key is global'))
    .catch((error: unknown) =>
      deps.log.warn({ err: error, table }, 'the last use of a key was not recorded'),
    );
  deps.background.run(noted);
}

/** The key or session that keeps a request or a socket open, by its id, and the inboxes that it had when it began. */
export interface Holder {
  id: string;
  inboxIds: Scope['inboxIds'];
}

/** Why something ends: the key was revoked or has expired, or the session has ended; or people gave the key other inboxes. */
export type Ending = 'revoked' | 'changed';

/** Returns the holders that are no longer allowed to continue, and why. */
export async function findEnded<T extends Holder>(
  deps: Pick<Deps, 'db' | 'clock'>,
  holders: T[],
): Promise<Map<T, Ending>> {
  const ids = [...new Set(holders.map(({ id }) => id))];
  const [keys, sessions] = await Promise.all([
    findKeys(
      deps,
      ids.filter((id) => isId('key', id)),
    ),
    findEndedSessions(
      deps,
      ids.filter((id) => isId('ses', id)),
    ),
  ]);
  const ended = new Map<T, Ending>();
  for (const holder of holders) {
    const key = keys.get(holder.id);
    // The row of a key goes with its workspace.
    const isGone = key ? key.revoked_at !== null || hasExpired(deps, key) : isId('key', holder.id);
    if (isGone || sessions.has(holder.id)) ended.set(holder, 'revoked');
    else if (key && JSON.stringify(key.inbox_ids) !== JSON.stringify(holder.inboxIds))
      ended.set(holder, 'changed');
  }
  return ended;
}

async function findKeys(deps: Pick<Deps, 'db'>, ids: string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await acrossWorkspaces(deps, 'a key is global')
    .selectFrom('api_keys')
    .select(['id', 'revoked_at', 'expires_at', 'inbox_ids'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

async function findEndedSessions(deps: Pick<Deps, 'db' | 'clock'>, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const now = deps.clock.now();
  const rows = await acrossWorkspaces(deps, 'a session is not of one workspace')
    .selectFrom('person_sessions')
    .select('id')
    .where('id', 'in', ids)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', new Date(now.getTime() - consoleLimits.sessionIdleMs))
    .execute();
  const live = new Set(rows.map((row) => row.id));
  return new Set(ids.filter((id) => !live.has(id)));
}
