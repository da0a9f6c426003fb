import type { ThreadSummary } from '@postrider/contract/console';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { focusRow, hasLostFocus } from './row-focus.ts';

/** The distance that an arrow scrolls, as in browsers. */
const arrowPx = 40;

interface ThreadKeys {
  rows: readonly ThreadSummary[];
  openId: string | null;
  scrollTo: RefObject<((index: number) => void) | null>;
  selection: ThreadSelection;
  /** `isMove` says that the thread takes the place of the one that was open. */
  onOpen(id: string, isMove: boolean): void;
  onClose(): void;
  /** Called with the rows that a key is about: the selected ones, otherwise the current one. */
  onMark(rows: readonly ThreadSummary[]): void;
  onDelete(rows: readonly ThreadSummary[]): void;
}

/** Moves through a list of threads with keys, and returns the id of the current one. While a thread is open, moving opens the next one. */
export function useThreadKeys(keys: ThreadKeys): string | null {
  const { rows, openId, scrollTo, selection, onOpen, onClose, onMark, onDelete } = keys;
  const [movedTo, setMovedTo] = useState<string | null>(null);
  const wantsFocus = useRef(false);
  const currentId = movedTo ?? openId;
  const at = currentId === null ? -1 : rows.findIndex(({ id }) => id === currentId);
  useLayoutEffect(() => {
    if (!wantsFocus.current || currentId === null) return;
    wantsFocus.current = false;
    // A row that was far away is in the page one frame later. Others have the focus at once, before the next key.
    if (!focusRow(currentId)) requestAnimationFrame(() => focusRow(currentId));
  }, [currentId]);
  // After a thread is closed, the keys continue from its row.
  useEffect(() => {
    if (openId !== null) setMovedTo(openId);
  }, [openId]);
  useFocusAfterClose(openId, currentId);

  function move(by: number) {
    const row = rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))];
    if (row === undefined) return;
    wantsFocus.current = true;
    scrollTo.current?.(rows.indexOf(row));
    setMovedTo(row.id);
    if (openId !== null) onOpen(row.id, true);
  }
  /** Elsewhere, the arrows scroll. */
  function moveInList({ target }: KeyboardEvent, by: number) {
    if (isInside(target, '.thread-scroller')) move(by);
    else document.querySelector('.mail-thread-pane')?.scrollBy({ top: by * arrowPx });
  }
  /** Runs something with the selected rows, and ends the selection; with the current row if there is none. */
  function withRows(run: (rows: readonly ThreadSummary[]) => void) {
    const current = rows[at];
    if (selection.threads.length > 0) {
      run(selection.threads);
      selection.clear();
    } else if (current) run([current]);
  }
  function leave(left: readonly ThreadSummary[]) {
    const gone = new Set(left.map(({ id }) => id));
    const stays = ({ id }: ThreadSummary) => !gone.has(id);
    if (currentId !== null && gone.has(currentId)) {
      const next = rows.slice(at).find(stays) ?? rows.slice(0, at).findLast(stays);
      wantsFocus.current = openId === null;
      setMovedTo(next?.id ?? null);
    }
    if (openId !== null && gone.has(openId)) onClose();
    onDelete(left);
  }
  function leaveStep({ target }: KeyboardEvent) {
    if (isInside(target, '[role="dialog"], [role="menu"]')) return;
    if (selection.threads.length > 0) selection.clear();
    else if (openId !== null) onClose();
  }
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    ArrowDown: (event) => moveInList(event, 1),
    ArrowUp: (event) => moveInList(event, -1),
    x: () => rows[at] && selection.toggle(rows[at].id),
    u: () => withRows(onMark),
    '#': () => withRows(leave),
    Delete: () => withRows(leave),
    Escape: leaveStep,
  });
  return currentId;
}

/** Gives a row the focus after a thread was closed whose element had it. */
function useFocusAfterClose(openId: string | null, currentId: string | null): void {
  const openBefore = useRef(openId);
  const latestId = useRef(currentId);
  useEffect(() => {
    latestId.current = currentId;
  });
  useEffect(() => {
    const wasOpen = openBefore.current !== null;
    openBefore.current = openId;
    if (openId !== null || !wasOpen || !hasLostFocus()) return;
    // The row may not be in the page.
    if (!focusRow(latestId.current ?? ''))
      document.querySelector<HTMLElement>('.thread-scroller')?.focus({ preventScroll: true });
  }, [openId]);
}

function isInside(target: EventTarget | null, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}

/** The threads that are chosen for a change of many. */
export interface ThreadSelection {
  ids: ReadonlySet<string>;
  threads: readonly ThreadSummary[];
  toggle(id: string): void;
  clear(): void;
}

const nothing: ReadonlySet<string> = new Set();

/** Keeps the selected threads. Threads that leave the list are no longer selected. */
export function useThreadSelection(rows: readonly ThreadSummary[]): ThreadSelection {
  const [ids, setIds] = useState(nothing);
  const threads = useMemo(() => (ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id))), [rows, ids]);
  const toggle = useCallback(
    (id: string) =>
      setIds((before) => {
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      }),
    [],
  );
  const clear = useCallback(() => setIds(nothing), []);
  return { ids, threads, toggle, clear };
}
