import type { AuditBreak, AuditEntry } from '@postrider/contract/console';
import type { WorkspaceCheck } from './audit-commands.ts';

/** Returns an entry as one line for a terminal. Names come from people, so characters that steer a terminal are left out. */
export function describeEntry({ seq, at, actor, action, target, before, after }: AuditEntry): string {
  const who = actor.name === null ? (actor.id ?? actor.kind) : `${actor.name} (${actor.kind})`;
  const values = [before, after].map((fields) => (fields === null ? '' : JSON.stringify(fields)));
  const change = values[0] && values[1] ? values.join(' → ') : values.join('');
  const line = [seq, at, who, action, target ?? '', change].filter((part) => part !== '').join('  ');
  return line.replaceAll(/\p{C}/gu, '');
}

/** Returns the result of a check as one line for a terminal. */
export function describeCheck(check: WorkspaceCheck): string {
  if (!check.intact) return `${check.workspace}: broken, ${describeBreak(check)}`;
  const { workspace, count, since, last_seq, last_hash } = check;
  if (last_seq === 0) return `${workspace}: no entries yet`;
  const kept =
    since === null
      ? 'all entries have been removed after a year'
      : `${count === 1 ? '1 entry' : `${count} entries`} since ${since}`;
  return `${workspace}: intact, ${kept}; entry ${last_seq}, the last one, has the hash ${last_hash}`;
}

function describeBreak({ problem, from_seq: from, to_seq: to }: AuditBreak): string {
  const missing = from === to ? `entry ${from} is missing` : `entries ${from} to ${to} are missing`;
  return {
    changed: `entry ${from} was changed`,
    unlinked: `entry ${from} does not fit the entries next to it, one of which was replaced`,
    gap: missing,
    missing_beginning: `${missing} at the beginning`,
    missing_end: `${missing} at the end`,
    unexpected: `entry ${from} was inserted, or the record of the first and last entry was changed`,
  }[problem];
}
