import { useShortcuts } from './shortcuts.ts';

/**
 * Lets the keys `j` and `k` move the focus from row to row: to the first link or button of the next element with `data-row`. Lists of one
 * page are walked through one after the other. Enter then opens the row, as everywhere.
 */
export function useRowKeys(): void {
  useShortcuts({ j: () => moveFocus(1), k: () => moveFocus(-1) });
}

function moveFocus(steps: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = current < 0 ? 0 : current + steps;
  rows[next]?.querySelector<HTMLElement>('a, button')?.focus();
}
