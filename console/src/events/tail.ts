/*
 * The events that the page shows and those that wait while it is paused. Both are bounded by their number and by the length of their
 * bodies, because an event can have 64 KiB of text and HTML each.
 */
import type { PostriderEvent } from 'postrider';

/** The newest events, each list newest first. */
export interface Tail {
  shown: PostriderEvent[];
  waiting: PostriderEvent[];
  /** How many events came while the page was paused, also those that are not kept. */
  waitingCount: number;
  isPaused: boolean;
  /** Whether events that were shown, or waited, are left out now. */
  isCut: boolean;
}

/** The events that are kept at most. */
export const eventsMax = 1_000;
/** The characters of bodies that are kept at most, except of the newest event. */
const charactersMax = 16_000_000;

/** A tail without events. */
export const emptyTail: Tail = { shown: [], waiting: [], waitingCount: 0, isPaused: false, isCut: false };

/** Returns the tail with events that came, in the order in which they came. */
export function addEvents(tail: Tail, came: PostriderEvent[]): Tail {
  if (came.length === 0) return tail;
  const newest = came.toReversed();
  if (!tail.isPaused) {
    const shown = bounded([...newest, ...tail.shown]);
    return { ...tail, shown, isCut: tail.isCut || shown.length < newest.length + tail.shown.length };
  }
  const waiting = bounded([...newest, ...tail.waiting]);
  return { ...tail, waiting, waitingCount: tail.waitingCount + came.length };
}

/** Returns the tail while new events wait. */
export function paused(tail: Tail): Tail {
  return { ...tail, isPaused: true };
}

/** Returns the tail with the events that waited. */
export function resumed(tail: Tail): Tail {
  const shown = bounded([...tail.waiting, ...tail.shown]);
  const isCut = tail.isCut || shown.length < tail.waitingCount + tail.shown.length;
  return { shown, waiting: [], waitingCount: 0, isPaused: false, isCut };
}

function bounded(events: PostriderEvent[]): PostriderEvent[] {
  let characters = 0;
  const end = events.findIndex((event, index) => {
    characters += countCharacters(event);
    return index >= eventsMax || (index > 0 && characters > charactersMax);
  });
  return end < 0 ? events : events.slice(0, end);
}

function countCharacters({ message }: PostriderEvent): number {
  return (message?.body_text?.length ?? 0) + (message?.body_html?.length ?? 0);
}
