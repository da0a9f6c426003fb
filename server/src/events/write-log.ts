import type { ErrorCode, EventKind } from '@postrider/contract';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { nothingDue, startLoop } from '../lib/concurrency/worker-loop.ts';
import { newId } from '../lib/ids.ts';

type Tx = Pick<Context, 'db' | 'clock' | 'workspaceId'>;

/** A message that events are about, as it is locked. */
export interface EventSubject {
  id: string;
  inbox_id: string;
  thread_id: string;
}

/** An event that is not in the log yet. `extra` has the fields of its kind. */
export interface NewEvent {
  id: string;
  event: EventKind;
  extra: Record<string, unknown>;
}

/** Adds events about a message to the log, in the transaction of the change. The sequencer orders them after its commit. */
export async function recordEvents(tx: Tx, message: EventSubject, events: NewEvent[]): Promise<void> {
  await insertRows(
    tx,
    events.map((event) => ({ ...event, ...placeFields(message) })),
  );
}

/**
 * Records that fields of a message changed: one event for each request that changed something. `changed` has the names of the fields as the
 * API shows them, and may be empty where a change that readers wait for ended without one.
 */
export async function recordUpdated(tx: Tx, message: EventSubject, changed: string[]): Promise<void> {
  await recordEvents(tx, message, [newEvent(tx, 'message.updated', { changed })]);
}

/** Records that messages were deleted, one event each. */
export async function recordDeleted(tx: Tx, messages: EventSubject[]): Promise<void> {
  await insertRows(
    tx,
    messages.map((message) => ({ ...newEvent(tx, 'message.deleted', {}), ...placeFields(message) })),
  );
}

/** Records that a scheduled draft could not be sent. */
export async function recordDraftFailed(
  tx: Tx,
  { id, inbox_id }: { id: string; inbox_id: string },
  failure: ErrorCode,
): Promise<void> {
  const event = newEvent(tx, 'draft.failed', { draft_id: id, failure });
  await insertRows(tx, [{ ...event, inbox_id, thread_id: null, message_id: null }]);
}

function newEvent({ clock }: Tx, event: EventKind, extra: Record<string, unknown>): NewEvent {
  return { id: newId('evt', clock.now()), event, extra };
}

function placeFields({ id, inbox_id, thread_id }: EventSubject) {
  return { inbox_id, thread_id, message_id: id };
}

type NewRow = NewEvent & { inbox_id: string; thread_id: string | null; message_id: string | null };

async function insertRows(tx: Tx, events: NewRow[]): Promise<void> {
  if (events.length === 0) return;
  const shared = { workspace_id: tx.workspaceId, created_at: tx.clock.now() };
  await tx.db
    .insertInto('events')
    .values(events.map((event) => ({ ...shared, ...event })))
    .execute();
}

/*
 * Orders the event log. Writers insert rows without a position, because a position taken inside a transaction becomes visible only with
 * its commit, and a reader would skip the smaller position of a slower writer. The process that holds the sequencer's lock assigns
 * positions after commit, in batches, and holds the lock until its own commit. So each batch becomes visible as a whole and after all
 * earlier ones, and a reader that continues after the last position it saw misses nothing.
 */

const batchRows = 1_000;
/** The time between the starts of two batches while events arrive without a pause, since few large batches cost less than many. */
const periodMs = 50;

/** The number of events that got positions, their workspaces, and whether a webhook of one of these follows the log. */
interface Ordered {
  ordered: number;
  workspaces: string[];
  followed: boolean;
}

/** Assigns positions to the next events; to none while another process does so. */
export async function sequenceEvents(deps: Pick<Deps, 'db'>): Promise<Ordered> {
  const db = acrossWorkspaces(deps, 'one sequencer orders all workspaces');
  const [row] = await positionNext({ db }, {});
  return row ?? none;
}

const none: Ordered = { ordered: 0, workspaces: [], followed: false };

const positionNext = prepared((db) =>
  sql<Ordered>`select ordered, workspaces, followed from order_events(${sql.lit(batchRows)})`.compile(db),
);

/**
 * Orders events as they arrive and wakes the followers of the log. Every process runs a sequencer, and one at a time does the work.
 * Returns a function that stops it.
 */
export function startSequencer(deps: Deps): () => Promise<void> {
  let restMs = 0;
  const loop = startLoop({
    look: async () => {
      const { ordered, workspaces, followed } = await sequenceEvents(deps);
      for (const workspaceId of workspaces) deps.wakeups.wake(workspaceId, 'log');
      if (followed) deps.wakeups.wake('', 'log');
      // The rows of a send are stored a moment before its events are, which need not wait for a look that found nothing.
      restMs = ordered > 0 ? periodMs : 0;
      return ordered === batchRows ? 0 : nothingDue;
    },
    onError: (error) => deps.log.error({ err: error }, 'events were not ordered'),
    lookAgainMs: deps.lookAgainMs,
    periodMs: () => restMs,
  });
  const unlisten = deps.wakeups.listenToAll(loop.wake);
  return () => {
    unlisten();
    return loop.stop();
  };
}
