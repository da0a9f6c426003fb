import { createStore } from './store.ts';

/** The ways to show times in this browser. */
export interface TimeChoices {
  /** "3 min. ago", or date and time. */
  style: 'ago' | 'date';
  /** As in the reader's language, or always with 12 or 24 hours. */
  clock: 'language' | 'h12' | 'h23';
}

const storageName = 'console-times';
const allowed = { style: ['ago', 'date'], clock: ['language', 'h12', 'h23'] } as const;
const current = createStore(readChoices(readStored()));

/** Returns how times are shown. */
export function timeChoices(): TimeChoices {
  return current.get();
}

/** Returns how times are shown, and draws the component again when that changes. */
export function useTimeChoices(): TimeChoices {
  return current.useValue();
}

/** Changes how times are shown, and keeps it in this browser. */
export function setTimeChoices(change: Partial<TimeChoices>): void {
  const next = { ...current.get(), ...change };
  current.set(next);
  try {
    localStorage.setItem(storageName, JSON.stringify(next));
  } catch {
    // A browser without storage forgets the choice with the page.
  }
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
