import { useEffect, useRef } from 'react';
import { createStore, type Store } from './store.ts';

/** Functions by their keys: `c`, `?`, `mod+k`, or two keys one after the other such as `g i`. */
export type Shortcuts = Record<string, (event: KeyboardEvent) => void>;

/** The dialog that is open over the page. */
export const commandDialog: Store<'palette' | 'help' | null> = createStore<'palette' | 'help' | null>(null);

const sequenceMs = 1_200;
/** The key with which pairs begin. */
const leader = 'g';
const overlays = '[role="dialog"][aria-modal="true"], [role="menu"], [role="listbox"]';

/** Calls functions on keys while the component is shown, except while something is typed into a field or a dialog or a menu is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const previous = { key: '', at: Number.NEGATIVE_INFINITY };
    const onKey = (event: KeyboardEvent) => {
      const key = pressedKeys(event);
      if (key === null || event.defaultPrevented || (event.repeat && !movingKeys.has(event.key))) return;
      if (!key.startsWith('mod+') && (isTyping(event.target) || isOverlayOpen())) return;
      const isSecond = event.timeStamp - previous.at < sequenceMs;
      const isAfterLeader = isSecond && previous.key === leader;
      const pair = isSecond ? `${previous.key} ${key}` : key;
      Object.assign(previous, { key, at: event.timeStamp });
      // Another part of the page has the pair.
      const run = latest.current[pair] ?? (isAfterLeader ? undefined : latest.current[key]);
      if (run === undefined) return;
      event.preventDefault();
      previous.at = Number.NEGATIVE_INFINITY;
      run(event);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Keys that may be held down. The others do something each time. */
const movingKeys = new Set(['j', 'k', 'ArrowDown', 'ArrowUp']);

/** Returns the name of the pressed keys; null for a key that is no shortcut, such as Shift alone. */
export function pressedKeys({
  key,
  ctrlKey,
  metaKey,
  altKey,
}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>): string | null {
  if (altKey || ['Shift', 'Control', 'Meta', 'Alt'].includes(key)) return null;
  return ctrlKey || metaKey ? `mod+${key.toLowerCase()}` : key;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
    // Nothing is typed into a box that is ticked.
    !/^checkbox$/.test((target as Partial<HTMLInputElement>).type ?? '')
  );
}

/** Returns whether a dialog or a menu is open over the page. */
export function isOverlayOpen(): boolean {
  // The list of a closed choice may stay in the page, hidden.
  return [...document.querySelectorAll(overlays)].some((overlay) => overlay.checkVisibility());
}

/** Lets the keys `j` and `k` move the focus from row to row: to the first link or button of the next element with `data-row`. */
export function useRowKeys(): void {
  useShortcuts({ j: () => moveFocus(1), k: () => moveFocus(-1) });
}

/** Moves the focus by a number of rows; to the first row if none has it. */
export function moveFocus(steps: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = current < 0 ? 0 : current + steps;
  rows[next]?.querySelector<HTMLElement>('a, button')?.focus();
}
