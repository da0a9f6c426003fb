import type { MailStore } from './stored-mail.ts';

type Rows = Pick<MailStore, 'rows'>;

/** Returns the column `line` of all rows of a query. */
export async function readLines({ rows }: Rows, text: string, values: unknown[]): Promise<string[]> {
  return (await rows<{ line: string }>(text, values)).map(({ line }) => line);
}

/** Returns the id of the thread that a message is in. */
export async function findThread(store: Rows, messageId: string): Promise<string | undefined> {
  return (await readLines(store, 'select thread_id as line from messages where id = $1', [messageId]))[0];
}

/** Returns the Message-IDs that the threads of an inbox await: the thread, and the hash in hex. */
export function awaiting(store: Rows, inboxId: string): Promise<string[]> {
  const text = `select thread_id || ' ' || encode(hash, 'hex') as line from awaited_ids where inbox_id = $1 order by 1`;
  return readLines(store, text, [inboxId]);
}
