import './search.css';
import { Alert, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { limits } from '@postrider/contract';
import type { ListedMessage } from 'postrider';
import { useRef } from 'react';
import { partsText } from '#strings/parts.ts';
import { searchText } from '#strings/search.ts';
import { useInboxAddress } from '../lib/inboxes.ts';
import type { PagedList } from '../lib/paging.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { shortTime } from '../lib/times.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { Picture } from '../parts/empty-state.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { OperatorHelp, OperatorTable } from './operator-help.tsx';
import { ResultRow } from './result-row.tsx';
import { SearchFilters } from './search-filters.tsx';
import { useSearch } from './search-queries.ts';
import { addOperator, emptySearch, isAsking } from './search-state.ts';
import { WordsField } from './words-field.tsx';

const charactersMax: (typeof limits)['searchQueryCharactersMax'] = 1_000;

/** The search for messages in all inboxes. */
export function SearchPage() {
  const [search, change] = useUrlState(emptySearch);
  const add = (operator: string) => change({ q: addOperator(search.q, operator) });
  const list = useSearch(search);
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
          <Results list={list} first={list.firstPage} onAdd={add} onClear={() => change(emptySearch)} />
        ) : (
          <Teaching {...searchText.start} onChoose={add} />
        )}
      </div>
    </>
  );
}

interface ResultsProps {
  list: PagedList<ListedMessage>;
  first: Outcome | undefined;
  onAdd(operator: string): void;
  onClear(): void;
}

interface Outcome {
  mode_used: string;
  fallback_reason?: 'plan' | 'unavailable' | undefined;
  ranked_within?: string | undefined;
}

function Results({ list, first, onAdd, onClear }: ResultsProps) {
  const inboxAddress = useInboxAddress();
  if (list.isLoading) return list.error ? null : <Waiting />;
  const problem = list.error ? (
    <ApiProblem error={list.error} onRetry={list.retry} onClear={onClear} />
  ) : null;
  if (list.items.length === 0 && problem) return problem;
  if (list.items.length === 0 && !list.hasMore) return <Teaching {...searchText.nothing} onChoose={onAdd} />;
  return (
    <>
      {first && <OutcomeNotes outcome={first} />}
      {list.items.length === 0 && <Text c="dimmed">{partsText.nothingYet}</Text>}
      <Paper withBorder hidden={list.items.length === 0}>
        <ul className="search-results" aria-label={searchText.results}>
          {list.items.map((message) => (
            <ResultRow key={message.id} message={message} inbox={inboxAddress(message.inbox_id)} />
          ))}
        </ul>
      </Paper>
      {problem ?? <LoadMore list={list} />}
    </>
  );
}

function OutcomeNotes({ outcome: { fallback_reason, ranked_within } }: { outcome: Outcome }) {
  return (
    <>
      {fallback_reason !== undefined && (
        <Alert color="yellow" variant="light" role="status" mb="sm" p="xs" className="console-warning">
          {searchText.fallback[fallback_reason]}
        </Alert>
      )}
      {ranked_within !== undefined && (
        <Text size="xs" c="dimmed" mb="xs">
          {searchText.rankedWithin(shortTime(ranked_within))}
        </Text>
      )}
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
    <Paper withBorder p="lg">
      <Picture name="search" />
      <Title order={2}>{title}</Title>
      <Text c="dimmed" mb="md">
        {message}
      </Text>
      <OperatorTable onChoose={onChoose} />
    </Paper>
  );
}

const rows = ['1', '2', '3', '4', '5'];

function Waiting() {
  return (
    <Paper withBorder aria-busy>
      {rows.map((row) => (
        <div key={row} className="search-result">
          <Skeleton height={14} width="40%" mb={8} />
          <Skeleton height={12} width="80%" />
        </div>
      ))}
    </Paper>
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
