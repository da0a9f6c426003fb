import { Input, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import type { CreateRule as NewRule, Rule } from 'postrider';
import { type FormEvent, useState } from 'react';
import { rulesText } from '#strings/rules.ts';
import { useChange } from '../lib/query.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { FormActions } from '../parts/form-actions.tsx';
import { notify } from '../parts/notify.ts';
import { explainPattern } from './explain-pattern.ts';

const { form: text, explain } = rulesText;
type Kind = Rule['kind'];
type Direction = Rule['direction'];

/** The dialog that creates a rule, and says what it will match while it is typed. */
export function CreateRule({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={text.title}>
      <RuleForm onClose={onClose} />
    </Modal>
  );
}

function RuleForm({ onClose }: { onClose(): void }) {
  const [kind, setKind] = useState<Kind>('block');
  const [direction, setDirection] = useState<Direction>('inbound');
  const [pattern, setPattern] = useState('');
  const { mutate, isPending, error } = useChange(
    async ({ api }, rule: NewRule) => {
      const { data, response } = await api.rules.create(rule).withResponse();
      return { rule: data, isNew: response.status === 201 };
    },
    ['rules'],
  );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    mutate(
      { kind, direction, pattern: pattern.trim() },
      {
        onSuccess: ({ rule, isNew }) => {
          void notify({ message: isNew ? text.added(rule.pattern) : text.existing(rule.pattern) });
          onClose();
        },
      },
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error && <ApiProblem error={error} />}
        <TextInput
          label={text.pattern}
          placeholder={text.placeholder}
          maxLength={320}
          autoComplete="off"
          spellCheck={false}
          required
          withAsterisk={false}
          data-autofocus
          value={pattern}
          onChange={({ currentTarget }) => setPattern(currentTarget.value)}
        />
        <Choice<Kind> label={text.kind} names={rulesText.kinds} value={kind} onChange={setKind} />
        <Choice<Direction>
          label={text.direction}
          names={rulesText.directions}
          value={direction}
          onChange={setDirection}
          help={text.directionHelp[direction]}
        />
        <Explanation pattern={pattern} kind={kind} direction={direction} />
        <FormActions submit={text.submit} isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  names: Record<Value, string>;
  value: Value;
  onChange(value: Value): void;
  help?: string;
}

function Choice<Value extends string>({ label, names, value, onChange, help }: ChoiceProps<Value>) {
  const data = Object.entries<string>(names).map(([key, name]) => ({ value: key, label: name }));
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl
        aria-label={label}
        fullWidth
        data={data}
        value={value}
        onChange={(next) => onChange(next as Value)}
      />
      {help !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          {help}
        </Text>
      )}
    </Input.Wrapper>
  );
}

function Explanation({ pattern, kind, direction }: { pattern: string; kind: Kind; direction: Direction }) {
  const typed = explainPattern(pattern);
  const isWhole = typed === 'address' || typed === 'domain';
  const matches = isWhole ? explain[typed](pattern.trim().toLowerCase()) : explain[typed];
  return (
    <Text role="status" c={isWhole ? undefined : 'dimmed'} mih={44} style={{ overflowWrap: 'anywhere' }}>
      {matches} {isWhole && explain.effects[`${kind} ${direction}`]}
    </Text>
  );
}
