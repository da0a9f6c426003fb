import { type Event, type EventKind, limits } from '@postrider/contract';
import type { LinkDeps } from '../attachments/attachment.view.ts';
import type { Context } from '../context.ts';
import { anyText, prepared } from '../db/prepared.ts';
import { type OwnRows, ownRows } from '../db/scoped.ts';
import type { Db } from '../db/tables.ts';
import type { EventRow } from '../events/read-log.ts';
import { fitAnswer, render } from '../lib/fit-answer.ts';
import { perServer } from '../lib/memory.ts';
import { liveMessages } from './find-message.ts';
import { fillLarge, withListed } from './listed-messages.ts';
import { viewMessage } from './message.view.ts';
import { loadDetails, type MessageDetails } from './message-details.ts';
import type { MessageRow } from './store/message-record.ts';

/** Everything that is needed to render events: the database, their workspace and the parts of links. */
export type RenderContext = Pick<Context, 'db' | 'memory' | 'workspaceId' | 'scope'> & LinkDeps;

/**
 * Returns events of one workspace as a webhook, a socket and the log show them, in the given order. Each has its message as it is now, cut
 * as in lists and with fresh links, or null once the message or its inbox is deleted. If they are large, only the first are returned: as
 * many as a response of `bytesMax` holds, but at least one. Takes four queries at most, for any number of events.
 */
export async function renderEvents(
  ctx: RenderContext,
  rows: EventRow[],
  bytesMax = limits.answerBytesMax,
): Promise<Event[]> {
  if (rows.length === 0) return [];
  const ids = [...new Set(rows.flatMap((row) => row.message_id ?? []))];
  const { messages, beyond } = await listedMessages(ctx, ids, bytesMax);
  const details = await loadDetails(ctx, messages);
  const byId = new Map(details.map((message) => [message.row.id, message]));
  const messageOf = ({ message_id }: EventRow) =>
    message_id === null ? null : (byId.get(message_id) ?? null);
  const end = rows.findIndex(({ message_id }) => message_id !== null && beyond.has(message_id));
  const view = (row: EventRow) => viewEvent(ctx, row, messageOf(row));
  return fitAnswer(end < 0 ? rows : rows.slice(0, end), view, bytesMax);
}

/** Messages that fit into a response, and the ids of those that do not. */
interface Listed {
  messages: MessageRow[];
  beyond: Set<string>;
}

async function listedMessages(ctx: RenderContext, ids: string[], bytesMax: number): Promise<Listed> {
  const rows = await selectRows(ctx, { ...ownRows(ctx), ids });
  const filled = await fillLarge(ctx, inGivenOrder(ids, rows), bytesMax);
  const shown = new Set(filled.rows.map(({ id }) => id));
  const beyond = filled.lastId === null ? [] : rows.filter(({ id }) => !shown.has(id)).map(({ id }) => id);
  return { messages: filled.rows, beyond: new Set(beyond) };
}

/** Returns the rows in the order of their events, so that the last ones are those that do not fit. */
function inGivenOrder(ids: string[], rows: MessageRow[]): MessageRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface OfMessages extends OwnRows {
  ids: string[];
}

const selectRows = prepared((db, { workspaceId, inboxIds, ids }: OfMessages) =>
  withListed(
    liveMessages({ db, workspaceId, scope: { inboxIds } }).where('messages.id', '=', anyText(ids)),
  ).compile(),
) as unknown as (ctx: { db: Db }, values: OfMessages) => Promise<MessageRow[]>;

/** Returns an event as the contract defines it. The extra fields of its kind were stored with it, in the shape of the contract. */
function viewEvent(deps: LinkDeps, row: EventRow, message: MessageDetails | null): Event {
  return {
    id: row.id,
    event: row.event,
    created_at: row.created_at.toISOString(),
    workspace_id: row.workspace_id,
    inbox_id: row.inbox_id,
    // Threads merge, so the thread of the message is the current one.
    thread_id: message?.row.thread_id ?? row.thread_id,
    message_ref: row.message_id,
    message: message && viewMessage(deps, message, 'cut'),
    ...(row.extra as object),
  } as Event;
}

/** An event as it is sent: the body of a webhook request, or the payload of a socket. */
export interface EventPayload {
  kind: EventKind;
  /** Whether it has its message, which it does not once the message or its inbox is deleted. */
  hasMessage: boolean;
  bytes: Buffer;
}

/** Payloads by the ids of their events. */
export type EventPayloads = ReadonlyMap<string, EventPayload>;

/** Returns events of one workspace as they are sent, from `renderEvents`. If they are large, only the first that fit into `bytesMax`. */
export async function serializeEvents(
  ctx: RenderContext,
  rows: EventRow[],
  bytesMax?: number,
): Promise<EventPayloads> {
  return new Map(
    (await renderEvents(ctx, rows, bytesMax)).map((event) => [
      event.id,
      {
        kind: event.event,
        hasMessage: event.message !== null,
        bytes: render(event),
      },
    ]),
  );
}

const sharedMs = 250;
const sharedMax = 1_024;
/** A payload may have hundreds of kilobytes, so fewer are shared if they are large. */
const sharedBytesMax = 16_777_216;

/** The renderings that are shared, by workspace and event, and the size of those that are complete. */
interface Shared {
  payloads: Map<string, Promise<EventPayloads>>;
  bytes: number;
}

const sharedOf = perServer((): Shared => ({ payloads: new Map(), bytes: 0 }));

/**
 * The same as `serializeEvents`, but reuses what was rendered in the quarter second before: webhooks and sockets that follow the log ask
 * for the same events at almost the same time, and share one rendering. Not for a request for one event, since that shows the message as it
 * is now.
 */
export async function serializeEventsOnce(ctx: RenderContext, rows: EventRow[]): Promise<EventPayloads> {
  const shared = sharedOf(ctx);
  const missing = rows.filter((row) => !shared.payloads.has(payloadKey(row)));
  const rendering = serializeEvents(ctx, missing);
  const parts = rows.map((row) => shared.payloads.get(payloadKey(row)) ?? rendering);
  if (missing.length > 0 && shared.payloads.size + missing.length <= sharedMax)
    share(shared, missing, rendering);
  const found = await Promise.all(parts);
  const payloads = new Map<string, EventPayload>();
  for (const [index, { id }] of rows.entries()) {
    const payload = found[index]?.get(id);
    // An event that did not fit with the others is rendered with those that follow it.
    if (!payload) break;
    payloads.set(id, payload);
  }
  return payloads.size > 0 ? payloads : serializeEvents(ctx, rows);
}

function payloadKey({ workspace_id, id }: EventRow): string {
  return `${workspace_id} ${id}`;
}

function share(shared: Shared, rows: EventRow[], payloads: Promise<EventPayloads>): void {
  const keys = rows.map(payloadKey);
  let bytes = 0;
  let isShared = true;
  const forget = () => {
    clearTimeout(timer);
    if (!isShared) return;
    for (const key of keys) shared.payloads.delete(key);
    shared.bytes -= bytes;
    isShared = false;
  };
  for (const key of keys) shared.payloads.set(key, payloads);
  const timer = setTimeout(forget, sharedMs).unref();
  payloads.then((rendered) => {
    if (!isShared) return;
    // An event that did not fit with the others is rendered when it is requested again.
    for (const row of rows) if (!rendered.has(row.id)) shared.payloads.delete(payloadKey(row));
    for (const payload of rendered.values()) bytes += payload.bytes.length;
    shared.bytes += bytes;
    if (shared.bytes > sharedBytesMax) forget();
  }, forget);
}
