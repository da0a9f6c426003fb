import type {
  DeleteQueryBuilder,
  DeleteResult,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely';
import type { Db, Tables } from './database.ts';

/** Tables whose rows belong to a workspace. */
type ScopedTable = { [T in keyof Tables]: 'workspace_id' extends keyof Tables[T] ? T : never }[keyof Tables] &
  string;

/** Queries on the rows of one workspace. */
export interface Scoped {
  selectFrom<T extends ScopedTable>(table: T): SelectQueryBuilder<Tables, T, object>;
  updateTable<T extends ScopedTable>(table: T): UpdateQueryBuilder<Tables, T, T, UpdateResult>;
  deleteFrom<T extends ScopedTable>(table: T): DeleteQueryBuilder<Tables, T, DeleteResult>;
}

/**
 * Creates queries on the rows of the caller's workspace. Every query starts with its `workspace_id`, so that none can forget it. Kysely
 * cannot type a condition on a table that is a type parameter, hence the conversions, which stay in this function.
 */
export function scoped(ctx: { db: Db; workspaceId: string }): Scoped {
  const own = (query: { where(column: string, operator: string, value: string): unknown }, table: string) =>
    query.where(`${table}.workspace_id`, '=', ctx.workspaceId) as never;
  return {
    selectFrom: (table) => own(ctx.db.selectFrom(table) as never, table),
    updateTable: (table) => own(ctx.db.updateTable(table) as never, table),
    deleteFrom: (table) => own(ctx.db.deleteFrom(table) as never, table),
  };
}

/** Returns the database for queries across workspaces. Each caller gives the reason why it may. */
export function acrossWorkspaces(ctx: { db: Db }, _why: string): Db {
  return ctx.db;
}
