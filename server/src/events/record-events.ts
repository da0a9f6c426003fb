import type { ErrorCode, EventKind } from '@postrider/contract';
import type { Context } from '../context.ts';
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
    events.map((event) => ({ ...event, ...placeOf(message) })),
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
    messages.map((message) => ({ ...newEvent(tx, 'message.deleted', {}), ...placeOf(message) })),
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

function placeOf({ id, inbox_id, thread_id }: EventSubject) {
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
