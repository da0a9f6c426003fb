import { useSyncExternalStore } from 'react';

/** The ways to show times in this browser. */
export interface TimeChoices {
  /** "3 min. ago", or date and time. */
  style: 'ago' | 'date';
  /** As in the reader's language, or always with 12 or 24 hours. */
  clock: 'language' | 'h12' | 'h23';
}

const storageName = 'console-times';
const allowed = { style: ['ago', 'date'], clock: ['language', 'h12', 'h23'] } as const;
const watchers = new Set<() => void>();
let current: TimeChoices | undefined;

/** Returns how times are shown. */
export function timeChoices(): TimeChoices {
  current ??= readChoices(readStored());
  return current;
}

/** Returns how times are shown, and draws the component again when that changes. */
export function useTimeChoices(): TimeChoices {
  return useSyncExternalStore(watch, timeChoices);
}

/** Changes how times are shown, and keeps it in this browser. */
export function setTimeChoices(change: Partial<TimeChoices>): void {
  current = { ...timeChoices(), ...change };
  try {
    localStorage.setItem(storageName, JSON.stringify(current));
  } catch {
    // A browser without storage forgets the choice with the page.
  }
  for (const watcher of watchers) watcher();
}

/** Reads the stored choices. Anything that is not a choice becomes the default. */
export function readChoices(stored: string | null): TimeChoices {
  const fields = parse(stored);
  return {
    style: allowed.style.find((style) => style === fields.style) ?? 'ago',
    clock: allowed.clock.find((clock) => clock === fields.clock) ?? 'language',
  };
}

function parse(stored: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(stored ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function readStored(): string | null {
  try {
    return globalThis.localStorage?.getItem(storageName) ?? null;
  } catch {
    return null;
  }
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}
