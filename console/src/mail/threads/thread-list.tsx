import { Button, Center, Loader } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ThreadSummary } from '@postrider/contract/console';
import { IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { problemText } from '#strings/problem.ts';
import { threadsText } from '#strings/threads.ts';
import { useInboxChoice } from '../../lib/shared-queries.ts';
import { useNow } from '../../lib/times.ts';
import { ApiProblem } from '../../parts/api-problem.tsx';
import { RowSkeletons } from '../../parts/list-frame.tsx';
import { useRowClicks } from './row-focus.ts';
import { type ThreadRowList, useThreadFilters } from './row-queries.ts';
import { ThreadRow } from './thread-row.tsx';
import { countNewer, countShift } from './thread-rows.ts';
import type { ThreadSelection } from './use-thread-keys.ts';

interface ThreadListProps {
  list: ThreadRowList;
  /** The address of the page of a thread, without its id and with what follows it. */
  link: { base: string; search: string };
  openId: string | null;
  currentId: string | null;
  selection: ThreadSelection;
  onOpen(id: string): void;
  /** Called with a function that scrolls a row into view. */
  scrollTo: RefObject<((index: number) => void) | null>;
}

/** Must be the heights of `.thread-row` in mail.css, for a phone and elsewhere. */
const heights = { phone: 84, elsewhere: 56 };
const phone = '(max-width: 40em)';
const aheadRows = 60;
const hourMs = 3_600_000;

/** The list of threads. Only the rows that are seen are in the page. */
export function ThreadList(props: ThreadListProps) {
  const { list, link, openId, currentId, selection, onOpen, scrollTo } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRowClicks({ onOpen, onChoose: selection.toggle });
  const inboxAddress = useAddresses();
  const showsInbox = useThreadFilters()[0].inbox === '';
  const isPhone = useMediaQuery(phone, undefined, { getInitialValueInEffect: false });
  const rowPx = isPhone ? heights.phone : heights.elsewhere;
  const { items } = list;
  const virtualizer = useVirtualizer<HTMLDivElement, Element>({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 6,
  });
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowPx]);
  const newer = useAnchoredRows(virtualizer, items, rowPx);
  const shown = virtualizer.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;
  useLoadingAhead(list, lastShown);
  useEffect(() => {
    scrollTo.current = (index) => virtualizer.scrollToIndex(index, { align: 'auto' });
  }, [scrollTo, virtualizer]);
  const today = Math.floor(useNow() / hourMs) * hourMs;

  if (list.isLoading)
    return (
      <div className="thread-scroller">
        <RowSkeletons />
      </div>
    );
  return (
    <div className="thread-scroller" ref={scroller} tabIndex={-1}>
      {newer > 0 && (
        <div className="thread-newer">
          <Button
            size="compact-sm"
            radius="xl"
            leftSection={<IconArrowUp size={14} aria-hidden />}
            onClick={() => virtualizer.scrollToOffset(0)}
          >
            {threadsText.newer(newer)}
          </Button>
        </div>
      )}
      <RefreshProblem list={list} />
      <ul
        ref={rows}
        aria-label={threadsText.list}
        className="thread-rows"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {shown.map(({ index, start }) => {
          const row = items[index];
          if (row === undefined) return null;
          const address = inboxAddress(row.inbox_id);
          return (
            <ThreadRow
              key={row.id}
              row={row}
              href={`${link.base}/${row.id}${link.search}`}
              top={start}
              index={index}
              isOpen={row.id === openId}
              isCurrent={row.id === currentId}
              isChosen={selection.ids.has(row.id)}
              ownAddress={address}
              inboxName={showsInbox ? (address?.split('@')[0] ?? null) : null}
              today={today}
            />
          );
        })}
      </ul>
      <ListEnd list={list} />
    </div>
  );
}

function useAddresses(): (inboxId: string) => string | null {
  const { data } = useInboxChoice();
  const addresses = useMemo(() => new Map(data?.map(({ id, address }) => [id, address])), [data]);
  return useCallback((id) => addresses.get(id) ?? null, [addresses]);
}

function useLoadingAhead(list: ThreadRowList, lastShown: number): void {
  const { hasMore, isLoadingMore, error, loadMore, items } = list;
  const isNear = lastShown > items.length - aheadRows;
  useEffect(() => {
    if (hasMore && !isLoadingMore && !error && isNear) loadMore();
  }, [hasMore, isLoadingMore, error, isNear, loadMore]);
}

/** Says over the rows that they may be old, without moving them. */
function RefreshProblem({ list }: { list: ThreadRowList }) {
  if (!list.refreshError) return null;
  return (
    <div className="thread-newer" role="alert">
      <Button size="compact-sm" radius="xl" color="red" variant="filled" onClick={list.refresh}>
        {threadsText.stale} {problemText.retry}
      </Button>
    </div>
  );
}

function ListEnd({ list }: { list: ThreadRowList }) {
  if (list.error) return <ApiProblem error={list.error} onRetry={list.retry} />;
  return (
    <Center h={56} fz="xs" c="dimmed">
      {list.hasMore ? <Loader size="xs" aria-hidden /> : threadsText.end}
    </Center>
  );
}

/**
 * Keeps the rows that a reader sees where they are when others come or go above them. Returns how many threads have newer mail than
 * the list had when the reader left its top; one that only comes back does not count.
 */
function useAnchoredRows(
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  rows: readonly ThreadSummary[],
  rowPx: number,
): number {
  const before = useRef(rows);
  const newest = useRef('');
  const [newer, setNewer] = useState(0);
  // The virtualizer knows where it is, so the page is not asked.
  const offset = virtualizer.scrollOffset ?? 0;
  useLayoutEffect(() => {
    const previous = before.current;
    before.current = rows;
    const fresh = countNewer(rows, newest.current);
    newest.current = rows[0] !== undefined && fresh > 0 ? rows[0].last_message_at : newest.current;
    if (previous === rows || offset < rowPx / 2) return;
    const shift = countShift(previous, rows, Math.floor(offset / rowPx));
    if (shift === 0) return;
    virtualizer.scrollToOffset(offset + shift * rowPx);
    if (shift > 0) setNewer((count) => count + Math.min(shift, fresh));
  }, [rows, virtualizer, offset, rowPx]);
  const isAtTop = offset < rowPx / 2;
  if (isAtTop && newer > 0) setNewer(0);
  return newer;
}
