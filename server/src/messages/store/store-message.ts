import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { groupedQuery } from '../../db/grouped-query.ts';
import { prepared } from '../../db/prepared.ts';
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
 * Stores a mail and all that belongs to it: thread, recipients, attachments, usage, events, and the original where that is not a
 * file. One round trip and one transaction, of which small mails that come at the same time have one together, by the database
 * function `store_messages`; wake-ups go out once it has committed.
 */
export const storeMessage = async (
  ctx: Pick<Context, 'db' | 'wakeups' | 'workspaceId'>,
  record: MessageRecord,
  original: Buffer | null,
): Promise<StoreOutcome> => {
  const answer = await callStoreMessage(ctx.db, storeCall(record, original));
  if (answer.outcome === 'stored') ctx.wakeups.wake(ctx.workspaceId);
  return outcomeOf(answer);
};

/** Stores a mail as `storeMessage` does, within the transaction of `tx`; the caller sends the wake-up after its commit. */
export const storeWithin = async (
  tx: { db: Db },
  record: MessageRecord,
  original: Buffer | null,
): Promise<StoreOutcome> => {
  const [answer] = await storeAll(tx, [storeCall(record, original)]);
  if (!answer) throw new Error('store_messages gave no answer.');
  return outcomeOf(answer);
};

const callStoreMessage = async (db: Db, call: StoreCall): Promise<StoredAnswer> => {
  const isSmall = call.payload.length + bodyCharacters(call.message) <= togetherCharactersMax;
  const answer = isSmall ? await storeTogether({ db }, call) : (await storeAll({ db }, [call]))[0];
  if (!answer) throw new Error('store_messages gave no answer.');
  return answer;
};

const storeAll = async (ctx: { db: Db }, calls: StoreCall[]): Promise<StoredAnswer[]> =>
  (await store(ctx, storeValues(calls))).map(({ answer }) => answer);

/** What comes at the same time is one transaction, which costs the database half as much for each. */
const storeTogether = groupedQuery(storeAll);

const store = prepared((db, values: StoreValues) =>
  sql<{ answer: StoredAnswer }>`
    select answer from ${storeMessagesSql(values)} with ordinality stored(answer, n) order by n`.compile(db),
);
