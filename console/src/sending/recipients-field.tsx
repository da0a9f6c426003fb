import { Input, SegmentedControl, Stack, TagsInput, Text } from '@mantine/core';
import type { limits, Policy } from '@postrider/contract';
import { useState } from 'react';
import { policyText } from '#strings/sending.ts';
import { explainPattern } from '../rules/explain-pattern.ts';

type Recipients = Policy['recipients'];
type Kind = 'anyone' | 'known' | 'list';

const patternsMax: (typeof limits)['policyPatternsMax'] = 1_000;
const { recipients: kinds, form: text, lines } = policyText;
const choices = (['anyone', 'known', 'list'] as const).map((kind) => ({
  value: kind,
  label: kinds[kind].name,
}));

interface RecipientsFieldProps {
  value: Recipients;
  onChange(value: Recipients): void;
}

/** The people who may get mail: anyone, known addresses, or a list. */
export function RecipientsField({ value, onChange }: RecipientsFieldProps) {
  const kind: Kind = Array.isArray(value) ? 'list' : value;
  return (
    <Input.Wrapper label={lines.recipients.name} labelElement="div" description={lines.recipients.about}>
      <Stack gap="xs" mt="xs">
        <SegmentedControl<Kind>
          aria-label={lines.recipients.name}
          data={choices}
          value={kind}
          onChange={(next) => onChange(next === 'list' ? [] : next)}
          style={{ alignSelf: 'flex-start' }}
        />
        <Text size="sm" c="dimmed">
          {kinds[kind].about}
        </Text>
        {Array.isArray(value) && <PatternList value={value} onChange={onChange} />}
      </Stack>
    </Input.Wrapper>
  );
}

/** Texts that are neither an address nor a domain are not taken. */
function PatternList({ value, onChange }: { value: string[]; onChange(value: string[]): void }) {
  const [refused, setRefused] = useState<string[]>([]);
  function take(texts: string[]) {
    const isPattern = (one: string) => ['address', 'domain'].includes(explainPattern(one));
    setRefused((before) => [...new Set([...before, ...texts.filter((one) => !isPattern(one))])]);
    onChange([...new Set(texts.filter(isPattern).map((one) => one.trim().toLowerCase()))]);
  }
  return (
    <TagsInput
      label={text.list}
      description={text.listHelp}
      error={refused.length > 0 && text.noPattern(refused.join(', '))}
      value={value}
      onChange={take}
      maxTags={patternsMax}
      splitChars={[',', ';', ' ']}
      onFocus={() => setRefused([])}
      acceptValueOnBlur
      spellCheck={false}
      autoComplete="off"
    />
  );
}
