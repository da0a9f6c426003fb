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
  outcomeOf,
  type StoreCall,
  type StoredAnswer,
  type StoreValues,
  storeCall,
  storeMessagesSql,
  storeValues,
} from './store-call.ts';

/** A larger mail is stored by itself, so that others need not wait for it. */
const togetherCharactersMax = 65_536;

/**
 * Stores a mail and everything that belongs to it: thread, recipients, attachments, usage, events, and the original unless it is a file.
 * The database function `store_messages` does it in one round trip and one transaction, which small mails that arrive at the same time
 * share. Wake-ups are sent once it has committed.
 */
export async function storeMessage(
  ctx: Pick<Context, 'db' | 'memory' | 'wakeups' | 'workspaceId'>,
  record: MessageRecord,
  original: Buffer | null,
): Promise<StoreOutcome> {
  const answer = await callStoreMessage(ctx, storeCall(record, original));
  if (answer.outcome === 'stored') ctx.wakeups.wake(ctx.workspaceId);
  return outcomeOf(answer);
}

/** Stores a mail as `storeMessage` does, within the transaction of `tx`. The caller sends the wake-up after the commit. */
export async function storeWithin(
  tx: { db: Db },
  record: MessageRecord,
  original: Buffer | null,
): Promise<StoreOutcome> {
  const [answer] = await storeAll(tx, [storeCall(record, original)]);
  if (!answer) throw new Error('store_messages gave no answer.');
  return outcomeOf(answer);
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

async function callStoreMessage(ctx: BatchContext, call: StoreCall): Promise<StoredAnswer> {
  const isSmall = call.payload.length + bodyCharacters(call.message) <= togetherCharactersMax;
  const answer = isSmall ? await storeTogether(ctx, call) : (await storeAll(ctx, [call]))[0];
  if (!answer) throw new Error('store_messages gave no answer.');
  return answer;
}

async function storeAll(ctx: { db: Db }, calls: StoreCall[]): Promise<StoredAnswer[]> {
  return (await store(ctx, storeValues(calls))).map(({ answer }) => answer);
}

/** Mails that arrive at the same time share a transaction, which costs the database half as much for each. */
const storeTogether = batchedQuery(storeAll);

const store = prepared((db, values: StoreValues) =>
  sql<{ answer: StoredAnswer }>`
    select answer from ${storeMessagesSql(values)} with ordinality stored(answer, n) order by n`.compile(db),
);
