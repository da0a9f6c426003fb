import type { EffectivePolicy, PolicyIn } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import { type Scope, wholeWorkspace } from '../lib/scope.ts';
import { type ControlsRow, findStrictest } from './controls.ts';

type ReadContext = Pick<Context, 'db' | 'workspaceId'>;
type ReadControls = Pick<ControlsRow, 'policies' | 'paused' | 'key'>;

/**
 * Returns what people allow the caller to send: of each line the strictest, with its place. Without an inbox, only the policies of the key
 * and the workspace count. A person is bound by none.
 */
export async function readPolicy(ctx: Context, inboxId: string | null): Promise<EffectivePolicy> {
  const { kind, id } = ctx.actor;
  const controls = await readControls(ctx, inboxId, kind === 'key' ? id : null, id);
  return viewEffective(kind === 'person' ? { ...controls, policies: [] } : controls, ctx.scope);
}

/** Returns what people allow a key to send from an inbox. Without one of them, its policy does not count. */
export async function readKeyPolicy(
  ctx: ReadContext,
  inboxId: string | null,
  key: { id: string; scope: Readonly<Scope> } | null,
): Promise<EffectivePolicy> {
  const id = key?.id ?? null;
  return viewEffective(await readControls(ctx, inboxId, id, id), key?.scope ?? wholeWorkspace);
}

async function readControls(
  ctx: ReadContext,
  inboxId: string | null,
  keyId: string | null,
  actorId: string | null,
): Promise<ReadControls> {
  const request = {
    actor: actorId,
    workspace_id: ctx.workspaceId,
    inbox_id: inboxId,
    keys: keyId === null ? [] : [keyId],
  };
  const [row] = await selectControls(ctx, { request: JSON.stringify(request) });
  return row?.controls ?? { policies: [], paused: null, key: null };
}

function viewEffective({ policies, paused, key }: ReadControls, scope: Readonly<Scope>): EffectivePolicy {
  const { policy, from } = findStrictest(policies);
  const linesAt = (level: string): PolicyIn => policies.find((place) => place.level === level)?.lines ?? {};
  return {
    ...policy,
    from,
    places: { key: linesAt('key'), inbox: linesAt('inbox'), workspace: linesAt('workspace') },
    paused,
    read_only: key?.read_only ?? false,
    access: scope.access,
    inbox_ids: scope.inboxIds,
    expires_at: scope.expiresAt?.toISOString() ?? null,
  };
}

const selectControls = prepared((db, { request }: { request: string }) =>
  sql<{
    controls: ControlsRow;
  }>`select controls from find_senders(jsonb_build_array(${request}::jsonb))`.compile(db),
);
