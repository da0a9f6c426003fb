import type { AuditEntry } from '@postrider/contract/console';
import { auditText } from '#strings/audit.ts';

/** Returns the name of a person by the id; null for somebody who is not in the workspace. */
export type NameOf = (personId: string) => string | null;

/** A field that an entry has before or after the change. */
export interface FieldChange {
  name: string;
  before: string | null;
  after: string | null;
}

/** Returns what an entry says in one sentence. An action that the catalogue does not know is shown by its code. */
export function describeEntry(entry: AuditEntry, nameOf: NameOf): string {
  const known = Object.hasOwn(auditText.actions, entry.action) ? auditText.actions[entry.action] : undefined;
  if (known === undefined) return auditText.unknownAction(entry.action);
  return known.says({
    target: (entry.target !== null && nameOf(entry.target)) || (entry.target ?? ''),
    before: (field) => textOf(entry.before?.[field]) ?? '…',
    after: (field) => textOf(entry.after?.[field]) ?? '…',
  });
}

/** Returns who did it. */
export function actorOf({ actor }: AuditEntry): string {
  return actor.name ?? auditText.actors[actor.kind];
}

/** Returns every field of an entry with its value before and after. */
export function changesOf({ before, after }: Pick<AuditEntry, 'before' | 'after'>): FieldChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].map((name) => ({
    name,
    before: textOf(before?.[name]),
    after: textOf(after?.[name]),
  }));
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
