import type { PostriderEvent } from 'postrider';
import { useEffect, useState } from 'react';
import type { LiveState } from '../lib/follow-changes.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { type EventFilters, readKinds } from './event-queries.ts';
import { followEvents } from './follow-events.ts';
import { addEvents, emptyTail, paused, resumed, type Tail } from './tail.ts';

/** Events that come faster are shown together, so that a flood of them does not take all the time of the page. */
const batchMs = 250;

/** The followed events, and the actions of people on them. */
export interface LiveTail extends Tail {
  /**
   * Whether the connection was tried. The log is read only after that, so that nothing is missing between the log and what the connection
   * delivers.
   */
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
