import type { Context } from '../context.ts';
import { type AuditAct, appendAudit } from './append-audit.ts';

/** Records what the caller of the API did, a person or a key, last in the transaction of the change. */
export function recordAct(tx: Context, act: AuditAct): Promise<void> {
  const { kind, id } = tx.actor;
  const { requestId, clientAddress = null } = tx;
  return appendAudit(tx, tx.workspaceId, { kind, id, address: clientAddress, requestId }, act);
}

/** Returns the fields that a change gave another value, with the values before and after; null if it changed none. */
export function changedFields<Fields extends Record<string, unknown>>(
  before: Fields,
  after: Fields,
): { before: Partial<Fields>; after: Partial<Fields> } | null {
  const isChanged = (name: string) => JSON.stringify(before[name]) !== JSON.stringify(after[name]);
  const changed = Object.keys(after).filter(isChanged);
  if (changed.length === 0) return null;
  const pick = (fields: Fields) =>
    Object.fromEntries(changed.map((name) => [name, fields[name]])) as Partial<Fields>;
  return { before: pick(before), after: pick(after) };
}
