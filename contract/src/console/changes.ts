/* The stream of changes that an open page follows, as server-sent events of `/console/api/changes?workspace=<id>`. */
import type { EventKind } from '../events.ts';

/** The path of the stream, below `/console/api`. */
export const changesPath = '/changes';

/** Something that happened in the workspace: an event of the log, without its message. */
export interface Change {
  id: string;
  event: EventKind;
  inbox_id: string;
  /** Null together with the message for a draft that could not be sent. */
  thread_id: string | null;
  message_id: string | null;
  created_at: string;
}

/** The data of a `changes` event. At most the newest 50 are listed; with `more`, everything is to be read again. */
export interface Changes {
  changes: Change[];
  more: boolean;
}

/**
 * The names of the events of the stream. `control` says that people changed what may be sent, and `approvals` that another message waits
 * for approval, or one no longer does. After `ended`, the session is over and the page must not connect again.
 */
export const changesEvents = {
  changes: 'changes',
  control: 'control',
  approvals: 'approvals',
  ended: 'ended',
} as const;
