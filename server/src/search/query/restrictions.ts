import type { ListMessages } from '@postrider/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../context.ts';
import { acrossWorkspaces, scoped } from '../../db/scoped.ts';
import { getInbox } from '../../inboxes/find-inbox.ts';
import { normalizeAddress, stripPlusTag } from '../../lib/email-address.ts';
import { firstIdAt } from '../../lib/ids.ts';
import { labelNameKey } from '../../lib/texts.ts';
import { liveMessages } from '../../messages/find-message.ts';
import { fewestFirst, selectNewest } from '../../messages/list-messages.ts';
import { type MessageFilter, messageFilters, ofLabel } from '../../messages/message-filters.ts';
import type { ParsedQuery, QueryFilter } from '../text/query-terms.ts';
import { type IndexParts, inInbox, noPart, oneLexeme, planFiles, planOperators } from './index-query.ts';
import { type Hit, searchLimits } from './match-slice.ts';
import type { TierPlan } from './read-tier.ts';
import type { IdRange } from './slices.ts';

/** The filters of a list that hold for a search, too. */
export type SearchFilters = Omit<ListMessages, 'query' | 'mode' | 'wait_seconds' | 'limit' | 'cursor'>;

/** The conditions of a search other than its words. */
export interface Restrictions {
  /** Tsqueries, each of which has to match. */
  match: string[];
  /** The inboxes that are wanted; null if all are. A single one is among `match`. */
  inboxIds: string[] | null;
  range: IdRange;
  /** Facets that are among `match`, as the vocabulary counts them. */
  facets: string[];
  /** Conditions that the index does not know, because they change. */
  filters: MessageFilter[];
  /** Conditions on a row of `messages`, none of which it can meet. */
  excluded: RawBuilder<boolean>[];
}

/**
 * Returns the conditions of the filters and of the operators of a query; null if no message can meet them.
 *
 * @throws ApiError `not_found` if a filter names an inbox, thread or label that is not the caller's.
 */
export async function planRestrictions(
  ctx: Context,
  parsed: ParsedQuery,
  given: SearchFilters,
): Promise<Restrictions | null> {
  const inboxIds = given.inbox_id === undefined ? ctx.scope.inboxIds : [given.inbox_id];
  if (inboxIds?.length === 0) return null;
  const fromFilters = await planFilters(ctx, given);
  const inboxes = await planInboxes(ctx, parsed.in);
  const labels = await planLabels(ctx, parsed.label, given.inbox_id);
  if (fromFilters === null || inboxes === null || labels === null) return null;
  const operators = planOperators(parsed);
  const only = inboxIds?.length === 1 ? inboxIds.map(inInbox) : [];
  // A filter and an operator may name the same.
  const facets = [...new Set([...only, ...fromFilters.facets, ...inboxes.facets, ...operators.facets])];
  return {
    match: [...facets.map(oneLexeme), ...fromFilters.match, ...inboxes.match, ...operators.match],
    inboxIds,
    facets,
    range: idRange(parsed, given),
    filters: [...fromFilters.filters, ...labels.filters],
    excluded: labels.excluded,
  };
}

/** The index knows inboxes, directions and files, because these never change. */
async function planFilters(
  ctx: Context,
  given: SearchFilters,
): Promise<Pick<Restrictions, 'match' | 'facets' | 'filters'> | null> {
  const { inbox_id: inboxId, direction, has_attachment: hasAttachment, ...others } = given;
  if (inboxId !== undefined) await getInbox(ctx, inboxId, 'inbox_id');
  const needsInbox = others.label_id !== undefined || others.read !== undefined;
  const page = { limit: 1, ...others, ...(needsInbox && inboxId !== undefined && { inbox_id: inboxId }) };
  const filters = await messageFilters(ctx, page, { isInScope: true });
  if (filters === null) return null;
  const facets = direction === undefined ? [] : [`is:${direction}`];
  const files = planFiles(hasAttachment);
  return { match: files.match, facets: [...facets, ...files.facets], filters };
}

/** `in:` takes the address of an inbox or its id. What names no inbox of the workspace matches nothing. */
async function planInboxes(ctx: Context, filters: QueryFilter[]): Promise<IndexParts | null> {
  if (filters.length === 0) return { match: [], facets: [] };
  const filterAddress = ({ value }: QueryFilter) => stripPlusTag(normalizeAddress(value) ?? '');
  const owners = await scoped(ctx)
    .selectFrom('addresses')
    .select(['address', 'inbox_id'])
    .where('address', 'in', filters.map(filterAddress))
    .execute();
  const findInboxId = (filter: QueryFilter) =>
    owners.find(({ address }) => address === filterAddress(filter))?.inbox_id ?? filter.value;
  const live = await scoped(ctx)
    .selectFrom('inboxes')
    .select('id')
    .where('id', 'in', filters.map(findInboxId))
    .where('deleted_at', 'is', null)
    .execute();
  const isLive = (filter: QueryFilter) => live.some(({ id }) => id === findInboxId(filter));
  if (filters.some((filter) => !filter.not && !isLive(filter))) return null;
  const [unwanted, wanted] = [true, false].map((not) =>
    filters
      .filter((filter) => filter.not === not && isLive(filter))
      .map((filter) => inInbox(findInboxId(filter))),
  ) as [string[], string[]];
  return { match: unwanted.map((facet) => noPart(oneLexeme(facet))), facets: wanted };
}

/** `label:` takes the name of a label, in any case. A name that no label has matches nothing. */
async function planLabels(
  ctx: Context,
  filters: QueryFilter[],
  inboxId: string | undefined,
): Promise<Pick<Restrictions, 'filters' | 'excluded'> | null> {
  if (filters.length === 0) return { filters: [], excluded: [] };
  const keys = filters.map(({ value }) => labelNameKey(value.trim()));
  const rows = await scoped(ctx)
    .selectFrom('labels')
    .select(['id', 'name_key'])
    .where('name_key', 'in', keys)
    .execute();
  const labelIds = new Map(rows.map(({ id, name_key }) => [name_key, id]));
  const wanted = keys.filter((_, index) => !filters[index]?.not);
  if (wanted.some((key) => !labelIds.has(key))) return null;
  const unwanted = keys.filter((key, index) => filters[index]?.not && labelIds.has(key));
  const labelFilter = (key: string) => ofLabel(ctx, labelIds.get(key) as string, inboxId);
  return {
    filters: [...new Set(wanted)].map(labelFilter),
    excluded: [...new Set(unwanted)].map((key) => sql<boolean>`coalesce(${labelFilter(key).passes}, false)`),
  };
}

function idRange(parsed: ParsedQuery, given: SearchFilters): IdRange {
  const idAt = (at: Date | undefined) => (at === undefined ? [] : [firstIdAt('msg', at)]);
  const readDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  const from = [...idAt(parsed.after), ...idAt(readDate(given.after))].toSorted();
  const before = [...idAt(parsed.before), ...idAt(readDate(given.before))].toSorted();
  return { from: from.at(-1) ?? null, before: before[0] ?? null };
}

/** A condition on a row of `messages` that the index does not know. */
export type Condition = RawBuilder<boolean> | MessageFilter['passes'];

/**
 * Returns the messages that can pass, if a filter has few of them, and a function that checks hits; null in place of either if it is
 * not needed.
 */
export async function planChecks(
  ctx: Context,
  { filters, excluded, range }: Restrictions,
  conditions: Condition[],
  needsPass: boolean,
): Promise<Pick<TierPlan, 'ids' | 'pass'>> {
  const inIds = { from: range.from, before: range.before === null ? [] : [range.before] };
  const [fewest, ...others] = await fewestFirst(ctx, filters, inIds);
  const rowsMax = searchLimits.rowsMax;
  const rows = fewest ? await selectNewest(ctx, fewest, inIds, rowsMax + 1).execute() : [];
  const isFew = fewest !== undefined && rows.length <= rowsMax;
  const all: Condition[] = [
    ...(isFew ? others : filters).map(({ passes }) => passes),
    ...excluded.map((condition) => sql<boolean>`not ${condition}`),
    ...conditions,
  ];
  return {
    ids: isFew ? rows.map(({ id }) => id) : null,
    pass: needsPass || all.length > 0 ? (inside, hits) => passing(inside, hits, all) : null,
  };
}

/** Returns the hits that are live and meet every condition, in their order. */
async function passing(ctx: Context, hits: Hit[], conditions: Condition[]): Promise<Hit[]> {
  if (hits.length === 0) return [];
  const ids = hits.map(({ id }) => id);
  let message = liveMessages(ctx)
    .select('messages.thread_id')
    .where('messages.id', '=', sql.ref<string>('wanted.id'));
  for (const condition of conditions) message = message.where(condition as MessageFilter['passes']);
  const rows = await acrossWorkspaces(ctx, 'the messages are those of the workspace')
    .selectFrom(sql<{ id: string }>`unnest(${ids}::text[])`.as<'wanted'>(sql`wanted(id)`))
    .innerJoinLateral(message.limit(1).as('message'), (on) => on.onTrue())
    .select(['wanted.id', 'message.thread_id'])
    .execute();
  const threads = new Map(rows.map(({ id, thread_id }) => [id, thread_id]));
  return hits.flatMap((hit) => {
    const threadId = threads.get(hit.id);
    return threadId === undefined ? [] : [{ ...hit, threadId }];
  });
}
