import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely';
import type { Scope } from '../lib/scope.ts';
import type { Db, Tables } from './tables.ts';

/** Tables whose rows belong to a workspace. */
type ScopedTable = { [T in keyof Tables]: 'workspace_id' extends keyof Tables[T] ? T : never }[keyof Tables] &
  string;

/** Tables whose rows belong to inboxes of a workspace, too. */
type InboxTable =
  | { [T in keyof Tables]: 'inbox_id' extends keyof Tables[T] ? T : never }[keyof Tables]
  | 'inboxes'
  | 'webhooks';

/** The workspace whose rows are wanted. */
interface WorkspaceContext {
  db: Db;
  workspaceId: string;
}

/** The same with the inboxes whose rows are wanted. */
export interface RowsContext extends WorkspaceContext {
  scope: Pick<Scope, 'inboxIds'>;
}

/** The same as values of a prepared statement. */
export interface OwnRows {
  workspaceId: string;
  inboxIds: string[] | null;
}

/** Returns whose rows a caller may read, as values of a prepared statement. */
export function ownRows({ workspaceId, scope }: Omit<RowsContext, 'db'>): OwnRows {
  return { workspaceId, inboxIds: scope.inboxIds };
}

/** Queries on the rows of one workspace. */
export interface Scoped<Table extends ScopedTable> {
  selectFrom<T extends Table>(table: T): SelectQueryBuilder<Tables, T, object>;
  updateTable<T extends Table>(table: T): UpdateQueryBuilder<Tables, T, T, UpdateResult>;
  deleteFrom<T extends Table>(table: T): DeleteQueryBuilder<Tables, T, DeleteResult>;
}

/** The condition that a row belongs to some inboxes. */
type Condition = (column: (name: string) => RawBuilder<unknown>, inboxIds: string[]) => RawBuilder<boolean>;

// A single inbox is compared by equality, because an index then returns its rows in order.
function isOne(column: RawBuilder<unknown>, ids: string[]): RawBuilder<boolean> {
  return Array.isArray(ids) && ids.length === 1
    ? sql`${column} = ${ids[0]}`
    : sql`${column} = any(${ids}::text[])`;
}

const byInbox: Condition = (column, ids) => isOne(column('inbox_id'), ids);

/** The condition of each table with rows of inboxes. */
const conditions: Record<InboxTable, Condition> = {
  inboxes: (column, ids) => isOne(column('id'), ids),
  // A webhook for all inboxes, or for one outside the scope, does not belong to the key.
  webhooks: (column, ids) => sql`${column('inbox_ids')} <@ ${ids}::text[]`,
  // A sample is about an inbox that does not exist.
  webhook_deliveries: (column, ids) => sql`(${byInbox(column, ids)} or ${column('origin')} = 'sample')`,
  addresses: byInbox,
  approvals: byInbox,
  attachments: byInbox,
  awaited_ids: byInbox,
  draft_files: byInbox,
  drafts: byInbox,
  events: byInbox,
  inbound_fingerprints: byInbox,
  message_ids: byInbox,
  message_labels: byInbox,
  message_recipients: byInbox,
  messages: byInbox,
  search_codes: byInbox,
  smtp_decisions: byInbox,
  thread_labels: byInbox,
  threads: byInbox,
};

/**
 * Creates queries on the rows of the caller's workspace and, in tables with rows of inboxes, of the inboxes in its scope. Every query
 * starts with these conditions, so that none can forget them. Without a scope there are no queries on rows of inboxes.
 */
export function scoped(ctx: RowsContext): Scoped<ScopedTable>;
export function scoped(ctx: WorkspaceContext): Scoped<Exclude<ScopedTable, InboxTable>>;
export function scoped({ db, workspaceId, scope }: WorkspaceContext & Partial<RowsContext>): unknown {
  // Kysely cannot type a condition on a table that is a type parameter, hence the conversions, which stay in this function.
  const own = (query: unknown, table: string) => {
    const ofWorkspace = (query as Conditional).where(
      sql`${sql.ref(`${table}.workspace_id`)} = ${workspaceId}`,
    );
    const condition = conditions[table as InboxTable];
    const inboxIds = scope?.inboxIds ?? null;
    if (!condition || inboxIds === null) return ofWorkspace;
    return ofWorkspace.where(condition((name) => sql.ref(`${table}.${name}`), inboxIds));
  };
  return {
    selectFrom: (table: ScopedTable) => own(db.selectFrom(table), table),
    updateTable: (table: ScopedTable) => own(db.updateTable(table), table),
    deleteFrom: (table: ScopedTable) => own(db.deleteFrom(table), table),
  };
}

/** Returns whether an inbox of the workspace is one of the caller's. */
export function isInScope({ scope: { inboxIds } }: Pick<RowsContext, 'scope'>, inboxId: string): boolean {
  return inboxIds === null || inboxIds.includes(inboxId);
}

/** How the rows of some inboxes are read in the order of an index. */
export interface InOrder<Ctx> {
  /** The context of the queries. With `of`, they name the column `inbox.id`. */
  one: Ctx;
  /** The inboxes for each of which the queries are run, by `ofEach`; null if they are run once. */
  of: string[] | null;
}

/**
 * Returns how rows are read in the order of an index: of the given inbox or, without it, of all that are in scope. An index has only the
 * rows of one inbox in their order, so several are read one by one and merged.
 */
export function inOrder<Ctx extends RowsContext>(ctx: Ctx, inboxId?: string): InOrder<Ctx> {
  const { inboxIds } = ctx.scope;
  const of = (ids: unknown[]) => ({ ...ctx, scope: { ...ctx.scope, inboxIds: ids as string[] } });
  if (inboxId !== undefined) return { one: of(isInScope(ctx, inboxId) ? [inboxId] : []), of: null };
  if (inboxIds === null || inboxIds.length < 2) return { one: ctx, of: null };
  // `scoped` adds the condition on a single inbox, whether that is an id or a column.
  return { one: of([sql.ref('inbox.id')]), of: inboxIds };
}

/** Returns a query that runs another one for each of some inboxes, which it names as the column `inbox.id`. */
export function ofEach<Row>(
  ctx: { db: Db },
  inboxIds: string[],
  query: SelectQueryBuilder<Tables, never, Row>,
): SelectQueryBuilder<Tables, never, Row> {
  const inboxes = sql<{ id: string }>`unnest(${inboxIds}::text[])`.as<'inbox'>(sql`inbox(id)`);
  return ctx.db
    .selectFrom(inboxes)
    .innerJoinLateral(query.as('part'), (on) => on.onTrue())
    .selectAll('part') as unknown as SelectQueryBuilder<Tables, never, Row>;
}

interface Conditional {
  where(condition: RawBuilder<unknown>): Conditional;
}

/** Returns the database for queries across workspaces. Each caller gives the reason why it may. */
export function acrossWorkspaces(ctx: { db: Db }, _why: string): Db {
  return ctx.db;
}
