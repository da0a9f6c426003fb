import { ActionIcon, Anchor, Code, Popover } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useState } from 'react';
import { searchText } from '#strings/search.ts';

interface OperatorProps {
  /** Called with an example that the person has chosen. */
  onChoose(example: string): void;
}

/** The button that shows all operators. */
export function OperatorHelp({ onChoose }: OperatorProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={420} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <ActionIcon
          size="lg"
          aria-label={searchText.help}
          title={searchText.help}
          onClick={() => setOpen(!isOpen)}
        >
          <IconHelp size={20} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={searchText.help} maw="calc(100vw - 32px)">
        <OperatorTable
          onChoose={(example) => {
            setOpen(false);
            onChoose(example);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The operators with their meanings. */
export function OperatorTable({ onChoose }: OperatorProps) {
  return (
    <dl className="search-operators">
      {searchText.operators.map(({ example, meaning }) => (
        <div key={example}>
          <dt>
            <Anchor component="button" type="button" onClick={() => onChoose(example)}>
              <Code>{example}</Code>
            </Anchor>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
