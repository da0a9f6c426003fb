import { useRef } from 'react';
import { useShortcuts } from '../lib/shortcuts.ts';

/** Returns what moves the focus between results: `j` and `k`, and a function for the first one. */
export function useMoveFocus() {
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
