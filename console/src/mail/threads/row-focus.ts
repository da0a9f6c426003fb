import { type RefCallback, useCallback, useEffect, useRef } from 'react';

/** Gives the row of a thread the focus, and returns whether it is in the page. */
export function focusRow(id: string): boolean {
  const link = document.querySelector<HTMLElement>(`[data-thread-link="${id}"]`);
  link?.focus({ preventScroll: true });
  return link !== null;
}

/** Returns whether nothing has the focus, because what had it has left the page or is hidden. */
export function hasLostFocus(): boolean {
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body) return true;
  return !activeElement.checkVisibility({ visibilityProperty: true });
}

interface RowClicks {
  onOpen(id: string): void;
  onChoose(id: string): void;
}

/** Returns a ref for the element with all rows, which listens for their clicks, so that scrolling a list sets up nothing. */
export function useRowClicks(clicks: RowClicks): RefCallback<HTMLElement> {
  const latest = useRef(clicks);
  useEffect(() => {
    latest.current = clicks;
  });
  return useCallback((rows: HTMLElement | null) => {
    if (rows === null) return;
    const onClick = (event: MouseEvent) => takeClick(event, latest.current);
    rows.addEventListener('click', onClick);
    rows.addEventListener('mousedown', focusRowOfBox);
    return () => {
      rows.removeEventListener('click', onClick);
      rows.removeEventListener('mousedown', focusRowOfBox);
    };
  }, []);
}

/** Gives the row the focus instead of its checkbox, which would treat keys as typed input. */
function focusRowOfBox(event: MouseEvent): void {
  const { target } = event;
  if (!(target instanceof Element) || target.closest('.thread-check') === null) return;
  const id = target.closest<HTMLElement>('[data-thread]')?.dataset.thread;
  event.preventDefault();
  if (id !== undefined) focusRow(id);
}

function takeClick(event: MouseEvent, { onOpen, onChoose }: RowClicks): void {
  const { target } = event;
  if (!(target instanceof Element)) return;
  const id = target.closest<HTMLElement>('[data-thread]')?.dataset.thread;
  if (id === undefined) return;
  if (target.closest('.thread-check')) {
    // A click on the label is followed by one on its checkbox.
    if (target instanceof HTMLInputElement) onChoose(id);
    return;
  }
  const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
  if (opensElsewhere || target.closest('a') === null) return;
  event.preventDefault();
  onOpen(id);
}
