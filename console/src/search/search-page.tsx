import '../mail/mail.css';
import './search.css';
import { ActionIcon, Anchor, Button, Code, Group, Paper, Popover, Stack } from '@mantine/core';
import type { limits } from '@postrider/contract';
import { IconHelp } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { searchText } from '#strings/search.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Results } from './results.tsx';
import { SearchFilters } from './search-filters.tsx';
import { addOperator, emptySearch, isAsking } from './search-state.ts';
import { WordsField } from './words-field.tsx';

const charactersMax: (typeof limits)['searchQueryCharactersMax'] = 1_000;

/** The search for messages in all inboxes. */
export function SearchPage() {
  const [search, change] = useUrlState(emptySearch);
  const add = (operator: string) => change({ q: addOperator(search.q, operator) });
  const { ref, focusFirst } = useMoveFocus();
  return (
    <>
      <PageHeader title={searchText.title} actions={<OperatorHelp onChoose={add} />} />
      <Stack gap="sm" mb="md">
        <WordsField
          label={searchText.label}
          placeholder={searchText.placeholder}
          value={search.q}
          charactersMax={charactersMax}
          onChange={(q) => change({ q })}
          onDown={focusFirst}
          size="md"
          // People come to this page to type.
          autoFocus
        />
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
      <div ref={ref}>
        {isAsking(search) ? (
          <Results
            search={search}
            nothing={<Teaching {...searchText.nothing} onChoose={add} />}
            onClear={() => change(emptySearch)}
          />
        ) : (
          <Paper withBorder>
            <Teaching {...searchText.start} onChoose={add} />
          </Paper>
        )}
      </div>
    </>
  );
}

interface TeachingProps {
  title: string;
  message: string;
  onChoose(example: string): void;
}

function Teaching({ title, message, onChoose }: TeachingProps) {
  return (
    <EmptyState
      title={title}
      message={message}
      picture="search"
      action={<OperatorTable {...{ onChoose }} />}
    />
  );
}

/** Returns what moves the focus between results: `j` and `k`, and a function for the first one. */
function useMoveFocus() {
  const ref = useRef<HTMLDivElement>(null);
  const move = (steps: number) => {
    const results = [...(ref.current?.querySelectorAll<HTMLElement>('[data-result]') ?? [])];
    const current = results.findIndex((result) => result.contains(document.activeElement));
    const next = current === -1 ? 0 : Math.min(results.length - 1, Math.max(0, current + steps));
    results[next]?.focus();
  };
  useShortcuts({ j: () => move(1), k: () => move(-1) });
  return { ref, focusFirst: () => move(0) };
}

interface OperatorProps {
  /** Called with an example that the person has chosen. */
  onChoose(example: string): void;
}

/** The button that shows all operators. */
function OperatorHelp({ onChoose }: OperatorProps) {
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
