import type { Plan } from '@postrider/contract';
import type { Deps } from './deps.ts';

/** Who asks. Every row that a caller makes carries the key and the request. */
export interface Caller {
  workspaceId: string;
  plan: Plan;
  isTest: boolean;
  /** Null when the server itself acts, for example when mail comes in. */
  apiKeyId: string | null;
  requestId: string | null;
}

/** What a domain function runs in: the server, and the workspace that it acts for. */
export interface Context extends Deps, Caller {}

/** The context that authentication put on the answer. */
export const contextOf = (res: { locals: Record<string, unknown> }): Context => res.locals.context as Context;
