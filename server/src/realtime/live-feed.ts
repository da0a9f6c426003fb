/*
 * The live end of a workspace's log in this process. A new event is read, rendered and serialized once for any number of clients. A
 * follower reads the log itself until it has caught up, joins the feed, and is removed when it takes its payloads too slowly. `place`
 * always says what it has, so no event is left out or sent twice in between.
 */
import { type EventRow, type LogFilters, type LogPart, type LogPlace, matches } from '../events/read-log.ts';
import { type RenderContext, serializeEventsOnce } from '../messages/render-events.ts';
import { feedTurns, type PayloadPart, partRowsLeast, readPayloads, rowsAfter } from './read-payloads.ts';

/** A follower of the live end. */
export interface LogFollower {
  filters: LogFilters;
  /** The place up to which it has every event that passes its filters. */
  place: LogPlace;
  /** Takes the payload of an event, or refuses it because earlier ones are still waiting. */
  give(json: Buffer, row: EventRow): boolean;
  /** Sends the payloads of `work` together, and returns its result. */
  together<T>(work: () => T): T;
  /** Called once the follower was removed because it refused a payload. */
  onLagging(): void;
}

/** The followers of one workspace. */
export interface LiveFeed {
  /** Adds a follower, unless the feed is ahead of its place. Then it has to read on and try again. */
  join(follower: LogFollower): boolean;
  leave(follower: LogFollower): void;
  /** Reads new events, now or right after the current read. */
  look(): void;
  /** The position up to which the feed has read the log; null while it has no followers. */
  position(): number | null;
}

/** Creates the feed of a workspace. An error ends a read, and the next read begins at the same place. */
export function createLiveFeed(ctx: RenderContext, onError: (error: unknown) => void): LiveFeed {
  const followers = new Set<LogFollower>();
  let taken: LogPlace;
  let isLooking = false;
  let isDue = false;
  let rowsMax = partRowsLeast;
  const lookOn = async () => {
    isLooking = true;
    try {
      while (isDue && followers.size > 0) {
        isDue = false;
        while (!(await passOn()));
      }
    } catch (error) {
      onError(error);
    } finally {
      isLooking = false;
    }
  };
  /** Sends the followers the next part. Returns true at the end of the log, or if no follower is left. */
  const passOn = async (): Promise<boolean> => {
    const from = taken;
    try {
      const wants = ({ rows, next }: LogPart) => {
        // From here on a follower needs these events to join, because their payloads are made for the current followers.
        taken = next;
        return rows.filter((row) => isWanted(row, followers));
      };
      const part = await readInTurn(ctx, from, wants, rowsMax);
      [taken, rowsMax] = [part.next, rowsAfter(part.payloads, rowsMax)];
      for (const follower of followers) {
        if (follower.together(() => deliverPart(follower, part))) continue;
        followers.delete(follower);
        follower.onLagging();
      }
      return part.isEnd || followers.size === 0;
    } catch (error) {
      taken = from;
      rowsMax = partRowsLeast;
      throw error;
    }
  };
  const look = () => {
    isDue = true;
    if (!isLooking && followers.size > 0) void lookOn();
  };
  return {
    join: (follower) => {
      if (followers.size === 0 && !isLooking) taken = follower.place;
      if (follower.place.position < taken.position) return false;
      followers.add(follower);
      // If it is the first follower, events after its last read have woken nobody.
      look();
      return true;
    },
    leave: (follower) => void followers.delete(follower),
    look,
    position: () => (followers.size === 0 ? null : taken.position),
  };
}

function readInTurn(
  ctx: RenderContext,
  from: LogPlace,
  wants: (part: LogPart) => EventRow[],
  rowsMax: number,
) {
  return feedTurns(ctx).run(ctx.workspaceId, () =>
    readPayloads(ctx, from, {}, wants, serializeEventsOnce, rowsMax),
  );
}

function isWanted(row: EventRow, followers: Set<LogFollower>): boolean {
  for (const { filters } of followers) if (matches(row, filters)) return true;
  return false;
}

/** Sends a follower the events of a part that it wants and does not have. Returns false once it refuses one. */
export function deliverPart(follower: LogFollower, { rows, payloads }: PayloadPart): boolean {
  for (const row of rows) {
    const position = row.position ?? 0;
    if (position <= follower.place.position) continue;
    const payload = matches(row, follower.filters) ? payloads.get(row.id) : undefined;
    if (payload && !follower.give(payload.bytes, row)) return false;
    // A cursor names no event of an inbox that is out of scope.
    const isOwn = follower.filters.inbox_ids?.includes(row.inbox_id) ?? true;
    follower.place = { position, eventId: isOwn ? row.id : follower.place.eventId };
  }
  return true;
}
