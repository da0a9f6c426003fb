import { recordAct } from '../audit/append-audit.ts';
import type { Context } from '../context.ts';

interface AuditedRule {
  id: string;
  kind: string;
  direction: string;
  pattern: string;
}

/** Records a rule about outgoing mail that was created or deleted, since it decides who may get mail. Call it last in the transaction. */
export async function auditRule(
  tx: Context,
  what: 'created' | 'deleted',
  { id, kind, direction, pattern }: AuditedRule,
): Promise<void> {
  if (direction === 'inbound') return;
  const value = { kind, direction, pattern };
  const act = { action: `rule.${what}`, target: id };
  await recordAct(tx, what === 'created' ? { ...act, after: value } : { ...act, before: value });
}
