import type { Decision } from '@postrider/contract/console';
import type { Selectable } from 'kysely';
import type { AuditActor } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';
import type { Tables } from '../db/tables.ts';

/** What a decision runs in. */
export type DecideContext = Pick<
  Context,
  'db' | 'scope' | 'clock' | 'timeScale' | 'wakeups' | 'files' | 'config' | 'workspaceId' | 'isTest'
>;

/** A decision of people, and where they made it. */
export interface Decided {
  decision: Decision;
  reason: string | null;
  actor: AuditActor;
  by: 'console' | 'link' | 'command line';
}

/** An approval as a row. */
export type ApprovalRow = Selectable<Tables['approvals']>;
