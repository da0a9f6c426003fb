import { type RawBuilder, sql } from 'kysely';
import { acrossWorkspaces, type RowsContext, scoped } from '../../db/scoped.ts';
import type { Ids, MessageFilter } from '../../messages/message-filters.ts';

/** The messages that are compared: all of a workspace, or some of them. */
export interface SemanticScope {
  inboxId?: string | undefined;
  /** Ids of messages from `from` on and below `before`. */
  range?: { from: string | null; before: string | null };
  /** Tsqueries on the search index, each of which a message must match. */
  match?: string[];
  /** Conditions that a message has to meet. */
  filters?: MessageFilter[];
  /** Conditions on a row of `messages`, none of which it can meet. */
  excluded?: RawBuilder<boolean>[];
  /** Further conditions on a row of `messages`. */
  conditions?: (RawBuilder<boolean> | MessageFilter['passes'])[];
}

type ScopeContext = RowsContext;

/** Up to as many messages of a filter are compared one by one. With more, all messages are put in order first, and then checked. */
const fewMax = 8_000;
/** Up to as many ids are read at once. To look up more of them a second time costs less than to carry them to and fro. */
const carriedMax = 2_000;

/** Conditions on a message, with the ids of those that meet the hardest one, if they are few. */
export interface ScopeChecks {
  few: RawBuilder<unknown> | null;
  /** On a row of `messages`. */
  passes: RawBuilder<unknown>[];
}

/** Returns the conditions on a row `c` of `search_codes`. Messages of inboxes that are being removed are hidden from everybody. */
export async function codesInScope(
  ctx: ScopeContext,
  { inboxId, range }: SemanticScope,
  space: number,
): Promise<RawBuilder<unknown>> {
  // No inbox is usually being removed, and comparing each row with an empty set would take a tenth of the time of a search.
  const removed = await scoped(ctx)
    .selectFrom('inboxes')
    .select('id')
    .where('deleted_at', 'is not', null)
    .execute();
  const ids = removed.map(({ id }) => id);
  return sql`c.workspace_id = ${ctx.workspaceId} and c.space = ${space}::int
    ${isInInboxes(ctx, inboxId)} ${inRange('c.message_id', range)}
    ${ids.length === 0 ? sql`` : sql`and c.inbox_id <> all(${ids}::text[])`}`;
}

function isInInboxes(
  { scope: { inboxIds } }: ScopeContext,
  inboxId: string | undefined,
): RawBuilder<unknown> {
  const onlyInbox = inboxId ?? (inboxIds?.length === 1 ? inboxIds[0] : undefined);
  if (onlyInbox !== undefined) return sql`and c.inbox_id = ${onlyInbox}`;
  return inboxIds === null ? sql`` : sql`and c.inbox_id = any(${inboxIds}::text[])`;
}

/** Returns the other conditions of a scope. */
export async function scopeChecks(ctx: ScopeContext, scope: SemanticScope): Promise<ScopeChecks> {
  const { filters = [], match = [], excluded = [], conditions = [], range } = scope;
  const all = [...filters, ...(match.length === 0 ? [] : [ofIndex(ctx, match)])];
  const fewest = await findFewest(ctx, all, range);
  return {
    few: fewest?.ids ?? null,
    passes: [
      ...all.filter((filter) => filter !== fewest?.filter).map(({ passes }) => sql`${passes}`),
      ...excluded.map((condition) => sql`not ${condition}`),
      ...conditions.map((condition) => sql`${condition}`),
    ],
  };
}

/** The search index as a filter like those of lists. */
function ofIndex(ctx: ScopeContext, match: string[]): MessageFilter {
  // Without its own lexeme, the index would list the messages of all workspaces first.
  const own = `'@w${ctx.workspaceId}'`;
  const query = [own, ...match.map((part) => `(${part})`)].join(' & ');
  const matches = sql<boolean>`words @@ ${query}::tsquery`;
  // The workspace is compared behind a fence (`offset 0`), or the planner might list all of its messages by the primary key.
  const matching = sql<{ id: string; workspace_id: string }>`(
    select message_id as id, workspace_id from search_messages where ${matches} offset 0)`.as('matching');
  const matchingIds = acrossWorkspaces(ctx, 'the rows are those of the workspace')
    .selectFrom(matching)
    .select('matching.id')
    .where('matching.workspace_id', '=', ctx.workspaceId);
  return {
    ids: [matchingIds as unknown as Ids],
    of: null,
    passes: sql<boolean>`(select true from search_messages s where s.workspace_id = ${ctx.workspaceId}
      and s.message_id = messages.id and ${matches} limit 1)`,
  };
}

interface Fewest {
  filter: MessageFilter;
  /** The SQL of its messages. */
  ids: RawBuilder<unknown>;
}

/** Returns the filter that the fewest messages meet, if they are few. */
async function findFewest(
  ctx: ScopeContext,
  filters: MessageFilter[],
  range: SemanticScope['range'],
): Promise<Fewest | null> {
  if (filters.length === 0) return null;
  const found = filters.map(
    (filter, at) =>
      sql`select ${at}::int as at, count(*)::int as count, case when count(*) <= ${carriedMax} then array_agg(id) end as ids
        from (${filterIds(filter, range)}) counted`,
  );
  const { rows } = await sql<{ at: number; count: number; ids: string[] | null }>`
    with found as materialized (${sql.join(found, sql` union all `)}) select * from found order by count limit 1`.execute(
    acrossWorkspaces(ctx, 'the filters are those of the workspace'),
  );
  const [fewest] = rows;
  const filter = filters[fewest?.at ?? 0];
  if (!fewest || !filter || fewest.count >= fewMax) return null;
  const carried = fewest.count === 0 ? [] : fewest.ids;
  return {
    filter,
    ids: carried ? sql`select id from unnest(${carried}::text[]) id` : filterIds(filter, range),
  };
}

/** Returns the ids of the messages of a filter, as far as they count as few. */
function filterIds({ ids, of }: MessageFilter, range: SemanticScope['range']): RawBuilder<unknown> {
  const parts = ids.map(
    (some) => sql`(select id from ${some.as('one')} where true ${inRange('id', range)} limit ${fewMax})`,
  );
  const all = sql`select id from (${sql.join(parts, sql` union all `)}) ids limit ${fewMax}`;
  if (of === null) return all;
  return sql`select own.id from unnest(${of}::text[]) inbox(id) cross join lateral (${all}) own limit ${fewMax}`;
}

function inRange(column: string, range: SemanticScope['range']): RawBuilder<unknown> {
  const { from = null, before = null } = range ?? {};
  const id = sql.ref(column);
  return sql`${from === null ? sql`` : sql`and ${id} >= ${from}`} ${before === null ? sql`` : sql`and ${id} < ${before}`}`;
}
