import type { Caller } from './call.ts';
import { PostriderError } from './errors.ts';
import { followEvents } from './follow-events.ts';
import type { Event } from './generated/types.ts';
import { type EventFilters, LogReader } from './log-reader.ts';
import { beginning } from './mail-place.ts';
import { ResumableStream } from './resumable-stream.ts';

/** What `events.stream` takes. */
export interface StreamEvents extends EventFilters {
  /**
   * Only events after the one with this id, such as the `cursor` of an earlier stream; `beginning`: all that are kept. Default:
   * `latest`, those from the call on.
   */
  after?: string | undefined;
  /** `poll`: by long polls alone. `socket`: by the realtime socket, also where the client has a `fetch` of its own. */
  transport?: 'socket' | 'poll' | undefined;
  /** Ends the stream with an `AbortedError` when it is aborted. */
  signal?: AbortSignal | undefined;
}

/** Events as they happen, in their order and each once, until the loop over them is left. */
export type EventStream = ResumableStream<Event>;

/** Follows the events of a workspace. Throws a `PostriderError` where a socket is asked for and there is none. */
export function streamEvents(
  caller: Caller,
  { after = 'latest', transport, signal, ...filters }: StreamEvents,
): EventStream {
  const hasSocket = typeof WebSocket === 'function';
  if (transport === 'socket' && !hasSocket) {
    throw new PostriderError("There is no WebSocket here: leave transport out, or set it to 'poll'.");
  }
  const usesSocket = transport === undefined ? hasSocket && !caller.hasOwnFetch : transport === 'socket';
  return new ResumableStream(signal, async (requests) => {
    const start = after === 'latest' ? await caller.newestEvent(requests) : after;
    const log = new LogReader(caller, filters, start === beginning ? null : start, requests);
    return {
      get cursor() {
        return log.given ?? beginning;
      },
      follow: () => followEvents(caller, log, { usesSocket }, requests.signal),
    };
  });
}
