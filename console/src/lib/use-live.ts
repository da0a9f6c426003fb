import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { PostriderEvent } from 'postrider';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { type LiveState, openLive } from './live.ts';

type Listener = (event: PostriderEvent) => void;

const listeners = new Set<Listener>();
const watchers = new Set<() => void>();
let current: LiveState = 'connecting';

/** The lists that an event can change. The second part of a query key is one of these names. */
const touched = ['messages', 'threads', 'inboxes', 'drafts', 'events', 'deliveries', 'usage'];
/** Lists are read again at most this often, however many events come. */
const refreshMs = 750;

/** Keeps the event stream of a workspace open, and has what an event changes read again. Used once, by the shell. */
export function useLiveConnection(workspaceId: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const refresh = refresher(queries, workspaceId);
    const close = openLive(workspaceId, {
      onEvent: (event) => {
        for (const listener of listeners) listener(event);
        refresh.soon();
      },
      onState: setState,
      onGap: () => void queries.invalidateQueries({ queryKey: [workspaceId] }),
    });
    return () => {
      refresh.stop();
      close();
    };
  }, [queries, workspaceId]);
}

/** Calls a function with each event of the workspace while the component is shown. */
export function useLiveEvents(listener: Listener): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const call: Listener = (event) => latest.current(event);
    listeners.add(call);
    return () => void listeners.delete(call);
  }, []);
}

/** Returns the state of the event stream. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(watch, () => current);
}

function watch(onChange: () => void): () => void {
  watchers.add(onChange);
  return () => watchers.delete(onChange);
}

function setState(next: LiveState): void {
  current = next;
  for (const watcher of watchers) watcher();
}

function refresher(queries: QueryClient, workspaceId: string) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    timer = undefined;
    for (const name of touched) void queries.invalidateQueries({ queryKey: [workspaceId, name] });
  };
  return {
    soon: () => {
      timer ??= setTimeout(refresh, refreshMs);
    },
    stop: () => clearTimeout(timer),
  };
}
