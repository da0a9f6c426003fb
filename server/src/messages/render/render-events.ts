import { type Event, limits } from '@postrider/contract';
import type { LinkDeps } from '../../attachments/attachment.view.ts';
import type { Context } from '../../context.ts';
import { anyOf, prepared } from '../../db/prepared.ts';
import { type OwnRows, ownRows } from '../../db/scoped.ts';
import type { Db } from '../../db/tables.ts';
import type { EventRow } from '../../events/read-log.ts';
import { fitAnswer } from '../../lib/fit-answer.ts';
import { liveMessages } from '../find-message.ts';
import { fillLarge, withListed } from '../listed-messages.ts';
import { viewMessage } from '../message.view.ts';
import { loadDetails, type MessageDetails } from '../message-details.ts';
import type { MessageRow } from '../store/message-record.ts';

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
  const filled = await fillLarge(ctx, inOrderOf(ids, rows), bytesMax);
  const shown = new Set(filled.rows.map(({ id }) => id));
  const beyond = filled.lastId === null ? [] : rows.filter(({ id }) => !shown.has(id)).map(({ id }) => id);
  return { messages: filled.rows, beyond: new Set(beyond) };
}

/** Returns the rows in the order of their events, so that the last ones are those that do not fit. */
function inOrderOf(ids: string[], rows: MessageRow[]): MessageRow[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

interface OfMessages extends OwnRows {
  ids: string[];
}

const selectRows = prepared((db, { workspaceId, inboxIds, ids }: OfMessages) =>
  withListed(
    liveMessages({ db, workspaceId, scope: { inboxIds } }).where('messages.id', '=', anyOf(ids)),
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
