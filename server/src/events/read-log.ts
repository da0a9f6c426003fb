/*
 * How the event log is read: by position, from the event on that a reader has seen last. The id of an event is the cursor on
 * the wire and its position the one within the server, because positions are not the reader's business.
 */
import type { EventKind } from '@postrider/contract';
import { limits } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../db/database.ts';
import { scoped } from '../db/scoped.ts';
import { ApiError } from '../lib/api-error.ts';
import { firstIdAt, isId } from '../lib/ids.ts';

/** An event of the log as a row; `position` is its place in the order. */
export type EventRow = Selectable<Tables['events']>;

/** A place in the log: that of an event, or the beginning. */
export interface LogPlace {
  position: number;
  /** The event there; null at the beginning of a log that has none. */
  eventId: string | null;
}

/** What a reader wants of the log. */
export interface LogFilters {
  events?: EventKind[] | undefined;
  inbox_id?: string | undefined;
}

type ReadContext = Pick<Context, 'db' | 'workspaceId' | 'clock' | 'timeScale'>;

/** Positions begin at 1. */
export const beginning: LogPlace = { position: 0, eventId: null };

/**
 * Where a reader that gives `after` goes on: behind this event, behind the newest one (`latest`), or at the beginning (left out).
 *
 * @throws ApiError `invalid_request` for an unknown id, `cursor_expired` for one that is older than what is kept.
 */
export const findPlace = async (ctx: ReadContext, after: string | undefined): Promise<LogPlace> => {
  if (after === undefined) return beginning;
  if (after === 'latest') return findLatest(ctx);
  const row = isId('evt', after) ? await findEvent(ctx, after) : undefined;
  if (row?.position != null) return { position: row.position, eventId: row.id };
  if (isId('evt', after) && after < firstIdAt('evt', oldestKept(ctx))) {
    throw new ApiError('cursor_expired', { oldest: await findOldest(ctx) });
  }
  throw new ApiError('invalid_request', {
    issues: [{ path: 'after', message: 'must be the id of an event of this workspace, or latest' }],
  });
};

const oldestKept = ({ clock, timeScale }: ReadContext): Date =>
  timeScale.before(clock.now(), limits.eventsKeptMs);

const findEvent = (ctx: ReadContext, id: string) =>
  scoped(ctx).selectFrom('events').select(['id', 'position']).where('id', '=', id).executeTakeFirst();

/** The newest event that has its order. */
const findLatest = async (ctx: ReadContext): Promise<LogPlace> => {
  const row = await inOrder(ctx).orderBy('position', 'desc').limit(1).executeTakeFirst();
  return row ? { position: row.position ?? 0, eventId: row.id } : beginning;
};

const findOldest = async (ctx: ReadContext): Promise<string | null> =>
  (await inOrder(ctx).orderBy('position').limit(1).executeTakeFirst())?.id ?? null;

const inOrder = (ctx: Pick<ReadContext, 'db' | 'workspaceId'>) =>
  scoped(ctx).selectFrom('events').select(['id', 'position']).where('position', 'is not', null);

/** How many events are looked at for one part of the log, whatever the filters leave of them. */
const lookedAtMax = 1_000;
/** Filters mostly leave one event in so many or more, and then nothing further is looked at. */
const lookedAtForOne = 4;

/** A part of the log: events in order, and where the next part begins. */
export interface LogPart {
  rows: EventRow[];
  next: LogPlace;
  /** Whether the log had an end here when it was read. */
  isEnd: boolean;
}

/**
 * At most `limit` events behind a place, in their order. It may have fewer, or none, with more to come (`isEnd` is false): a
 * part looks at 1,000 events at most, so that a filter that matches nothing does not walk the log in one go.
 */
export const readLog = async (
  ctx: Pick<ReadContext, 'db' | 'workspaceId'>,
  from: LogPlace,
  filters: LogFilters,
  limit: number,
): Promise<LogPart> => {
  const isFiltered = filters.events !== undefined || filters.inbox_id !== undefined;
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
  return {
    rows,
    next: last ? { position: last.position ?? 0, eventId: last.id } : from,
    isEnd: seen.length < most && rows.length === matching.length,
  };
};

const readBehind = (
  ctx: Pick<ReadContext, 'db' | 'workspaceId'>,
  position: number,
  most: number,
): Promise<EventRow[]> =>
  scoped(ctx)
    .selectFrom('events')
    .selectAll()
    .where('position', '>', position)
    .orderBy('position')
    .limit(most)
    .execute();

/** Whether a reader with these filters wants the event. */
export const matches = (
  { event, inbox_id }: Pick<EventRow, 'event' | 'inbox_id'>,
  filters: LogFilters,
): boolean =>
  (filters.events?.includes(event) ?? true) &&
  (filters.inbox_id === undefined || filters.inbox_id === inbox_id);
