import type { Context } from '../../context.ts';
import type { MessageFilter } from '../../messages/message-filters.ts';
import { readIndexState } from '../index/index-state.ts';
import type { SemanticScope } from '../semantic/semantic-scope.ts';
import { parseQuery } from '../text/parse-query.ts';
import type { ParsedQuery, QueryTerm } from '../text/query-terms.ts';
import { type PlannedSearch, start } from './find-hits.ts';
import { inInbox, oneLexeme } from './index-query.ts';
import type { PlannedTerm } from './plan-term.ts';
import { applyWording, planTerms, wantedTerms, withoutTerms } from './plan-terms.ts';
import {
  type Condition,
  planChecks,
  planRestrictions,
  type Restrictions,
  type SearchFilters,
} from './restrictions.ts';
import { decodeSearch, keysOfSearch, type Position, type SearchState } from './search-cursor.ts';

/** A search as a caller asks for it. */
export interface SearchInput {
  query: string;
  cursor?: string | undefined;
  filters: SearchFilters;
  /** Further filters, each with few messages. */
  few?: MessageFilter[];
  /** Further conditions on a row of `messages`. */
  conditions?: Condition[];
  /** Whether hits need the ids of their threads. */
  needsThreads?: boolean;
}

/** A search that is ready to find hits. */
export interface OpenSearch {
  search: PlannedSearch;
  from: Position;
  /** The terms that are marked in the texts of hits. */
  terms: QueryTerm[];
  /** The text that is compared by meaning: the query without its operators. */
  text: string;
  /** The messages that may be compared by meaning. */
  scope: SemanticScope;
  /** Returns the sort keys of a position, from which its cursor is created. */
  keysAt(position: Position): string[];
}

/**
 * Plans a search, or continues it as its first page planned it. Returns null if no message can be found.
 *
 * @throws ApiError `not_found` if a filter names something that is not the caller's, `invalid_request` for a date in the query that is
 * none.
 */
export async function openSearch(ctx: Context, input: SearchInput): Promise<OpenSearch | null> {
  const { query, cursor, filters, few = [], conditions = [], needsThreads = false } = input;
  const parsed = parseQuery(query);
  const state = cursor === undefined ? null : decodeSearch(query, cursor);
  const restrictions = await planRestrictions(ctx, parsed, filters);
  const index = await readIndexState(ctx);
  if (restrictions === null || index.above === null || asksNothing(parsed)) return null;
  const before = state?.before ?? index.above;
  const { range } = restrictions;
  restrictions.match.push(...withoutTerms(parsed.terms));
  restrictions.filters.push(...few);
  range.before = range.before === null || before < range.before ? before : range.before;
  const wanted = wantedTerms(parsed.terms);
  const { facets } = restrictions;
  const planned = state
    ? { terms: applyWording(wanted, state.wording), wording: state.wording, share: 1 }
    : await planTerms(ctx, { wanted, facets, total: index.total });
  const at = state?.at ?? ctx.clock.now();
  const checks = await planChecks(ctx, restrictions, conditions, needsThreads || index.hasDeleted);
  const search = { terms: planned.terms, share: planned.share, restrictions, checks, state: index, at };
  const kept: Omit<SearchState, keyof Position> = { before, at, wording: planned.wording };
  return {
    search,
    from: state ?? start,
    terms: markedTerms(wanted, planned.wording.corrections),
    text: parsed.text,
    scope: { ...semanticScope(restrictions, filters.inbox_id, requiredPhrases(planned.terms)), conditions },
    keysAt: (position) => keysOfSearch(query, { ...position, ...kept }),
  };
}

/** Without any letter or digit, there is nothing to search for. */
function asksNothing(parsed: ParsedQuery): boolean {
  const { text: _, terms, ...operators } = parsed;
  return (
    terms.length === 0 &&
    Object.values(operators).every((value) => Array.isArray(value) && value.length === 0)
  );
}

/** Vectors have their own index for inboxes. */
function semanticScope(
  restrictions: Restrictions,
  inboxId: string | undefined,
  required: string[],
): SemanticScope {
  const inboxes = (restrictions.inboxIds ?? []).map((id) => oneLexeme(inInbox(id)));
  const match = restrictions.match.filter((part) => inboxes.length !== 1 || part !== inboxes[0]);
  return { ...restrictions, inboxId, match: [...match, ...required] };
}

/** Returns the tsqueries of quoted phrases, which always have to match. */
function requiredPhrases(terms: PlannedTerm[]): string[] {
  return terms.filter(({ isRequired }) => isRequired).map(({ match }) => match);
}

/** Words that replace a misspelled one are marked, too. */
function markedTerms(wanted: QueryTerm[], corrections: Map<number, string[]>): QueryTerm[] {
  return wanted.flatMap((term, place) => [
    term,
    ...(corrections.get(place) ?? []).map((word) => ({ ...term, words: [word], whole: null, prefix: false })),
  ]);
}
