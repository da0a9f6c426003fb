import { operator } from '../audit/append-audit.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { firstWorkspaceName } from '../keys/bootstrap.ts';
import { changeKey } from '../keys/change-key.ts';
import type { KeyLimits } from '../keys/key-limits.ts';
import { createKey, findKey, listKeys, revokeKey } from '../keys/manage-keys.ts';
import { cancelDeliveries } from '../webhooks/cancel-deliveries.ts';
import { getWorkspace } from '../workspaces/manage-workspaces.ts';
import type { AdminDeps } from './admin-deps.ts';
import { explained, readLines } from './control-commands.ts';

/** What people limit a key to, as they write it. */
export interface KeyInput {
  /** Ids or addresses; null for all inboxes. */
  inboxes?: string[] | null;
  readOnly?: boolean;
  /** A time, a number of days such as `30d`, or `never`. */
  expires?: string;
  policy?: Record<string, unknown>;
}

/** The commands by which operators manage API keys. The audit log says that the operator ran them. */
export const keyCommands = {
  'keys create': async (deps: AdminDeps, input: KeyInput & { workspace?: string; name: string }) => {
    const { id: workspaceId, name } = await getWorkspace(deps, input.workspace ?? firstWorkspaceName);
    const limits = await limitsOf(deps, workspaceId, input);
    return explained(createKey(deps, name, input.name, operator, limits));
  },
  'keys list': (deps: AdminDeps, input: { workspace?: string }) => listKeys(deps, input.workspace),
  'keys update': async (deps: AdminDeps, input: KeyInput & { id: string; name?: string }) => {
    const place = await findKey(deps, input.id);
    const limits = await limitsOf(deps, place.workspaceId, input);
    const { name } = input;
    const change = { ...limits, ...(name !== undefined && { name }) };
    const { heldWebhooks } = await explained(changeKey(deps, place, change, operator));
    const key = (await listKeys(deps)).find(({ id }) => id === input.id);
    return { ...key, ...(heldWebhooks.length > 0 && { held_webhooks: heldWebhooks }) };
  },
  'keys revoke': async (deps: AdminDeps, { id, keep }: { id: string; keep?: boolean }) => {
    const ended = await revokeKey(deps, id, operator, keep);
    if (ended && !ended.kept) for (const webhook of ended.webhooks) await cancelDeliveries(deps, webhook.id);
    return { id, revoked: true, ...ended };
  },
};

async function limitsOf(
  deps: AdminDeps,
  workspaceId: string,
  { inboxes, readOnly, expires, policy }: KeyInput,
): Promise<Partial<KeyLimits>> {
  return {
    ...(inboxes !== undefined && { inboxIds: inboxes && (await inboxIdsOf(deps, workspaceId, inboxes)) }),
    ...(readOnly !== undefined && { readOnly }),
    ...(expires !== undefined && { expiresAt: expiryOf(expires, deps.clock.now()) }),
    ...(policy !== undefined && { policy: readLines(policy) }),
  };
}

async function inboxIdsOf(deps: AdminDeps, workspaceId: string, named: string[]): Promise<string[]> {
  const rows = await acrossWorkspaces(deps, 'an operator sees all inboxes')
    .selectFrom('inboxes')
    .select(['id', 'address'])
    .where('workspace_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .where((is) => is.or([is('id', 'in', named), is('address', 'in', named.map(lower))]))
    .execute();
  return named.map((text) => {
    const row = rows.find(({ id, address }) => id === text || address === lower(text));
    if (!row) throw new Error(`The workspace of the key has no inbox ${text}.`);
    return row.id;
  });
}

function lower(text: string): string {
  return text.toLowerCase();
}

const dayMs = 24 * 60 * 60 * 1_000;
const isoTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/;

/** Returns the time that a text names; null for `never`. */
function expiryOf(text: string, now: Date): Date | null {
  if (text === 'never') return null;
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const at =
    days === undefined
      ? new Date(isoTime.test(text) ? text : Number.NaN)
      : new Date(now.getTime() + Number(days) * dayMs);
  if (Number.isNaN(at.getTime()))
    throw new Error(
      `${text} is no time: give one such as 2026-12-31T00:00:00Z, a number of days such as 30d, or never.`,
    );
  if (at <= now) throw new Error(`${text} has passed. "keys revoke" ends a key now.`);
  return at;
}
