import '../mail/mail.css';
import './search.css';
import { Anchor, Button, Code, Group, Paper, Popover, Stack } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useState } from 'react';
import { searchText } from '#strings/search.ts';
import { moveFocus, useRowKeys } from '../lib/shortcuts.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { IconButton } from '../parts/buttons.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Results } from './results.tsx';
import { SearchFilters, WordsField } from './search-fields.tsx';
import { addOperator, emptySearch, isAsking } from './search-state.ts';

/** The search for messages in all inboxes. */
export function SearchPage() {
  const [search, change] = useUrlState(emptySearch);
  const add = (operator: string) => change({ q: addOperator(search.q, operator) });
  useRowKeys();
  const operators = <OperatorTable onChoose={add} />;
  return (
    <>
      <PageHeader title={searchText.title} actions={<OperatorHelp onChoose={add} />} />
      <Stack gap="sm" mb="md">
        <WordsField value={search.q} onChange={(q) => change({ q })} onDown={() => moveFocus(0)} />
        <SearchFilters search={search} onChange={change} />
        <Group gap={6} role="group" aria-label={searchText.suggestions}>
          {searchText.chips.map((operator) => (
            <Button
              key={operator}
              size="compact-xs"
              variant="default"
              radius="xl"
              onClick={() => {
                add(operator);
                document.querySelector<HTMLElement>('[data-search]')?.focus();
              }}
            >
              {operator}
            </Button>
          ))}
        </Group>
      </Stack>
      {isAsking(search) ? (
        <Results
          search={search}
          nothing={<EmptyState {...searchText.nothing} picture="search" action={operators} />}
          onClear={() => change(emptySearch)}
        />
      ) : (
        <Paper withBorder>
          <EmptyState {...searchText.start} picture="search" action={operators} />
        </Paper>
      )}
    </>
  );
}

interface OperatorProps {
  /** Called with an example that the person has chosen. */
  onChoose(example: string): void;
}

function OperatorHelp({ onChoose }: OperatorProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={420} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <IconButton
          icon={IconHelp}
          label={searchText.help}
          size="lg"
          iconSize={20}
          onClick={() => setOpen(!isOpen)}
        />
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

function OperatorTable({ onChoose }: OperatorProps) {
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
