import pg from 'pg';
import { PreparedQuery, type RowShapes } from './prepared-query.ts';

/** The names of the prepared statements by their SQL, because only the SQL reaches the client that sends them. */
const names = new Map<string, string>();

/** Gives a statement a name, under which every client sends it from now on. */
export function nameStatement(text: string): void {
  if (!names.has(text)) names.set(text, `s${names.size + 1}`);
}

/** Returns a client class that sends prepared statements under their names. */
export function preparing(): new (options?: object) => pg.Client {
  return class PreparingClient extends pg.Client {
    readonly #shapes: RowShapes = new Map();

    override query(...[text, values, ...rest]: unknown[]): never {
      const name = typeof text === 'string' ? names.get(text) : undefined;
      if (name === undefined) return super.query(text as never, values as never, ...(rest as [])) as never;
      const statement = { name, text, values };
      const send = (callback: unknown) =>
        super.query(new PreparedQuery(statement, this.#shapes, callback) as never);
      if (rest[0]) return send(rest[0]) as never;
      return new Promise((resolve, reject) => {
        send((error: unknown, result: unknown) => (error ? reject(error) : resolve(result)));
      }) as never;
    }
  };
}
