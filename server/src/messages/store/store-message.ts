import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { type BatchContext, batchedQuery } from '../../db/batched.ts';
import { isRolledBack } from '../../db/database-errors.ts';
import { byteaList, prepared, textList } from '../../db/prepared.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { sha256 } from '../../lib/crypto/primitives.ts';
import { messageTerms } from '../message-terms.ts';
import { rawKey } from '../originals.ts';
import type { MessageRecord, NewMessage, StoreOutcome } from './message-record.ts';

/** A larger mail is stored separately, so that others need not wait for it. */
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

/** Returns the number of characters in all bodies of a message. */
function bodyCharacters({ body_text, body_html, extracted_text }: NewMessage): number {
  return (body_text?.length ?? 0) + (body_html?.length ?? 0) + (extracted_text?.length ?? 0);
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
 * Up to this size, an original is a row, written in the same commit as its message, because a separate file costs four times as much.
 * Larger originals are files, so that the database holds little besides what is searched and listed.
 */
export const originalRowBytesMax = 65_536;

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

/** Room for what is read of In-Reply-To, up to 100 ids, and of References, up to 500. */
const namedIdsMax = 600;

/** A record in the form that the database function takes, except for the bodies, which are passed separately. */
export interface StoreCall {
  message: NewMessage;
  payload: string;
  original: Buffer | null;
}

/** Creates the call for a record. `more` is for a function that takes more of each mail than `store_messages` does. */
export function storeCall(record: MessageRecord, original: Buffer | null, more: object = {}): StoreCall {
  return {
    message: record.message,
    payload: JSON.stringify({ ...createPayload(record), ...more }),
    original,
  };
}

/** The parameters of the database function. */
export interface StoreValues {
  payload: string;
  bodyTexts: Buffer;
  bodyHtmls: Buffer;
  extractedTexts: Buffer;
  originals: Buffer;
}

/** Returns the parameters of the database function for a batch. */
export function storeValues(calls: StoreCall[]): StoreValues {
  return {
    payload: `[${calls.map(({ payload }) => payload).join(',')}]`,
    bodyTexts: textList(calls.map(({ message }) => message.body_text)),
    bodyHtmls: textList(calls.map(({ message }) => message.body_html)),
    extractedTexts: textList(calls.map(({ message }) => message.extracted_text)),
    originals: byteaList(calls.map(({ original }) => original)),
  };
}

/** Returns the call of a database function, which returns one `StoredAnswer` for each mail, in their order. */
export function storeSql(name: StoreFunction, values: StoreValues) {
  return sql<StoredAnswer>`
  ${sql.raw(name)}(${values.payload}::jsonb, ${values.bodyTexts}::text[], ${values.bodyHtmls}::text[],
    ${values.extractedTexts}::text[], ${values.originals}::bytea[])`;
}

/** The database functions that store mails. */
export type StoreFunction = 'store_messages' | 'store_sends';

/** The result of a database function for one mail. */
export interface StoredAnswer {
  outcome: StoreOutcome['outcome'];
  message_id: string;
  thread_id: string;
}

/** Returns the outcome that the database function reports. */
export function readOutcome({ outcome, message_id, thread_id }: StoredAnswer): StoreOutcome {
  return { outcome, messageId: message_id, threadId: thread_id } as StoreOutcome;
}

function createPayload(record: MessageRecord) {
  const ownIds = idHashes(record.ownIds);
  return {
    // JSON has no undefined values. The bodies are passed as lists of their own.
    message: { ...record.message, body_text: undefined, body_html: undefined, extracted_text: undefined },
    terms: messageTerms(record.message),
    own_ids: ownIds,
    candidates: idHashes(record.namedIds.slice(0, namedIdsMax)).filter((hash) => !ownIds.includes(hash)),
    thread_id: record.threadId,
    new_thread_id: record.newThreadId,
    participants: record.participants,
    ...unlessEmpty({
      recipients: record.recipients,
      attachments: record.attachments,
      usage: record.usage,
      events: record.events,
    }),
    ...(record.unparsed && {
      unparsed: { remote_address: record.unparsed.remoteAddress, helo: record.unparsed.helo },
    }),
    ...(record.client && {
      client: {
        client_id: record.client.clientId,
        request_hash: record.client.requestHash?.toString('hex'),
        expires_at: record.client.expiresAt,
      },
    }),
    ...(record.fingerprint && {
      fingerprint: {
        hash: record.fingerprint.hash.toString('hex'),
        expires_at: record.fingerprint.expiresAt,
      },
    }),
  };
}

/** Leaves out empty lists. Most mails have mostly empty lists, and the database reads a missing list as empty. */
function unlessEmpty(lists: Record<string, unknown[]>) {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
}

/** Returns the SHA-256 of each id, by which ids are indexed, since a header may hold one that is longer than an index entry. */
export function idHashes(ids: string[]): string[] {
  return [...new Set(ids.map((id) => sha256(id).toString('hex')))];
}
