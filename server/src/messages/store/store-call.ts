import { sql } from 'kysely';
import { byteaList, textList } from '../../db/binary-list.ts';
import { sha256 } from '../../lib/sha256.ts';
import { addressTerms } from '../message-terms.ts';
import type { MessageRecord, NewMessage, StoreOutcome } from './message-record.ts';

/**
 * How many characters of a body can be found by their words. Indexing more would take as long as storing all the rest, and a search
 * vector has 1 MB at most.
 */
const searchCharactersMax = 50_000;
const termsMax = 200;
const termCharactersMax = 400;
/** In-Reply-To and References are read up to 100 and 500. */
const namedIdsMax = 600;

/** A record as the database function takes it, but for its bodies, which go beside it. */
export interface StoreCall {
  message: NewMessage;
  payload: string;
  original: Buffer | null;
}

/** Makes a call of a record. */
export const storeCall = (record: MessageRecord, original: Buffer | null): StoreCall => ({
  message: record.message,
  payload: JSON.stringify(payloadOf(record)),
  original,
});

/** The parameters of the database function. */
export interface StoreValues {
  payload: string;
  bodyTexts: Buffer;
  bodyHtmls: Buffer;
  extractedTexts: Buffer;
  originals: Buffer;
}

/** What the database function is called with for a batch. */
export const storeValues = (calls: StoreCall[]): StoreValues => ({
  payload: `[${calls.map(({ payload }) => payload).join(',')}]`,
  bodyTexts: textList(calls.map(({ message }) => message.body_text)),
  bodyHtmls: textList(calls.map(({ message }) => message.body_html)),
  extractedTexts: textList(calls.map(({ message }) => message.extracted_text)),
  originals: byteaList(calls.map(({ original }) => original)),
});

/** The call of the database function, which answers with one `StoredAnswer` for each mail, in their order. */
export const storeMessagesSql = (values: StoreValues) => sql<StoredAnswer>`
  store_messages(${values.payload}::jsonb, ${values.bodyTexts}::text[], ${values.bodyHtmls}::text[],
    ${values.extractedTexts}::text[], ${values.originals}::bytea[])`;

/** What the database function answers. */
export interface StoredAnswer {
  outcome: StoreOutcome['outcome'];
  message_id: string;
  thread_id: string;
}

/** An answer of the database function, as an outcome. */
export const outcomeOf = ({ outcome, message_id, thread_id }: StoredAnswer): StoreOutcome =>
  ({ outcome, messageId: message_id, threadId: thread_id }) as StoreOutcome;

const payloadOf = (record: MessageRecord) => {
  const { body_text, body_html, extracted_text, ...message } = record.message;
  const ownIds = hashes(record.ownIds);
  return {
    message,
    search_characters: searchCharactersMax,
    terms: termsOf(record.message),
    own_ids: ownIds,
    candidates: hashes(record.namedIds.slice(0, namedIdsMax)).filter((hash) => !ownIds.includes(hash)),
    thread_id: record.threadId,
    new_thread_id: record.newThreadId,
    participants: record.participants,
    ...unlessEmpty({
      recipients: record.recipients,
      attachments: record.attachments,
      usage: record.usage,
      events: record.events,
    }),
    ...(record.client && {
      client: { client_id: record.client.clientId, expires_at: record.client.expiresAt },
    }),
    ...(record.fingerprint && {
      fingerprint: {
        hash: record.fingerprint.hash.toString('hex'),
        expires_at: record.fingerprint.expiresAt,
      },
    }),
  };
};

/** Most mails have most of these lists empty, and the database reads what is not there as that. */
const unlessEmpty = (lists: Record<string, unknown[]>) =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));

/** Ids are indexed by their SHA-256, since a header may hold one that is longer than an index entry. */
const hashes = (ids: string[]): string[] => [...new Set(ids.map((id) => sha256(id).toString('hex')))];

/**
 * Terms by which the `from` and `to` filters find a message; the database adds those of its subject. Of very many addresses the
 * inbox's own count, and the first others.
 */
const termsOf = (message: NewMessage): string[] => {
  const to = [message.envelope_to, message.to_addrs, message.cc_addrs, message.bcc_addrs];
  const addresses = to.flatMap((list) => list.slice(0, termsMax));
  const terms = [
    ...addressTerms('from', message.from_addr),
    ...addresses.slice(0, termsMax).flatMap((address) => addressTerms('to', address)),
  ];
  return [...new Set(terms)].filter((term) => term.length <= termCharactersMax).slice(0, termsMax);
};
