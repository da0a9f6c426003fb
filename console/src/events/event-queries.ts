import type { PostriderEvent } from 'postrider';
import { useState } from 'react';
import { eventKindText } from '#strings/events.ts';
import type { ItemPage, PagedList } from '../lib/paging.ts';
import { itemsIn, useList } from '../lib/query.ts';

/** The events to show. An empty field restricts nothing. */
export interface EventFilters {
  /** Kinds with commas between. */
  kinds: string;
  inbox: string;
  /** ISO 8601. */
  before: string;
}

/**
 * Reads the event log, newest first. Each use reads it anew, because what happens later comes by the event stream, and what happened
 * between two uses would be missing.
 */
export function usePastEvents(filters: EventFilters, enabled: boolean): PagedList<PostriderEvent> {
  const [openedAt] = useState(() => performance.now());
  const query = {
    events: readKinds(filters.kinds),
    inbox_id: filters.inbox || undefined,
    before: filters.before || undefined,
    limit: 50,
  };
  return useList(
    ['event-log', filters, openedAt],
    async ({ ask }, cursor) => {
      const page = await itemsIn('events', ask('records.events', { query: { ...query, cursor } }));
      return page as ItemPage<PostriderEvent>;
    },
    { enabled },
  );
}

/** Returns the kinds in a text with commas between; undefined for all. */
export function readKinds(text: string): PostriderEvent['event'][] | undefined {
  const wanted = text.split(',');
  const kinds = Object.keys(eventKindText).filter((kind) => wanted.includes(kind));
  return kinds.length === 0 ? undefined : (kinds as PostriderEvent['event'][]);
}
