/*
 * Prepared statements for the hot paths, compiled to SQL once per process, and parsed and planned once per connection. Otherwise most of
 * the cost of a look-up of one row is spent on these steps. Only statements that `prepared` creates are prepared, and a bounded number of
 * others. A list of values is one parameter (`= any`), because each length of an `in (…)` would be a statement of its own.
 */
import { type CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import type { Db } from './tables.ts';

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
export function anyText(texts: string[]) {
  return sql<string>`any(${texts}::text[])`;
}

/** Returns what has a placeholder for a value of any name, and null for inboxes that are not limited. */
function standIns(isLimited: boolean): object {
  const get = (_target: object, name: string | symbol) =>
    name === 'inboxIds' && !isLimited ? null : new Parameter(String(name));
  return new Proxy({}, { get });
}

function named<Row>(statement: CompiledQuery<Row>): CompiledQuery<Row> {
  if (!names.has(statement.sql)) names.set(statement.sql, `s${names.size + 1}`);
  return statement;
}

/** The names of the prepared statements by their SQL, because only the SQL reaches the client that sends them. */
const names = new Map<string, string>();

/** A client that sends prepared statements under their names. */
export class PreparingClient extends pg.Client {
  readonly #shapes: RowShapes = new Map();

  override query(...[text, values, ...rest]: unknown[]): never {
    const name = typeof text === 'string' ? names.get(text) : undefined;
    if (name === undefined) return super.query(text as never, values as never, ...(rest as [])) as never;
    const send = (callback: unknown) =>
      super.query(new PreparedQuery(name, this.#shapes, text, values, callback) as never);
    if (rest[0]) return send(rest[0]) as never;
    return new Promise((resolve, reject) => {
      send((error: unknown, result: unknown) => (error ? reject(error) : resolve(result)));
    }) as never;
  }
}

interface RowShape {
  fields: unknown[];
  _parsers: unknown;
  _prebuiltEmptyResultObject: unknown;
}

/** A connection of `pg`. */
interface Connection {
  describe(target: object): void;
}

/** The private parts of a query of `pg`. */
interface PgQuery {
  name: string;
  _result: RowShape;
  _accumulateRows: unknown;
  prepare(connection: Connection): void;
  handleRowDescription(description: { fields: unknown[] }): void;
}

const Query = pg.Query as unknown as new (...query: unknown[]) => PgQuery;

/** How to build the rows of the prepared statements of one connection, by the names of the statements. */
type RowShapes = Map<string, RowShape>;

/**
 * For each result, `pg` asks for its columns and works out again how to build its rows, which takes a tenth of the time that reading a
 * message takes. The results of a prepared statement have the same columns for as long as its connection lasts, because Postgres refuses to
 * run it if they have changed. So they are asked for once, and the way to build the rows is kept. `callback` gets all rows at once.
 */
class PreparedQuery extends Query {
  readonly #shapes: RowShapes;

  constructor(name: string, shapes: RowShapes, ...query: unknown[]) {
    // Given the name, too, as one object, `pg` would copy it property by property.
    super(...query);
    this.name = name;
    this.#shapes = shapes;
  }

  override prepare(connection: Connection): void {
    const shape = this.#shapes.get(this.name);
    const { describe } = connection;
    if (shape) {
      Object.assign(this._result, shape);
      this._accumulateRows = true;
      connection.describe = () => {};
    }
    try {
      super.prepare(connection);
    } finally {
      connection.describe = describe;
    }
  }

  override handleRowDescription(description: { fields: unknown[] }): void {
    super.handleRowDescription(description);
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    this.#shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject });
  }
}

/*
 * Lists of long texts and bytes as parameters of a statement. `pg` turns a list into one text, and both it and the database read each
 * character of that several times. It sends a Buffer unchanged, in the binary format of the parameter's type.
 */

const typeIds = { bytea: 17, int4: 23, text: 25 };
const intBytes = 4;
const headBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

/** Returns a parameter of the type `text[]`. */
export function textList(texts: (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? nullLength : Buffer.byteLength(text)));
  return encodeList('text', lengths, (list, index, at) => list.write(texts[index] as string, at));
}

/** Returns a parameter of the type `bytea[]`. */
export function byteaList(values: (Buffer | null)[]): Buffer {
  const lengths = values.map((value) => value?.length ?? nullLength);
  return encodeList('bytea', lengths, (list, index, at) => (values[index] as Buffer).copy(list, at));
}

/** Returns a parameter of the type `int[]`. */
export function intList(values: (number | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? nullLength : intBytes));
  return encodeList('int4', lengths, (list, index, at) => list.writeInt32BE(values[index] as number, at));
}

/**
 * Writes a list as `array_recv` of Postgres reads it: dimensions, whether there are nulls, type, size and first index, then each item after
 * its length.
 */
function encodeList(
  type: keyof typeof typeIds,
  lengths: number[],
  write: (list: Buffer, index: number, at: number) => void,
): Buffer {
  const itemBytes = lengths.reduce((sum, length) => sum + lengthBytes + Math.max(0, length), 0);
  const list = Buffer.allocUnsafe(headBytes + itemBytes);
  const hasNulls = lengths.includes(nullLength);
  let at = 0;
  for (const field of [1, Number(hasNulls), typeIds[type], lengths.length, 1])
    at = list.writeInt32BE(field, at);
  for (const [index, length] of lengths.entries()) {
    at = list.writeInt32BE(length, at);
    if (length === nullLength) continue;
    write(list, index, at);
    at += length;
  }
  return list;
}
