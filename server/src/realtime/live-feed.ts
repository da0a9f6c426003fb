/*
 * The live end of a workspace's log in this process. However many sockets follow it, a new event is read once, rendered once and
 * made into bytes once. A follower reads the log itself until it has all of it, joins here, and is taken out again when it does
 * not take its frames fast enough; `place` says at each moment what it has, so nothing is left out or given twice on the way.
 */
import { type EventRow, type LogFilters, type LogPart, type LogPlace, matches } from '../events/read-log.ts';
import type { RenderContext } from '../messages/render/render-events.ts';
import { renderFramesOnce } from '../messages/render/render-frames.ts';
import { type FramePart, feedTurns, partRowsLeast, readFrames, rowsAfter } from './read-frames.ts';

/** Who follows the live end. */
export interface LogFollower {
  filters: LogFilters;
  /** What it has: everything up to here that its filters let through. */
  place: LogPlace;
  /** Takes a frame, or refuses because it has not taken those before. */
  give(frame: Buffer): boolean;
  /** Has the frames that `work` gives leave together, and answers what it does. */
  together<T>(work: () => T): T;
  /** Called once it was taken out because it refused a frame. */
  onBehind(): void;
}

/** The followers of one workspace. */
export interface LiveFeed {
  /** Takes a follower in, unless the feed is ahead of its place: then it reads on and asks again. */
  join(follower: LogFollower): boolean;
  leave(follower: LogFollower): void;
  /** Looks for events that are new, now or right after the look that is under way. */
  look(): void;
  /** Up to where events were taken from the log; null while nobody follows. */
  position(): number | null;
}

/** Makes the feed of a workspace; an error ends a look, and the next one begins where that one did. */
export const createLiveFeed = (ctx: RenderContext, onError: (error: unknown) => void): LiveFeed => {
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
  /** Gives the followers the next part; true at the end of the log, or when there is nobody left. */
  const passOn = async (): Promise<boolean> => {
    const from = taken;
    try {
      const wants = ({ rows, next }: LogPart) => {
        // From here on only who has these events may join: their frames are made for those who follow now.
        taken = next;
        return rows.filter((row) => isWanted(row, followers));
      };
      const part = await readInTurn(ctx, from, wants, rowsMax);
      [taken, rowsMax] = [part.next, rowsAfter(part.frames, rowsMax)];
      for (const follower of followers) {
        if (follower.together(() => givePart(follower, part))) continue;
        followers.delete(follower);
        follower.onBehind();
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
      // What came after its last read woke nobody if it is the first.
      look();
      return true;
    },
    leave: (follower) => void followers.delete(follower),
    look,
    position: () => (followers.size === 0 ? null : taken.position),
  };
};

const readInTurn = (
  ctx: RenderContext,
  from: LogPlace,
  wants: (part: LogPart) => EventRow[],
  rowsMax: number,
) => feedTurns.run(ctx.workspaceId, () => readFrames(ctx, from, {}, wants, renderFramesOnce, rowsMax));

const isWanted = (row: EventRow, followers: Set<LogFollower>): boolean => {
  for (const { filters } of followers) if (matches(row, filters)) return true;
  return false;
};

/** Gives a follower what it wants of a part and has not got; false once it refuses a frame. */
export const givePart = (follower: LogFollower, { rows, frames }: FramePart): boolean => {
  for (const row of rows) {
    const place = { position: row.position ?? 0, eventId: row.id };
    if (place.position <= follower.place.position) continue;
    const frame = matches(row, follower.filters) ? frames.get(row.id) : undefined;
    if (frame && !follower.give(frame.bytes)) return false;
    follower.place = place;
  }
  return true;
};
