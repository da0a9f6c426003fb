import {
  cutNewText,
  openWords,
  packVector,
  searchDocument,
  typoHashes,
  vectorCode,
  vectorSpace,
} from '@postrider/testkit/database/search-functions.ts';
import type pg from 'pg';
import { countMails } from '../run/search-numbers.ts';
import type { MailSeed } from './mail-seed.ts';
import type { ZipfMail } from './zipf-mail.ts';

/** A mail with its place among the workspaces. */
export interface IndexedMail extends ZipfMail {
  place: number;
  workspaceId: string;
  id: string;
  inbox: { id: string; address: string };
}

/** Writes the search index of mails, as the server does for mail that arrives. */
export interface MailIndex {
  add(mails: IndexedMail[]): Promise<void>;
  /** Writes the vocabulary. */
  finish(): Promise<void>;
}

const wordsAtOnce = 5_000;

/** Opens the index of the mails of an order. Its documents are made by the server's own functions. */
export function openMailIndex(client: pg.Client, order: MailSeed): MailIndex {
  const counts = countMails(order.from);
  const vocabulary = order.workspaces.map(() => new Map<string, number>());
  const makeDocument = (mail: IndexedMail) => {
    const bucket = Math.floor(counts[mail.place]! / order.bucketMessages);
    counts[mail.place]! += 1;
    const { number, block } = order.workspaces[mail.place]!.buckets[bucket]!;
    const { vector, words } = searchDocument({
      workspaceId: mail.workspaceId,
      inboxId: mail.inbox.id,
      bucketId: number,
      blockId: block,
      direction: 'inbound',
      hasAttachment: false,
      subject: mail.subject,
      from: { address: mail.fromAddress, name: mail.fromName },
      recipients: [{ address: mail.inbox.address }],
      newText: mail.newText,
      restText: cutNewText(mail.text, mail.newText),
      files: [],
    });
    const known = vocabulary[mail.place]!;
    for (const word of words) known.set(word, (known.get(word) ?? 0) + 1);
    return { bucket, vector };
  };
  return {
    add: async (mails) => {
      const documents = mails.map(makeDocument);
      await client.query(insertDocuments, [
        mails.map(({ workspaceId }) => workspaceId),
        mails.map(({ id }) => id),
        documents.map(({ bucket }) => bucket),
        documents.map(({ vector }) => vector),
      ]);
    },
    finish: async () => {
      for (const [place, words] of vocabulary.entries()) {
        const workspaceId = order.workspaces[place]!.id;
        // Processes that write the same words take them in the same order.
        const inOrder = [...words.keys()].sort();
        for (let at = 0; at < inOrder.length; at += wordsAtOnce) {
          const some = inOrder.slice(at, at + wordsAtOnce);
          const variants = some.map((word) => `{${typoHashes(workspaceId, word).join(',')}}`);
          await client.query(insertWords, [workspaceId, some, some.map((word) => words.get(word)), variants]);
        }
      }
    },
  };
}

const insertDocuments = `insert into search_messages (workspace_id, message_id, bucket, words)
  select workspace_id, message_id, bucket, words::tsvector
  from unnest($1::text[], $2::text[], $3::int[], $4::text[]) documents (workspace_id, message_id, bucket, words)`;

const insertWords = `insert into search_words as w (workspace_id, word, n, variants)
  select $1, word, n, variants::int[] from unnest($2::text[], $3::int[], $4::text[]) words (word, n, variants)
  on conflict (workspace_id, word) do update set n = w.n + excluded.n`;

/** Writes the vectors of mails, as the server does in the background. */
export interface MailVectors {
  add(mails: IndexedMail[]): Promise<void>;
  /** Notes that nothing is left to be embedded. */
  finish(): Promise<void>;
}

const signal = new AbortController().signal;
/** As much of a message as the server embeds. */
const charactersMax = { subject: 300, text: 2_000 };

/** Opens the vectors of the mails of an order. They are made by the server's own functions, with its built-in table of words. */
export async function openMailVectors(client: pg.Client, order: MailSeed): Promise<MailVectors> {
  const provider = await openWords(console);
  if (!provider) throw new Error('The package @postrider/words-en is not installed.');
  const space = vectorSpace(provider);
  return {
    add: async (mails) => {
      const texts = mails.map(
        ({ subject, newText }) =>
          `${subject.slice(0, charactersMax.subject)}\n${newText.slice(0, charactersMax.text)}`,
      );
      const vectors = await provider.embedMany(texts, signal);
      await client.query(insertVectors, [
        mails.map(({ workspaceId }) => workspaceId),
        mails.map(({ id }) => id),
        mails.map(({ inbox }) => inbox.id),
        vectors.map(vectorCode),
        vectors.map((vector) => `\\x${packVector(vector).toString('hex')}`),
        space,
      ]);
    },
    finish: async () => {
      await client.query(
        `insert into embedding_progress (workspace_id, space, before, asked_at) select unnest($1::text[]), $2, null, now()
          on conflict (workspace_id) do update set space = excluded.space, before = null`,
        [order.workspaces.map(({ id }) => id), space],
      );
      await provider.close();
    },
  };
}

const insertVectors = `with made as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[]) made (workspace_id, message_id, inbox_id, code, vector)),
  codes as (
    insert into search_codes (code, space, workspace_id, inbox_id, message_id)
      select code::bit(768), $6::int, workspace_id, inbox_id, message_id from made)
  insert into search_vectors (workspace_id, message_id, vector) select workspace_id, message_id, vector from made`;
