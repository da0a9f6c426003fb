/*
 * Prepared statements for the hot paths, compiled to SQL once per process, and parsed and planned once per connection. Otherwise most of
 * the cost of a look-up of one row is spent on these steps. Only statements that `prepared` creates are prepared, and a bounded number of
 * others. A list of values is one parameter (`= any`), because each length of an `in (…)` would be a statement of its own.
 */
import { type CompiledQuery, sql } from 'kysely';
import type { Db } from './database.ts';
import { nameStatement } from './preparing-client.ts';

/** A placeholder for a value that is given when the statement runs. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Creates a statement that `write` writes once and that runs with other values each time. `write` must pass its values on without reading
 * them, apart from `inboxIds`: with null it writes another statement, which has no condition on the inbox. It must name the columns,
 * because a kept plan fails if `*` later means more of them.
 */
export function prepared<Values extends object, Row>(
  write: (db: Db, values: Values) => CompiledQuery<Row>,
): (ctx: { db: Db }, values: Values) => Promise<Row[]> {
  let ofAll: CompiledQuery<Row> | null = null;
  let ofSome: CompiledQuery<Row> | null = null;
  return async ({ db }, values) => {
    const isLimited = (values as { inboxIds?: unknown }).inboxIds != null;
    if (isLimited) ofSome ??= named(write(db, standIns(isLimited) as Values));
    else ofAll ??= named(write(db, standIns(isLimited) as Values));
    const statement = (isLimited ? ofSome : ofAll)!;
    const parameters = statement.parameters.map((parameter) =>
      parameter instanceof Parameter ? values[parameter.name as keyof Values] : parameter,
    );
    return (await db.executeQuery<Row>({ ...statement, parameters })).rows;
  };
}

/** Returns the right side of `=` that matches any of these texts. */
export function anyOf(texts: string[]) {
  return sql<string>`any(${texts}::text[])`;
}

/** Returns what has a placeholder for a value of any name, and null for inboxes that are not limited. */
function standIns(isLimited: boolean): object {
  const get = (_target: object, name: string | symbol) =>
    name === 'inboxIds' && !isLimited ? null : new Parameter(String(name));
  return new Proxy({}, { get });
}

function named<Row>(statement: CompiledQuery<Row>): CompiledQuery<Row> {
  nameStatement(statement.sql);
  return statement;
}
