/*
 * Reads the event log by position, after the last event that a reader has seen. On the wire the cursor is the id of an event. Positions
 * are known within the server only. Who is limited to some inboxes reads their events alone, and is told of no others by a cursor either.
 */
import type { EventKind } from '@postrider/contract';
import { limits } from '@postrider/contract';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Context } from '../context.ts';
import { type RowsContext, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { ApiError } from '../lib/api-error.ts';
import { firstIdAt, isId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';

/** An event of the log as a row; `position` is its place in the order. */
export type EventRow = Selectable<Tables['events']>;

/** A place in the log: an event, or the beginning. */
export interface LogPlace {
  position: number;
  /** The newest event of the reader that is not after this place; null if it has none. */
  eventId: string | null;
}

/** The part of the log to read. */
export interface LogFilters {
  events?: EventKind[] | undefined;
  inbox_id?: string | undefined;
  /** The inboxes to which the reader is limited; null for all. */
  inbox_ids?: string[] | null;
}

type ReadContext = Pick<Context, 'db' | 'workspaceId' | 'scope' | 'clock' | 'timeScale'>;

/** Positions begin at 1. */
export const beginning: LogPlace = { position: 0, eventId: null };

/**
 * Returns the place where a reader continues: after the event in `after`, after the newest one (`latest`), or at the beginning.
 *
 * @throws ApiError `invalid_request` for an unknown id, of the field that has it, `cursor_expired` for one that is older than the events
 * that are kept.
 */
export async function findPlace(
  ctx: ReadContext,
  after: string | undefined,
  field = 'after',
): Promise<LogPlace> {
  if (after === undefined) return beginning;
  if (after === 'latest') return findLatest(ctx);
  const row = isId('evt', after) ? await findEvent(ctx, after) : undefined;
  if (row?.position != null) return { position: row.position, eventId: row.id };
  if (isId('evt', after) && after < firstIdAt('evt', oldestKept(ctx))) {
    throw new ApiError('cursor_expired', { oldest: await findOldest(ctx) });
  }
  throw new ApiError('invalid_request', {
    issues: [{ path: field, message: 'must be the id of an event of this workspace, or latest' }],
  });
}

function oldestKept({ clock, timeScale }: ReadContext): Date {
  return timeScale.before(clock.now(), limits.eventsKeptMs);
}

function findEvent(ctx: ReadContext, id: string) {
  return scoped(ctx).selectFrom('events').select(['id', 'position']).where('id', '=', id).executeTakeFirst();
}

/** Returns the place of the newest event that has a position. */
async function findLatest(ctx: ReadContext): Promise<LogPlace> {
  const { inboxIds } = ctx.scope;
  const end = await findEnd(ctx);
  if (inboxIds === null || end === beginning) return end;
  const [row] = await readOwn(ctx, inboxIds, { way: sql`desc`, limit: 1 });
  return { ...end, eventId: row?.id ?? null };
}

/** Returns the end of the log of the workspace. */
async function findEnd({ db, workspaceId }: RowsContext): Promise<LogPlace> {
  const row = await inOrder({ db, workspaceId, scope: wholeWorkspace })
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? { position: row.position ?? 0, eventId: row.id } : beginning;
}

async function findOldest(ctx: ReadContext): Promise<string | null> {
  const { inboxIds } = ctx.scope;
  if (inboxIds !== null) return (await readOwn(ctx, inboxIds, { limit: 1 }))[0]?.id ?? null;
  return (await inOrder(ctx).orderBy('position').limit(1).executeTakeFirst())?.id ?? null;
}

function inOrder(ctx: RowsContext) {
  return scoped(ctx).selectFrom('events').select(['id', 'position']).where('position', 'is not', null);
}

/** Returns events of some inboxes in their order. The log of each is read by an index, so those of others cost nothing. */
async function readOwn(
  { db, workspaceId }: RowsContext,
  inboxIds: string[],
  { after = 0, way = sql`asc`, limit }: { after?: number; way?: RawBuilder<unknown>; limit: number },
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select e.* from unnest(${inboxIds}::text[]) as inbox(id) cross join lateral (
      select * from events where workspace_id = ${workspaceId} and inbox_id = inbox.id and position > ${after}
        order by position ${way} limit ${limit}) as e
    order by e.position ${way} limit ${limit}`.execute(db);
  return rows;
}

/** The number of events that are read for one part of the log, however few the filters let through. */
const lookedAtMax = 1_000;
/** Most filters let through at least one event in this many, and then no more are read. */
const lookedAtForOne = 4;

/** A part of the log: events in order, and the place where the next part begins. */
export interface LogPart {
  rows: EventRow[];
  next: LogPlace;
  /** Whether the log ended here when it was read. */
  isEnd: boolean;
}

/**
 * Returns at most `limit` events after a place, in order. A part may have fewer or none although more follow (`isEnd` is false),
 * because it reads at most 1,000 events, so that a filter that matches nothing does not read the whole log at once.
 */
export async function readLog(
  ctx: RowsContext,
  from: LogPlace,
  filters: LogFilters,
  limit: number,
): Promise<LogPart> {
  const isFiltered = filters.events !== undefined || filters.inbox_id !== undefined;
  // All events up to here are read next, so a caller limited to some inboxes need not pass by the others again.
  const end = ctx.scope.inboxIds === null ? beginning : await findEnd(ctx);
  let most = isFiltered ? Math.min(limit * lookedAtForOne, lookedAtMax) : limit;
  const seen = await readBehind(ctx, from.position, most);
  let matching = seen.filter((row) => matches(row, filters));
  if (isFiltered && matching.length < limit && seen.length === most) {
    seen.push(...(await readBehind(ctx, seen.at(-1)?.position ?? 0, lookedAtMax - most)));
    matching = seen.filter((row) => matches(row, filters));
    most = lookedAtMax;
  }
  const rows = matching.slice(0, limit);
  const last = matching.length > limit ? rows.at(-1) : seen.at(-1);
  const next = last ? { position: last.position ?? 0, eventId: last.id } : from;
  const isEnd = seen.length < most && rows.length === matching.length;
  return {
    rows,
    next: isEnd && end.position > next.position ? { ...next, position: end.position } : next,
    isEnd,
  };
}

function readBehind(ctx: RowsContext, position: number, most: number): Promise<EventRow[]> {
  const { inboxIds } = ctx.scope;
  if (inboxIds !== null) return readOwn(ctx, inboxIds, { after: position, limit: most });
  return scoped(ctx)
    .selectFrom('events')
    .selectAll()
    .where('position', '>', position)
    .orderBy('position')
    .limit(most)
    .execute();
}

/** Returns whether an event passes these filters. */
export function matches(
  { event, inbox_id }: Pick<EventRow, 'event' | 'inbox_id'>,
  filters: LogFilters,
): boolean {
  return (
    (filters.events?.includes(event) ?? true) &&
    (filters.inbox_id === undefined || filters.inbox_id === inbox_id) &&
    (filters.inbox_ids?.includes(inbox_id) ?? true)
  );
}
