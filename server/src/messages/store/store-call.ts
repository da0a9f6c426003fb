import { sql } from 'kysely';
import { byteaList, textList } from '../../db/batched.ts';
import { sha256 } from '../../lib/crypto/bytes.ts';
import { messageTerms } from '../message-terms.ts';
import type { MessageRecord, NewMessage, StoreOutcome } from './message-record.ts';

/** Room for what is read of In-Reply-To, up to 100 ids, and of References, up to 500. */
const namedIdsMax = 600;

/** A record as the database function takes it, except for the bodies, which are passed separately. */
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
  const { body_text, body_html, extracted_text, ...message } = record.message;
  const ownIds = idHashes(record.ownIds);
  return {
    message,
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
