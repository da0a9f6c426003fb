import {
  Group,
  Input,
  type MantineColorScheme,
  SegmentedControl,
  useMantineColorScheme,
} from '@mantine/core';
import { useId } from 'react';
import { settingsText } from '#strings/settings.ts';
import { setTimeChoices, useTimeChoices } from '../lib/time-choices.ts';
import { useNow } from '../lib/use-now.ts';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';

const text = settingsText.appearance;
const exampleAgoMs = 3 * 60 * 60_000;

/** How this browser shows colours and times. */
export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { style, clock } = useTimeChoices();
  const example = new Date(useNow() - exampleAgoMs).toISOString();
  return (
    <Panel title={text.title} about={text.about}>
      <Choice<MantineColorScheme>
        label={text.scheme}
        names={text.schemes}
        value={colorScheme}
        onChange={setColorScheme}
      />
      <Choice
        label={text.style}
        names={text.styles}
        value={style}
        onChange={(next) => setTimeChoices({ style: next })}
      />
      <Choice
        label={text.clock}
        names={text.clocks}
        value={clock}
        onChange={(next) => setTimeChoices({ clock: next })}
      />
      <div>
        {text.example}: <Time value={example} /> · <Time value={example} absolute />
      </div>
    </Panel>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  names: Record<Value, string>;
  value: Value;
  onChange(value: Value): void;
}

function Choice<Value extends string>({ label, names, value, onChange }: ChoiceProps<Value>) {
  const id = useId();
  const data = (Object.entries(names) as [Value, string][]).map(([option, name]) => ({
    value: option,
    label: name,
  }));
  return (
    <Group gap="sm">
      <Input.Label id={id} labelElement="div" w={80}>
        {label}
      </Input.Label>
      <SegmentedControl
        size="xs"
        aria-labelledby={id}
        value={value}
        onChange={(next) => onChange(next as Value)}
        data={data}
      />
    </Group>
  );
}
