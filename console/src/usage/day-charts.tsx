import '@mantine/charts/styles.css';
import { BarChart, type BarChartSeries } from '@mantine/charts';
import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { UsageDay } from '@postrider/contract/console';
import { useState } from 'react';
import { usageText } from '#strings/usage.ts';
import { byteSize, formatCount } from '../lib/numbers.ts';
import { type Counted, sumDays } from './judge-usage.ts';

const text = usageText.charts;

interface Series extends BarChartSeries {
  color: string;
  name: Counted;
  label: string;
}

const mail: Series[] = [
  { name: 'sent', label: text.sent, color: 'pine.6' },
  { name: 'received', label: text.received, color: 'indigo.4' },
];
const outcomes: Series[] = [
  { name: 'delivered', label: text.delivered, color: 'pine.6' },
  { name: 'bounced', label: text.bounced, color: 'orange.6' },
  { name: 'complained', label: text.complained, color: 'red.7' },
];
const storage: Series[] = [{ name: 'storage_bytes', label: text.stored, color: 'indigo.4' }];

/** Charts of the daily counts, and the same as a table. */
export function DayCharts({ days }: { days: UsageDay[] }) {
  return (
    <Stack gap="xl">
      <DayChart title={text.mail} days={days} series={mail} />
      <DayChart title={text.outcomes} days={days} series={outcomes} />
      <DayChart title={text.storage} days={days} series={storage} format={signedBytes} />
      <DaysTable days={days} />
    </Stack>
  );
}

interface DayChartProps {
  title: string;
  days: UsageDay[];
  series: Series[];
  format?(amount: number): string;
}

function DayChart({ title, days, series, format = formatCount }: DayChartProps) {
  const totals = series.map(({ name, label }) => text.total(label, format(sumDays(days, name))));
  const isEmpty = series.every(({ name }) => days.every((day) => day[name] === 0));
  return (
    <section>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={3}>{title}</Title>
        <Legend series={series} totals={totals} />
      </Group>
      {isEmpty ? (
        <Text c="dimmed" py="lg">
          {text.empty}
        </Text>
      ) : (
        <div role="img" aria-label={text.summary(title, totals.join(', '))}>
          <BarChart
            h={180}
            data={days.map((day) => ({ ...day, day: shortDay(day.day) }))}
            dataKey="day"
            series={series}
            valueFormatter={format}
            tickLine="none"
            gridAxis="x"
            maxBarWidth={18}
            yAxisProps={{ width: 64, allowDecimals: false }}
            xAxisProps={{ interval: 'preserveStartEnd', minTickGap: 24 }}
            barChartProps={{ accessibilityLayer: false }}
            tooltipAnimationDuration={0}
          />
        </div>
      )}
    </section>
  );
}

function Legend({ series, totals }: { series: Series[]; totals: string[] }) {
  return (
    <Group gap="md" aria-hidden>
      {series.map(({ name, color }, index) => (
        <Group key={name} gap={6}>
          <span
            style={{
              width: 10,
              height: 10,
              borderRadius: 3,
              background: `var(--mantine-color-${color.replace('.', '-')})`,
            }}
          />
          <Text variant="note">{totals[index]}</Text>
        </Group>
      ))}
    </Group>
  );
}

const dayFormat = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' });

function shortDay(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`));
}

function signedBytes(bytes: number): string {
  return bytes < 0 ? `−${byteSize(-bytes)}` : byteSize(bytes);
}

const tableText = usageText.table;
const fields = [...mail, ...outcomes, ...storage];

function DaysTable({ days }: { days: UsageDay[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <Text component="summary" fw={500} style={{ cursor: 'pointer' }}>
        {tableText.title}
      </Text>
      {isOpen && (
        <Paper withBorder mt="sm" tabIndex={0} style={{ overflowX: 'auto' }}>
          <table className="console-table" aria-label={tableText.title}>
            <thead>
              <tr>
                <th scope="col">{tableText.day}</th>
                {fields.map(({ name, label }) => (
                  <th key={name} scope="col">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map((day) => (
                <tr key={day.day}>
                  <td style={{ whiteSpace: 'nowrap' }}>{day.day}</td>
                  {fields.map(({ name }) => (
                    <td key={name}>{amountText(day, name)}</td>
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
