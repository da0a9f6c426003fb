import { Paper, Text } from '@mantine/core';
import type { UsageDay } from '@postrider/contract/console';
import { useState } from 'react';
import { usageText } from '#strings/usage.ts';
import { byteSize } from '../lib/byte-size.ts';
import { formatCount } from '../lib/numbers.ts';
import type { Counted } from './judge-usage.ts';

const { charts, table: text } = usageText;

const fields: [Counted, string][] = [
  ['sent', charts.sent],
  ['received', charts.received],
  ['delivered', charts.delivered],
  ['bounced', charts.bounced],
  ['complained', charts.complained],
  ['storage_bytes', charts.stored],
];

/** Everything that the charts show, as a table, newest first. */
export function DaysTable({ days }: { days: UsageDay[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Text component="summary" fw={500} style={{ cursor: 'pointer' }}>
        {text.title}
      </Text>
      {isOpen && (
        <Paper withBorder mt="sm" tabIndex={0} style={{ overflowX: 'auto' }}>
          <table className="console-table" aria-label={text.title}>
            <thead>
              <tr>
                <th scope="col">{text.day}</th>
                {fields.map(([field, name]) => (
                  <th key={field} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((day) => (
                <tr key={day.day}>
                  <td style={{ whiteSpace: 'nowrap' }}>{day.day}</td>
                  {fields.map(([field]) => (
                    <td key={field}>{amountText(day, field)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Paper>
      )}
    </details>
  );
}

function amountText(day: UsageDay, field: Counted): string {
  return field === 'storage_bytes' ? signedBytes(day.storage_bytes) : formatCount(day[field]);
}

function signedBytes(bytes: number): string {
  return bytes < 0 ? `−${byteSize(-bytes)}` : byteSize(bytes);
}
