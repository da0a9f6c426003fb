import type { Change } from '@postrider/contract/console';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { followChanges, type LiveState } from './follow-changes.ts';
import { sessionKey } from './session.ts';
import { createStore } from './store.ts';

type Listener = (change: Change) => void;

const listeners = new Set<Listener>();
const current = createStore<LiveState>('connecting');

/** The lists that a change can concern. The second part of a query key is one of these names. */
const touched = [
  'messages',
  'threads',
  'inboxes',
  'drafts',
  'deliveries',
  'decisions',
  'suppressions',
  'labels',
  'approval',
];

/** The lists that show what people have set about sending. */
const controlled = ['control', 'keys'];

/** The lists that show messages which wait for approval. Such a message is no event of the log. */
const withHeld = ['approvals', 'approval', 'threads', 'messages', 'drafts'];

/**
 * Follows the changes of a workspace, and refetches what they affect. Used once, by the shell. The server sends changes less often while
 * they arrive without a pause, so the lists need no throttling of their own.
 */
export function useLiveConnection(workspaceId: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const refresh = () => refreshLists(queries, workspaceId, touched);
    const refreshControl = () => refreshLists(queries, workspaceId, controlled);
    const refreshHeld = () => refreshLists(queries, workspaceId, withHeld);
    return followChanges(workspaceId, {
      onChanges: (changes) => {
        for (const change of changes) for (const listener of listeners) listener(change);
        refresh();
      },
      onGap: () => {
        refresh();
        refreshControl();
        refreshHeld();
        void queries.invalidateQueries({ queryKey: sessionKey });
      },
      onControl: refreshControl,
      onApprovals: refreshHeld,
      onState: (state) => {
        if (state === 'ended') void queries.invalidateQueries({ queryKey: sessionKey });
        current.set(state);
      },
    });
  }, [queries, workspaceId]);
}

/** Calls a function with each change of the workspace while the component is shown. In a flood, some are left out. */
export function useChanges(listener: Listener): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const call: Listener = (change) => latest.current(change);
    listeners.add(call);
    return () => void listeners.delete(call);
  }, []);
}

/** Returns the state of the connection. */
export function useLiveState(): LiveState {
  return current.useValue();
}

function refreshLists(queries: QueryClient, workspaceId: string, names: string[]): void {
  for (const name of names) void queries.invalidateQueries({ queryKey: [workspaceId, name] });
}
