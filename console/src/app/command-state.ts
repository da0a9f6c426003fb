import { useSyncExternalStore } from 'react';

/** The dialog that is open over the page. */
export type CommandDialog = 'palette' | 'help' | null;

const watchers = new Set<() => void>();
let current: CommandDialog = null;

/** Opens the command palette. */
export function openPalette(): void {
  show('palette');
}

/** Opens the list of keyboard shortcuts. */
export function openHelp(): void {
  show('help');
}

/** Closes whichever of the two is open. */
export function closeCommands(): void {
  show(null);
}

/** Returns which of the two is open. */
export function useCommandDialog(): CommandDialog {
  return useSyncExternalStore(watch, () => current);
}

function show(next: CommandDialog): void {
  current = next;
  for (const watcher of watchers) watcher();
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}
