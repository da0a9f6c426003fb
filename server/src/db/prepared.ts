/*
 * Statements of the hot paths, prepared: compiled to SQL once a process, and parsed and planned once a connection. Most of what
 * a look-up of one row costs is otherwise spent on understanding it. Only what is written here is prepared, so their number is
 * bounded; a list of values is one parameter (`= any`), since each length of an `in (…)` would be a statement of its own.
 */
import { type CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import type { Db } from './database.ts';
import { PreparedQuery, type RowShapes } from './prepared-query.ts';

/** Stands for a value that is given when the statement runs. */
class Parameter {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** The prepared statements by their SQL, since that is what reaches the client that sends them. */
const names = new Map<string, string>();

/**
 * A statement that is written once, by `write`, and run with other values each time. `write` passes its values on and does not
 * look at them. Name the columns: a plan that is kept fails when `*` comes to mean more of them.
 */
export const prepared = <Values extends object, Row>(
  write: (db: Db, values: Values) => CompiledQuery<Row>,
): ((ctx: { db: Db }, values: Values) => Promise<Row[]>) => {
  let statement: CompiledQuery<Row> | null = null;
  return async ({ db }, values) => {
    statement ??= register(write(db, standIns as Values));
    const parameters = statement.parameters.map((parameter) =>
      parameter instanceof Parameter ? values[parameter.name as keyof Values] : parameter,
    );
    return (await db.executeQuery<Row>({ ...statement, parameters })).rows;
  };
};

/** One of these texts, as the right side of `=`. */
export const anyOf = (texts: string[]) => sql<string>`any(${texts}::text[])`;

/** Has a stand-in for a value of any name. */
const standIns: object = new Proxy({}, { get: (_target, name) => new Parameter(String(name)) });

const register = <Row>(statement: CompiledQuery<Row>): CompiledQuery<Row> => {
  if (!names.has(statement.sql)) names.set(statement.sql, `s${names.size + 1}`);
  return statement;
};

type ClientClass = new (options?: object) => pg.Client;
let clients = 0;

/** A client class that sends prepared statements under their names. */
export const preparing = (Client: ClientClass = pg.Client): ClientClass =>
  class PreparingClient extends Client {
    // All clients of the embedded database share one session, in which a name can be given once.
    readonly #prefix = `c${++clients}`;
    readonly #shapes: RowShapes = new Map();

    override query(...[text, values, ...rest]: unknown[]): never {
      const name = typeof text === 'string' ? names.get(text) : undefined;
      if (name === undefined) return super.query(text as never, values as never, ...(rest as [])) as never;
      const statement = { name: `${this.#prefix}_${name}`, text, values };
      const send = (callback: unknown) =>
        super.query(new PreparedQuery(statement, this.#shapes, callback) as never);
      if (rest[0]) return send(rest[0]) as never;
      return new Promise((resolve, reject) => {
        send((error: unknown, result: unknown) => (error ? reject(error) : resolve(result)));
      }) as never;
    }
  };
