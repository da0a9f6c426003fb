import './events.css';
import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { eventsText } from '#strings/events.ts';
import { partsText } from '#strings/parts.ts';
import { useInboxAddress } from '../lib/inboxes.ts';
import { useSession } from '../lib/session.ts';
import { useRowKeys } from '../lib/shortcuts.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { apiSnippets } from '../parts/api-snippets.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { NothingMatches } from '../parts/nothing-matches.tsx';
import { type EventFilters, usePastEvents } from './event-queries.ts';
import { EventRow } from './event-row.tsx';
import { eventsMax } from './tail.ts';
import type { LiveTail } from './use-tail.ts';

interface EventListProps {
  filters: EventFilters;
  tail: LiveTail;
  openId: string;
  onOpen(id: string): void;
  onClear(): void;
  /** Starts again with the current log. */
  onRestart(): void;
}

const skeletonRows = ['1', '2', '3', '4', '5', '6', '7', '8'];

/** The events that came since the page is open, and below them those of the log. */
export function EventList(props: EventListProps) {
  const { filters, tail, openId, onOpen, onClear, onRestart } = props;
  const past = usePastEvents(filters, tail.hasBegun);
  const events = useMemo(() => {
    // After a gap the log would continue in the wrong place.
    if (tail.isCut) return tail.shown;
    const shown = new Set(tail.shown.map(({ id }) => id));
    const waiting = new Set(tail.waiting.map(({ id }) => id));
    return [...tail.shown, ...past.items.filter(({ id }) => !shown.has(id) && !waiting.has(id))];
  }, [tail, past.items]);
  useRowKeys();
  const toggle = useToggle(openId, onOpen);
  const inboxAddress = useInboxAddress();
  if (past.isLoading) return <ListSkeleton />;
  const problem = past.error ? <PastProblem {...{ past, filters, onClear }} /> : null;
  if (problem && events.length === 0) return problem;
  if (events.length === 0) return <Nothing {...{ filters, past, onClear }} />;
  return (
    <>
      <Paper withBorder style={{ overflow: 'hidden' }}>
        <ul className="console-events console-rows" aria-label={eventsText.title}>
          {events.map((event) => (
            <EventRow
              key={event.id}
              event={event}
              inboxName={inboxAddress(event.inbox_id)}
              isOpen={event.id === openId}
              onToggle={toggle}
            />
          ))}
        </ul>
      </Paper>
      {problem}
      {tail.isCut ? (
        <CutNote onRestart={onRestart} />
      ) : (
        <LoadMore list={{ ...past, hasMore: past.hasMore && events.length < eventsMax }} />
      )}
    </>
  );
}

/** A function that stays the same, so that rows are not drawn again for it. */
function useToggle(openId: string, onOpen: (id: string) => void): (id: string) => void {
  const latest = useRef({ openId, onOpen });
  useEffect(() => {
    latest.current = { openId, onOpen };
  });
  return useCallback((id) => {
    const { openId: open, onOpen: change } = latest.current;
    change(id === open ? '' : id);
  }, []);
}

function ListSkeleton() {
  return (
    <Paper withBorder aria-busy>
      <Stack gap={0} className="console-rows" role="status" aria-label={partsText.loading}>
        {skeletonRows.map((row) => (
          <div key={row} style={{ padding: '13px 12px' }}>
            <Skeleton height={14} />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}

function CutNote({ onRestart }: { onRestart(): void }) {
  return (
    <Group justify="center" py="md" gap="sm">
      <Text c="dimmed">{eventsText.left(eventsMax)}</Text>
      <Button size="xs" variant="default" onClick={onRestart}>
        {eventsText.readLog}
      </Button>
    </Group>
  );
}

interface NothingProps {
  filters: EventFilters;
  past: ReturnType<typeof usePastEvents>;
  onClear(): void;
}

function PastProblem({ filters, past, onClear }: NothingProps) {
  return (
    <ApiProblem error={past.error} onRetry={past.retry} onClear={isFiltered(filters) ? onClear : undefined} />
  );
}

function isFiltered(filters: EventFilters): boolean {
  return Object.values(filters).some((value) => value !== '');
}

function Nothing({ filters, past, onClear }: NothingProps) {
  const { api_url } = useSession().server;
  if (isFiltered(filters)) {
    return (
      <Paper withBorder>
        <NothingMatches list={past} onClear={onClear} />
      </Paper>
    );
  }
  const snippets = apiSnippets(api_url, {
    path: '/events?after=latest&wait_seconds=20',
    sdk: 'for await (const event of client.events.stream()) console.log(event.event, event.message?.subject);',
  });
  return (
    <Paper withBorder>
      <EmptyState {...eventsText.empty} snippets={snippets} />
    </Paper>
  );
}
