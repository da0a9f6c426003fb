import { brand } from '@postrider/contract/brand';
import type { workspaceProtocolPrefix } from '@postrider/contract/console';
import type { PostriderEvent } from 'postrider';
import { useEffect, useState } from 'react';
import { eventKindText } from '#strings/events.ts';
import { queryText } from '../lib/ask-console.ts';
import type { LiveState } from '../lib/use-live.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { addEvents, emptyTail, paused, resumed, type Tail } from './tail.ts';

/** The events to show. An empty field restricts nothing. */
export interface EventFilters {
  /** Kinds with commas between. */
  kinds: string;
  inbox: string;
  /** ISO 8601. */
  before: string;
}

/** Events that come faster are shown together, so that a flood of them does not take all the time of the page. */
const batchMs = 250;

/** The followed events, and the actions of people on them. */
export interface LiveTail extends Tail {
  /** Whether the connection was tried. The log is read only after that, so that nothing between the two is missing. */
  hasBegun: boolean;
  state: LiveState;
  pause(): void;
  resume(): void;
}

/** Follows the events that pass the filters, from now on, unless the filters end at a time. `onGap` is called if events were missed. */
export function useTail({ kinds, inbox, before }: EventFilters, onGap: () => void): LiveTail {
  const { workspace_id: workspaceId } = useWorkspace();
  const [tail, setTail] = useState(emptyTail);
  const [hasBegun, setBegun] = useState(false);
  const [state, setState] = useState<LiveState>('connecting');
  const isLive = before === '';
  useEffect(() => {
    if (!isLive) return;
    let came: PostriderEvent[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      const batch = came;
      came = [];
      timer = undefined;
      setTail((shown) => addEvents(shown, batch));
    };
    const followed = { workspaceId, kinds: readKinds(kinds)?.join(',') ?? '', inbox };
    const end = followEvents(followed, {
      onEvent: (event) => {
        came.push(event);
        timer ??= setTimeout(show, batchMs);
      },
      onState: (next) => {
        setState(next);
        if (next !== 'connecting') setBegun(true);
      },
      onGap,
    });
    return () => {
      end();
      clearTimeout(timer);
    };
    // The component starts again with other filters.
  }, [workspaceId, isLive]);
  return {
    ...tail,
    hasBegun: hasBegun || !isLive,
    state,
    pause: () => setTail(paused),
    resume: () => setTail(resumed),
  };
}

const workspacePrefix: typeof workspaceProtocolPrefix = 'workspace.';

interface EventListener {
  onEvent(event: PostriderEvent): void;
  onState(state: LiveState): void;
  /** Called when events were missed for good, so that everything must be read again. */
  onGap(): void;
}

const firstDelayMs = 1_000;
const longestDelayMs = 30_000;
/** Close codes of the socket (`realtimeCloseCodes` of the contract) and of RFC 6455, section 7.4.1. */
const closeCodes = { sessionEnded: 4001, cursorExpired: 4010 };

interface FollowedEvents {
  workspaceId: string;
  /** Kinds with commas between; empty for all. */
  kinds: string;
  /** The id of an inbox; empty for all. */
  inbox: string;
}

/** Follows the events of a workspace, and returns a function that ends it. A connection that breaks is opened again, ever less often. */
function followEvents(followed: FollowedEvents, listener: EventListener): () => void {
  const state = { closed: false, after: null as string | null, failures: 0 };
  let socket: WebSocket | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function connect(): void {
    listener.onState('connecting');
    const { url, protocols } = streamAddress(location, followed, state.after);
    socket = new WebSocket(url, protocols);
    socket.onmessage = ({ data }) => takeFrame(String(data));
    socket.onclose = ({ code }) => takeClose(code);
  }

  function takeFrame(text: string): void {
    const frame = readFrame(text);
    if (frame === null) return;
    if (frame.event === 'connected') {
      state.failures = 0;
      state.after ??= frame.data.cursor;
      listener.onState('open');
      return;
    }
    state.after = frame.id;
    listener.onEvent(frame);
  }

  function takeClose(code: number): void {
    if (state.closed) return;
    if (code === closeCodes.sessionEnded) {
      listener.onState('ended');
      return;
    }
    if (code === closeCodes.cursorExpired) {
      state.after = null;
      listener.onGap();
    }
    listener.onState('waiting');
    timer = setTimeout(connect, delayMs(state.failures));
    state.failures += 1;
  }

  connect();
  return () => {
    state.closed = true;
    clearTimeout(timer);
    socket?.close();
  };
}

/** Returns the wait before the next try, with up to a quarter more so that pages do not come all at once. */
function delayMs(failures: number): number {
  const whole = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures, 10));
  return whole * (1 + Math.random() / 4);
}

type Frame = { event: 'connected'; data: { cursor: string | null } } | PostriderEvent;

function readFrame(text: string): Frame | null {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === 'object' && frame !== null && 'event' in frame ? (frame as Frame) : null;
  } catch {
    return null;
  }
}

/** Returns the address and the subprotocols of the event stream, which continues after an event if one is given. */
function streamAddress(
  { protocol, host }: { protocol: string; host: string },
  { workspaceId, kinds, inbox }: FollowedEvents,
  after: string | null,
): { url: string; protocols: string[] } {
  const query = queryText({ after, events: kinds, inbox_id: inbox });
  return {
    url: `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/console/api/v1/realtime${query}`,
    protocols: [brand.realtime.subprotocol, workspacePrefix + workspaceId],
  };
}

/** Returns the kinds in a text with commas between; undefined for all. */
export function readKinds(text: string): PostriderEvent['event'][] | undefined {
  const wanted = text.split(',');
  const kinds = Object.keys(eventKindText).filter((kind) => wanted.includes(kind));
  return kinds.length === 0 ? undefined : (kinds as PostriderEvent['event'][]);
}
