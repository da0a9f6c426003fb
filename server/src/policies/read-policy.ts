import type { EffectivePolicy, PolicyIn } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import type { Controls } from './decide-sending.ts';
import { strictestOf } from './effective-policy.ts';

/**
 * Returns what people allow the caller to send: of each line the strictest, with its place. Without an inbox, only the policies of the key
 * and the workspace count. A person is bound by none.
 */
export async function readPolicy(ctx: Context, inboxId: string | null): Promise<EffectivePolicy> {
  const keys = ctx.actor.kind === 'key' ? [ctx.actor.id] : [];
  const request = {
    actor: ctx.actor.id,
    at: ctx.clock.now(),
    workspace_id: ctx.workspaceId,
    inbox_id: inboxId,
    keys,
    addresses: [],
    named: [],
  };
  const [row] = await selectControls(ctx, { request: JSON.stringify(request) });
  const { policies, paused, key } = row?.controls ?? { policies: [], paused: null, key: null };
  const inForce = ctx.actor.kind === 'person' ? [] : policies;
  const { policy, from } = strictestOf(inForce);
  const linesAt = (level: string): PolicyIn => inForce.find((place) => place.level === level)?.lines ?? {};
  return {
    ...policy,
    from,
    places: { key: linesAt('key'), inbox: linesAt('inbox'), workspace: linesAt('workspace') },
    paused,
    read_only: key?.read_only ?? false,
  };
}

const selectControls = prepared((db, { request }: { request: string }) =>
  sql<{ controls: Controls }>`select sending_controls(${request}::jsonb) as controls`.compile(db),
);
