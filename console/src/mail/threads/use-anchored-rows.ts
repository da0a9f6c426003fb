import type { ThreadSummary } from '@postrider/contract/console';
import type { Virtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState } from 'react';
import { countNewer, countShift } from './thread-rows.ts';

/**
 * Keeps the rows that a reader sees where they are when others come or go above them. Returns how many threads have newer mail than
 * the list had when the reader left its top; one that only comes back does not count.
 */
export function useAnchoredRows(
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
