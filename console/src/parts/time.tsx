import { fullTime, relativeTime, shortTime, useNow, useTimeChoices } from '../lib/times.ts';

interface TimeProps {
  value: string;
  /** Shows the date and the time instead of how long ago it was. */
  absolute?: boolean;
}

/** A time in the reader's zone: how long ago, and the exact time on hover. */
export function Time({ value, absolute = false }: TimeProps) {
  const now = useNow();
  const { style } = useTimeChoices();
  return (
    <time dateTime={value} title={fullTime(value)} style={{ whiteSpace: 'nowrap' }}>
      {absolute || style === 'date' ? shortTime(value) : relativeTime(value, now)}
    </time>
  );
}
