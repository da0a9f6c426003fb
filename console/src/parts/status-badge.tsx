import { Badge } from '@mantine/core';

const colours = { good: 'pine', waiting: 'yellow', urgent: 'orange', bad: 'red', quiet: 'gray' } as const;

/** The tone of a badge, from good to bad news. */
export type Tone = keyof typeof colours;

/** A short word about the state of something. The word says it all, and the colour only repeats it. */
export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Badge variant="light" color={colours[tone]} className="console-badge">
      {children}
    </Badge>
  );
}
