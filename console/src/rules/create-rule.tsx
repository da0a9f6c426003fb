import { Input, SegmentedControl, Text, TextInput } from '@mantine/core';
import type { CreateRule as NewRule, Rule } from 'postrider';
import { useState } from 'react';
import { rulesText } from '#strings/rules.ts';
import { useChange } from '../lib/query.ts';
import { type DialogProps, FormDialog } from '../parts/form-dialog.tsx';
import { explainPattern } from './explain-pattern.ts';

const { form: text, explain } = rulesText;
type Kind = Rule['kind'];
type Direction = Rule['direction'];

/** The dialog that creates a rule, and says what it will match while it is typed. */
export function CreateRule(dialog: DialogProps) {
  const { mutateAsync } = useChange(['rules'], ({ api }, rule: NewRule) =>
    api.rules.create(rule).withResponse(),
  );
  function create(field: (name: string) => string) {
    const kind = field('kind') as Kind;
    const direction = field('direction') as Direction;
    return mutateAsync({ kind, direction, pattern: field('pattern').trim() });
  }
  return (
    <FormDialog
      {...dialog}
      title={text.title}
      submit={text.submit}
      onSubmit={create}
      done={({ data, response }) => (response.status === 201 ? text.added : text.existing)(data.pattern)}
    >
      <RuleFields />
    </FormDialog>
  );
}

function RuleFields() {
  const [kind, setKind] = useState<Kind>('block');
  const [direction, setDirection] = useState<Direction>('inbound');
  const [pattern, setPattern] = useState('');
  return (
    <>
      <TextInput
        name="pattern"
        label={text.pattern}
        placeholder={text.placeholder}
        maxLength={320}
        spellCheck={false}
        required
        data-autofocus
        value={pattern}
        onChange={({ currentTarget }) => setPattern(currentTarget.value)}
      />
      <Choice<Kind> name="kind" label={text.kind} names={rulesText.kinds} value={kind} onChange={setKind} />
      <Choice<Direction>
        name="direction"
        label={text.direction}
        names={rulesText.directions}
        value={direction}
        onChange={setDirection}
        help={text.directionHelp[direction]}
      />
      <Explanation pattern={pattern} kind={kind} direction={direction} />
    </>
  );
}

interface ChoiceProps<Value extends string> {
  name: string;
  label: string;
  names: Record<Value, string>;
  value: Value;
  onChange(value: Value): void;
  help?: string;
}

function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { name, label, names, value, onChange, help } = props;
  const data = Object.entries<string>(names).map(([key, shown]) => ({ value: key, label: shown }));
  return (
    <Input.Wrapper label={label} labelElement="div">
      <SegmentedControl
        name={name}
        aria-label={label}
        fullWidth
        data={data}
        value={value}
        onChange={(next) => onChange(next as Value)}
      />
      {help !== undefined && (
        <Text variant="detail" mt={4}>
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
