import type { Plan } from '@postrider/contract';
import type { Deps } from './deps.ts';

/** Acts in a workspace: an API key, or the server itself, for example when mail comes in. */
export type Actor = { kind: 'key'; id: string } | { kind: 'server'; id: null };

/** Returns the actor whose id a row has. */
export function actorOf(id: string | null): Actor {
  return id === null ? { kind: 'server', id } : { kind: 'key', id };
}

/** The caller of a domain function. Every row that it creates carries the ids of the actor and the request. */
export interface Caller {
  workspaceId: string;
  plan: Plan;
  isTest: boolean;
  actor: Actor;
  requestId: string | null;
}

/** What a domain function runs in: the server, and the workspace that it acts for. */
export interface Context extends Deps, Caller {}

/** The context that authentication put on the answer. */
export function contextOf(res: { locals: Record<string, unknown> }): Context {
  return res.locals.context as Context;
}
