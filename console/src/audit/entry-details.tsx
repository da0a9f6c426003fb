import './audit.css';
import type { AuditEntry } from '@postrider/contract/console';
import { useState } from 'react';
import { auditText } from '#strings/audit.ts';
import { formatCount } from '../lib/numbers.ts';
import { fullTime } from '../lib/times.ts';
import { type Fact, FactList } from '../parts/fact-list.tsx';
import { changesOf, type FieldChange } from './describe-entry.ts';

/** What an entry says, and everything that it holds when it is opened. */
export function EntryDetails({ entry, sentence }: { entry: AuditEntry; sentence: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary style={{ cursor: 'pointer' }}>{sentence}</summary>
      {isOpen && (
        <div style={{ maxWidth: 560, marginBlockStart: 8 }}>
          <FactList facts={factsOf(entry)} />
        </div>
      )}
    </details>
  );
}

function factsOf(entry: AuditEntry): Fact[] {
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
    ...changesOf(entry).map(changeFact),
    { name: auditText.number, value: formatCount(entry.seq) },
    { name: auditText.time, value: fullTime(at) },
    ...optional.flatMap(([name, value]) => (value === null ? [] : [{ name, value, copy: value }])),
  ];
}

function changeFact({ name, before, after }: FieldChange): Fact {
  const isChanged = before !== null && after !== null && before !== after;
  const shown = isChanged ? auditText.changed(before, after) : (after ?? before);
  return {
    name: Object.hasOwn(auditText.fields, name) ? (auditText.fields[name] ?? name) : name,
    value: shown,
  };
}
