import { NumberInput } from '@mantine/core';
import type { limits } from '@postrider/contract';
import { policyText } from '#strings/policy.ts';
import type { CapLine } from './describe-policy.ts';

const capMax: (typeof limits)['policyCapMax'] = 1_000_000;

interface CapFieldProps {
  line: CapLine;
  /** Null for no cap. */
  value: number | null;
  onChange(value: number | null): void;
}

/** A cap. An empty field is no cap. */
export function CapField({ line, value, onChange }: CapFieldProps) {
  const { name, about } = policyText.lines[line];
  return (
    <NumberInput
      label={name}
      description={about}
      placeholder={policyText.noCap}
      value={value ?? ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : null)}
      min={0}
      max={capMax}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      hideControls
      size="sm"
    />
  );
}
