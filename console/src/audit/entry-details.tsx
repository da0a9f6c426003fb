import { Stack } from '@mantine/core';
import type { AuditEntry } from '@postrider/contract/console';
import { useState } from 'react';
import { auditText } from '#strings/audit.ts';
import { fullTime } from '../lib/times.ts';
import { type Fact, FactList } from '../parts/fact-list.tsx';
import { changesOf } from './describe-entry.ts';

/** What an entry says, and everything that it holds when it is opened. */
export function EntryDetails({ entry, sentence }: { entry: AuditEntry; sentence: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary style={{ cursor: 'pointer' }}>{sentence}</summary>
      {isOpen && (
        <Stack gap="sm" mt="sm" maw={560}>
          <Changes entry={entry} />
          <FactList facts={factsOf(entry)} />
        </Stack>
      )}
    </details>
  );
}

function Changes({ entry }: { entry: AuditEntry }) {
  const changes = changesOf(entry);
  if (changes.length === 0) return null;
  return (
    <table className="console-table">
      <thead>
        <tr>
          <th scope="col">{auditText.field}</th>
          <th scope="col">{auditText.before}</th>
          <th scope="col">{auditText.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{Object.hasOwn(auditText.fields, name) ? auditText.fields[name] : name}</th>
            <td>{before ?? auditText.noValue}</td>
            <td>{after ?? auditText.noValue}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function factsOf({ at, action, target, address, request_id }: AuditEntry): Fact[] {
  const optional: [string, string | null][] = [
    [auditText.code, action],
    [auditText.target, target],
    [auditText.address, address],
    [auditText.request, request_id],
  ];
  return [
    { name: auditText.time, value: fullTime(at) },
    ...optional.flatMap(([name, value]) => (value === null ? [] : [{ name, value, copy: value }])),
  ];
}
