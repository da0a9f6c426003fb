import type { Plan } from '@postrider/contract';
import type { Deps } from './deps.ts';
import { isId } from './lib/ids.ts';
import type { Scope } from './lib/scope.ts';

/**
 * The actor in a workspace: an API key, a person who is signed in to the console, an admin token, or the server itself, for example when
 * mail arrives. A `sessionId` of null means that the act outlives its session, such as a draft that is sent later.
 */
export type Actor =
  | { kind: 'key'; id: string }
  | { kind: 'person'; id: string; sessionId: string | null }
  | { kind: 'token'; id: string }
  | { kind: 'server'; id: null };

/** Returns the actor whose id a row has. */
export function actorOf(id: string | null): Actor {
  if (id === null) return { kind: 'server', id };
  if (isId('adm', id)) return { kind: 'token', id };
  return isId('usr', id) ? { kind: 'person', id, sessionId: null } : { kind: 'key', id };
}

/** Returns the id of the caller's credential (the key, the token or the session); null for the server itself. */
export function credentialOf(actor: Actor): string | null {
  return actor.kind === 'person' ? actor.sessionId : actor.id;
}

/** The caller of a domain function. Every row that it creates carries the ids of the actor and the request. */
export interface Caller {
  workspaceId: string;
  plan: Plan;
  isTest: boolean;
  /** The limits of the key. Nothing outside of them exists for the caller. */
  scope: Readonly<Scope>;
  actor: Actor;
  requestId: string | null;
}

/** The context of a domain function: the server, and the workspace that it acts for. */
export interface Context extends Deps, Caller {
  /** The network address of the caller, if it has one. */
  clientAddress?: string | null;
}

/** The context that authentication stored on the response. */
export function contextOf(res: { locals: Record<string, unknown> }): Context {
  return res.locals.context as Context;
}
