import type { AuditEntry } from '@postrider/contract/console';
import { useState } from 'react';
import { auditText, auditValues } from '#strings/audit.ts';
import { formatCount } from '../lib/numbers.ts';
import { fullTime } from '../lib/times.ts';
import { type Fact, FactList } from '../parts/fact-list.tsx';
import { type FieldChange, type FindName, fieldName, listChanges } from './describe-entry.ts';

interface EntryDetailsProps {
  entry: AuditEntry;
  sentence: string;
  findName: FindName;
}

/** An entry in words; opened, it shows everything that the entry holds. */
export function EntryDetails({ entry, sentence, findName }: EntryDetailsProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary style={{ cursor: 'pointer' }}>{sentence}</summary>
      {isOpen && (
        <div style={{ maxWidth: 560, marginBlockStart: 8 }}>
          <FactList facts={listFacts(entry, findName)} />
        </div>
      )}
    </details>
  );
}

function listFacts(entry: AuditEntry, findName: FindName): Fact[] {
  const { at, action, target, address, request_id, actor, hash } = entry;
  const optional: [string, string | null][] = [
    [auditText.code, action],
    [auditText.target, target],
    [auditText.address, address],
    [auditText.request, request_id],
    [auditText.actor, actor.id],
    [auditText.hash, hash],
  ];
  return [
    ...listChanges(entry, findName).map((change) => changeFact(change, entry)),
    { name: auditText.number, value: formatCount(entry.seq) },
    { name: auditText.time, value: fullTime(at) },
    ...optional.flatMap(([name, value]) => (value === null ? [] : [{ name, value, copy: value }])),
  ];
}

/** A field that was set or removed in a change of several fields is told so. */
function changeFact({ name, before, after }: FieldChange, entry: AuditEntry): Fact {
  const isChange = entry.before !== null && entry.after !== null && before !== after;
  const value = isChange
    ? auditText.changed(before ?? auditValues.notSet, after ?? auditValues.notSet)
    : (after ?? before);
  return { name: fieldName(name), value };
}
