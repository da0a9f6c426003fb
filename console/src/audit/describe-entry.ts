import type { AuditEntry } from '@postrider/contract/console';
import { auditActions, auditText, auditValues } from '#strings/audit.ts';

/** Returns the name of a person or a key, or the address of an inbox, by the id; null for an id that is not in the workspace. */
export type FindName = (id: string) => string | null;

/** A field that an entry has before or after the change. */
export interface FieldChange {
  name: string;
  before: string | null;
  after: string | null;
}

/** Returns what an entry says in one sentence. An action that the catalogue does not know is shown by its code. */
export function describeEntry(entry: AuditEntry, findName: FindName): string {
  const known = Object.hasOwn(auditActions, entry.action) ? auditActions[entry.action] : undefined;
  if (known === undefined) return auditText.unknownAction(entry.action);
  const [, says] = known;
  return says({
    target: nameTarget(entry, findName),
    before: (field, otherwise = '…') => describeValue(field, entry.before?.[field], findName) ?? otherwise,
    after: (field, otherwise = '…') => describeValue(field, entry.after?.[field], findName) ?? otherwise,
  });
}

/** Returns the name of the changed thing or person. For a person who has left, returns the name in the entry, if it has one. */
function nameTarget({ target, actor }: AuditEntry, findName: FindName): string {
  if (target === null) return '';
  return findName(target) ?? (target === actor.id && actor.name !== null ? actor.name : target);
}

/** Returns who did it: a person in the workspace by name, and others as they were called then. */
export function nameActor({ actor }: AuditEntry, findName: FindName): string {
  const { kind, id, name } = actor;
  if (name === null) return auditText.actors[kind];
  if (kind === 'key') return auditText.keyNamed(name);
  if (kind === 'token') return auditText.tokenNamed(name);
  return (id !== null && findName(id)) || name;
}

/** Returns every field of an entry with its value before and after. */
export function listChanges(
  { before, after }: Pick<AuditEntry, 'before' | 'after'>,
  findName: FindName,
): FieldChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].map((name) => ({
    name,
    before: describeValue(name, before?.[name], findName),
    after: describeValue(name, after?.[name], findName),
  }));
}

/** Returns a value in words. Of an object, which is a policy, each line is named. */
function describeValue(field: string, value: unknown, findName: FindName): string | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value))
    return value.map((one) => describeValue(field, one, findName)).join(', ') || auditValues.empty;
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, one]) =>
        auditValues.line(fieldName(name), describeValue(name, one, findName) ?? auditValues.notSet),
      )
      .join('; ');
  const text = String(value);
  const names = Object.hasOwn(auditValues.names, field) ? auditValues.names[field] : undefined;
  return (names && Object.hasOwn(names, text) ? names[text] : undefined) ?? findName(text) ?? text;
}

/** Returns the name of a field. */
export function fieldName(name: string): string {
  return (Object.hasOwn(auditValues.fields, name) ? auditValues.fields[name] : undefined) ?? name;
}
