import { keepForPerson } from '../lib/session.ts';
import { createStore } from '../lib/store.ts';

/** Something that is done after some seconds, unless the person takes it back. */
export interface HeldAction {
  /** While an action with this id waits or runs, another one is not begun. */
  id: string;
  texts: {
    waiting: string;
    running: string;
    failed: string;
    /** The button that begins it at once. */
    now: string;
    done(result: unknown): string;
  };
  run(): Promise<unknown>;
  onUndo?: () => void;
  /** The page where the person sees the result, or corrects a failure. */
  link?: (held: Held) => { to: string; label: string } | null;
  /** Whether the browser asks before the page is left while the action waits or runs. */
  warnOnLeave?: boolean;
  /** Whether the action begins at once when the page is left. Its request must outlive the page. */
  beginsOnLeave?: boolean;
}

/** An action, and how far it is. */
export interface Held {
  action: HeldAction;
  state: 'waiting' | 'running' | 'done' | 'failed';
  /** The time at which it begins, in milliseconds since 1970. */
  beginsAt: number;
  result: unknown;
  error: unknown;
}

const waitMs = 5_000;
const doneShownMs = 8_000;

const timers = new Map<string, ReturnType<typeof setTimeout>>();
const all = createStore<readonly Held[]>([]);

/** Begins an action in five seconds. Does nothing if it waits or runs already, so a second click changes nothing. */
export function holdAction(action: HeldAction): void {
  if (isActionOpen(action.id)) return;
  const beginsAt = Date.now() + waitMs;
  put({ action, state: 'waiting', beginsAt, result: null, error: null });
  later(action.id, waitMs, () => void begin(action.id));
}

/** Begins all waiting actions and waits for their ends. Returns false if one of them, or one that ran already, failed. */
export async function finishActions(): Promise<boolean> {
  const ids = all
    .get()
    .filter(({ state }) => isOngoing(state))
    .map(({ action }) => action.id);
  for (const id of ids) beginAction(id);
  await new Promise<void>((resolve) => {
    const check = () => {
      if (ids.some(isActionOpen)) return;
      stop();
      resolve();
    };
    const stop = all.watch(check);
    check();
  });
  return ids.every((id) => find(id)?.state !== 'failed');
}

/** Takes an action back that has not begun, and returns whether it could. */
export function undoAction(id: string): boolean {
  const held = find(id);
  if (held?.state !== 'waiting') return false;
  dropAction(id);
  held.action.onUndo?.();
  return true;
}

/** Begins a waiting action at once. */
export function beginAction(id: string): void {
  if (find(id)?.state === 'waiting') void begin(id);
}

/** Forgets an action that is over. */
export function dropAction(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  set(all.get().filter(({ action }) => action.id !== id));
}

/** Returns whether an action waits or runs. */
export function isActionOpen(id: string): boolean {
  const state = find(id)?.state;
  return state !== undefined && isOngoing(state);
}

/** Returns all actions that wait, run, or were over a moment ago. Failed ones stay until they are forgotten. */
export function useHeldActions(): readonly Held[] {
  return all.useValue();
}

/** Returns the action with an id. */
export function useHeldAction(id: string | null): Held | undefined {
  return useHeldActions().find(({ action }) => action.id === id);
}

async function begin(id: string): Promise<void> {
  const held = find(id);
  if (held?.state !== 'waiting') return;
  clearTimeout(timers.get(id));
  put({ ...held, state: 'running' });
  try {
    const result = await held.action.run();
    put({ ...held, state: 'done', result });
    later(id, doneShownMs, () => dropAction(id));
  } catch (error) {
    put({ ...held, state: 'failed', error });
  }
}

function isOngoing(state: Held['state']): boolean {
  return state === 'waiting' || state === 'running';
}

function find(id: string): Held | undefined {
  return all.get().find(({ action }) => action.id === id);
}

function put(held: Held): void {
  const others = all.get().filter(({ action }) => action.id !== held.action.id);
  set([...others, held]);
}

function set(next: readonly Held[]): void {
  const mustWarn = next.some(({ action, state }) => action.warnOnLeave && isOngoing(state));
  if (mustWarn) addEventListener('beforeunload', askFirst);
  else removeEventListener('beforeunload', askFirst);
  all.set(next);
}

function later(id: string, ms: number, run: () => void): void {
  clearTimeout(timers.get(id));
  timers.set(id, setTimeout(run, ms));
}

function askFirst(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function clear(): void {
  for (const timer of timers.values()) clearTimeout(timer);
  timers.clear();
  set([]);
}

function beginOnLeave(): void {
  for (const { action } of all.get()) if (action.beginsOnLeave) beginAction(action.id);
}

keepForPerson({ finish: finishActions, clear });
globalThis.addEventListener?.('pagehide', beginOnLeave);
