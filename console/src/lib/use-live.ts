import type { Change, Changes, changesEvents as names } from '@postrider/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
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
  'approval',
];

/** The list that an agent can change with the labels of a message. Received and sent mail leaves it as it is. */
const labelled = ['labels'];

/** The lists that show what people have set about sending. */
const controlled = ['control', 'keys'];

/** The lists that show messages which wait for approval. Such a message is no event of the log. */
const withHeld = ['approvals', 'approval', 'threads', 'messages', 'drafts'];

/** Follows the changes of a workspace, and reads again what they affect. The server sends fewer of them while they come without a pause. */
export function useLiveConnection(workspaceId: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const refresh = (names: readonly string[]) => {
      for (const name of names) void queries.invalidateQueries({ queryKey: [workspaceId, name] });
    };
    return followChanges(workspaceId, {
      onChanges: (changes) => {
        for (const change of changes) for (const listener of listeners) listener(change);
        refresh(touched);
        if (changes.some(({ event }) => event === 'message.updated')) refresh(labelled);
      },
      onGap: () => {
        refresh([...touched, ...labelled, ...controlled, ...withHeld]);
        void queries.invalidateQueries({ queryKey: sessionKey });
      },
      onControl: () => refresh(controlled),
      onApprovals: () => refresh(withHeld),
      onState: (state) => {
        if (state === 'ended') void queries.invalidateQueries({ queryKey: sessionKey });
        current.set(state);
      },
    });
  }, [queries, workspaceId]);
}

/** Calls a function with each change of the workspace while the component is shown. In a flood, some are left out. */
export function useChanges(listener: Listener): void {
  const onChange = useEffectEvent(listener);
  useEffect(() => {
    const call: Listener = (change) => onChange(change);
    listeners.add(call);
    return () => void listeners.delete(call);
  }, []);
}

/** Returns the state of the connection. */
export function useLiveState(): LiveState {
  return current.useValue();
}

/** The state of the connection to the stream of changes. */
export type LiveState = 'connecting' | 'open' | 'waiting' | 'ended';

interface ChangesListener {
  onChanges(changes: Change[]): void;
  /** Called when changes may have been missed, so that everything shown must be read again. */
  onGap(): void;
  onState(state: LiveState): void;
  /** Called when people changed what can be sent. */
  onControl(): void;
  /** Called when another message waits for approval, or one no longer does. */
  onApprovals(): void;
}

const changesEvents: typeof names = {
  changes: 'changes',
  control: 'control',
  approvals: 'approvals',
  ended: 'ended',
};

/** A page that nobody sees leaves the stream after this time, because browsers have only six connections for all pages of a server. */
const hiddenMs = 10_000;
const againMs = 10_000;
/** The lists of a page that opens are mostly there after this time. Reading them again sooner would begin their requests anew. */
const openedMs = 500;

/** Follows the changes of a workspace while the page is visible. Returns a function that stops it. The browser reconnects automatically. */
function followChanges(workspaceId: string, listener: ChangesListener): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let opened: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    listener.onState('connecting');
    source = new EventSource(`/console/api/changes?workspace=${encodeURIComponent(workspaceId)}`);
    source.onopen = () => {
      listener.onState('open');
      // Also the first time: what changed since the page read its lists is not in the stream.
      opened = setTimeout(() => listener.onGap(), openedMs);
    };
    source.onerror = () => {
      listener.onState('waiting');
      // After a response other than 200 the browser does not try again: the server is busy, or the session has ended.
      if (source?.readyState !== EventSource.CLOSED) return;
      close();
      listener.onGap();
      timer = setTimeout(watchVisibility, againMs);
    };
    source.addEventListener(changesEvents.changes, ({ data }) => take(String(data)));
    source.addEventListener(changesEvents.control, () => listener.onControl());
    source.addEventListener(changesEvents.approvals, () => listener.onApprovals());
    source.addEventListener(changesEvents.ended, () => {
      close();
      listener.onState('ended');
    });
  }

  function take(data: string): void {
    const { changes, more } = JSON.parse(data) as Changes;
    if (more) listener.onGap();
    listener.onChanges(changes);
  }

  function close(): void {
    clearTimeout(opened);
    source?.close();
    source = null;
  }

  function watchVisibility(): void {
    clearTimeout(timer);
    if (document.hidden) timer = setTimeout(close, hiddenMs);
    else if (source === null) open();
  }

  document.addEventListener('visibilitychange', watchVisibility);
  open();
  return () => {
    document.removeEventListener('visibilitychange', watchVisibility);
    clearTimeout(timer);
    close();
  };
}
