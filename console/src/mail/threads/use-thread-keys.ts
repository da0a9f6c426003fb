import type { ThreadSummary } from '@postrider/contract/console';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useShortcuts } from '../../lib/shortcuts.ts';

/** How far an arrow scrolls, as browsers do. */
const arrowPx = 40;

interface ThreadKeys {
  rows: readonly ThreadSummary[];
  openId: string | null;
  scrollTo: RefObject<((index: number) => void) | null>;
  onOpen(id: string): void;
  onChoose(id: string): void;
  onClose(): void;
  /** Called with the row that a key is about. */
  onMark(row: ThreadSummary): void;
  onDelete(row: ThreadSummary): void;
}

/**
 * Moves through a list of threads with keys, and returns the id of the thread that the keys are about. While a thread is open, moving
 * opens the next one.
 */
export function useThreadKeys(keys: ThreadKeys): string | null {
  const { rows, openId, scrollTo, onOpen, onChoose, onClose, onMark, onDelete } = keys;
  const [movedTo, setMovedTo] = useState<string | null>(null);
  const wantsFocus = useRef(false);
  const currentId = movedTo ?? openId;
  const at = currentId === null ? -1 : rows.findIndex(({ id }) => id === currentId);
  useLayoutEffect(() => {
    if (!wantsFocus.current || currentId === null) return;
    wantsFocus.current = false;
    // A row that was far away is in the page one frame later. Others have the focus at once, before the next key.
    if (!focusLink(currentId)) requestAnimationFrame(() => focusLink(currentId));
  }, [currentId]);
  // After a thread is closed, the keys go on from its row.
  useEffect(() => {
    if (openId !== null) setMovedTo(openId);
  }, [openId]);

  function move(by: number) {
    const row = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
    if (row === undefined) return;
    wantsFocus.current = true;
    scrollTo.current?.(rows.indexOf(row));
    setMovedTo(row.id);
    if (openId !== null) onOpen(row.id);
  }
  /** Elsewhere, the arrows scroll. */
  function moveInList({ target }: KeyboardEvent, by: number) {
    if (isInside(target, '.thread-scroller')) move(by);
    else document.querySelector('.mail-thread-pane')?.scrollBy({ top: by * arrowPx });
  }
  function withCurrent(run: (row: ThreadSummary) => void) {
    const row = rows[at];
    if (row) run(row);
  }
  function leave(row: ThreadSummary) {
    const next = rows[at + 1] ?? rows[at - 1];
    setMovedTo(next?.id ?? null);
    if (openId === row.id) next ? onOpen(next.id) : onClose();
    onDelete(row);
  }
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: (event) => moveInList(event, 1),
    ArrowUp: (event) => moveInList(event, -1),
    x: () => withCurrent(({ id }) => onChoose(id)),
    u: () => withCurrent(onMark),
    '#': () => withCurrent(leave),
    Delete: () => withCurrent(leave),
    Escape: ({ target }) => {
      if (!isInside(target, '[role="dialog"], [role="menu"]')) onClose();
    },
  });
  return currentId;
}

function isInside(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/** Gives the row of a thread the focus, and returns whether it is in the page. */
function focusLink(id: string): boolean {
  const link = document.querySelector<HTMLElement>(`[data-thread-link="${id}"]`);
  link?.focus({ preventScroll: true });
  return link !== null;
}
