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

interface TextFunctions {
  searchDocument(fields: object): { vector: string; words: string[] };
  variantsOf(workspaceId: string, word: string): number[];
  restOf(body: string, newText: string): string;
}

/** Opens the index of the mails of an order. Its documents are made by the server's own functions. */
export async function openMailIndex(client: pg.Client, order: MailSeed): Promise<MailIndex> {
  const { searchDocument, variantsOf, restOf } = await importText(order.serverFolder);
  const counts = countMails(order.from);
  const vocabulary = order.workspaces.map(() => new Map<string, number>());
  const documentOf = (mail: IndexedMail) => {
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
      restText: restOf(mail.text, mail.newText),
      files: [],
    });
    const known = vocabulary[mail.place]!;
    for (const word of words) known.set(word, (known.get(word) ?? 0) + 1);
    return { bucket, vector };
  };
  return {
    add: async (mails) => {
      const documents = mails.map(documentOf);
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
          const variants = some.map((word) => `{${variantsOf(workspaceId, word).join(',')}}`);
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

async function importText(folder: string): Promise<TextFunctions> {
  const path = `${folder}/server/src/search`;
  const files = ['text/search-document.ts', 'text/typos.ts', 'index/split-text.ts'];
  return Object.assign({}, ...(await Promise.all(files.map((file) => import(`${path}/${file}`)))));
}
