import type { AppliedLabel } from 'postrider';

/** The name of a label in its colour. The colour only repeats the name. */
export function LabelChip({ label: { name, color } }: { label: Pick<AppliedLabel, 'name' | 'color'> }) {
  return (
    <span className="label-chip" title={name}>
      <LabelDot color={color} />
      <span className="label-name">{name}</span>
    </span>
  );
}

/** The colour of a label. */
export function LabelDot({ color }: { color: string | null }) {
  return <span className="label-dot" style={color === null ? undefined : { background: color }} />;
}
