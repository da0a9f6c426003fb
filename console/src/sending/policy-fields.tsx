import './sending.css';
import {
  Button,
  Group,
  Input,
  NumberInput,
  Radio,
  SegmentedControl,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
} from '@mantine/core';
import type { limits, Policy, PolicyIn, SendMode } from '@postrider/contract';
import { type Icon, IconSend, IconSendOff, IconShieldCheck, IconUserCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { policyText } from '#strings/sending.ts';
import type { FieldProps } from '../parts/form-dialog.tsx';
import { explainPattern } from '../rules/explain-pattern.ts';
import { type CapLine, capLines, carefulPolicy } from './describe-policy.tsx';

/** The lines of a policy: what happens to messages, who may get mail, and the caps. */
export function PolicyFields({ value, onChange }: FieldProps<PolicyIn>) {
  const { send = 'allow', recipients = 'anyone' } = value;
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconShieldCheck size={16} aria-hidden />}
          onClick={() => onChange(carefulPolicy)}
        >
          {policyText.form.careful}
        </Button>
        <Text variant="note">{policyText.form.carefulAbout}</Text>
      </Group>
      <SendChoice value={send} onChange={(next) => onChange({ ...value, send: next })} />
      <RecipientsField value={recipients} onChange={(next) => onChange({ ...value, recipients: next })} />
      <Input.Wrapper label={policyText.form.caps} labelElement="div" description={policyText.form.capsAbout}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs" spacing="md">
          {capLines.map((line) => (
            <CapField
              key={line}
              line={line}
              value={value[line] ?? null}
              onChange={(next) => onChange({ ...value, [line]: next })}
            />
          ))}
        </SimpleGrid>
      </Input.Wrapper>
    </Stack>
  );
}

const capMax: (typeof limits)['policyCapMax'] = 1_000_000;

/** A cap; null, and an empty field, for none. */
function CapField({ line, value, onChange }: FieldProps<number | null> & { line: CapLine }) {
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

const icons = { allow: IconSend, approve: IconUserCheck, never: IconSendOff };
const modes = ['allow', 'approve', 'never'] as const;
const { name: sendName, about: sendAbout } = policyText.lines.send;

function SendChoice({ value, onChange }: FieldProps<SendMode>) {
  return (
    <Radio.Group
      label={sendName}
      description={sendAbout}
      value={value}
      onChange={(next) => onChange(next as SendMode)}
    >
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm" mt="xs">
        {modes.map((mode) => (
          <ChoiceCard key={mode} value={mode} icon={icons[mode]} {...policyText.modes[mode]} />
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}

interface ChoiceCardProps {
  value: string;
  name: string;
  about: string;
  icon?: Icon;
  disabled?: boolean;
  children?: ReactNode;
}

/** A large choice, with its name and what it means. */
export function ChoiceCard({ value, name, about, icon: Picture, disabled, children }: ChoiceCardProps) {
  return (
    <Radio.Card value={value} p="md" className="sending-mode" data-mode={value} disabled={disabled}>
      <Group gap="xs" wrap="nowrap" mb={4}>
        {Picture && <Picture size={20} aria-hidden />}
        <Text fw={600} flex={1}>
          {name}
        </Text>
        <Radio.Indicator size="sm" />
      </Group>
      <Text variant="note">{about}</Text>
      {children}
    </Radio.Card>
  );
}

type Recipients = Policy['recipients'];
type Kind = 'anyone' | 'known' | 'list';

const patternsMax: (typeof limits)['policyPatternsMax'] = 1_000;
const { recipients: kinds, form: text, lines } = policyText;
const choices = (['anyone', 'known', 'list'] as const).map((kind) => ({
  value: kind,
  label: kinds[kind].name,
}));

function RecipientsField({ value, onChange }: FieldProps<Recipients>) {
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
        <Text variant="note">{kinds[kind].about}</Text>
        {Array.isArray(value) && <PatternList value={value} onChange={onChange} />}
      </Stack>
    </Input.Wrapper>
  );
}

/** Texts that are neither an address nor a domain are not taken. */
function PatternList({ value, onChange }: FieldProps<string[]>) {
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
