import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { type BatchContext, batchedQuery } from '../../db/batched.ts';
import { isRolledBack } from '../../db/database-errors.ts';
import { prepared } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { originalRowBytesMax, rawKey } from '../originals.ts';
import { bodyCharacters, type MessageRecord, type StoreOutcome } from './message-record.ts';
import {
  readOutcome,
  type StoreCall,
  type StoredAnswer,
  type StoreFunction,
  type StoreValues,
  storeCall,
  storeSql,
  storeValues,
} from './store-call.ts';

/** A larger mail is stored by itself, so that others need not wait for it. */
const togetherCharactersMax = 65_536;

/** Stores a mail by a database function, in the transaction of `ctx` or in one that small mails share that come at the same time. */
export type Store = (ctx: BatchContext, call: StoreCall) => Promise<StoredAnswer>;

/** Creates what stores mails by a database function, which does it in one round trip and one transaction. */
export function createStore(name: StoreFunction): Store {
  const query = prepared((db, values: StoreValues) =>
    sql<{ answer: StoredAnswer }>`
      select answer from ${storeSql(name, values)} with ordinality stored(answer, n) order by n`.compile(db),
  );
  const storeAll = async (ctx: { db: Db }, calls: StoreCall[]) =>
    (await query(ctx, storeValues(calls))).map(({ answer }) => answer);
  // A shared transaction costs the database half as much for each.
  const storeTogether = batchedQuery(storeAll);
  return async (ctx, call) => {
    const isSmall = call.payload.length + bodyCharacters(call.message) <= togetherCharactersMax;
    const isShared = isSmall && !ctx.db.isTransaction;
    const answer = isShared ? await storeTogether(ctx, call) : (await storeAll(ctx, [call]))[0];
    if (!answer) throw new Error(`${name} gave no answer.`);
    return answer;
  };
}

const store = createStore('store_messages');

/**
 * Stores a mail and everything that belongs to it: thread, recipients, attachments, usage, events, and the original unless it is a file.
 * Wake-ups are sent once it has committed.
 */
export async function storeMessage(
  ctx: Pick<Context, 'db' | 'memory' | 'wakeups' | 'workspaceId'>,
  record: MessageRecord,
  original: Buffer | null,
): Promise<StoreOutcome> {
  const answer = await store(ctx, storeCall(record, original));
  if (answer.outcome === 'stored') ctx.wakeups.wake(ctx.workspaceId);
  return readOutcome(answer);
}

/**
 * Stores a message with its original. `store` writes a small original together with the rows, in one transaction. A large original is first
 * made durable as a file, and deleted again if no rows were written. If a connection broke in between, it is unknown whether they were
 * written, and the file stays.
 */
export async function storeWithOriginal<Outcome extends { outcome: string }>(
  deps: Pick<Deps, 'files'>,
  raw: Buffer,
  { message }: MessageRecord,
  store: (original: Buffer | null) => Promise<Outcome>,
): Promise<Outcome> {
  if (raw.length <= originalRowBytesMax) return store(raw);
  const key = rawKey(message);
  await deps.files.put(key, raw);
  try {
    const stored = await store(null);
    if (stored.outcome !== 'stored') await deps.files.delete([key]);
    return stored;
  } catch (error) {
    if (isRolledBack(error)) await deps.files.delete([key]);
    throw error;
  }
}
