import type { AuditEntry } from '@postrider/contract/console';
import { auditText } from '#strings/audit.ts';
import { auditActions } from '#strings/audit-actions.ts';

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
  const known = Object.hasOwn(auditActions, entry.action) ? auditActions[entry.action] : undefined;
  if (known === undefined) return auditText.unknownAction(entry.action);
  return known.says({
    target: targetOf(entry, nameOf),
    before: (field, otherwise = '…') => textOf(entry.before?.[field]) ?? otherwise,
    after: (field, otherwise = '…') => textOf(entry.after?.[field]) ?? otherwise,
  });
}

/** Returns what was changed: a person by name, and one who left by the name of that time, if the entry has it. */
function targetOf({ target, actor }: AuditEntry, nameOf: NameOf): string {
  if (target === null) return '';
  return nameOf(target) ?? (target === actor.id && actor.name !== null ? actor.name : target);
}

/** Returns who did it: a person in the workspace by name, and others as they were called then. */
export function actorOf({ actor }: AuditEntry, nameOf: NameOf): string {
  const { kind, id, name } = actor;
  if (name === null) return auditText.actors[kind];
  return kind === 'key' ? auditText.keyNamed(name) : (id !== null && nameOf(id)) || name;
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
